//! `ludens replay --interactive`: through the states of a match, forward and back.

use std::io::{self, BufRead, Write};

use ludens::draw::Drawing;

use super::replay::ShownMatch;

/// Where in a match somebody is.
pub(super) struct ReplayWalk<'r> {
    shown: &'r ShownMatch<'r>,
    drawing: Drawing,
    at: usize,
}

/// What was typed.
enum Wish {
    To(usize),
    Leave,
    Help,
}

impl<'r> ReplayWalk<'r> {
    pub(super) fn new(shown: &'r ShownMatch<'r>, drawing: Drawing, at: usize) -> Self {
        ReplayWalk { shown, drawing, at }
    }

    /// Shows states until somebody leaves or the input ends.
    pub(super) fn run(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        self.show(out)?;
        loop {
            write!(out, "[{} of {}] ", self.at, self.last())?;
            out.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                return writeln!(out);
            }
            match self.wish(String::from_utf8_lossy(&line).trim()) {
                Wish::Leave => return Ok(()),
                Wish::Help => {
                    writeln!(out, "Enter or n: next; b: back; a number: that state; q: leave")?;
                }
                Wish::To(at) => {
                    self.at = at;
                    self.show(out)?;
                }
            }
        }
    }

    fn wish(&self, typed: &str) -> Wish {
        match typed {
            "" | "n" | "next" => Wish::To((self.at + 1).min(self.last())),
            "b" | "back" | "p" => Wish::To(self.at.saturating_sub(1)),
            "q" | "quit" | "exit" => Wish::Leave,
            typed => match typed.parse::<usize>() {
                Ok(at) if at <= self.last() => Wish::To(at),
                _ => Wish::Help,
            },
        }
    }

    fn last(&self) -> usize {
        self.shown.steps.len().saturating_sub(1)
    }

    fn show(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(step) = self.shown.steps.get(self.at) else { return Ok(()) };
        self.shown.tell(step, out)?;
        writeln!(out, "{}", self.drawing.draw(&step.state))?;
        if self.at == self.last() { self.shown.conclude(out) } else { Ok(()) }
    }
}
