//! How much time and memory the stages may take.

use std::time::Duration;

use propnet::ground::Limits;

/// Bounds on what is made of one sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineBounds {
    /// The time that grounding may take, and the circuit after it again.
    pub time: Duration,
    /// The bytes that grounding may hold, as the grounder counts them.
    pub bytes: u64,
}

impl Default for PipelineBounds {
    /// A minute, and what the grounder's own limits allow.
    fn default() -> Self {
        PipelineBounds { time: Duration::from_secs(60), bytes: Limits::default().bytes }
    }
}

impl PipelineBounds {
    /// The limits for the grounder. A caller that grants more memory than usual wants it used, so
    /// the numbers of facts and rules grow with it.
    pub fn limits(&self) -> Limits {
        let usual = Limits::default();
        let scaled = |number: u64| {
            let scaled = u128::from(number) * u128::from(self.bytes) / u128::from(usual.bytes);
            number.max(u64::try_from(scaled).unwrap_or(u64::MAX))
        };
        Limits { facts: scaled(usual.facts), rules: scaled(usual.rules), bytes: self.bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_is_room_for_more_of_everything_and_less_is_only_less_memory() {
        let usual = Limits::default();
        assert_eq!(PipelineBounds::default().limits(), usual);
        let twice = PipelineBounds { bytes: 2 * usual.bytes, ..PipelineBounds::default() }.limits();
        assert_eq!((twice.facts, twice.rules), (2 * usual.facts, 2 * usual.rules));
        let little = PipelineBounds { bytes: 1, ..PipelineBounds::default() }.limits();
        assert_eq!(little, Limits { bytes: 1, ..usual });
        let all = PipelineBounds { bytes: u64::MAX, ..PipelineBounds::default() }.limits();
        assert!(all.facts > usual.facts);
    }
}
