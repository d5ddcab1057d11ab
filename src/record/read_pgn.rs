//! The text of a match in the style of PGN -> what it says about the match.

use propnet::gdl::Source;

use super::format::MatchRecord;
use super::read::ReadError;
use crate::start::{Given, read_moves};

/// Reads what `pgn` writes: the name of the match and of the game, the joint moves, and
/// the goals. Comments are left out, and so are tags of roles, whose names may have been replaced.
pub(super) fn read_pgn(text: &str) -> Result<MatchRecord, ReadError> {
    let mut reader = Reader { text, at: 0 };
    let mut record = MatchRecord::default();
    while reader.skip() == Some('[') {
        let (name, value) = reader.tag()?;
        match name {
            "Event" => record.match_id = value,
            "Game" => record.game = value,
            _ => {}
        }
    }
    while let Some(next) = reader.skip() {
        if next == '(' {
            let moves = reader.joint_move()?;
            record.moves.push(moves);
            continue;
        }
        let word = reader.word();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match word.trim_end_matches('.') {
            number if is_number(number) && word.ends_with('.') => {}
            result => {
                if result != "*" {
                    record.complete(goals(result).ok_or_else(|| {
                        reader.complain(format!("{word} is neither a joint move nor a result"))
                    })?);
                }
                if reader.skip().is_some() {
                    return Err(reader.complain("there is more after the result"));
                }
            }
        }
    }
    Ok(record)
}

/// The goals of a result such as `100-0-?`.
fn goals(result: &str) -> Option<Vec<Option<i32>>> {
    // A goal below zero has a dash of its own.
    let mut goals = Vec::new();
    let mut rest = result;
    loop {
        let dash = rest.get(1..)?.find('-').map(|at| at + 1);
        let (goal, after) = dash.map_or((rest, None), |at| (&rest[..at], Some(&rest[at + 1..])));
        goals.push(if goal == "?" { None } else { Some(propnet::game::goal_value(goal)?) });
        match after {
            Some(after) => rest = after,
            None => return Some(goals),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips spaces and comments, and returns the next character.
    fn skip(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let next = rest.chars().next()?;
            let end = match next {
                '{' => rest.find('}').map(|end| end + 1),
                ';' => rest.find('\n'),
                next if next.is_whitespace() => Some(next.len_utf8()),
                _ => return Some(next),
            };
            self.at += end.unwrap_or(rest.len());
        }
    }

    /// A tag such as `[Event "name"]`.
    fn tag(&mut self) -> Result<(&'t str, String), ReadError> {
        let rest = &self.rest()[1..];
        let open = rest.find('"').ok_or_else(|| self.complain("a tag has no value in quotes"))?;
        let name = rest[..open].trim();
        let mut value = String::new();
        let mut letters = rest.char_indices().skip_while(|&(at, _)| at <= open);
        let closed = loop {
            match letters.next() {
                Some((at, '"')) => break Some(at),
                Some((_, '\\')) => value.extend(letters.next().map(|(_, letter)| letter)),
                Some((_, letter)) => value.push(letter),
                None => break None,
            }
        };
        let closed = closed.ok_or_else(|| self.complain("a tag's quotes are not closed"))?;
        let after = &rest[closed + 1..];
        let end =
            after.find(|c: char| !c.is_whitespace()).filter(|&at| after[at..].starts_with(']'));
        let end = end.ok_or_else(|| self.complain("a tag has no ] after its value"))?;
        self.at += 1 + closed + 1 + end + 1;
        Ok((name, value))
    }

    /// A joint move in parentheses.
    fn joint_move(&mut self) -> Result<Vec<String>, ReadError> {
        let mut depth = 0;
        let end = self.rest().char_indices().find_map(|(at, letter)| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            (depth == 0).then_some(at + 1)
        });
        let end = end.ok_or_else(|| self.complain("a joint move has no last parenthesis"))?;
        let text = &self.rest()[..end];
        let read = read_moves(&Source::from_text("joint move", text));
        let read = read.map_err(|error| self.complain(error))?;
        let moves = read.into_iter().flat_map(|joint| joint.moves);
        let plain = |one: Option<Given>| {
            let text = one.as_ref().and_then(|given| unescaped(&given.text));
            text.ok_or_else(|| {
                self.complain(format!("{text:?} is not a joint move", text = &self.rest()[..end]))
            })
        };
        let moves = moves.map(plain).collect::<Result<_, _>>()?;
        self.at += end;
        Ok(moves)
    }

    /// The text up to the next space or parenthesis.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | ';');
        // A word has at least one character, whatever it is.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(is_end).map_or(rest.len(), |end| first + end);
        self.at += end;
        &rest[..end]
    }

    fn complain(&self, message: impl ToString) -> ReadError {
        let line = self.text[..self.at].bytes().filter(|&byte| byte == b'\n').count() + 1;
        ReadError::Pgn { line, message: message.to_string() }
    }
}

/// A move as it was before characters were escaped for PGN.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::pgn;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let mut record = MatchRecord {
            match_id: "a \"b\" \\ [x]".to_string(),
            game: "small".to_string(),
            roles: texts(&["Event", "b"]),
            player_names_from_host: texts(&["uct]", "\"random\""]),
            moves: vec![texts(&["(say {x} \"y\\)", "100%"]), texts(&["*", "(f (g naïve) ;)"])],
            ..MatchRecord::default()
        };
        let kept = |record: &MatchRecord| MatchRecord {
            match_id: record.match_id.clone(),
            game: record.game.clone(),
            moves: record.moves.clone(),
            is_completed: record.is_completed,
            goal_values: record.goal_values.clone(),
            ..MatchRecord::default()
        };
        assert_eq!(read_pgn(&pgn(&record)), Ok(kept(&record)));
        record.complete(vec![Some(-5), None]);
        assert_eq!(read_pgn(&pgn(&record)), Ok(kept(&record)));
    }

    #[test]
    fn comments_and_spaces_are_left_out() {
        let text =
            "[Event \"m\"] [Game \"g\"]{ as it was } 1. (a b) ; good\n2.((c d) e) 100-0 {over}";
        let record = read_pgn(text).expect("a record");
        assert_eq!(record.moves, [["a", "b"], ["(c d)", "e"]]);
        assert_eq!(record.goal_values, [Some(100), Some(0)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, said) in [
            ("[Event m]", "line 1: a tag has no value in quotes"),
            ("[Event \"m]", "line 1: a tag's quotes are not closed"),
            ("[Event \"m\"\n1. (a)", "line 1: a tag has no ] after its value"),
            ("[Event \"m\"]\n1. (a", "line 2: a joint move has no last parenthesis"),
            ("[Event \"m\"]\n1. (a %7)", "line 2: \"(a %7)\" is not a joint move"),
            ("[Event \"m\"]\n\n1. (a)\ne4 e5", "line 4: e4 is neither a joint move nor a result"),
            ("[Event \"m\"]\n* 1. (a)", "line 2: there is more after the result"),
        ] {
            let error = read_pgn(text).expect_err("no record").to_string();
            assert_eq!(error, format!("not a game in a PGN-like format: {said}"), "{text}");
        }
    }
}
