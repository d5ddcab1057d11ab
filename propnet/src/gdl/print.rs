//! Rules -> text that parses to the same rules, in the spelling of the sheet.

use super::rules::{Atom, Literal, LiteralKind, Rule, Rules, Term, TermKind};
use super::symbols::{Symbols, word};

/// The whole sheet, one rule a paragraph, facts on one line.
pub fn print_rules(rules: &Rules) -> String {
    let mut text = String::new();
    for rule in &rules.rules {
        text.push_str(&print_rule(rule, &rules.symbols));
        text.push('\n');
    }
    text
}

/// A rule: the head on the first line, each literal on a line of its own.
pub fn print_rule(rule: &Rule, symbols: &Symbols) -> String {
    if rule.body.is_empty() {
        return print_atom(&rule.head, symbols);
    }
    let mut text = format!("(<= {}", print_atom(&rule.head, symbols));
    for literal in &rule.body {
        text.push_str("\n    ");
        write_literal(&mut text, literal, symbols);
    }
    text.push(')');
    text
}

/// A literal on one line.
pub fn print_literal(literal: &Literal, symbols: &Symbols) -> String {
    let mut text = String::new();
    write_literal(&mut text, literal, symbols);
    text
}

/// An atom on one line.
pub fn print_atom(atom: &Atom, symbols: &Symbols) -> String {
    let mut text = String::new();
    write_atom(&mut text, atom, symbols);
    text
}

/// A term on one line.
pub fn print_term(term: &Term, symbols: &Symbols) -> String {
    let mut text = String::new();
    write_term(&mut text, term, symbols);
    text
}

fn write_literal(text: &mut String, literal: &Literal, symbols: &Symbols) {
    match &literal.kind {
        LiteralKind::Atom(atom) => write_atom(text, atom, symbols),
        LiteralKind::Not(inner) => {
            text.push_str("(not ");
            write_literal(text, inner, symbols);
            text.push(')');
        }
        LiteralKind::Or(parts) => write_connective(text, "or", parts, symbols),
        LiteralKind::And(parts) => write_connective(text, "and", parts, symbols),
        LiteralKind::Distinct(left, right) => {
            text.push_str("(distinct ");
            write_term(text, left, symbols);
            text.push(' ');
            write_term(text, right, symbols);
            text.push(')');
        }
    }
}

fn write_connective(text: &mut String, word: &str, parts: &[Literal], symbols: &Symbols) {
    text.push('(');
    text.push_str(word);
    for part in parts {
        text.push(' ');
        write_literal(text, part, symbols);
    }
    text.push(')');
}

fn write_atom(text: &mut String, atom: &Atom, symbols: &Symbols) {
    // The spelling of a word is that of a constant with the same name.
    let is_word = word::is_word(atom.relation);
    let name = if is_word { symbols.name(atom.relation) } else { symbols.spelling(atom.relation) };
    write_application(text, name, &atom.args, symbols);
}

fn write_application(text: &mut String, name: &str, args: &[Term], symbols: &Symbols) {
    if args.is_empty() {
        text.push_str(name);
        return;
    }
    text.push('(');
    text.push_str(name);
    for arg in args {
        text.push(' ');
        write_term(text, arg, symbols);
    }
    text.push(')');
}

fn write_term(text: &mut String, term: &Term, symbols: &Symbols) {
    match &term.kind {
        TermKind::Variable(name) | TermKind::Constant(name) => {
            text.push_str(symbols.spelling(*name));
        }
        TermKind::Function(name, args) => {
            write_application(text, symbols.spelling(*name), args, symbols);
        }
    }
}
