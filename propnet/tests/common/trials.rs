//! Tests that need something from outside the repository, such as the corpus, a command or a
//! processor's instructions. A test whose need is not met is reported as ignored, not as passed.
//!
//! `#[test]` decides about `ignore` when it is compiled, so the test binary `external` of each crate
//! has no harness of its own: it adds its tests here, and `libtest-mimic` runs them.

mod shared;

use std::any::type_name;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use shared::{VARIABLE, shared};

/// The tests of a binary. Each is named after its function and the module of that.
pub(crate) struct Trials {
    shared: Option<PathBuf>,
    all: Vec<Trial>,
}

impl Trials {
    pub(crate) fn new() -> Self {
        Trials { shared: shared(), all: Vec::new() }
    }

    /// A test that needs nothing, but shares its code with one that does.
    #[allow(dead_code, reason = "not every crate has one")]
    pub(crate) fn always<F: Fn() + Send + 'static>(&mut self, test: F) {
        self.add(true, test);
    }

    /// A test that is given the folder with the corpus.
    pub(crate) fn with_corpus<F: Fn(&Path) + Send + 'static>(&mut self, test: F) {
        self.add_with_corpus(true, test);
    }

    /// A test on the corpus that takes long: it is run only when it is asked for.
    pub(crate) fn by_hand_with_corpus<F: Fn(&Path) + Send + 'static>(&mut self, test: F) {
        self.add_with_corpus(false, test);
    }

    /// A test that runs only where something else is there.
    pub(crate) fn only_where<F: Fn() + Send + 'static>(&mut self, is_there: bool, test: F) {
        self.add(is_there, test);
    }

    fn add_with_corpus<F: Fn(&Path) + Send + 'static>(&mut self, is_usual: bool, test: F) {
        let shared = self.shared.clone();
        let runs = is_usual && shared.is_some();
        let run = move || match &shared {
            Some(folder) => {
                test(folder);
                Ok(())
            }
            None => Err(format!("there is no corpus; set {VARIABLE} to its folder").into()),
        };
        self.all.push(Trial::test(name_of::<F>(), run).with_ignored_flag(!runs));
    }

    fn add<F: Fn() + Send + 'static>(&mut self, runs: bool, test: F) {
        let run = move || {
            test();
            Ok(())
        };
        self.all.push(Trial::test(name_of::<F>(), run).with_ignored_flag(!runs));
    }

    /// Runs what the command line asks for.
    pub(crate) fn run(self) -> ExitCode {
        libtest_mimic::run(&Arguments::from_args(), self.all).exit_code()
    }
}

/// The path of a function without its crate.
fn name_of<F>() -> &'static str {
    let path = type_name::<F>();
    path.split_once("::").map_or(path, |(_, rest)| rest)
}
