//! Sheets with something changed: terms, literals and rules left out, doubled, or put elsewhere.
//!
//! No rule comes to read a relation that rules for the same head do not read: so nothing that must
//! not depend on a move ever does.

use rand::RngExt;

use super::choices::Choices;
use super::sheet::{Rule, Sheet};

/// Constants that generated sheets have.
const CONSTANTS: [&str; 7] = ["0", "1", "2", "a", "b", "r", "c"];

/// Changes a sheet in one to four ways.
pub(crate) fn mutate(sheet: &mut Sheet, choices: &mut Choices) {
    for _ in 0..choices.random_range(1..5) {
        if !sheet.0.is_empty() {
            change(sheet, choices);
        }
    }
}

fn change(sheet: &mut Sheet, choices: &mut Choices) {
    let at = choices.random_range(0..sheet.0.len());
    match choices.random_range(0..9) {
        0 => {
            sheet.0.remove(at);
        }
        1 => {
            let mut again = sheet.0[at].clone();
            change_term(&mut again, choices);
            sheet.0.push(again);
        }
        2 => change_body(&mut sheet.0[at], choices, |body, literal| {
            body.remove(literal);
        }),
        3 => change_body(&mut sheet.0[at], choices, |body, literal| {
            body[literal] = negated(&body[literal]);
        }),
        4 => copy_literal(sheet, at, choices),
        _ => change_term(&mut sheet.0[at], choices),
    }
}

fn change_body(rule: &mut Rule, choices: &mut Choices, change: impl Fn(&mut Vec<String>, usize)) {
    if !rule.body.is_empty() {
        let literal = choices.random_range(0..rule.body.len());
        change(&mut rule.body, literal);
    }
}

fn negated(literal: &str) -> String {
    let inner = literal.strip_prefix("(not ").and_then(|rest| rest.strip_suffix(')'));
    inner.map_or_else(|| format!("(not {literal})"), str::to_string)
}

/// Adds a literal of another rule for the same relation.
fn copy_literal(sheet: &mut Sheet, at: usize, choices: &mut Choices) {
    let name = relation(&sheet.0[at].head).to_string();
    let others = sheet.0.iter().filter(|rule| relation(&rule.head) == name);
    let literals: Vec<&String> = others.flat_map(|rule| &rule.body).collect();
    if !literals.is_empty() {
        let literal = literals[choices.random_range(0..literals.len())].clone();
        sheet.0[at].body.push(literal);
    }
}

fn relation(head: &str) -> &str {
    head.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default()
}

/// Replaces a constant or variable of a rule by another of the rule, or by a constant.
fn change_term(rule: &mut Rule, choices: &mut Choices) {
    let texts: Vec<&String> = [&rule.head].into_iter().chain(&rule.body).collect();
    let places: Vec<(usize, usize, usize)> = texts
        .iter()
        .enumerate()
        .flat_map(|(text, own)| arguments(own).into_iter().map(move |(from, to)| (text, from, to)))
        .collect();
    if places.is_empty() {
        return;
    }
    let (text, from, to) = places[choices.random_range(0..places.len())];
    let new = match choices.random_range(0..3) {
        0 => CONSTANTS[choices.random_range(0..CONSTANTS.len())].to_string(),
        _ => {
            let (text, from, to) = places[choices.random_range(0..places.len())];
            texts[text][from..to].to_string()
        }
    };
    let changed = match text {
        0 => &mut rule.head,
        literal => &mut rule.body[literal - 1],
    };
    changed.replace_range(from..to, &new);
}

/// Where the words of a sentence are that name no relation and no function.
fn arguments(text: &str) -> Vec<(usize, usize)> {
    let is_word = |byte: u8| !b"() ".contains(&byte);
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
        if end > at && at > 0 && bytes[at - 1] == b' ' {
            found.push((at, end));
        }
        at = end.max(at + 1);
    }
    found
}
