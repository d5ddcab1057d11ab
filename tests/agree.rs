//! Every sheet with a recorded trace, replayed and compared as whole sets.

use std::fs;
use std::path::Path;

use ludens::pipeline::{Engine, Stages};
use ludens::verify::{
    Case, CaseStatus, Record, Verdict, VerifySettings, VerifySummary, excuse, find_cases, replay,
    verify_all,
};

use crate::support::{self, VARIANTS, Variant};
use crate::trials::Trials;

/// So many steps of each playout are replayed: enough for all but the longest.
const STEPS: u64 = 400;

/// A sheet that the reference reasoner is slow on, with the steps that are replayed. `ludens verify
/// --corpus` replays it to its end.
const SLOW_TO_REASON: (&str, u64) = ("rep_chess", 20);

/// To ground one of these takes ten seconds or more, and most of a gigabyte, so the engines behind
/// grounding leave them to `ludens verify --corpus`.
const SLOW_TO_GROUND: &[&str] = &[
    "dresden_ARGENTINA_3361209022",
    "dresden_BRAZIL_3361208788",
    "dresden_FRANCE_3361209275",
    "dresden_ITALY_3361209402",
    "dresden_PIT221_S_3359299094",
    "dresden_PORTUGAL_3361209339",
    "dresden_bender_Chess",
    "rep_chess",
];

/// The proofs of the optimising passes take most of the time here, so one in so many sheets has all
/// passes, and is played in lanes; `ludens verify --corpus --engine lanes` does so with all.
const OPTIMISED: usize = 8;

/// A sheet whose circuit has repeated blocks is always among them.
const REPEATED: &str = "sironi_hexbad";

fn is_one_in(case: &Case, count: usize) -> bool {
    let sum: usize = case.name.bytes().map(usize::from).sum();
    sum.is_multiple_of(count) || case.name == REPEATED
}

pub(crate) fn add(trials: &mut Trials) {
    trials.always(engines_agree_on_our_games);
    trials.with_corpus(the_corpus_agrees);
    trials.with_corpus(our_games_are_our_own);
}

fn the_corpus_agrees(shared: &Path) {
    let (cases, _) =
        find_cases(&shared.join("corpus"), &shared.join("traces")).expect("the corpus is read");
    assert!(cases.len() >= 317, "the corpus has {} traces", cases.len());
    for name in SLOW_TO_GROUND.iter().chain([&SLOW_TO_REASON.0, &REPEATED]) {
        assert!(cases.iter().any(|case| case.name == *name), "{name} is in the corpus");
    }
    let mut summaries: Vec<VerifySummary> =
        VARIANTS.iter().map(|variant| VerifySummary::new(&settings(variant, STEPS), 0)).collect();
    let mut disagreeing = Vec::new();
    verify_all(&cases, settings_of, &Record::default(), |result, known| {
        let summary = summaries.iter_mut().find(|summary| {
            summary.engine == result.engine
                && summary.passes == result.passes
                && summary.lanes == result.lanes
        });
        let summary = summary.expect("the result is one of a variant");
        if result.status != CaseStatus::Agree && excuse(&result.sheet).is_none() {
            let message = result.message.clone().unwrap_or_default();
            let passes = result.passes.as_deref().unwrap_or("-");
            let lanes = result.lanes.as_deref().unwrap_or("-");
            let place = format!("{}, {} ({passes}; {lanes})", result.sheet, result.engine);
            disagreeing.push(format!("{place}: {message}"));
        }
        summary.add(result, known);
        Ok::<(), ()>(())
    })
    .expect("nothing stops the run");
    assert!(disagreeing.is_empty(), "{}", disagreeing.join("\n"));
    for (summary, variant) in summaries.iter().zip(VARIANTS) {
        check_summary(summary, variant, &cases);
    }
}

fn settings(variant: &Variant, steps: u64) -> VerifySettings {
    VerifySettings { engine: variant.engine, options: variant.options(), steps: Some(steps) }
}

/// All that is asked about a sheet: it is grounded once for all engines.
fn settings_of(case: &Case) -> Vec<VerifySettings> {
    let asked = |variant: &Variant| match variant.engine {
        Engine::Reference if case.name == SLOW_TO_REASON.0 => {
            Some(settings(variant, SLOW_TO_REASON.1))
        }
        Engine::Reference => Some(settings(variant, STEPS)),
        _ if SLOW_TO_GROUND.contains(&case.name.as_str()) => None,
        _ if !variant.options().passes.is_empty() && !is_one_in(case, OPTIMISED) => None,
        _ => Some(settings(variant, STEPS)),
    };
    VARIANTS.iter().filter_map(asked).collect()
}

fn check_summary(summary: &VerifySummary, variant: &Variant, cases: &[Case]) {
    for sheet in &summary.needless_excuses {
        support::note(&format!("{sheet} is excused, but agrees as far as it was replayed"));
    }
    let is_asked = |case: &&Case| {
        let mut settings = settings_of(case).into_iter();
        settings.any(|asked| asked.engine == variant.engine && asked.options == variant.options())
    };
    let asked = cases.iter().filter(is_asked).count();
    assert_eq!(summary.sheets, asked, "{}", variant.name);
    let (comparisons, least) = (summary.comparisons, 300 * asked as u64);
    assert!(comparisons > least, "{}: only {comparisons} comparisons", variant.name);
}

/// Runs everywhere: the engines agree with traces made by the most trusted of them.
fn engines_agree_on_our_games() {
    for sheet in support::small_games() {
        let rules = support::load(&sheet);
        let stages = Stages::new(rules.clone());
        let mut games: Vec<_> =
            VARIANTS.iter().map(|variant| (variant.name, variant.start(&stages))).collect();
        for seed in 0..3 {
            let trace = support::trace_of(&sheet, seed);
            let playout = &trace.playouts[0];
            assert_eq!(playout.terminal, Some(true), "{}", sheet.display());
            for (name, game) in &mut games {
                let outcome = replay(&mut **game, &trace, None);
                assert_eq!(outcome.verdict, Verdict::Agree, "{}, {name}", sheet.display());
                assert_eq!(outcome.steps, playout.steps.len() as u64);
                assert!(outcome.comparisons > 2 * outcome.steps);
            }
        }
    }
}

/// The corpus is for reading only: none of its sheets may be among ours.
fn our_games_are_our_own(shared: &Path) {
    let read = |path: &Path| fs::read(path).expect("a sheet is read");
    let ours: Vec<Vec<u8>> = support::games().iter().map(|path| read(path)).collect();
    for entry in fs::read_dir(shared.join("corpus")).expect("the corpus is read") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            assert!(!ours.contains(&read(&path)), "{} was copied", path.display());
        }
    }
}
