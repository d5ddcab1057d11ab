//! A person at the terminal: chooses legal moves by number or text.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use propnet::gdl::visible;

use super::player_thread::{Fault, PlayerAnswer, PlayerBackend, PlayerRequest};

/// Where people are asked. All people of a match share one.
#[derive(Clone)]
pub struct Console(Arc<dyn HumanInput>);

/// A way to ask people.
pub trait HumanInput: Send + Sync {
    /// The legal move that the person who plays the role chooses; none if they leave.
    fn choose(&self, role: &str, legal: &[String]) -> io::Result<Option<String>>;
}

struct ConsoleStreams {
    input: Box<dyn BufRead + Send>,
    output: Box<dyn Write + Send>,
}

impl Console {
    /// A console with this input and output.
    pub fn new(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> Self {
        let ends = ConsoleStreams { input: Box::new(input), output: Box::new(output) };
        Console(Arc::new(Mutex::new(ends)))
    }

    /// People who are asked in another way.
    pub fn asking(asking: Arc<dyn HumanInput>) -> Self {
        Console(asking)
    }

    /// Standard input, and standard error: standard output is for results.
    pub fn terminal() -> Self {
        Console::new(io::BufReader::new(io::stdin()), io::stderr())
    }
}

/// A person who plays a role.
pub(super) struct HumanPlayer {
    pub(super) role: String,
    pub(super) console: Console,
}

impl PlayerBackend for HumanPlayer {
    fn answer(&mut self, request: &PlayerRequest) -> Result<PlayerAnswer, Fault> {
        let said = |text: &str| Ok(PlayerAnswer { text: text.to_string(), report: None });
        match request.legal.as_slice() {
            _ if request.turn == 0 => said("ready"),
            // The only legal move needs no question.
            [only] => said(only),
            legal => {
                let mut legal = legal.to_vec();
                legal.sort_by_cached_key(|text| as_people_count(text));
                match self.console.0.choose(&self.role, &legal) {
                    Ok(Some(text)) => said(&text),
                    Ok(None) => Err(Fault::Quit),
                    Err(error) => Err(Fault::Broken(error.to_string())),
                }
            }
        }
    }
}

/// If there are more moves than this, they are listed only on request.
const MANY: usize = 120;

/// The longest line that is read, in bytes. Moves are far shorter.
const LONGEST_LINE: u64 = 1 << 12;

/// Lists are broken before this column.
const WIDTH: usize = 96;

impl HumanInput for Mutex<ConsoleStreams> {
    fn choose(&self, role: &str, legal: &[String]) -> io::Result<Option<String>> {
        self.lock().unwrap_or_else(PoisonError::into_inner).choose(role, legal)
    }
}

impl ConsoleStreams {
    /// The move that the person chooses; none if they leave.
    fn choose(&mut self, role: &str, legal: &[String]) -> io::Result<Option<String>> {
        match legal.len() {
            0..=MANY => self.list(legal, |_| true)?,
            many => writeln!(self.output, "{many} moves are legal; type a part to see some")?,
        }
        loop {
            write!(self.output, "{role}, your move (number or text, ? for all, q to leave): ")?;
            self.output.flush()?;
            let Some(line) = self.line()? else {
                writeln!(self.output)?;
                return Ok(None);
            };
            match read(&line, legal) {
                Typed::Move(text) => return Ok(Some(text)),
                Typed::Leave => return Ok(None),
                Typed::Nothing => {}
                Typed::All => self.list(legal, |_| true)?,
                Typed::Part(part) if legal.iter().any(|text| plain(text).contains(&part)) => {
                    self.list(legal, |text| plain(text).contains(&part))?;
                }
                Typed::Part(part) => writeln!(self.output, "{} is not legal here", visible(&part))?,
            }
        }
    }

    /// The next line of input, in any encoding: invalid text is not a move, and costs no turn. None
    /// at the end of the input.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
            writeln!(self.output, "this line is too long")?;
            line.clear();
        }
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// Shows some of the moves with their numbers, side by side.
    fn list(&mut self, legal: &[String], shown: impl Fn(&str) -> bool) -> io::Result<()> {
        let digits = legal.len().to_string().len();
        let entries: Vec<String> = (1..)
            .zip(legal)
            .filter(|(_, text)| shown(text))
            .map(|(number, text)| format!("{number:>digits$} {text}"))
            .collect();
        let widest = entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0);
        let columns = (WIDTH / (widest + 3)).max(1);
        for row in entries.chunks(columns) {
            let cells: Vec<String> = row.iter().map(|entry| format!("{entry:widest$}")).collect();
            writeln!(self.output, "  {}", cells.join("   ").trim_end())?;
        }
        Ok(())
    }
}

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    Move(String),
    /// No move, but perhaps a part of some.
    Part(String),
    All,
    Leave,
    Nothing,
}

fn read(line: &str, legal: &[String]) -> Typed {
    let typed = plain(line);
    // A move may have the name of one of our commands.
    if let Some(text) = legal.iter().find(|text| plain(text) == typed) {
        return Typed::Move(text.clone());
    }
    match typed.as_str() {
        "" => return Typed::Nothing,
        "?" => return Typed::All,
        "q" | "quit" | "exit" => return Typed::Leave,
        _ => {}
    }
    let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match number.and_then(|at| legal.get(at)) {
        Some(text) => Typed::Move(text.clone()),
        None => Typed::Part(typed),
    }
}

/// A text as it is compared: lower case, single spaces, no parentheses around it.
fn plain(text: &str) -> String {
    let text = text.replace('(', " (").replace(')', ") ").to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace("( ", "(").replace(" )", ")");
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.unwrap_or(&text).trim().to_string()
}

/// A key that puts 2 before 10.
fn as_people_count(text: &str) -> Vec<(u64, String)> {
    let word = |word: &str| (word.parse().unwrap_or(u64::MAX), word.to_string());
    plain(text).split(' ').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal() -> Vec<String> {
        ["(mark 1 1)", "(mark 1 2)", "noop", "(Move (pos 1 2) a)"].map(String::from).to_vec()
    }

    #[test]
    fn moves_are_typed_by_number_and_text() {
        let legal = legal();
        let one = |at: usize| Typed::Move(legal[at].clone());
        for (line, typed) in [
            ("2\n", one(1)),
            ("(mark 1 2)", one(1)),
            ("  MARK 1   1 ", one(0)),
            ("( mark 1 1 )", one(0)),
            ("noop\r\n", one(2)),
            ("move (pos 1 2) A", one(3)),
            ("5", Typed::Part("5".to_string())),
            ("0", Typed::Part("0".to_string())),
            ("(mark 1", Typed::Part("(mark 1".to_string())),
            ("?", Typed::All),
            ("q", Typed::Leave),
            ("", Typed::Nothing),
        ] {
            assert_eq!(read(line, &legal), typed, "{line:?}");
        }
    }

    #[test]
    fn people_are_asked_until_they_say_something_legal() {
        let (input, output) = ("mark 3\nmark\n99\n?\n4\n", Shared::default());
        let mut ends =
            ConsoleStreams { input: Box::new(input.as_bytes()), output: Box::new(output.clone()) };
        let chosen = ends.choose("x", &legal()).expect("no error");
        assert_eq!(chosen.as_deref(), Some("(Move (pos 1 2) a)"));
        let shown = output.text();
        let list = "  1 (mark 1 1)           2 (mark 1 2)           3 noop                 4 (Move";
        assert!(shown.starts_with(list), "{shown}");
        assert!(shown.contains("mark 3 is not legal here"), "{shown}");
        assert!(shown.contains("  1 (mark 1 1)   2 (mark 1 2)\n"), "{shown}");
        // The input has no more lines.
        assert_eq!(ends.choose("x", &legal()).expect("no error"), None);
    }

    #[test]
    fn bytes_that_are_no_text_cost_no_move() {
        let long = [b"1 ".repeat(1 << 12), b"\n".to_vec()].concat();
        for (typed, shown) in [
            (&b"mark \xff\n"[..], "mark \u{fffd} is not legal here\n"),
            (b"\xe4\xc3\n", "\u{fffd}\u{fffd} is not legal here\n"),
            (b"\0\n", "\\u{0} is not legal here\n"),
            (&long, ": this line is too long\n"),
        ] {
            let output = Shared::default();
            let input = io::Cursor::new([typed, b"noop\n"].concat());
            let mut ends =
                ConsoleStreams { input: Box::new(input), output: Box::new(output.clone()) };
            let chosen = ends.choose("x", &legal()).expect("no error");
            assert_eq!(chosen.as_deref(), Some("noop"), "{shown}");
            let text = output.text();
            assert!(text.contains(shown), "{text}");
            assert_eq!(text.matches("your move").count(), 2, "{text}");
        }
    }

    #[test]
    fn moves_are_listed_as_people_count() {
        let mut moves = ["(go 10)", "(go 9)", "end"].map(String::from);
        moves.sort_by_cached_key(|text| as_people_count(text));
        assert_eq!(moves, ["end", "(go 9)", "(go 10)"].map(String::from));
    }

    /// An output that the test can read.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Shared {
        fn text(&self) -> String {
            String::from_utf8_lossy(&self.0.lock().expect("a lock")).into_owned()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("a lock").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
