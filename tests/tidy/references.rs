//! Which modules of its crate a source file refers to, read from its tokens: paths that begin with
//! `crate` or `super`, in `use` declarations, however nested, and anywhere else.

use std::collections::BTreeMap;

/// A path of names from the root of a crate.
pub(super) type Path = Vec<String>;

/// The paths that a file refers to. `module` is the module that the file is. What is compiled for
/// tests only does not count.
pub(super) fn references(text: &str, module: &[String]) -> Vec<Path> {
    let tokens = without_tests(tokens(text));
    let mut module = module.to_vec();
    let mut inline: Vec<usize> = Vec::new();
    let (mut depth, mut found) = (0, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(String::as_str);
        let is_second = at > 0 && tokens[at - 1] == "::";
        match token.as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if inline.last() == Some(&depth) {
                    inline.pop();
                    module.pop();
                }
            }
            "mod" if tokens.get(at + 2).is_some_and(|token| token == "{") => {
                inline.push(depth);
                module.extend(next.map(str::to_string));
            }
            "crate" if next == Some("::") => tree(&tokens, at + 2, Vec::new(), &mut found),
            "super" if next == Some("::") && !is_second => {
                let mut base = module.clone();
                let mut at = at;
                while tokens.get(at).is_some_and(|token| token == "super") {
                    base.pop();
                    at += 2;
                }
                tree(&tokens, at, base, &mut found);
            }
            _ => (),
        }
    }
    found
}

/// What a module hands on under its own name: item -> the path that it comes from, in the module.
pub(super) fn exports(text: &str) -> BTreeMap<String, Path> {
    let tokens = without_tests(tokens(text));
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token == "use" {
            tree(&tokens, at + 1, Vec::new(), &mut found);
        }
    }
    let own = found.into_iter().filter(|path| path.len() > 1);
    own.filter_map(|path| Some((path.last()?.clone(), path))).collect()
}

/// Adds the paths of a `use` tree, or of a single path, and returns nothing: where it ends does not
/// matter to the caller, who looks at every token.
fn tree(tokens: &[String], at: usize, base: Path, found: &mut Vec<Path>) {
    let token = tokens.get(at).map_or("", String::as_str);
    if token == "{" {
        let mut depth = 0;
        let mut starts = true;
        for at in at + 1..tokens.len() {
            match tokens[at].as_str() {
                "}" if depth == 0 => break,
                "{" => depth += 1,
                "}" => depth -= 1,
                "," if depth == 0 => starts = true,
                _ if starts && depth == 0 => {
                    starts = false;
                    tree(tokens, at, base.clone(), found);
                }
                _ => (),
            }
        }
    } else if is_word(token) {
        let mut path = base;
        if token != "self" {
            path.push(token.to_string());
        }
        match tokens.get(at + 1).is_some_and(|next| next == "::") {
            true => tree(tokens, at + 2, path, found),
            false => found.push(path),
        }
    } else {
        found.push(base);
    }
}

/// Tokens without the items marked `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().zip(MARK).filter(|(token, mark)| token == mark).count() == MARK.len()
        {
            at = end_of_item(&tokens, at + MARK.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Where the item that begins here is over: after its semicolon or its braces; an element of a list
/// of references, after its comma.
fn end_of_item(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    let is_element = tokens.get(start).is_some_and(|token| token == "&");
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => (),
        }
        if depth == 0 && (token == ";" || token == "}" || is_element && token == ",") {
            return at + 1;
        }
    }
    tokens.len()
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Words, `::` and single signs; no comments, no literals of text.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = literal_or_comment(rest);
        if length > 0 {
            rest = &rest[length..];
            continue;
        }
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
        let length = match first {
            _ if is_part(first) => rest.find(|sign| !is_part(sign)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            found.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    found
}

/// The length of the comment or the literal that a text begins with; 0 if it begins with neither.
fn literal_or_comment(text: &str) -> usize {
    let until = |end: &str, from: usize| {
        text[from..].find(end).map_or(text.len(), |at| from + at + end.len())
    };
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return until("*/", 2);
    }
    let raw = text.strip_prefix('b').unwrap_or(text).strip_prefix('r');
    if let Some(raw) = raw {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let start = text.len() - raw.len() + hashes + 1;
            return until(&format!("\"{}", "#".repeat(hashes)), start);
        }
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    // A character, not a lifetime: something escaped, or one sign between two quotes.
    let is_character = text
        .strip_prefix('\'')
        .is_some_and(|rest| rest.starts_with('\\') || rest.chars().nth(1) == Some('\''));
    if is_character { quoted(text, '\'') } else { 0 }
}

/// The length of a literal with escapes, quotes included.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if sign == quote => return at + 1,
            _ => (),
        }
    }
    text.len()
}

#[test]
fn references_are_found_wherever_they_are() {
    let text = r##"
        //! Not crate::comment::x, nor /* crate::nested */
        use crate::a::B;
        use crate::{c::{self, D}, e, f as g};
        use super::super::h::I;
        const TEXT: (&str, char, &str) = ("crate::text \" crate::more", '"', r#"crate::raw "#);
        fn k<'a>(x: &'a crate::l::M) -> u8 { crate::n::o::<u8>(x); $crate::p!() }
        mod inner { use super::q; use super::super::r::S; }
        use super::t;
        pub(crate) struct U;
        #[cfg(test)]
        #[allow(unused)]
        mod tests { use crate::only::tests; fn v() { } }
        use super::w::*;
    "##;
    let module = ["one", "two"].map(str::to_string);
    let found: Vec<String> = references(text, &module).iter().map(|path| path.join("::")).collect();
    let expected = [
        "a::B",
        "c",
        "c::D",
        "e",
        "f",
        "h::I",
        "l::M",
        "n::o",
        "p",
        "one::two::q",
        "one::r::S",
        "one::t",
        "one::w",
    ];
    assert_eq!(found, expected);
    let handed_on = exports("mod a; pub use a::{B, c::D}; use f::g;");
    let handed_on: Vec<String> = handed_on.values().map(|path| path.join("::")).collect();
    assert_eq!(handed_on, ["a::B", "a::c::D", "f::g"]);
}
