//! How a sheet wants to be drawn, said in its comments.
//!
//! ```text
//! ; draw: board cell x=1 y=2 boards=3 content=4 shape=square
//! ; draw: list history
//! ; draw: piece wizard W
//! ; draw: blank dirt
//! ```
//!
//! Arguments are counted from one. `x` and `y` may be the same argument, such as `c4`; `boards` are the
//! arguments that choose one of several boards, `content` those that say what is on a cell (all others
//! where it is left out); several are joined by commas. `shape=square` keeps cells that touch six
//! others in straight rows.

use std::collections::BTreeMap;

use propnet::gdl::{Finding, Span};

/// All hints of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    fluents: BTreeMap<String, FluentHint>,
    /// The symbol of each content; none if it means an empty cell.
    pieces: BTreeMap<String, Option<String>>,
    /// What cannot be understood, with its line.
    pub problems: Vec<(usize, String)>,
}

/// What is said of the sentences of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FluentHint {
    Board(BoardHint),
    List,
}

/// Which arguments mean what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardHint {
    pub(super) across: usize,
    pub(super) up: usize,
    pub(super) parts: Vec<usize>,
    /// All that are not named otherwise, if none are given.
    pub(super) content: Option<Vec<usize>>,
    pub(super) is_square: bool,
}

/// What a hint begins with, after the semicolons.
const WORD: &str = "draw:";

/// Symbols are cut to this many letters, so that they fit a cell.
const SYMBOL: usize = 3;

/// No more hints are read.
const MOST: usize = 1_000;

impl Hints {
    /// Reads the comments of a sheet.
    pub fn read(sheet: &str) -> Self {
        let mut hints = Hints::default();
        let lines = sheet.split('\n').enumerate().filter_map(|(at, line)| {
            let (_, comment) = line.split_once(';')?;
            let hint = comment.trim_start_matches(';').trim().strip_prefix(WORD)?;
            Some((at + 1, hint.to_lowercase()))
        });
        for (line, hint) in lines.take(MOST) {
            let words: Vec<&str> = hint.split_whitespace().collect();
            if let Err(problem) = hints.add(&words) {
                hints.problems.push((line, problem));
            }
        }
        hints
    }

    fn add(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            ["board", name, rest @ ..] => {
                let hint = FluentHint::Board(BoardHint::read(rest)?);
                self.fluents.insert(name.to_string(), hint);
            }
            ["list", name] => {
                self.fluents.insert(name.to_string(), FluentHint::List);
            }
            ["piece", content @ .., symbol] if !content.is_empty() => {
                let symbol = symbol.chars().take(SYMBOL).collect();
                self.pieces.insert(content.join(" "), Some(symbol));
            }
            ["blank", content @ ..] if !content.is_empty() => {
                self.pieces.insert(content.join(" "), None);
            }
            _ => {
                return Err(
                    "a hint is board NAME x=ARG y=ARG, list NAME, piece CONTENT SYMBOL or \
                            blank CONTENT"
                        .to_string(),
                );
            }
        }
        Ok(())
    }

    /// What cannot be understood, as findings about a sheet.
    pub fn findings(sheet: &str) -> Vec<Finding> {
        let starts: Vec<usize> =
            std::iter::once(0).chain(sheet.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let finding = |(line, problem): (usize, String)| {
            let start = starts.get(line - 1).copied().unwrap_or(0);
            let length = sheet[start..].find('\n').unwrap_or(sheet.len() - start);
            Finding::warning("draw-hint", Span::new(start, start + length), problem)
        };
        Hints::read(sheet).problems.into_iter().map(finding).collect()
    }

    /// What is said of the sentences of this name.
    pub(super) fn of(&self, name: &str) -> Option<&FluentHint> {
        self.fluents.get(name)
    }

    /// Whether the boards of this name may have hexagons.
    pub(super) fn may_be_hexagonal(&self, name: &str) -> bool {
        !matches!(self.of(name), Some(FluentHint::Board(hint)) if hint.is_square)
    }

    /// Contents with the symbols they should have; none for an empty cell.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.pieces.iter().map(|(content, symbol)| (content.as_str(), symbol.as_deref()))
    }
}

impl BoardHint {
    fn read(words: &[&str]) -> Result<Self, String> {
        let (mut across, mut up) = (None, None);
        let mut hint =
            BoardHint { across: 0, up: 0, parts: Vec::new(), content: None, is_square: false };
        for word in words {
            match word.split_once('=') {
                Some(("x", value)) => across = Some(argument(value)?),
                Some(("y", value)) => up = Some(argument(value)?),
                Some(("boards", value)) => hint.parts = arguments(value)?,
                Some(("content", value)) => hint.content = Some(arguments(value)?),
                Some(("shape", "square")) => hint.is_square = true,
                Some(("shape", "any")) => hint.is_square = false,
                _ => {
                    return Err(format!(
                        "{word} is not x=ARG, y=ARG, boards=ARGS, content=ARGS or shape=square"
                    ));
                }
            }
        }
        let (Some(across), Some(up)) = (across, up) else {
            return Err("a board needs x=ARG and y=ARG".to_string());
        };
        Ok(BoardHint { across, up, ..hint })
    }
}

fn argument(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.ok_or_else(|| format!("{text} is no argument: the first one is 1"))
}

fn arguments(text: &str) -> Result<Vec<usize>, String> {
    text.split(',').map(argument).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_from_comments() {
        let hints = Hints::read(
            "(role a) ;; draw: board Cell x=1 y=2 boards=3,4 shape=square\n\
             ; draw: list log\n; draw: piece big wizard WIZARD\n; draw: blank dirt\n; other",
        );
        assert_eq!(hints.problems, []);
        let board =
            BoardHint { across: 0, up: 1, parts: vec![2, 3], content: None, is_square: true };
        assert_eq!(hints.of("cell"), Some(&FluentHint::Board(board)));
        assert_eq!(hints.of("log"), Some(&FluentHint::List));
        assert!(!hints.may_be_hexagonal("cell") && hints.may_be_hexagonal("other"));
        let pieces: Vec<_> = hints.pieces().collect();
        assert_eq!(pieces, [("big wizard", Some("wiz")), ("dirt", None)]);
    }

    #[test]
    fn what_cannot_be_understood_is_told_with_its_line() {
        let problem = |text: &str| Hints::read(&format!("\n{text}")).problems;
        for (text, said) in [
            ("; draw: board cell x=1", "needs x=ARG and y=ARG"),
            ("; draw: board cell x=0 y=1", "0 is no argument"),
            ("; draw: board cell x=1 y=2 z=3", "z=3 is not"),
            ("; draw: nicely", "a hint is board"),
        ] {
            let problems = problem(text);
            assert!(matches!(&problems[..], [(2, told)] if told.contains(said)), "{problems:?}");
            let findings = Hints::findings(&format!("\n{text}\n(role a)"));
            assert_eq!(findings[0].span, Some(Span::new(1, 1 + text.len())));
        }
    }
}
