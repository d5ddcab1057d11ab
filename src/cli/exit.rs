//! How commands end: results and errors -> exit codes.

use std::io::{self, Write};
use std::process::ExitCode;

use ludens::text::plain_lines;

/// The result of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// All is well.
    Good,
    /// It did its work, found something wrong and reported it.
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
    // Flush the output first, so that it appears before the error.
    let flushed = out.flush().map_err(anyhow::Error::from);
    match result.and_then(|status| flushed.map(|()| status)) {
        Ok(ExitStatus::Good) => ExitCode::SUCCESS,
        Ok(ExitStatus::Bad) => ExitCode::from(1),
        // The reader closed the pipe, so it has read enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if even the error cannot be written.
            let _ = writeln!(io::stderr(), "ludens: {}", plain_lines(&describe(&error)));
            ExitCode::from(1)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The error and its causes; a cause of several lines starts on its own line.
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
