//! Text -> what a manager wants. Managers may use any spacing and letter case.

use std::time::Duration;

use propnet::gdl::{Item, outline};

use crate::text::shortened;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Are you there?
    Info,
    /// A match begins.
    Start(StartMessage),
    /// What do you play?
    Play {
        /// The match.
        id: String,
        /// The joint move before, a text for each role; none before the first.
        previous: Option<Vec<String>>,
    },
    /// A match is over.
    Stop {
        /// The match.
        id: String,
        /// Its last joint move.
        previous: Option<Vec<String>>,
    },
    /// A match is given up.
    Abort {
        /// The match.
        id: String,
    },
    /// Rules of a match that may follow.
    Preview {
        /// The number of words and lists in the rules.
        size: usize,
        /// The time to look at them.
        clock: Duration,
    },
}

impl Message {
    /// What it is called.
    pub fn kind(&self) -> &'static str {
        match self {
            Message::Info => "info",
            Message::Start(_) => "start",
            Message::Play { .. } => "play",
            Message::Stop { .. } => "stop",
            Message::Abort { .. } => "abort",
            Message::Preview { .. } => "preview",
        }
    }
}

/// A match that begins.
#[derive(Clone, Debug, PartialEq)]
pub struct StartMessage {
    /// What it is called, as it was written.
    pub id: String,
    /// The role to play.
    pub role: String,
    /// The rules, as they were written.
    pub sheet: String,
    /// The number of words and lists in the rules: the memory they take goes by that.
    pub size: usize,
    /// The time before the first move.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
}

/// Why a text is not a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MessageError(String);

/// Reads a message. Nothing is built for the rules of a sheet: they stay text.
pub fn read_message(text: &str) -> Result<Message, MessageError> {
    let level = |text, most| {
        outline(text, most)
            .map_err(|finding| MessageError(format!("no message: {}", finding.message)))
    };
    let all = level(text, 1)?;
    let &[message] = all.items.as_slice() else { return complain("expected one message, found 0") };
    if all.count > 1 {
        return complain(&format!("expected one message, found {}", all.count));
    }
    let Some(inside) = message.inside() else { return read_parts(&message, &[], 0) };
    let parts = level(inside, 1 + MOST_PARTS)?;
    match parts.items.as_slice() {
        [keyword, arguments @ ..] => read_parts(keyword, arguments, parts.count - 1),
        [] => complain("the message is empty"),
    }
}

fn complain<T>(what: &str) -> Result<T, MessageError> {
    Err(MessageError(what.to_string()))
}

/// The longest part of a message that a complaint repeats, in letters.
const SHOWN: usize = 40;

/// The longest name of a match or a role, in bytes: names of matches are remembered.
const LONGEST_NAME: usize = 1000;

/// The longest clock that can be read, in seconds. Sessions have a bound of their own.
const LONGEST_CLOCK: f64 = 1e6;

/// No message has more parts after its name.
const MOST_PARTS: usize = 5;

/// The longest joint move that is kept, in bytes: far more than games need. A longer one is cut
/// shortly after that, so that the reader sees that it is too long.
pub(super) const LONGEST_JOINT: usize = 64 << 10;

/// Reads the parts of a message; `count` is how many there are after the name.
fn read_parts(keyword: &Item, arguments: &[Item], count: usize) -> Result<Message, MessageError> {
    let name = shortened(keyword.text, SHOWN).to_lowercase();
    match (name.as_str(), arguments) {
        ("info", []) => Ok(Message::Info),
        ("start", [id, role, sheet, start_clock, play_clock]) if count == 5 => {
            Ok(Message::Start(StartMessage {
                id: word(id, "a match")?,
                role: word(role, "a role")?,
                sheet: rules(sheet)?.to_string(),
                size: sheet.size,
                start_clock: clock(start_clock)?,
                play_clock: clock(play_clock)?,
            }))
        }
        ("play", [id, joint @ ..]) if joint.len() <= 1 => {
            let (id, previous) = (word(id, "a match")?, moves(joint.first())?);
            Ok(Message::Play { id, previous })
        }
        ("stop", [id, joint @ ..]) if joint.len() <= 1 => {
            let (id, previous) = (word(id, "a match")?, moves(joint.first())?);
            Ok(Message::Stop { id, previous })
        }
        ("abort", [id]) => Ok(Message::Abort { id: word(id, "a match")? }),
        ("preview", [sheet, time]) => {
            rules(sheet)?;
            Ok(Message::Preview { size: sheet.size, clock: clock(time)? })
        }
        (name, _) => complain(&match form(name) {
            Some(form) => format!("the form is {form}; parts after the name here: {count}"),
            None => format!(
                "there is no message {name}; there are info, start, play, stop, abort, preview"
            ),
        }),
    }
}

fn word(item: &Item, what: &str) -> Result<String, MessageError> {
    if item.is_list {
        return complain(&format!("a list where the name of {what} should stand"));
    }
    if item.text.len() > LONGEST_NAME {
        return complain(&format!("the name of {what} has more than {LONGEST_NAME} bytes"));
    }
    Ok(item.text.to_string())
}

/// The rules without the parentheses around all of them.
fn rules<'t>(item: &Item<'t>) -> Result<&'t str, MessageError> {
    item.inside().map_or_else(|| complain("a word where the rules should stand"), Ok)
}

fn clock(item: &Item) -> Result<Duration, MessageError> {
    let shown = || shortened(item.text, SHOWN);
    match item.text.parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST_CLOCK).contains(&seconds) => {
            Ok(Duration::from_secs_f64(seconds))
        }
        Ok(seconds) if seconds > LONGEST_CLOCK => {
            complain(&format!("a clock of {} seconds; {LONGEST_CLOCK} is the limit", shown()))
        }
        _ => complain(&format!("{} is no number of seconds", shown())),
    }
}

/// The moves before; `nil`, `()` and nothing at all are none.
fn moves(item: Option<&Item>) -> Result<Option<Vec<String>>, MessageError> {
    let Some(item) = item else { return Ok(None) };
    let Some(inside) = item.inside() else {
        return match is_nil(item.text) {
            true => Ok(None),
            false => complain(&format!("{} is no list of moves", shortened(item.text, SHOWN))),
        };
    };
    // The message was read as a whole before, so its parts can be read.
    let parts = outline(inside, LONGEST_JOINT / 2 + 1).unwrap_or_default().items;
    let mut moves = Vec::new();
    let mut length = 0;
    for part in parts {
        let text = plain(first_bytes(part.text, LONGEST_JOINT + 1));
        length += text.len() + 1;
        moves.push(text);
        if length > LONGEST_JOINT {
            break;
        }
    }
    Ok((!moves.is_empty()).then_some(moves))
}

/// The first bytes of a text, up to a whole letter.
fn first_bytes(text: &str, bytes: usize) -> &str {
    let end = (bytes..text.len()).find(|&at| text.is_char_boundary(at));
    end.map_or(text, |end| &text[..end])
}

fn is_nil(text: &str) -> bool {
    text.eq_ignore_ascii_case("nil")
}

/// Whether a joint move says nothing: some managers send a nil for each role before the first move.
/// Later it may well be the name of a move.
pub(super) fn is_blank(joint: &[String]) -> bool {
    joint.iter().all(|text| is_nil(text))
}

/// How a message is written.
fn form(name: &str) -> Option<&'static str> {
    Some(match name {
        "info" => "(info)",
        "start" => "(start MATCH ROLE (RULE ...) STARTCLOCK PLAYCLOCK)",
        "play" => "(play MATCH (MOVE ...))",
        "stop" => "(stop MATCH (MOVE ...))",
        "abort" => "(abort MATCH)",
        "preview" => "(preview (RULE ...) CLOCK)",
        _ => return None,
    })
}

/// A move with one space where spaces are needed, and none elsewhere. Text that is not a move stays
/// as it is: it is checked by the rules later.
fn plain(text: &str) -> String {
    let mut source = String::with_capacity(text.len());
    for line in text.split(['\n', '\r']) {
        // A comment ends with its line.
        source.push_str(line.split(';').next().unwrap_or_default());
        source.push(' ');
    }
    let spaced = source.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_ascii_whitespace().collect();
    words.join(" ").replace("( ", "(").replace(" )", ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_keeps_the_text_of_its_rules() {
        let text =
            "\r\n( Start\tMatch.1 White\n ( (role White) ; it's (\n (init (F  A)) )  30 1.5 ) ";
        let expected = StartMessage {
            id: "Match.1".to_string(),
            role: "White".to_string(),
            sheet: " (role White) ; it's (\n (init (F  A)) ".to_string(),
            size: 9,
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_millis(1500),
        };
        assert_eq!(read_message(text), Ok(Message::Start(expected)));
    }

    #[test]
    fn moves_lose_their_spacing_and_nothing_else() {
        let moves = |text: &str| match read_message(text) {
            Ok(Message::Play { previous, .. }) => previous,
            other => panic!("{text}: {other:?}"),
        };
        let expected = vec!["(Mark 1 (a b))".to_string(), "NOOP".to_string()];
        assert_eq!(moves("(play m (( Mark\n1(a\tb) )NOOP))"), Some(expected.clone()));
        assert_eq!(moves("(PLAY m ((Mark ;one\n 1 (a b)) NOOP))"), Some(expected));
        for none in ["(play m nil)", "(play m NIL)", "(play m ())", "(play m)"] {
            assert_eq!(moves(none), None, "{none}");
        }
        let blank = moves("(play m (nil NIL))").expect("moves");
        assert!(is_blank(&blank) && blank.len() == 2 && !is_blank(&["nil".into(), "up".into()]));
    }

    #[test]
    fn all_messages_are_known_in_any_letter_case() {
        let id = || "m".to_string();
        for (text, message) in [
            ("info", Message::Info),
            ("( INFO )", Message::Info),
            ("(Abort m)", Message::Abort { id: id() }),
            ("(STOP m (up))", Message::Stop { id: id(), previous: Some(vec!["up".to_string()]) }),
            ("(preview ((role a)) 5)", Message::Preview { size: 4, clock: Duration::from_secs(5) }),
        ] {
            assert_eq!(read_message(text), Ok(message), "{text}");
        }
    }

    #[test]
    fn complaints_say_what_is_wrong() {
        for (text, complaint) in [
            ("", "expected one message, found 0"),
            ("()", "the message is empty"),
            ("(info", "no message: this `(` is never closed"),
            ("(info) (info)", "expected one message, found 2"),
            (
                "(start m r ((role r)) 5)",
                "the form is (start MATCH ROLE (RULE ...) STARTCLOCK PLAYCLOCK); parts after the name here: 4",
            ),
            ("(start m r ((role r)) 5 NaN)", "NaN is no number of seconds"),
            ("(start m r ((role r)) -1 5)", "-1 is no number of seconds"),
            ("(start m r ((role r)) 1e9 5)", "a clock of 1e9 seconds; 1000000 is the limit"),
            ("(start (m) r ((role r)) 1 5)", "a list where the name of a match should stand"),
            ("(start m r role 1 5)", "a word where the rules should stand"),
            ("(play m up)", "up is no list of moves"),
            (
                "(hello)",
                "there is no message hello; there are info, start, play, stop, abort, preview",
            ),
        ] {
            let found = read_message(text).map_err(|error| error.to_string());
            assert_eq!(found, Err(complaint.to_string()), "{text}");
        }
        let long = format!("({})", "x".repeat(1 << 20));
        assert!(read_message(&long).expect_err("no message").to_string().len() < 200);
        let long = format!("(abort {})", "x".repeat(1001));
        let complaint = read_message(&long).expect_err("no message").to_string();
        assert_eq!(complaint, "the name of a match has more than 1000 bytes");
        let deep = "(".repeat(1 << 20);
        assert!(read_message(&deep).is_err());
    }
}
