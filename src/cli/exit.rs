//! How commands end: results and errors -> exit codes.

use std::io::{self, Write};
use std::process::ExitCode;

use ludens::text::plain_lines;

/// What a command that came to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// All is well.
    Good,
    /// It did its work and found something wrong, and has said so.
    Bad,
}

impl ExitStatus {
    /// Bad if something is wrong.
    pub(crate) fn bad_if(wrong: bool) -> ExitStatus {
        if wrong { ExitStatus::Bad } else { ExitStatus::Good }
    }
}

/// Finishes the output, reports an error, and gives the exit code.
pub(crate) fn code(result: anyhow::Result<ExitStatus>, out: &mut dyn Write) -> ExitCode {
    // What was written before an error comes out before the complaint about it.
    let flushed = out.flush().map_err(anyhow::Error::from);
    match result.and_then(|status| flushed.map(|()| status)) {
        Ok(ExitStatus::Good) => ExitCode::SUCCESS,
        Ok(ExitStatus::Bad) => ExitCode::from(1),
        // Whoever closed the pipe has read enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if even this cannot be said.
            let _ = writeln!(io::stderr(), "ludens: {}", plain_lines(&describe(&error)));
            ExitCode::from(1)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The error and its causes; a cause of several lines starts on a line of its own.
fn describe(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if !text.is_empty() {
            text.push_str(if cause.contains('\n') { ":\n" } else { ": " });
        }
        text.push_str(&cause);
    }
    text
}
