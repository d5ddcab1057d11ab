//! A match in the style of PGN, which tools for game collections read: tags, then numbered moves.
//!
//! Joint moves are written as GDL does. Characters that mean something to PGN, such as the `{` of a
//! comment, are written as `%` and two hexadecimal digits, and so is `%` itself.

use std::fmt::Write as _;

use super::format::MatchRecord;
use super::time::date;

/// The text of a match.
pub fn pgn(record: &MatchRecord) -> String {
    let mut text = String::new();
    tag(&mut text, "Event", &record.match_id);
    tag(&mut text, "Date", &date(record.start_time));
    tag(&mut text, "Game", &record.game);
    for (at, name) in tag_names(&record.roles).iter().enumerate() {
        let player = record.player_names_from_host.get(at).map_or("?", String::as_str);
        tag(&mut text, name, player);
    }
    let result = result(record);
    tag(&mut text, "Result", &result);
    text.push('\n');
    for (at, moves) in record.moves.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}. ({})", at + 1, escaped(&moves.join(" ")));
    }
    text.push_str(&result);
    text.push('\n');
    text
}

/// The goals, such as `100-0`; a star for a match that is not over or was aborted.
fn result(record: &MatchRecord) -> String {
    if !record.is_completed {
        return "*".to_string();
    }
    let goal = |goal: &Option<i32>| goal.map_or("?".to_string(), |goal| goal.to_string());
    let goals: Vec<String> = record.goal_values.iter().map(goal).collect();
    goals.join("-")
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// Tags whose meaning is defined by the standard or by this file; White and Black are players in
/// PGN.
const RESERVED: &[&str] = &[
    "annotator",
    "date",
    "eco",
    "event",
    "eventdate",
    "fen",
    "game",
    "mode",
    "nic",
    "opening",
    "plycount",
    "result",
    "round",
    "section",
    "setup",
    "site",
    "stage",
    "subvariation",
    "termination",
    "time",
    "timecontrol",
    "utcdate",
    "utctime",
    "variation",
];

/// A tag for each role: its name, with underscores for the characters that tags cannot have, and
/// with a numbered prefix if that name is taken. No two tags differ only in letter case.
fn tag_names(roles: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, role) in roles.iter().enumerate() {
        // Names of tags have letters, digits and underscores only.
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = role.chars().map(plain).collect();
        let is_taken = |name: &str| {
            RESERVED.contains(&name.to_ascii_lowercase().as_str())
                || names.iter().any(|other| other.eq_ignore_ascii_case(name))
        };
        while is_taken(&name) {
            name = format!("Role{}_{name}", at + 1);
        }
        names.push(name);
    }
    names
}

/// Escapes everything in moves that has a meaning in PGN, except parentheses, which are those of
/// GDL.
fn escaped(moves: &str) -> String {
    let mut text = String::with_capacity(moves.len());
    for byte in moves.bytes() {
        if byte.is_ascii_alphanumeric() || b" ()_+-#=:/.,!?'&^|~@".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn tags_are_quoted_and_results_are_goals() {
        let mut record = MatchRecord {
            match_id: "a \"b\" \\".to_string(),
            start_time: 951_782_400_000,
            game: "small".to_string(),
            roles: texts(&["a-1", "b", "c"]),
            player_names_from_host: texts(&["uct", "random"]),
            moves: vec![texts(&["up", "(say 0)", "up"])],
            ..MatchRecord::default()
        };
        let tags = "[Event \"a \\\"b\\\" \\\\\"]\n[Date \"2000.02.29\"]\n[Game \"small\"]\n\
                    [a_1 \"uct\"]\n[b \"random\"]\n[c \"?\"]\n";
        let line = "1. (up (say 0) up)\n";
        assert_eq!(pgn(&record), format!("{tags}[Result \"*\"]\n\n{line}*\n"));
        record.complete(vec![Some(100), Some(0), None]);
        assert_eq!(pgn(&record), format!("{tags}[Result \"100-0-?\"]\n\n{line}100-0-?\n"));
    }

    #[test]
    fn no_role_takes_the_tag_of_another() {
        let check = |roles: &[&str], names: &[&str]| assert_eq!(tag_names(&texts(roles)), names);
        check(&["White", "black"], &["White", "black"]);
        check(&["Event", "result", "game"], &["Role1_Event", "Role2_result", "Role3_game"]);
        check(&["a-b", "a_b", "A.B"], &["a_b", "Role2_a_b", "Role3_A_B"]);
        check(&["role2_date", "Date"], &["role2_date", "Role2_Role2_Date"]);
    }

    #[test]
    fn moves_hold_no_comments_and_no_quotes() {
        let odd = texts(&["(say {x} \"y\\)", "100%", "[naïve]", "*", "$1;<2>"]);
        let record = MatchRecord { moves: vec![odd], ..MatchRecord::default() };
        let line = "1. ((say %7Bx%7D %22y%5C) 100%25 %5Bna%C3%AFve%5D %2A %241%3B%3C2%3E)\n";
        assert!(pgn(&record).ends_with(&format!("\n{line}*\n")), "{}", pgn(&record));
    }
}
