//! The page in a real browser: headless Chromium, driven by ChromeDriver. Where they are absent, each
//! test is reported as ignored.

mod browser {
    pub(crate) mod driver;
    pub(crate) mod inspect;
    pub(crate) mod play;
    pub(crate) mod safety;
}
#[allow(dead_code, reason = "the tests without a browser use all of it")]
#[path = "web/site.rs"]
mod site;
#[allow(dead_code, reason = "no test here needs the corpus")]
#[path = "../propnet/tests/common/trials.rs"]
mod trials;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut trials = trials::Trials::new();
    for add in [browser::play::add, browser::inspect::add, browser::safety::add] {
        add(&mut trials, browser::driver::is_there());
    }
    trials.run()
}
