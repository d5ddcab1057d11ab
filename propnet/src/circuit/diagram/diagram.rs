//! A circuit as people see it: elements with names, and wires between them.

use petgraph::graph::DiGraph;

use crate::circuit::cones::Cone;
use crate::circuit::network::Signal;

/// Gates and ports, and the wires between them. Graph algorithms run on it as it is.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The graph; wires point from what is read to what reads it.
    pub graph: DiGraph<Element, Wire>,
}

/// A gate or a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What it is.
    pub kind: Kind,
    /// The sentence of a port in lower case: the fluent for `Base`,
    /// `Follows`, `Next` and `Transition`, the whole sentence for the others. Gates have none.
    pub name: String,
    /// The sentences of helper relations that a gate computes, where the circuit has labels;
    /// `(not ...)` around one whose opposite it shows.
    pub sentences: Vec<String>,
    /// The lines of the sheet that a gate comes from, ascending.
    pub lines: Vec<usize>,
    /// What it is needed for.
    pub purpose: Purpose,
    /// What of the circuit it shows, where it is a signal.
    pub signal: Option<Signal>,
    /// How many wires lead to it that the diagram does not show.
    pub hidden: usize,
    /// Whether it is true in the state that is shown, where there is one and it decides.
    pub lit: Option<bool>,
}

/// The most sentences that are written on a gate.
const SENTENCES: usize = 2;

/// The most lines of the sheet that are named on a gate.
const LINES: usize = 4;

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Always or never true.
    Constant(bool),
    /// Whether a fluent is true now, and whether it is at the start.
    Base {
        /// True in the initial state.
        initially: bool,
    },
    /// Whether a fluent is true now that follows from another.
    Follows,
    /// Whether a move is made.
    Does,
    /// True before the first step, and never again.
    Init,
    /// What a loop has found so far.
    Feedback,
    /// All inputs are true.
    And,
    /// Some input is true.
    Or,
    /// The input is false.
    Not,
    /// Keeps its input until the next step.
    Transition,
    /// Whether a fluent will be true.
    Next,
    /// Whether a move may be made.
    Legal,
    /// Whether a role has a goal value.
    Goal,
    /// Whether the game is over.
    Terminal,
}

/// What an element is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Purpose {
    /// It says what is true now.
    State,
    /// It says what is done.
    Moves,
    /// One question only.
    Cone(Cone),
    /// Several questions.
    Shared,
}

/// A wire from one element to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Whether its end sees the opposite of its beginning.
    pub complement: bool,
    /// What it does.
    pub kind: WireKind,
}

/// What a wire does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WireKind {
    /// It carries a signal within one step of the game.
    Signal,
    /// It carries what a loop has found back to the loop's beginning.
    Feedback,
    /// It carries what was found to the next step of the game.
    Transition,
}

impl Element {
    /// An element that shows a signal; gates have an empty name.
    pub fn new(kind: Kind, name: impl Into<String>, purpose: Purpose, signal: Signal) -> Self {
        let signal = Some(signal);
        Element {
            kind,
            name: name.into(),
            sentences: Vec::new(),
            lines: Vec::new(),
            purpose,
            signal,
            hidden: 0,
            lit: None,
        }
    }

    /// What is written on it.
    pub fn label(&self) -> String {
        match self.kind {
            Kind::Next => format!("(next {})", self.name),
            _ if self.name.is_empty() => self.kind.word().to_string(),
            _ => self.name.clone(),
        }
    }

    /// What is written below that on a gate: the sentences it computes, and its lines.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.sentences.iter().take(SENTENCES).cloned().collect();
        if self.sentences.len() > SENTENCES {
            notes.push(format!("and {} more", self.sentences.len() - SENTENCES));
        }
        let lines: Vec<String> = self.lines.iter().take(LINES).map(usize::to_string).collect();
        let more = if self.lines.len() > LINES { ", ..." } else { "" };
        match lines.as_slice() {
            [] => {}
            [line] => notes.push(format!("line {line}")),
            lines => notes.push(format!("lines {}{more}", lines.join(", "))),
        }
        notes
    }
}

impl Kind {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Constant(true) => "true",
            Kind::Constant(false) => "false",
            Kind::Base { .. } => "base",
            Kind::Follows => "follows",
            Kind::Does => "does",
            Kind::Init => "init",
            Kind::Feedback => "feedback",
            Kind::And => "and",
            Kind::Or => "or",
            Kind::Not => "not",
            Kind::Transition => "transition",
            Kind::Next => "next",
            Kind::Legal => "legal",
            Kind::Goal => "goal",
            Kind::Terminal => "terminal",
        }
    }

    /// Whether it stands for a sentence of the game.
    pub fn is_port(self) -> bool {
        use Kind::{Base, Does, Follows, Goal, Legal, Next, Terminal};
        matches!(self, Base { .. } | Follows | Does | Next | Legal | Goal | Terminal)
    }

    /// Whether it joins several signals.
    pub fn is_gate(self) -> bool {
        matches!(self, Kind::And | Kind::Or)
    }
}

impl Purpose {
    /// All of them, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = Purpose> {
        let cones = Cone::ALL.into_iter().map(Purpose::Cone);
        [Purpose::State, Purpose::Moves].into_iter().chain(cones).chain([Purpose::Shared])
    }

    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Purpose::State => "state",
            Purpose::Moves => "moves",
            Purpose::Cone(cone) => cone.name(),
            Purpose::Shared => "shared",
        }
    }
}

impl Wire {
    /// A wire of that kind whose end sees what its beginning shows.
    pub fn plain(kind: WireKind) -> Self {
        Wire { complement: false, kind }
    }
}
