//! Grounds a sheet in its own process, whose memory is used for that sheet only.
//!
//! In one process the peak of a sheet cannot be separated from that of larger sheets before it, and
//! if the system killed the process for the memory of one sheet, it would end all others too.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result};
use ludens::pipeline::{SheetOutcome, SheetReport};
use propnet::gdl::Source;
use serde::Deserialize;

use super::args::GroundArgs;

/// How such a process is started.
pub(crate) struct Child {
    program: PathBuf,
    options: Vec<String>,
}

/// The part that is read of the document that it prints.
#[derive(Deserialize)]
struct GroundChildDocument {
    sheets: Vec<SheetReport>,
}

impl Child {
    /// A child process with these options.
    pub(crate) fn new(ground: &GroundArgs, repeat: u64) -> Result<Self> {
        let program = env::current_exe().context("cannot find this program to start it again")?;
        let mut options: Vec<String> = ["ground", "-", "--json"].map(String::from).to_vec();
        options.extend(["--repeat".to_string(), repeat.to_string()]);
        options.extend(ground.as_typed());
        Ok(Child { program, options })
    }

    /// Grounds a sheet. If the process fails, the report says so.
    pub(crate) fn survey(&self, sheet: &Source) -> SheetReport {
        let message = match self.output(sheet) {
            Ok(output) => match read(&output) {
                Some(report) => return report,
                None => ended(&output),
            },
            Err(error) => format!("{error:#}"),
        };
        let report = SheetReport::new(sheet.name(), SheetOutcome::Other);
        SheetReport { message: Some(message), ..report }
    }

    fn output(&self, sheet: &Source) -> Result<Output> {
        let mut process = Command::new(&self.program)
            .args(&self.options)
            .arg(format!("--named={}", sheet.name()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start a process for the sheet")?;
        if let Some(mut input) = process.stdin.take() {
            // A process that ends before it has read everything reports the reason itself.
            let _ = input.write_all(sheet.text().as_bytes());
        }
        process.wait_with_output().context("cannot wait for the process of the sheet")
    }
}

fn read(output: &Output) -> Option<SheetReport> {
    let document: GroundChildDocument = serde_json::from_slice(&output.stdout).ok()?;
    document.sheets.into_iter().next()
}

fn ended(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().last().map_or(String::new(), |line| format!(": {line}"));
    format!("the process that grounded the sheet ended early ({}){said}", output.status)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn surveyed(program: &str, options: &[&str]) -> SheetReport {
        let options = options.iter().map(|option| option.to_string()).collect();
        let child = Child { program: program.into(), options };
        child.survey(&Source::from_text("s.kif", "(role a)"))
    }

    #[test]
    fn a_process_that_fails_is_told() {
        let killed = surveyed("sh", &["-c", "kill -9 $$"]);
        let message = killed.message.expect("a message");
        assert!(killed.result == SheetOutcome::Other && message.contains("signal: 9"), "{message}");
        let talked = surveyed("sh", &["-c", "echo too large >&2; exit 3"]);
        let message = talked.message.expect("a message");
        assert!(message.ends_with("(exit status: 3): too large"), "{message}");
        let missing = surveyed("no such program", &[]).message.expect("a message");
        assert!(missing.starts_with("cannot start a process for the sheet: "), "{missing}");
    }
}
