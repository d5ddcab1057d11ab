//! A clock over a grounding: it notes what each stage took.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use propnet::ground::{Stage, StageSizes, Watch};
use serde::{Deserialize, Serialize};

use super::memory::no_peak;
use crate::pipeline::control::Patience;

/// What a stage took, and how large everything was at its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageFigures {
    /// The stage's name.
    pub stage: String,
    /// The time it took; that of all its runs where it was run again.
    pub seconds: f64,
    /// The same by the processor time of the thread, which other work on the machine does not
    /// lengthen.
    pub cpu_seconds: f64,
    /// How often it ran to its end. Grounding begins anew when it finds a helper too wide; what
    /// that cost is in the next stage that ends.
    pub runs: u32,
    /// Rules with variables that are being worked on.
    pub rules: u64,
    /// Facts held.
    pub facts: u64,
    /// Rule instances, and from `emit` on ground rules.
    pub ground_rules: u64,
    /// Body literals of these.
    pub literals: u64,
    /// Bytes held, as the grounder counts them.
    pub counted_bytes: u64,
    /// The most memory that the process had held by the stage's end, where that is known.
    pub peak_bytes: Option<u64>,
}

/// A clock for one grounding.
pub struct StageClock<'a> {
    patience: Patience<'a>,
    /// The time since the clock was started.
    timer: Box<dyn FnMut() -> Duration + 'a>,
    /// The same in processor time.
    cpu: Box<dyn FnMut() -> Duration + 'a>,
    peak: fn() -> Option<u64>,
    /// When the stage before ended.
    last: Duration,
    last_cpu: Duration,
    stages: Vec<StageFigures>,
}

impl<'a> StageClock<'a> {
    /// A clock that starts now; the work goes on as long as the patience lasts.
    pub fn new(patience: Patience<'a>) -> Self {
        let (start, cpu) = (Instant::now(), ThreadTime::now());
        Self::with_timers(patience, move || start.elapsed(), move || cpu.elapsed())
    }

    /// A clock that gets the time and the processor time from these functions.
    pub fn with_timers(
        patience: Patience<'a>,
        timer: impl FnMut() -> Duration + 'a,
        cpu: impl FnMut() -> Duration + 'a,
    ) -> Self {
        StageClock {
            patience,
            timer: Box::new(timer),
            cpu: Box::new(cpu),
            peak: no_peak,
            last: Duration::ZERO,
            last_cpu: Duration::ZERO,
            stages: Vec::new(),
        }
    }

    /// The same clock, which also notes a peak of memory at the end of each stage.
    pub fn with_peak(self, peak: fn() -> Option<u64>) -> Self {
        StageClock { peak, ..self }
    }

    /// Notes the end of a stage by its name, be it one of the grounder's or one around it.
    pub fn note(&mut self, stage: &'static str, sizes: StageSizes) {
        let (now, now_cpu) = ((self.timer)(), (self.cpu)());
        let seconds = (now - self.last).as_secs_f64();
        let cpu_seconds = now_cpu.saturating_sub(self.last_cpu).as_secs_f64();
        (self.last, self.last_cpu) = (now, now_cpu);
        let before = self.stages.iter().position(|known| known.stage == stage);
        let before = before.map(|at| self.stages.remove(at));
        let (spent, spent_cpu, runs) =
            before.map_or((0.0, 0.0, 0), |known| (known.seconds, known.cpu_seconds, known.runs));
        self.stages.push(StageFigures {
            stage: stage.to_string(),
            seconds: spent + seconds,
            cpu_seconds: spent_cpu + cpu_seconds,
            runs: runs + 1,
            rules: sizes.rules,
            facts: sizes.facts,
            ground_rules: sizes.ground_rules,
            literals: sizes.literals,
            counted_bytes: sizes.bytes,
            peak_bytes: (self.peak)(),
        });
    }

    /// The stages in the order in which they ended.
    pub fn stages(&self) -> &[StageFigures] {
        &self.stages
    }

    /// How long the work may go on.
    pub(super) fn patience(&self) -> &Patience<'a> {
        &self.patience
    }

    /// The time until the last stage ended.
    pub fn elapsed(&self) -> Duration {
        self.last
    }
}

impl Watch for StageClock<'_> {
    fn proceed(&mut self) -> bool {
        self.patience.goes_on()
    }

    fn finished(&mut self, stage: Stage, sizes: StageSizes) {
        self.note(stage.name(), sizes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Control;

    /// A timer whose every reading is a second later.
    fn ticking() -> impl FnMut() -> Duration {
        let mut seconds = 0;
        move || {
            seconds += 1;
            Duration::from_secs(seconds)
        }
    }

    #[test]
    fn stages_add_up_to_the_whole() {
        let patience = Control::default().within(Duration::MAX);
        let mut clock = StageClock::with_timers(patience, ticking(), ticking());
        clock = clock.with_peak(|| Some(7));
        let sizes = |facts| StageSizes { facts, ..StageSizes::default() };
        clock.note("parse", sizes(0));
        clock.finished(Stage::Statics, sizes(5));
        // Begun anew: the stage has its time twice and its last sizes, after those before it.
        clock.finished(Stage::Statics, sizes(3));
        clock.finished(Stage::Fixpoint, sizes(9));
        let stages = clock.stages().iter();
        let found: Vec<_> = stages.map(|s| (s.stage.as_str(), s.seconds, s.runs)).collect();
        assert_eq!(found, [("parse", 1.0, 1), ("statics", 2.0, 2), ("fixpoint", 1.0, 1)]);
        assert_eq!(clock.stages()[1].cpu_seconds, 2.0);
        assert_eq!(clock.stages()[1].facts, 3);
        assert_eq!(clock.stages()[2].peak_bytes, Some(7));
        assert_eq!(clock.elapsed(), Duration::from_secs(4));
    }
}
