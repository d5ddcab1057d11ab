//! Matches watched, records replayed, searches, circuits and runs looked at.

use std::fs;

use serde_json::json;

use super::driver::Browser;
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials, is_there: bool) {
    trials.only_where(is_there, a_match_is_watched);
    trials.only_where(is_there, a_record_is_replayed_forward_and_back);
    trials.only_where(is_there, a_position_is_analysed);
    trials.only_where(is_there, a_circuit_is_walked_by_three_clicks);
    trials.only_where(is_there, a_step_moves_the_lights_of_a_circuit);
    trials.only_where(is_there, a_watched_match_leaves_that_of_a_person_alone);
    trials.only_where(is_there, saved_runs_are_drawn_side_by_side);
}

fn a_match_is_watched() {
    let browser = Browser::open(&["tic_tac_toe"], "watch");
    browser.wait_for("#watch-begin");
    browser.click("#watch-begin");
    browser.wait_for_text("#match-title", "x uct");
    browser.until("values of both sides", || {
        (browser.count("#values .s0 .dot") > 0 && browser.count("#values .s1 .dot") > 0)
            .then_some(())
    });
    browser.wait_for_text("#match-title", "over, x ");
    let last = browser.text_now(".stepper output").expect("a step");
    browser.click(".stepper button[aria-label=\"first state\"]");
    browser.wait_for_text("#made", "first state");
    assert!(browser.wait_for_text(".stepper output", "step 0").len() <= last.len());
    browser.wait_for("#main svg.overlay .visits");
    browser.wait_for_text("#main", "lanes in use");
    browser.wait_for_text("#main table", "moves of x");
    assert_eq!(browser.complaints(), [""; 0]);
}

fn a_record_is_replayed_forward_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let browser = Browser::open(&["breakthrough"], "watch");
    browser.send_keys("input[aria-label=\"path of a record\"]", &record(&folder));
    press(&browser, "replay");
    browser.wait_for_text("#match-title", "old.1 of tic_tac_toe");
    browser.wait_for_text("#made", "first state");
    for (button, made) in [
        ("one step forward", "1. (mark 1 1)"),
        ("one step forward", "2. noop"),
        ("one step back", "1. (mark 1 1)"),
        ("last state", "3. (mark 3 3)"),
    ] {
        browser.click(&format!(".stepper button[aria-label=\"{button}\"]"));
        browser.wait_for_text("#made", made);
    }
    browser.wait_for("#main .board .cell[aria-label=\"3 3: x\"]");
}

fn a_position_is_analysed() {
    let browser = Browser::open(&["tic_tac_toe"], "analyse");
    browser.click("#analysis-start");
    browser.wait_for_text("#analysis-status", "simulations in");
    browser.wait_for("#main svg.overlay .visits");
    browser.wait_for_text("#analysis-moves", "best lines");
    browser.wait_for_text("#analysis-values", "x");
    browser.click("input[name=\"overlay\"][value=\"ends\"]");
    browser.wait_for("#main svg.overlay .share");
    // The solver proves that nobody wins.
    browser.wait_for_text("#analysis-values", "proven 50");
    assert_eq!(browser.complaints(), [""; 0]);
}

fn a_circuit_is_walked_by_three_clicks() {
    let browser = Browser::open(&["tic_tac_toe"], "circuit");
    browser.wait_for("#ports button");
    browser.send_keys("input[aria-label=\"find a sentence\"]", "terminal");
    browser.click("#ports button");
    browser.wait_for("#circuit g[data-node]");
    for clicks in 1..=3 {
        // A game is over if somebody has a line: a line of anybody, a line of one role, its cells.
        let kind = if clicks < 3 { "or" } else { "and" };
        let gate = &format!("#circuit g[data-node][aria-label^=\"{kind} \"]:not([aria-current])");
        browser.click(gate);
        browser
            .until("a longer way", || (browser.count("#trail button") == clicks + 1).then_some(()));
        browser.wait_for("#circuit g[data-node][aria-current]");
    }
    browser.wait_for_text("#gate", "line");
    // The network has no OR gates: the way begins again at its sentence.
    browser.click("#main label input[type=\"checkbox\"]");
    let gates =
        |kind: &str| browser.count(&format!("#circuit g[data-node][aria-label^=\"{kind} \"]"));
    browser.until("a network", || (gates("and") > 0 && gates("or") == 0).then_some(()));
    // A click on the board shows what the cell depends on.
    browser.click("#main .board .cell[aria-label^=\"2 2:\"]");
    browser.wait_for_text("#trail", "(next (cell 2 2");
    browser.wait_for("#main .board .cell.picked[aria-label^=\"2 2:\"]");
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Two moves of tic-tac-toe, as a record in a file.
fn record(folder: &tempfile::TempDir) -> String {
    let file = folder.path().join("m.json");
    let record = json!({ "matchId": "old.1", "game": "tic_tac_toe", "roles": ["x", "o"],
        "moves": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"], ["(mark 3 3)", "noop"]] });
    fs::write(&file, record.to_string()).expect("written");
    file.display().to_string()
}

/// Clicks on the button with this text.
fn press(browser: &Browser, text: &str) {
    browser.script(&format!(
        "[...document.querySelectorAll('button')].find((one) => one.textContent === {}).click()",
        json!(text)
    ));
}

fn a_step_moves_the_lights_of_a_circuit() {
    let folder = tempfile::tempdir().expect("a folder");
    let browser = Browser::open(&["tic_tac_toe"], "watch");
    browser.send_keys("input[aria-label=\"path of a record\"]", &record(&folder));
    press(&browser, "replay");
    browser.wait_for_text("#match-title", "old.1");
    browser.go("circuit");
    browser.wait_for("#ports button");
    browser.send_keys("input[aria-label=\"find a sentence\"]", "(next (cell 1 1 x))");
    browser.click("#ports button");
    let lit = |value: &str| {
        browser.wait_for(&format!("#circuit g[aria-label=\"base (cell 1 1 x), {value}\"]"));
    };
    lit("false");
    browser.click(".stepper button[aria-label=\"one step forward\"]");
    lit("true");
    browser.click(".stepper button[aria-label=\"one step back\"]");
    lit("false");
    assert_eq!(browser.complaints(), [""; 0]);
}

fn a_watched_match_leaves_that_of_a_person_alone() {
    let browser = Browser::open(&["tic_tac_toe"], "play");
    browser.choose("#seats label[data-role=\"1\"] select", "first");
    browser.click("#begin");
    browser.wait_for_text("#status", "x, your move");
    let marked = "#main .board .cell[aria-label=\"2 2: x\"]";
    browser.click("#main .board .cell[aria-label^=\"2 2:\"]");
    browser.wait_for(marked);
    browser.wait_for_text("#status", "x, your move");
    browser.go("watch");
    for role in ["x", "o"] {
        let seat = format!("#main input[aria-label=\"player of {role}\"]");
        browser.wait_for(&seat);
        browser.script(&format!("document.querySelector({}).value = 'first'", json!(seat)));
    }
    browser.click("#watch-begin");
    browser.wait_for_text("#match-title", "over, x 100");
    browser.go("play");
    browser.wait_for_text("#status", "x, your move");
    browser.wait_for(marked);
    let empty = || (browser.count("#main .cell[aria-label$=\": empty\"]") == 7).then_some(());
    browser.until("the board of the person's match", empty);
    assert_eq!(browser.count("#moves button"), 7);
    assert_eq!(browser.complaints(), [""; 0]);
}

fn saved_runs_are_drawn_side_by_side() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |rate: f64| {
        json!({ "backend": "machine", "lanes": 512, "threads": 1, "seconds": 1.0, "seed": 0,
            "sheets": [{ "sheet": "tic_tac_toe", "playouts_per_cpu_second": rate }] })
    };
    let browser = Browser::open(&[], "bench");
    for (name, rate) in [("before.json", 1e6), ("after.json", 2e6)] {
        let file = folder.path().join(name);
        fs::write(&file, run(rate).to_string()).expect("written");
        browser.script(
            "document.querySelector('input[aria-label=\"path of a saved run\"]').value = ''",
        );
        browser.send_keys("input[aria-label=\"path of a saved run\"]", &file.display().to_string());
        press(&browser, "open");
        browser.wait_for_text("#plots", name);
    }
    assert_eq!(browser.count("#plots .bar"), 2);
    let text = browser.text_now("#plots").expect("plots");
    assert!(text.contains("1.00 M /s") && text.contains("2.00 M /s"), "{text}");
}
