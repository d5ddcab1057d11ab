//! What a server has done so far, in figures for Prometheus.

use std::time::{Duration, Instant};

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};

use crate::search::Report;

/// The format of [`Metrics::text`].
pub(super) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the buckets for answer times, in seconds: from replies at once to long clocks.
const BUCKETS: [f64; 10] = [0.001, 0.01, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 3600.0];

/// The figures. Counters start at zero with the server.
pub(super) struct Metrics {
    registry: Registry,
    begun: Instant,
    messages: Family<[(&'static str, &'static str); 1], Counter>,
    pub(super) started: Counter,
    pub(super) completed: Counter,
    pub(super) aborted: Counter,
    simulations: Counter,
    playouts: Counter,
    pub(super) busy: Counter,
    pub(super) forbidden: Counter,
    answers: Histogram,
    running: Gauge,
    bytes: Gauge,
    connections: Gauge,
    uptime: Gauge,
}

/// Figures that go up and down, as they are now.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Now {
    /// Matches that run.
    pub(super) matches: usize,
    /// Bytes of messages that come in or are worked on.
    pub(super) bytes: usize,
    /// Open connections.
    pub(super) connections: usize,
}

impl Metrics {
    pub(super) fn count_message(&self, kind: &'static str) {
        self.messages.get_or_create(&[("kind", kind)]).inc();
    }

    /// Counts what a search did for an answer.
    pub(super) fn count_search(&self, report: &Report) {
        self.simulations.inc_by(report.simulations);
        self.playouts.inc_by(report.playouts);
    }

    pub(super) fn count_answer(&self, time: Duration) {
        self.answers.observe(time.as_secs_f64());
    }

    /// The time since the server began.
    pub(super) fn uptime(&self) -> Duration {
        self.begun.elapsed()
    }

    /// All figures as text.
    pub(super) fn text(&self, now: Now) -> String {
        let number = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        self.running.set(number(now.matches));
        self.bytes.set(number(now.bytes));
        self.connections.set(number(now.connections));
        self.uptime.set(i64::try_from(self.uptime().as_secs()).unwrap_or(i64::MAX));
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("ludens");
        let all = &mut registry;
        Metrics {
            begun: Instant::now(),
            messages: add(all, "messages", "Messages by kind", Family::default()),
            started: add(all, "matches_started", "Matches that began", Counter::default()),
            completed: add(
                all,
                "matches_finished",
                "Matches played to the end",
                Counter::default(),
            ),
            aborted: add(all, "matches_aborted", "Matches that ended early", Counter::default()),
            simulations: add(
                all,
                "simulations",
                "Simulations of the searches for answers",
                Counter::default(),
            ),
            playouts: add(
                all,
                "playouts",
                "Playouts of the searches for answers",
                Counter::default(),
            ),
            busy: add(all, "busy_replies", "Messages answered with busy", Counter::default()),
            forbidden: add(
                all,
                "forbidden_requests",
                "Requests from origins or for hosts that are not allowed",
                Counter::default(),
            ),
            answers: add_in(
                all,
                "answer_time",
                "Time from the arrival of a message to its reply",
                Unit::Seconds,
                Histogram::new(BUCKETS),
            ),
            running: add(all, "matches_running", "Matches that run or still end", Gauge::default()),
            bytes: add_in(
                all,
                "messages_held",
                "Messages that come in or are worked on",
                Unit::Bytes,
                Gauge::default(),
            ),
            connections: add(all, "connections", "Open connections", Gauge::default()),
            uptime: add_in(
                all,
                "uptime",
                "Time since the server began",
                Unit::Seconds,
                Gauge::default(),
            ),
            registry,
        }
    }
}

fn add<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

fn add_in<M: Metric + Clone>(
    registry: &mut Registry,
    name: &str,
    help: &str,
    unit: Unit,
    metric: M,
) -> M {
    registry.register_with_unit(name, help, unit, metric.clone());
    metric
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_lines_of_text() {
        let metrics = Metrics::default();
        metrics.count_message("info");
        metrics.count_message("info");
        metrics.count_answer(Duration::from_millis(50));
        metrics.busy.inc();
        let text = metrics.text(Now { matches: 2, bytes: 77, connections: 1 });
        for line in [
            "# TYPE ludens_messages counter",
            "ludens_messages_total{kind=\"info\"} 2",
            "ludens_matches_running 2",
            "ludens_messages_held_bytes 77",
            "ludens_busy_replies_total 1",
            "ludens_answer_time_seconds_bucket{le=\"0.1\"} 1",
            "ludens_answer_time_seconds_bucket{le=\"0.01\"} 0",
            "ludens_answer_time_seconds_count 1",
        ] {
            assert!(text.lines().any(|own| own == line), "{line}\n{text}");
        }
    }
}
