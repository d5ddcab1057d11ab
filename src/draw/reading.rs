//! How the sentences of one name are read as cells: which arguments are coordinates, which choose
//! one of several boards, and which say what is on a cell.

use std::collections::{BTreeMap, BTreeSet};

use super::hints::BoardHint;
use super::sentence::{compare, coordinate, joined};

/// Boards are not larger than this in either direction; anything larger is a list.
pub(super) const MAX_SIDE: usize = 40;

/// There are no more boards of one name than this.
const MAX_BOARDS: usize = 36;

/// Sentences with more arguments are not cells; finding two coordinates among many takes long.
const MAX_ARGS: usize = 8;

/// A relation with more sentences is too large to be looked at as a board.
const MAX_SENTENCES: usize = 50_000;

/// The number of contents that may be side by side on one cell.
const MAX_ON_CELL: usize = 3;

/// What is known of the sentences of one name, by their arguments.
pub(super) struct Sample<'a> {
    pub(super) name: &'a str,
    pub(super) arity: usize,
    /// Every sentence that can be true, as far as that is known.
    pub(super) all: Vec<Vec<String>>,
    /// The sentences that are true in the observed states.
    pub(super) states: Vec<Vec<Vec<String>>>,
    /// Names in the order that the sheet gives.
    pub(super) chains: &'a [Vec<String>],
}

/// A way to read sentences as cells.
#[derive(Clone, Debug)]
pub(super) struct BoardReading {
    pub(super) name: String,
    pub(super) arity: usize,
    /// Arguments that choose one of several boards, e.g. a level or a quarter.
    parts: Vec<usize>,
    pub(super) place: CellNaming,
    /// Arguments that say what is on a cell.
    content: Vec<usize>,
}

/// Where the coordinates are.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellNaming {
    /// One argument runs to the right, another upwards.
    Pair { across: usize, up: usize },
    /// One argument such as `c4` has both.
    Joined { arg: usize, letters_up: bool },
}

/// What a sentence says of a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellFluent {
    pub(super) part: Vec<String>,
    pub(super) column: String,
    pub(super) row: String,
    pub(super) content: String,
}

impl BoardReading {
    /// The likeliest way to read the sentences, if they look like a board.
    pub(super) fn find(sample: &Sample<'_>) -> Option<BoardReading> {
        // Sentences that are never true of two cells at once are not a board.
        let is_small = sample.all.len() <= MAX_SENTENCES;
        let has_few_arguments = (2..=MAX_ARGS).contains(&sample.arity);
        if !has_few_arguments || !is_small || !sample.states.iter().any(|state| state.len() > 1) {
            return None;
        }
        let found = candidates(sample).into_iter().find(|candidate| candidate.suits(sample));
        found.map(|candidate| candidate.reading)
    }

    /// The way that a hint says, if all sentences fit it.
    pub(super) fn told(hint: &BoardHint, sample: &Sample<'_>) -> Option<BoardReading> {
        let BoardHint { across, up, parts, content, .. } = hint;
        let named = [*across, *up].into_iter().chain(parts.iter().copied());
        let named: BTreeSet<usize> = named.chain(content.iter().flatten().copied()).collect();
        if named.iter().any(|&arg| arg >= sample.arity) {
            return None;
        }
        let place = match across == up {
            true => CellNaming::Joined { arg: *across, letters_up: false },
            false => CellNaming::Pair { across: *across, up: *up },
        };
        let rest = || (0..sample.arity).filter(|arg| !named.contains(arg)).collect();
        let (name, arity) = (sample.name.to_string(), sample.arity);
        let content = content.clone().unwrap_or_else(rest);
        let reading = BoardReading { name, arity, parts: parts.clone(), place, content };
        let fits = sample.all.len() <= MAX_SENTENCES
            && sample.all.iter().all(|args| reading.read(args).is_some());
        let sides = |of: fn(&CellFluent) -> &String| {
            let cells = sample.all.iter().filter_map(|args| reading.read(args));
            cells.map(|cell| of(&cell).clone()).collect::<BTreeSet<_>>().len()
        };
        let is_small = || sides(|cell| &cell.column).max(sides(|cell| &cell.row)) <= MAX_SIDE;
        (fits && is_small()).then_some(reading)
    }

    /// The arguments that name a cell, in their order: those of its board and its coordinates.
    pub(super) fn naming_args(&self) -> Vec<usize> {
        let mut args = self.parts.clone();
        match self.place {
            CellNaming::Pair { across, up } => args.extend([across, up]),
            CellNaming::Joined { arg, .. } => args.push(arg),
        }
        args.sort_unstable();
        args
    }

    /// What these arguments are for a cell.
    pub(super) fn name_cell(
        &self,
        args: &[usize],
        part: &[String],
        column: &str,
        row: &str,
    ) -> Vec<String> {
        let text = |&arg: &usize| match self.place {
            CellNaming::Pair { across, .. } if arg == across => column.to_string(),
            CellNaming::Pair { up, .. } if arg == up => row.to_string(),
            CellNaming::Joined { arg: joined, letters_up } if arg == joined => match letters_up {
                true => format!("{row}{column}"),
                false => format!("{column}{row}"),
            },
            _ => {
                let at = self.parts.iter().position(|&part| part == arg);
                at.and_then(|at| part.get(at)).cloned().unwrap_or_default()
            }
        };
        args.iter().map(text).collect()
    }

    /// Reads a sentence; `None` if it does not fit.
    pub(super) fn read(&self, args: &[String]) -> Option<CellFluent> {
        if args.len() != self.arity {
            return None;
        }
        let (column, row) = match self.place {
            CellNaming::Pair { across, up } => (args[across].clone(), args[up].clone()),
            CellNaming::Joined { arg, letters_up } => {
                let (letter, number) = joined(&args[arg])?;
                let (letter, number) = (letter.to_string(), number.to_string());
                if letters_up { (number, letter) } else { (letter, number) }
            }
        };
        let texts = |chosen: &[usize]| -> Vec<String> {
            chosen.iter().map(|&arg| args[arg].clone()).collect()
        };
        let (part, content) = (texts(&self.parts), texts(&self.content));
        Some(CellFluent { part, column, row, content: content.join(" ") })
    }

    fn key(&self, args: &[String]) -> Option<(Vec<String>, String, String)> {
        self.read(args).map(|cell| (cell.part, cell.column, cell.row))
    }
}

/// A reading and the condition it must meet.
struct Candidate {
    reading: BoardReading,
    demand: Demand,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Demand {
    /// Each cell has one content, and cells fill at least half of the rectangle.
    Dense,
    /// Each cell has one content.
    Single,
    /// The same, and every board is at least half full at the start.
    Filled,
    /// The sentence itself is a mark, and there are marks beside and above each other.
    Marks,
    /// A few contents may be on one cell.
    Crowded,
}

impl Candidate {
    fn suits(&self, sample: &Sample<'_>) -> bool {
        let cells: Vec<CellFluent> =
            sample.all.iter().filter_map(|args| self.reading.read(args)).collect();
        let count =
            |of: &dyn Fn(&CellFluent) -> String| cells.iter().map(of).collect::<BTreeSet<_>>();
        let (columns, rows) = (count(&|cell| cell.column.clone()), count(&|cell| cell.row.clone()));
        let boards: BTreeSet<&[String]> = cells.iter().map(|cell| cell.part.as_slice()).collect();
        let places: BTreeSet<(&str, &str)> =
            cells.iter().map(|cell| (cell.column.as_str(), cell.row.as_str())).collect();
        let has_size = [&columns, &rows].iter().all(|side| (2..=MAX_SIDE).contains(&side.len()));
        let is_dense = places.len() * 2 >= columns.len() * rows.len();
        if cells.len() < sample.all.len() || !has_size || boards.len() > MAX_BOARDS {
            return false;
        }
        match self.demand {
            Demand::Dense => is_dense && self.most_on_cell(sample) == 1,
            Demand::Single => self.most_on_cell(sample) == 1,
            Demand::Filled => {
                let half = boards.len() * places.len() / 2;
                let is_full = sample.states.first().is_some_and(|state| state.len() >= half);
                is_full && self.most_on_cell(sample) == 1
            }
            Demand::Marks => is_dense && sample.states.iter().any(|state| spreads(state)),
            Demand::Crowded => self.most_on_cell(sample) <= MAX_ON_CELL,
        }
    }

    /// How many sentences there are about one cell at a time.
    fn most_on_cell(&self, sample: &Sample<'_>) -> usize {
        let most = |state: &Vec<Vec<String>>| {
            let mut counts = BTreeMap::new();
            for key in state.iter().filter_map(|args| self.reading.key(args)) {
                *counts.entry(key).or_insert(0) += 1;
            }
            counts.into_values().max().unwrap_or(0)
        };
        sample.states.iter().map(most).max().unwrap_or(0)
    }
}

/// Whether some sentences share their first argument, and some their second.
fn spreads(state: &[Vec<String>]) -> bool {
    let repeats = |arg: usize| {
        let distinct: BTreeSet<&String> = state.iter().map(|args| &args[arg]).collect();
        distinct.len() < state.len()
    };
    repeats(0) && repeats(1)
}

/// The ways to read sentences as cells, the likeliest first.
fn candidates(sample: &Sample<'_>) -> Vec<Candidate> {
    let mut ordered: Vec<usize> =
        (0..sample.arity).filter(|&arg| sample.axis(arg).is_some()).collect();
    // Something must be on the cells.
    if ordered.len() == sample.arity && sample.arity > 2 {
        ordered.pop();
    }
    let mut pairs: Vec<(usize, usize)> = ordered
        .iter()
        .flat_map(|&across| ordered.iter().map(move |&up| (across, up)))
        .filter(|(across, up)| across < up)
        .collect();
    // `knight1` may be a coordinate, but more likely it is a piece.
    pairs.sort_by_key(|&(across, up)| sample.is_named(across) + sample.is_named(up));
    let mut found = Vec::new();
    let mut add = |parts: &[usize], place: CellNaming, demand: Demand| {
        found.extend(sample.candidate(parts, place, demand));
    };
    let pair = |&(across, up): &(usize, usize)| CellNaming::Pair { across, up };
    if sample.arity == 2 {
        pairs.iter().for_each(|at| add(&[], pair(at), Demand::Marks));
    } else {
        // A few cells of several boards may look like the cells of one.
        let clear = pairs.iter().filter(|&&(across, up)| !sample.is_doubtful(across, up));
        clear.for_each(|at| add(&[], pair(at), Demand::Dense));
        if let [parts @ .., across, up] = ordered.as_slice()
            && !parts.is_empty()
        {
            add(parts, pair(&(*across, *up)), Demand::Single);
        }
        pairs.iter().for_each(|at| add(&[], pair(at), Demand::Dense));
        for at in &pairs {
            let others = (0..sample.arity).filter(|arg| !ordered.contains(arg));
            others.for_each(|part| add(&[part], pair(at), Demand::Filled));
        }
        pairs.iter().for_each(|at| add(&[], pair(at), Demand::Single));
        if let [across, up] = ordered[..] {
            add(&[], pair(&(across, up)), Demand::Crowded);
        }
    }
    for arg in (0..sample.arity).filter(|&arg| sample.is_joined(arg)) {
        add(&[], CellNaming::Joined { arg, letters_up: false }, Demand::Single);
    }
    found
}

impl Sample<'_> {
    fn candidate(&self, parts: &[usize], place: CellNaming, demand: Demand) -> Option<Candidate> {
        let is_place = |arg: usize| match place {
            CellNaming::Pair { across, up } => arg == across || arg == up,
            CellNaming::Joined { arg: only, .. } => arg == only,
        };
        let content: Vec<usize> =
            (0..self.arity).filter(|&arg| !is_place(arg) && !parts.contains(&arg)).collect();
        // What is on a cell is not another cell.
        let echoes = |arg: &usize| {
            (0..self.arity).any(|other| is_place(other) && self.values(other) == self.values(*arg))
        };
        let may_echo = content.len() == 1 && parts.is_empty();
        let is_mark = demand == Demand::Marks;
        if content.is_empty() != is_mark || !is_mark && !may_echo && content.iter().all(echoes) {
            return None;
        }
        let (name, parts) = (self.name.to_string(), parts.to_vec());
        let reading = BoardReading { name, arity: self.arity, parts, place, content };
        Some(Candidate { reading, demand })
    }

    fn values(&self, arg: usize) -> BTreeSet<&str> {
        self.all.iter().map(|args| args[arg].as_str()).collect()
    }

    fn axis(&self, arg: usize) -> Option<Vec<String>> {
        axis(&self.values(arg), self.chains)
    }

    /// Whether the content of a cell would look like a coordinate itself and is not always the
    /// same.
    fn is_doubtful(&self, across: usize, up: usize) -> bool {
        let is_echo = |arg: usize| {
            let is_place = arg == across || arg == up;
            let values = self.values(arg);
            let is_same = values == self.values(across) || values == self.values(up);
            !is_place && is_same && !self.is_settled(arg, [across, up])
        };
        self.arity > 3 && (0..self.arity).any(is_echo)
    }

    /// Whether an argument always has the same value where two others have the same values.
    fn is_settled(&self, arg: usize, by: [usize; 2]) -> bool {
        let mut found = BTreeMap::new();
        self.all.iter().all(|args| {
            let place = by.map(|arg| args[arg].as_str());
            *found.entry(place).or_insert(args[arg].as_str()) == args[arg]
        })
    }

    /// 1 where an argument is a word with a number, and not a bare number or letter.
    fn is_named(&self, arg: usize) -> usize {
        let kind = self.all.first().and_then(|args| coordinate(&args[arg])).map(|(kind, _)| kind);
        usize::from(!matches!(kind, Some("" | "letter")))
    }

    fn is_joined(&self, arg: usize) -> bool {
        self.all.iter().all(|args| joined(&args[arg]).is_some())
    }
}

/// The values of a coordinate in order: numbers and letters have an order of their own, other names
/// have that of the sheet; `None` if there is no order.
pub(super) fn axis(values: &BTreeSet<&str>, chains: &[Vec<String>]) -> Option<Vec<String>> {
    let kinds: BTreeSet<_> =
        values.iter().map(|value| coordinate(value).map(|(kind, _)| kind)).collect();
    if values.len() > MAX_SIDE {
        return None;
    }
    let mut values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
    if kinds.len() == 1 && !kinds.contains(&None) {
        values.sort_by(|a, b| compare(a, b));
        return Some(values);
    }
    let has_all = |chain: &&Vec<String>| values.iter().all(|value| chain.contains(value));
    // Numbers that count moves may use the same names, and further ones.
    let chain = chains.iter().filter(has_all).min_by_key(|chain| chain.len());
    let chain = chain.filter(|_| values.len() > 1)?;
    Some(chain.iter().filter(|name| values.contains(name)).cloned().collect())
}
