//! Games played by clicks and keys.

use serde_json::json;

use super::driver::Browser;
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials, is_there: bool) {
    trials.only_where(is_there, a_game_is_played_to_its_end_by_clicks);
    trials.only_where(is_there, a_reload_in_the_middle_changes_nothing);
    trials.only_where(is_there, a_game_is_played_with_the_keyboard);
    trials.only_where(is_there, pieces_move_from_cell_to_cell);
}

/// The cell with these coordinates.
fn cell(place: &str) -> String {
    format!("#main .board .cell[aria-label^=\"{place}:\"]")
}

/// Begins a match of the first role against the player that always makes its first legal move.
fn begin(browser: &Browser) {
    browser.choose("#seats label[data-role=\"1\"] select", "first");
    browser.click("#begin");
    browser.wait_for_text("#status", "your move");
}

/// Makes a move, and waits until it is drawn.
fn mark(browser: &Browser, place: &str, content: &str) {
    browser.click(&cell(place));
    let drawn = format!("{}[aria-label$=\": {content}\"]", cell(place));
    browser.wait_for(&drawn);
}

fn a_game_is_played_to_its_end_by_clicks() {
    let browser = Browser::open(&["tic_tac_toe"], "play");
    begin(&browser);
    assert_eq!(browser.count("#main .cell.target"), 9, "all cells may be marked");
    mark(&browser, "2 2", "x");
    browser.wait_for_text("#status", "x, your move");
    mark(&browser, "3 1", "x");
    browser.wait_for_text("#status", "x, your move");
    assert!(browser.count("#main .cell.last") > 0, "the last move is marked");
    mark(&browser, "1 3", "x");
    browser.wait_for_text("#status", "The game is over: x 100, o 0");
    let history = browser.text_now("#history").expect("the moves");
    assert!(history.contains("(mark 2 2)") && history.contains("(mark 1 3)"), "{history}");
    // The last move of the person is taken back; the search finds it again.
    browser.click("#undo");
    browser.wait_for_text("#status", "x, your move");
    browser.click("#hint");
    browser.wait_for_text("#status", "hint: (mark 1 3)");
    assert_eq!(browser.complaints(), [""; 0]);
}

fn a_reload_in_the_middle_changes_nothing() {
    let browser = Browser::open(&["tic_tac_toe"], "play");
    begin(&browser);
    mark(&browser, "2 2", "x");
    browser.wait_for_text("#status", "x, your move");
    browser.reload();
    browser.wait_for_text("#status", "x, your move");
    browser.wait_for(&format!("{}[aria-label$=\": x\"]", cell("2 2")));
    mark(&browser, "3 1", "x");
    browser.wait_for_text("#status", "x, your move");
    mark(&browser, "1 3", "x");
    browser.wait_for_text("#status", "The game is over: x 100, o 0");
}

fn a_game_is_played_with_the_keyboard() {
    let browser = Browser::open(&["tic_tac_toe"], "play");
    begin(&browser);
    // From the first cell one up and one to the right.
    browser.script("document.querySelector('#main .board .cell[tabindex=\"0\"]').focus()");
    let (up, right, enter) = ("\u{e013}", "\u{e014}", "\u{e007}");
    browser.send_keys("#main .board .cell:focus", up);
    browser.send_keys("#main .board .cell:focus", right);
    browser.send_keys("#main .board .cell:focus", enter);
    browser.wait_for(&format!("{}[aria-label$=\": x\"]", cell("2 2")));
    let unnamed = "return [...document.querySelectorAll('button, input, select, textarea')].filter((one) => \
                   !(one.textContent.trim() || one.getAttribute('aria-label') || one.closest('label'))).length";
    assert_eq!(browser.script(unnamed), json!(0), "every control has a name");
}

fn pieces_move_from_cell_to_cell() {
    let browser = Browser::open(&["breakthrough"], "play");
    begin(&browser);
    browser.click(&cell("2 2"));
    browser.wait_for(&format!("{}.picked", cell("2 2")));
    let targets = browser.count("#main .cell.target");
    assert!((2..=3).contains(&targets), "{targets} targets");
    browser.click(&cell("2 3"));
    browser.wait_for(&format!("{}[aria-label$=\": white\"]", cell("2 3")));
}
