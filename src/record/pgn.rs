//! A match in the manner of PGN, which tools for game collections read: tags, then numbered moves.

use std::fmt::Write as _;

use super::format::MatchRecord;
use super::time::date;

/// The text of a match. Joint moves are written as GDL does.
pub fn pgn(record: &MatchRecord) -> String {
    let mut text = String::new();
    tag(&mut text, "Event", &record.match_id);
    tag(&mut text, "Date", &date(record.start_time));
    tag(&mut text, "Game", &record.game);
    for (at, role) in record.roles.iter().enumerate() {
        let player = record.player_names_from_host.get(at).map_or("?", String::as_str);
        tag(&mut text, &tag_name(role), player);
    }
    let result = result(record);
    tag(&mut text, "Result", &result);
    text.push('\n');
    for (at, moves) in record.moves.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}. ({})", at + 1, moves.join(" "));
    }
    text.push_str(&result);
    text.push('\n');
    text
}

/// The goals, such as `100-0`; a star for a match that is not over, or was given up.
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

/// Names of tags have letters, digits and underscores only.
fn tag_name(role: &str) -> String {
    role.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_quoted_and_results_are_goals() {
        let texts = |list: &[&str]| list.iter().map(|text| text.to_string()).collect::<Vec<_>>();
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
}
