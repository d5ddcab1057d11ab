//! Faulty sheets and hostile names on the page, and narrow windows.

use serde_json::json;

use super::driver::Browser;
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials, is_there: bool) {
    trials.only_where(is_there, a_faulty_sheet_gets_its_message);
    trials.only_where(is_there, a_sheet_is_dropped);
    trials.only_where(is_there, hostile_names_are_text_everywhere);
    trials.only_where(is_there, narrow_windows_need_no_sideways_scrolling);
}

/// Puts a text into the editor, as a paste does, and checks it.
fn paste(browser: &Browser, text: &str) {
    let script = format!(
        "const area = document.querySelector('.editor textarea'); area.value = {}; \
         area.dispatchEvent(new Event('input', {{bubbles: true}}));",
        json!(text)
    );
    browser.wait_for(".editor textarea");
    browser.script(&script);
    browser.click("#check");
}

fn a_faulty_sheet_gets_its_message() {
    let browser = Browser::open(&[], "games");
    browser.wait_for_text("#findings", "can be played");
    paste(&browser, "(role a)\n(<= (legal a (go ?x)) (true (p ?y)))\n");
    browser.wait_for_text("#findings", "cannot be played");
    let text = browser.wait_for_text("#findings", "?x");
    assert!(text.contains("error 2:"), "{text}");
    browser.wait_for(".gutter .error");
    browser.wait_for(".colours mark.error");
}

fn a_sheet_is_dropped() {
    let browser = Browser::open(&[], "games");
    browser.wait_for_text("#findings", "can be played");
    let script = format!(
        "const data = new DataTransfer(); \
         data.items.add(new File([{}], 'nim.kif', {{ type: 'text/plain' }})); \
         document.querySelector('.drop').dispatchEvent(new DragEvent('drop', \
         {{ dataTransfer: data, bubbles: true, cancelable: true }}));",
        json!("(role a) (init (left 2)) (legal a take) (<= terminal (true (left 2))) (goal a 7)")
    );
    browser.script(&script);
    browser.wait_for_text("#sheet-name", "nim");
    browser.wait_for_text("#findings", "5 rules");
    assert_eq!(browser.complaints(), [""; 0]);
}

fn hostile_names_are_text_everywhere() {
    for name in ["<script>window.harm=1</script>", "<img/src=x/onerror=window.harm=1>", "a\"b'c"] {
        let browser = Browser::open(&[], "games");
        browser.wait_for_text("#findings", "can be played");
        paste(
            &browser,
            &format!(
                "(role {name}) (init (cell 1 1 {name})) (init (cell 1 2 {name})) (init (cell 2 1 o)) \
                 (init (cell 2 2 b)) (init ({name} 1)) (legal {name} ({name} 1 1)) \
                 (legal {name} ({name} 2 2)) (<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z))) \
                 (<= terminal (true (cell 1 1 o))) (goal {name} 0)"
            ),
        );
        browser.wait_for_text("#findings", "can be played: 11 rules");
        browser.click("#figures");
        for view in ["play", "watch", "analyse", "circuit"] {
            browser.go(view);
            browser.wait_for(&format!("nav a[data-view=\"{view}\"][aria-current=\"page\"]"));
            browser.wait_for("#main .board .cell");
            let text = browser.text_now("#main").expect("a view");
            assert!(view == "analyse" || text.contains(name), "{view} does not show {name}");
        }
        browser.wait_for_text("#ports", name);
        browser.click("#ports button");
        browser.wait_for("#circuit g[data-node]");
        assert_eq!(browser.script("return window.harm ?? 0"), json!(0), "{name}");
        assert_eq!(browser.script("return document.scripts.length"), json!(1), "{name}");
        assert_eq!(browser.count("main img"), 0, "{name}");
    }
}

fn narrow_windows_need_no_sideways_scrolling() {
    let browser = Browser::open(&["othello"], "games");
    browser.resize(400, 800);
    for view in ["games", "play", "watch", "analyse", "circuit", "bench"] {
        browser.go(view);
        browser.wait_for(&format!("nav a[data-view=\"{view}\"][aria-current=\"page\"]"));
        if !matches!(view, "bench") {
            browser.wait_for("#main .board .cell");
        }
        let wider =
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(browser.script(wider), json!(0), "{view} is wider than its window");
    }
}
