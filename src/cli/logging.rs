//! The log on standard error: exactly one line for each entry.

use std::fmt;
use std::io;
use std::str::FromStr;

use anyhow::{Context, Result};
use ludens::agent::Log;
use ludens::record::{now, timestamp};
use propnet::gdl::visible;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

/// The target of our own lines; those of libraries have others.
const TARGET: &str = "ludens";

/// The environment variable with the filter if none is given.
const VARIABLE: &str = "RUST_LOG";

#[derive(clap::Args)]
pub(crate) struct LogArgs {
    /// What to log: off, error, warn, info, debug or trace, or levels by target such as
    /// info,hyper=debug [default: the variable RUST_LOG, or info]
    #[arg(long, value_name = "LEVEL", value_parser = filter)]
    log: Option<Targets>,
    /// Log nothing; the same as --log off
    #[arg(long, short, conflicts_with = "log")]
    quiet: bool,
}

impl LogArgs {
    /// Starts logging for the whole process and returns the log to write to.
    pub(crate) fn start(self) -> Result<Log> {
        let filter = match (self.quiet, self.log, std::env::var(VARIABLE)) {
            (true, _, _) => Targets::new(),
            (_, Some(filter), _) => filter,
            (_, None, Ok(text)) if !text.is_empty() => filter(&text)
                .map_err(anyhow::Error::msg)
                .with_context(|| format!("the variable {VARIABLE} is {}", visible(&text)))?,
            _ => Targets::new().with_default(LevelFilter::INFO),
        };
        let lines = tracing_subscriber::fmt::layer()
            .event_format(OneLine)
            .with_writer(io::stderr)
            // A log line that cannot be written is dropped.
            .log_internal_errors(false);
        // A process that logs already keeps its logger.
        let _ = tracing_subscriber::registry().with(lines).with(filter).try_init();
        Ok(Log::with_levels(write))
    }
}

fn filter(text: &str) -> Result<Targets, String> {
    // A word alone would also be a target with all of its levels: more likely it is a misspelt level.
    let unknown =
        text.split(',').find(|part| !part.contains('=') && LevelFilter::from_str(part).is_err());
    let parsed = match unknown {
        Some(part) => Err(format!("there is no level {part}")),
        None => Targets::from_str(text).map_err(|error| error.to_string()),
    };
    parsed.map_err(|error| {
        format!(
            "{error}; write a level (off, error, warn, info, debug, trace), or TARGET=LEVEL,..."
        )
    })
}

fn write(level: Level, line: &str) {
    match level {
        Level::ERROR => tracing::error!(target: TARGET, "{line}"),
        Level::WARN => tracing::warn!(target: TARGET, "{line}"),
        Level::INFO => tracing::info!(target: TARGET, "{line}"),
        Level::DEBUG => tracing::debug!(target: TARGET, "{line}"),
        Level::TRACE => tracing::trace!(target: TARGET, "{line}"),
    }
}

/// Time, level, the target if it is not ours, and the message.
struct OneLine;

impl<S, N> FormatEvent<S, N> for OneLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut text = String::new();
        context.format_fields(Writer::new(&mut text), event)?;
        let (level, target) = (event.metadata().level(), event.metadata().target());
        let source = if target == TARGET { String::new() } else { format!("{target}: ") };
        writeln!(writer, "{} {level:5} {source}{}", timestamp(now()), visible(&text))
    }
}
