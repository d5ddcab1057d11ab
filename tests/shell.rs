//! The completion script, read by the shell it is for.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::run_well;
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials) {
    let is_there = Command::new("bash").arg("--version").output().is_ok();
    trials.only_where(is_there, bash_reads_its_completions);
}

fn bash_reads_its_completions() {
    let script = run_well(&["completions", "bash"]);
    let bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn();
    let mut bash = bash.expect("bash starts");
    bash.stdin.take().expect("its input").write_all(script.as_bytes()).expect("it reads");
    assert!(bash.wait().expect("it ends").success());
}
