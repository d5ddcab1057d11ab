//! Text -> where to start: scripted joint moves and given states.
//!
//! Reading does not depend on a game, so malformed input is refused before any work is done. Every
//! move and sentence keeps the place it came from, for error messages that need the game.

use propnet::game::{Game, PlayError, State};
use propnet::gdl::{Expr, ExprKind, Finding, Source, read_expressions};

use crate::text::shortened;

/// An error in the input of a caller, or in the rules of the game, that makes it impossible to go
/// on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Something in the given moves or state.
    #[error("{place}: {message}")]
    Input {
        /// The name of the text, with line and column.
        place: String,
        /// What is wrong there.
        message: String,
    },
    /// Something in the rules of the game.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// A piece of given text and where it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The text on one line, single spaces.
    pub text: String,
    /// Its place, for messages.
    pub place: String,
}

impl Given {
    /// An error about this piece.
    pub(crate) fn refuse(&self, message: impl std::fmt::Display) -> StartError {
        StartError::Input { place: self.place.clone(), message: message.to_string() }
    }
}

/// A joint move to be made: one entry for each role, `None` for a random move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedMove {
    /// The whole joint move.
    pub given: Given,
    /// The roles' moves in the order of the roles.
    pub moves: Vec<Option<Given>>,
}

/// Reads joint moves such as `((mark 1 1) noop) (noop *)`: lists with one move for each role,
/// `*` for one chosen at random.
pub fn read_moves(source: &Source) -> Result<Vec<ScriptedMove>, StartError> {
    let expressions = expressions(source)?;
    expressions.iter().map(|expr| scripted_move(source, expr)).collect()
}

fn scripted_move(source: &Source, expr: &Expr) -> Result<ScriptedMove, StartError> {
    let given = given(source, expr);
    let ExprKind::List(items) = &expr.kind else {
        return Err(given.refuse(format!(
            "{} is not a joint move; write a list with one move for each role, \
             such as ((mark 1 1) noop), and * for a move chosen at random",
            given.text
        )));
    };
    let moves = items.iter().map(|item| {
        let item = self::given(source, item);
        (item.text != "*").then_some(item)
    });
    Ok(ScriptedMove { moves: moves.collect(), given })
}

/// Reads the sentences of a state: GDL sentences, with or without `(true ...)`, on lines of their
/// own or in one list; or a JSON array of them.
pub fn read_state(source: &Source) -> Result<Vec<Given>, StartError> {
    if source.text().trim_start().starts_with('[') {
        return read_json_state(source);
    }
    let expressions = expressions(source)?;
    // A sentence starts with a name, so a list that starts with a list is a list of sentences.
    let sentences: Vec<&Expr> = match expressions.as_slice() {
        [Expr { kind: ExprKind::List(items), .. }]
            if matches!(items.first(), Some(Expr { kind: ExprKind::List(_), .. })) =>
        {
            items.iter().collect()
        }
        all => all.iter().collect(),
    };
    Ok(sentences.into_iter().map(|expr| given(source, unwrap_true(source, expr))).collect())
}

/// Reads a state as it is in records: one list of sentences, with or without `(true ...)`.
pub fn read_sentences(source: &Source) -> Result<Vec<Given>, StartError> {
    match expressions(source)?.as_slice() {
        [Expr { kind: ExprKind::List(items), .. }] => {
            Ok(items.iter().map(|expr| given(source, unwrap_true(source, expr))).collect())
        }
        _ => Err(StartError::Input {
            place: source.name().to_string(),
            message: format!("{} is not a list of sentences", shortened(source.text(), 100)),
        }),
    }
}

fn read_json_state(source: &Source) -> Result<Vec<Given>, StartError> {
    let texts: Vec<String> =
        serde_json::from_str(source.text()).map_err(|error| StartError::Input {
            place: source.name().to_string(),
            message: format!("not a JSON array of sentences: {error}"),
        })?;
    let mut sentences = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let element = Source::from_text(format!("{}: element {index}", source.name()), text);
        match expressions(&element)?.as_slice() {
            [expr] => sentences.push(given(&element, unwrap_true(&element, expr))),
            _ => {
                return Err(StartError::Input {
                    place: element.name().to_string(),
                    message: format!("{text:?} is not one sentence"),
                });
            }
        }
    }
    Ok(sentences)
}

/// The state in which exactly the given sentences are true.
pub fn make_state(game: &mut dyn Game, sentences: &[Given]) -> Result<State, StartError> {
    // One by one first, so that an error message names the place of its sentence.
    for sentence in sentences {
        game.state_of(std::slice::from_ref(&sentence.text))
            .map_err(|error| sentence.refuse(error))?;
    }
    let texts: Vec<String> = sentences.iter().map(|sentence| sentence.text.clone()).collect();
    Ok(game.state_of(&texts)?)
}

fn expressions(source: &Source) -> Result<Vec<Expr>, StartError> {
    let mut findings = Vec::new();
    let expressions = read_expressions(source, &mut findings);
    match findings.first() {
        Some(finding) => Err(unreadable(source, finding)),
        None => Ok(expressions),
    }
}

fn unreadable(source: &Source, finding: &Finding) -> StartError {
    let place = match finding.span {
        Some(span) => place(source, span.start),
        None => source.name().to_string(),
    };
    StartError::Input { place, message: finding.message.clone() }
}

fn unwrap_true<'a>(source: &Source, expr: &'a Expr) -> &'a Expr {
    match &expr.kind {
        ExprKind::List(items) => match items.as_slice() {
            [name, inner]
                if matches!(name.kind, ExprKind::Word)
                    && source.slice(name.span).eq_ignore_ascii_case("true") =>
            {
                inner
            }
            _ => expr,
        },
        ExprKind::Word => expr,
    }
}

fn given(source: &Source, expr: &Expr) -> Given {
    let mut text = String::new();
    write_expr(&mut text, source, expr);
    Given { text, place: place(source, expr.span.start) }
}

fn write_expr(text: &mut String, source: &Source, expr: &Expr) {
    match &expr.kind {
        ExprKind::Word => text.push_str(source.slice(expr.span)),
        ExprKind::List(items) => {
            text.push('(');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                write_expr(text, source, item);
            }
            text.push(')');
        }
    }
}

fn place(source: &Source, offset: u32) -> String {
    format!("{}: {}", source.name(), source.place(offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Result<Vec<Vec<String>>, String> {
        let read = read_moves(&Source::from_text("m", text)).map_err(|error| error.to_string())?;
        let text =
            |item: &Option<Given>| item.as_ref().map_or("*".into(), |item| item.text.clone());
        Ok(read.iter().map(|joint| joint.moves.iter().map(text).collect()).collect())
    }

    fn state(text: &str) -> Result<Vec<String>, String> {
        let read = read_state(&Source::from_text("s", text)).map_err(|error| error.to_string())?;
        Ok(read.into_iter().map(|sentence| sentence.text).collect())
    }

    #[test]
    fn joint_moves_are_lists_of_moves() {
        let read = moves("((mark  1\n1) noop) ; the first\n(noop *)").expect("read");
        assert_eq!(read, [["(mark 1 1)", "noop"], ["noop", "*"]]);
        assert_eq!(moves("").expect("read"), Vec::<Vec<String>>::new());
    }

    #[test]
    fn bad_moves_are_refused_with_their_place() {
        let refused = moves("(a b)\nnoop").expect_err("refused");
        assert!(refused.starts_with("m: line 2, column 1: noop is not a joint move"), "{refused}");
        let refused = moves("((a b)").expect_err("refused");
        assert!(refused.starts_with("m: line 1, column 1: "), "{refused}");
    }

    #[test]
    fn states_come_as_sentences_lists_and_json() {
        let wanted = ["(cell 1 1 b)", "(control x)", "over"];
        assert_eq!(state("(cell 1 1 b)\n(true (control x))\nover").expect("read"), wanted);
        assert_eq!(state("((cell 1 1 b) (control x) over)").expect("read"), wanted);
        assert_eq!(
            state(r#" ["(cell 1  1 b)", "(TRUE (control x))", "over"]"#).expect("read"),
            wanted
        );
        assert_eq!(state("(cell 1 1 b)").expect("read"), ["(cell 1 1 b)"]);
    }

    #[test]
    fn states_of_records_are_lists() {
        let read = |text: &str| {
            let read = read_sentences(&Source::from_text("s", text));
            read.map(|list| list.into_iter().map(|given| given.text).collect::<Vec<_>>())
        };
        assert_eq!(read("(over done)").expect("read"), ["over", "done"]);
        assert_eq!(
            read("( ( cell 1  1 b ) (true over) )").expect("read"),
            ["(cell 1 1 b)", "over"]
        );
        assert_eq!(read("()").expect("read"), Vec::<String>::new());
        for bad in ["", "over", "(a) (b)", "(a"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bad_states_are_refused_with_their_place() {
        assert!(state("[1]").expect_err("refused").starts_with("s: not a JSON array"));
        let refused = state(r#"["a", "b c"]"#).expect_err("refused");
        assert!(refused.starts_with("s: element 1"), "{refused}");
    }
}
