//! Every sheet with a recorded trace, replayed and compared as whole sets.

mod support;

use std::fs;

use ludens::engine::Engine;
use ludens::verify::{
    Case, Record, Settings, Status, Summary, Verdict, excuse, find_cases, replay, verify_all,
};

/// So many steps of each playout are replayed: enough for all but the longest.
const STEPS: u64 = 400;

/// Sheets that an engine is slow on, with the steps that are replayed; none leaves the sheet out.
/// `ludens verify --corpus` replays them all to their end.
const SLOW: &[(Engine, &str, u64)] = &[
    (Engine::Reference, "rep_chess", 20),
    // To ground one of these takes ten seconds or more, and a gigabyte or two.
    (Engine::Ground, "dresden_ARGENTINA_3361209022", 0),
    (Engine::Ground, "dresden_BRAZIL_3361208788", 0),
    (Engine::Ground, "dresden_FRANCE_3361209275", 0),
    (Engine::Ground, "dresden_ITALY_3361209402", 0),
    (Engine::Ground, "dresden_PIT221_S_3359299094", 0),
    (Engine::Ground, "dresden_PORTUGAL_3361209339", 0),
    (Engine::Ground, "dresden_bender_Chess", 0),
    (Engine::Ground, "rep_chess", 0),
];

#[test]
fn the_corpus_agrees() {
    let Some(shared) = support::shared() else { return };
    let (cases, _) =
        find_cases(&shared.join("corpus"), &shared.join("traces")).expect("the corpus is read");
    assert!(cases.len() >= 317, "the corpus has {} traces", cases.len());
    for (_, name, _) in SLOW {
        assert!(cases.iter().any(|case| case.name == *name), "{name} is in the corpus");
    }
    for &engine in Engine::ALL {
        check_corpus(&cases, engine);
    }
}

fn check_corpus(cases: &[Case], engine: Engine) {
    let steps = |case: &Case| {
        let slow = SLOW.iter().find(|(slow, name, _)| *slow == engine && *name == case.name);
        slow.map_or(STEPS, |(_, _, steps)| *steps)
    };
    let cases: Vec<Case> = cases.iter().filter(|case| steps(case) > 0).cloned().collect();
    let settings = |steps| Settings { engine, steps: Some(steps), ..Settings::default() };
    let mut summary = Summary::new(settings(STEPS), 0);
    let mut disagreeing = Vec::new();
    verify_all(
        &cases,
        |case| settings(steps(case)),
        &Record::default(),
        |result, known| {
            if result.status != Status::Agree && excuse(&result.sheet).is_none() {
                let message = result.message.clone().unwrap_or_default();
                disagreeing.push(format!("{}: {message}", result.sheet));
            }
            summary.add(result, known);
            Ok::<(), ()>(())
        },
    )
    .expect("nothing stops the run");
    for sheet in &summary.needless_excuses {
        support::note(&format!("{sheet} is excused, but agrees as far as it was replayed"));
    }
    assert!(disagreeing.is_empty(), "engine {engine}:\n{}", disagreeing.join("\n"));
    assert_eq!(summary.sheets, cases.len());
    assert!(summary.comparisons > 100_000, "only {} comparisons", summary.comparisons);
}

/// Runs everywhere: the engines agree with traces made by the most trusted of them.
#[test]
fn engines_agree_on_our_games() {
    for sheet in support::games() {
        for seed in 0..3 {
            let trace = support::trace_of(&sheet, seed);
            let playout = &trace.playouts[0];
            assert_eq!(playout.terminal, Some(true), "{}", sheet.display());
            for &engine in Engine::ALL {
                let mut game = support::start(engine, &support::load(&sheet));
                let outcome = replay(&mut *game, &trace, None);
                assert_eq!(outcome.verdict, Verdict::Agree, "{}", sheet.display());
                assert_eq!(outcome.steps, playout.steps.len() as u64);
                assert!(outcome.comparisons > 2 * outcome.steps);
            }
        }
    }
}

/// The corpus is for reading only: none of its sheets may be among ours.
#[test]
fn our_games_are_our_own() {
    let Some(shared) = support::shared() else { return };
    let read = |path: &std::path::Path| fs::read(path).expect("a sheet is read");
    let ours: Vec<Vec<u8>> = support::games().iter().map(|path| read(path)).collect();
    for entry in fs::read_dir(shared.join("corpus")).expect("the corpus is read") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            assert!(!ours.contains(&read(&path)), "{} was copied", path.display());
        }
    }
}
