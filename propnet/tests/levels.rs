//! Compiled code on the processors that have its instructions.

use propnet::lanes::{Backend, Job, Jobs, PerWidth, Setup, Word};
use propnet::machine::Level;

use crate::lanes::sheets::BREAKTHROUGH;
use crate::lanes::support::{ALL, Engine, Sheet, WITH_WEIGHTS, weigh};
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials) {
    trials.only_where(Level::Avx2.is_available(), avx2_may_replace_other_code_in_play);
    trials.only_where(Level::Avx512.is_available(), avx512_may_replace_other_code_in_play);
}

fn avx2_may_replace_other_code_in_play() {
    code_may_change(Level::Avx2);
}

fn avx512_may_replace_other_code_in_play() {
    code_may_change(Level::Avx512);
}

fn code_may_change(level: Level) {
    let sheet = Sheet::new(BREAKTHROUGH);
    let setup = Setup::new(None, Some(Backend::Machine(level))).expect("the level is there");
    for options in [ALL, WITH_WEIGHTS] {
        let [portable, compiled] = [Backend::Portable, setup.backend()]
            .map(|backend| sheet.engine_on(backend, setup.mapping(), &options));
        setup.width().dispatch(Change(&portable, &compiled));
        setup.width().dispatch(Change(&compiled, &portable));
    }
}

/// Plays jobs on one engine, and on the code of the other from some step on.
struct Change<'e>(&'e Engine, &'e Engine);

impl PerWidth for Change<'_> {
    type Output = ();

    fn run<W: Word>(self) {
        let Change(first, second) = self;
        let state = first.initial();
        let job = |tag| Job { wants_moves: 1, wants_first: true, ..Job::new(tag, tag, &state) };
        let jobs: Vec<Job> = (0..700).map(job).collect();
        let expected = first.outcomes_with::<W>(4, jobs.clone(), weigh(first));
        for steps in [0, 1, 17] {
            let mut lanes = Jobs::<W>::new(&first.program, &first.code, 4);
            weigh(first)(&mut lanes);
            for job in &jobs {
                lanes.push(job.clone()).expect("a job that the program can do");
            }
            lanes.run(steps);
            lanes.set_code(&second.code);
            lanes.finish();
            let mut outcomes = lanes.outcomes();
            outcomes.sort_by_key(|outcome| outcome.tag);
            assert_eq!(outcomes, expected, "changed after {steps} steps");
        }
    }
}
