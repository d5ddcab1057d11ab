//! A stage: for each kind of thing a table of what matters of its places, with distances; and the
//! search, by IDA* with the largest distance (Korf 1985; tables of distances as in Kociemba 1992).

use rustc_hash::FxHashMap;

use super::points::{EMPTY, Points};

/// From the states of one group to those of the next.
pub(super) struct GroupStage {
    /// The moves of the group, by their index among those of the points.
    moves: Vec<usize>,
    tables: Vec<ClassTable>,
    /// By move and move: whether the second after the first is of no use: one move does the same, or
    /// the other order does.
    is_useless: Vec<Vec<bool>>,
    /// The order in which moves are tried.
    pub(super) order: Vec<usize>,
}

/// What became of the search of a stage.
pub(super) enum StageEnd {
    /// Moves, by their index among those of the points.
    Line(Vec<usize>),
    /// None so short, or none that was found with so little work.
    None,
    Stopped,
}

/// The states of an orbit of points, where of each thing only the class of its home matters.
struct ClassTable {
    points: Vec<u16>,
    /// By point: the class of what belongs there.
    classes: Vec<u16>,
    numbers: FxHashMap<Vec<u16>, u32>,
    /// By state and move: the next state.
    next: Vec<u32>,
    distances: Vec<u8>,
}

/// The most tables; those of a cube are three.
const TABLES: usize = 8;

impl GroupStage {
    /// A stage with these moves, after which only the classes of homes are right. `None` where a
    /// table would have more states than allowed.
    pub(super) fn new(
        points: &Points,
        moves: &[usize],
        classes: &[u16],
        most: usize,
        goes_on: &dyn Fn(u64) -> bool,
    ) -> Option<Self> {
        let permutations: Vec<&[u16]> =
            moves.iter().map(|&at| points.permutations[at].as_slice()).collect();
        let orbits = super::group::orbits(&permutations, points.homes.len());
        let mut tables = Vec::new();
        // What is at a point says what is at all that turns make of it.
        let mut is_known = vec![false; points.homes.len()];
        for first in 0..points.homes.len() {
            if is_known[first] || orbits[first] as usize != first {
                continue;
            }
            let orbit: Vec<u16> = (0..orbits.len())
                .filter(|&at| orbits[at] as usize == first)
                .map(|at| at as u16)
                .collect();
            for turn in &points.turns {
                orbit.iter().for_each(|&at| is_known[turn[at as usize] as usize] = true);
            }
            let table = ClassTable::new(points, &permutations, orbit, classes, most, goes_on)?;
            if table.distances.len() > 1 {
                tables.push(table);
            }
        }
        let (count, order) = (moves.len(), (0..moves.len()).collect());
        let is_useless =
            |one: usize| (0..count).map(|other| is_useless(&permutations, one, other)).collect();
        let is_useless = (0..count).map(is_useless).collect();
        (tables.len() <= TABLES).then(|| GroupStage {
            moves: moves.to_vec(),
            tables,
            is_useless,
            order,
        })
    }

    /// The logarithm of how many states the tables make together.
    pub(super) fn log_states(&self) -> f64 {
        self.tables.iter().map(|table| (table.distances.len() as f64).ln()).sum()
    }

    /// A shortest line of at most so many moves after which all homes are of the right class, found
    /// by looking at no more than so many states.
    pub(super) fn search(
        &self,
        homes: &[u16],
        most: usize,
        states: u64,
        goes_on: &dyn Fn(u64) -> bool,
    ) -> StageEnd {
        let mut start = [0; TABLES];
        for (number, table) in start.iter_mut().zip(&self.tables) {
            match table.numbers.get(&table.state(homes)) {
                Some(&found) => *number = found,
                None => return StageEnd::None,
            }
        }
        let mut search =
            StageSearch { stage: self, line: Vec::new(), left: states, is_stopped: false, goes_on };
        for limit in self.distance(&start)..=most.min(usize::from(u8::MAX)) {
            if search.reaches(&start, limit, None) {
                return StageEnd::Line(search.line.iter().map(|&at| self.moves[at]).collect());
            }
            if search.is_stopped {
                return StageEnd::Stopped;
            }
            if search.left == 0 {
                return StageEnd::None;
            }
        }
        StageEnd::None
    }

    /// Moves that are left at least.
    fn distance(&self, state: &[u32; TABLES]) -> usize {
        let tables = self.tables.iter().zip(state);
        tables.map(|(table, &at)| table.distances[at as usize]).max().unwrap_or_default().into()
    }
}

struct StageSearch<'s> {
    stage: &'s GroupStage,
    line: Vec<usize>,
    /// States that may still be looked at.
    left: u64,
    is_stopped: bool,
    goes_on: &'s dyn Fn(u64) -> bool,
}

impl StageSearch<'_> {
    /// Whether the end of the stage is reached by exactly so many moves; they are then in `line`.
    fn reaches(&mut self, state: &[u32; TABLES], moves: usize, last: Option<usize>) -> bool {
        if moves == 0 {
            return self.stage.distance(state) == 0;
        }
        let count = self.stage.moves.len();
        for &made in &self.stage.order {
            if last.is_some_and(|last| self.stage.is_useless[last][made]) {
                continue;
            }
            if self.left.is_multiple_of(4096) {
                self.is_stopped |= !(self.goes_on)(100_000);
                if self.is_stopped || self.left == 0 {
                    return false;
                }
            }
            self.left -= 1;
            let mut next = *state;
            for (at, table) in next.iter_mut().zip(&self.stage.tables) {
                *at = table.next[*at as usize * count + made];
            }
            if self.stage.distance(&next) >= moves {
                continue;
            }
            self.line.push(made);
            if self.reaches(&next, moves - 1, Some(made)) {
                return true;
            }
            self.line.pop();
        }
        false
    }
}

/// Whether a move need not come after another.
fn is_useless(permutations: &[&[u16]], one: usize, other: usize) -> bool {
    let product = |one: &[u16], other: &[u16]| -> Vec<u16> {
        one.iter().map(|&point| other[point as usize]).collect()
    };
    let both = product(permutations[one], permutations[other]);
    let is_nothing = both.iter().enumerate().all(|(from, &to)| from == to as usize);
    let is_one = permutations.iter().any(|single| *single == both);
    let commutes = both == product(permutations[other], permutations[one]);
    is_nothing || is_one || (commutes && other < one)
}

impl ClassTable {
    fn new(
        points: &Points,
        permutations: &[&[u16]],
        orbit: Vec<u16>,
        classes: &[u16],
        most: usize,
        goes_on: &dyn Fn(u64) -> bool,
    ) -> Option<Self> {
        let mut place = vec![0; points.homes.len()];
        orbit.iter().enumerate().for_each(|(at, &point)| place[point as usize] = at);
        let moved: Vec<Vec<usize>> = permutations
            .iter()
            .map(|to| orbit.iter().map(|&point| place[to[point as usize] as usize]).collect())
            .collect();
        let mut is_home = vec![false; points.homes.len()];
        points
            .homes
            .iter()
            .filter(|&&home| home != EMPTY)
            .for_each(|&at| is_home[at as usize] = true);
        let home = |&point: &u16| {
            if is_home[point as usize] { classes[point as usize] } else { EMPTY }
        };
        let goal: Vec<u16> = orbit.iter().map(home).collect();
        let mut table = ClassTable {
            points: orbit,
            classes: classes.to_vec(),
            numbers: FxHashMap::from_iter([(goal.clone(), 0)]),
            next: Vec::new(),
            distances: vec![0],
        };
        // Every move has one that takes it back, so it is as far from the goal as to it.
        let mut states = vec![goal];
        let mut at = 0;
        while at < states.len() {
            for to in &moved {
                let mut next = vec![EMPTY; to.len()];
                states[at].iter().zip(to).for_each(|(&class, &to)| next[to] = class);
                let number = states.len() as u32;
                let found = *table.numbers.entry(next.clone()).or_insert(number);
                table.next.push(found);
                if found == number {
                    states.push(next);
                    table.distances.push(table.distances[at].saturating_add(1));
                }
            }
            at += 1;
            if states.len() > most || !goes_on(100 * moved.len() as u64) {
                return None;
            }
        }
        Some(table)
    }

    /// What matters of what is where.
    fn state(&self, homes: &[u16]) -> Vec<u16> {
        let class = |&point: &u16| match homes[point as usize] {
            EMPTY => EMPTY,
            home => self.classes[home as usize],
        };
        self.points.iter().map(class).collect()
    }
}
