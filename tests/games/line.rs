//! A line of play as it is written: what is done and what is claimed, step by step.
//!
//! ```text
//! # A pawn that moved two cells is captured in passing
//! state: (cell 5 5 white pawn) (control white) ...
//! legal white: (move 5 5 6 6)
//! (move 5 5 6 6) | noop
//! true: (cell 6 6 white pawn)
//! end: goals 100 0
//! ```
//!
//! Blocks are separated by blank lines. `state:` is optional and comes first; without it a line
//! starts in the initial state. Moves are in the order of the roles. A line ends with `end: goals`
//! and a value for each role, or with `open` where the game goes on.

/// One block.
#[derive(Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) title: String,
    /// The sentences of the state to start from.
    pub(crate) state: Option<String>,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// A joint move is made.
    Play(Vec<String>),
    /// A role may make a move, or may not.
    Legal { role: String, text: String, wanted: bool },
    /// Sentences are true, or not.
    Holds { sentences: String, wanted: bool },
    /// The game is over with these goals.
    End(Vec<i32>),
    /// The game goes on.
    Open,
}

/// Reads the lines of a file.
pub(crate) fn read(text: &str) -> Result<Vec<Line>, String> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines().map(str::trim) {
        match (line.is_empty(), blocks.last_mut()) {
            (false, Some(block)) => block.push(line),
            _ => blocks.push(Vec::new()),
        }
    }
    blocks.iter().filter(|block| !block.is_empty()).map(|block| read_block(block)).collect()
}

fn read_block(block: &[&str]) -> Result<Line, String> {
    let title = block[0].strip_prefix("# ").ok_or(format!("{:?} is no title", block[0]))?;
    // Further lines with `#` are remarks.
    let mut rest: Vec<&str> = block[1..].iter().filter(|l| !l.starts_with('#')).copied().collect();
    let state = rest.first().and_then(|line| line.strip_prefix("state:")).map(str::to_string);
    if state.is_some() {
        rest.remove(0);
    }
    let steps: Result<Vec<Step>, String> = rest.iter().map(|line| read_step(line)).collect();
    let steps = steps.map_err(|error| format!("{title}: {error}"))?;
    if !matches!(steps.last(), Some(Step::End(_) | Step::Open)) {
        return Err(format!("{title}: neither `end: goals` nor `open` at the end"));
    }
    Ok(Line { title: title.to_string(), state, steps })
}

fn read_step(line: &str) -> Result<Step, String> {
    if line == "open" {
        return Ok(Step::Open);
    }
    if let Some(goals) = line.strip_prefix("end: goals") {
        let goals = goals.split_whitespace().map(str::parse);
        return goals.collect::<Result<_, _>>().map(Step::End).map_err(|_| format!("{line:?}"));
    }
    for (word, wanted) in [("legal ", true), ("illegal ", false)] {
        if let Some((role, text)) = line.strip_prefix(word).and_then(|rest| rest.split_once(": ")) {
            return Ok(Step::Legal { role: role.into(), text: text.trim().into(), wanted });
        }
    }
    for (word, wanted) in [("true: ", true), ("false: ", false)] {
        if let Some(sentences) = line.strip_prefix(word) {
            return Ok(Step::Holds { sentences: sentences.trim().into(), wanted });
        }
    }
    Ok(Step::Play(line.split('|').map(|text| text.trim().to_string()).collect()))
}

#[test]
fn lines_are_read_as_they_are_written() {
    let text = "# One\n# a remark\nstate: (a 1) b\nlegal x: (go 1)\nillegal y: noop\n(go 1) | noop\n\
                true: (a 2)\nfalse: b\nend: goals 100 0\n\n\n# Two\nopen\n";
    let lines = read(text).expect("read");
    assert_eq!(lines[0].state.as_deref(), Some(" (a 1) b"));
    let legal = |role: &str, text: &str, wanted| Step::Legal {
        role: role.into(),
        text: text.into(),
        wanted,
    };
    let holds = |sentences: &str, wanted| Step::Holds { sentences: sentences.into(), wanted };
    let expected = [
        legal("x", "(go 1)", true),
        legal("y", "noop", false),
        Step::Play(vec!["(go 1)".into(), "noop".into()]),
        holds("(a 2)", true),
        holds("b", false),
        Step::End(vec![100, 0]),
    ];
    assert_eq!(lines[0].steps, expected);
    assert_eq!((lines[1].title.as_str(), &lines[1].steps), ("Two", &vec![Step::Open]));
    assert!(read("# One\nnoop").expect_err("no end").contains("neither"));
    assert!(read("noop\nopen").expect_err("no title").contains("no title"));
}
