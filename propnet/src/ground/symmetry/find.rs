//! A generating set of the symmetries of a game.
//!
//! One vertex after the other gets a colour of its own, until all fluents and moves can be told apart:
//! the base. Then, from the last of them up, each vertex that looks like the one of the base is tried
//! in its place; where all can be told apart again, the colours say which permutation it would be.

use rustc_hash::FxHashMap;

use super::super::rules::GroundRules;
use super::graph::{RuleChecker, RuleGraph, Vertex};
use super::group::{Symmetry, SymmetryGroup};
use super::refine::{Colouring, Refiner};

/// The symmetries of a game.
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// Permutations that make all that were found, together with the one that changes nothing.
    pub generators: Vec<Symmetry>,
    /// How many permutations they make.
    pub order: u128,
    /// Whether there are no others: false where looking for them was too much work.
    pub is_complete: bool,
    /// By fluent: whether it is true in the first state.
    initially: Vec<bool>,
}

/// Edges of the rules that may be looked at: about two seconds.
const EFFORT: u64 = 400_000_000;
/// Leaves that are compared for one vertex in the place of another.
const TRIES: u32 = 32;
/// A base is not longer than this.
const LONGEST_BASE: usize = 64;

/// The symmetries of ground rules, wherever the game starts.
pub fn symmetries(rules: &GroundRules) -> Symmetries {
    let graph = RuleGraph::new(rules);
    let mut found = Symmetries {
        generators: Vec::new(),
        order: 1,
        is_complete: false,
        initially: rules.fluents.iter().map(|fluent| fluent.initially).collect(),
    };
    let mut refiner = Refiner::new(&graph, EFFORT);
    let Some(base) = Base::new(&graph, &mut refiner) else { return found };
    let mut search = SymmetrySearch {
        checker: graph.checker(),
        refiner,
        base,
        generators: Vec::new(),
        is_complete: true,
        tries: 0,
    };
    for level in (0..search.base.points.len()).rev() {
        found.order = found.order.saturating_mul(search.orbit(level) as u128);
    }
    let counts: Vec<usize> = rules.moves.iter().map(Vec::len).collect();
    let generators = search.generators.iter();
    found.generators =
        generators.map(|images| Symmetry::new(images, graph.fluents, &counts)).collect();
    found.is_complete = search.is_complete;
    found
}

impl Symmetries {
    /// At most so many permutations that together are a group, all of which map the first state to
    /// itself. So they map states that can be reached to states that can be reached.
    pub fn that_keep_the_start(&self, most: usize) -> SymmetryGroup {
        SymmetryGroup::new(&self.generators, &self.initially, most)
    }
}

/// The vertices that get a colour of their own, one after the other.
struct Base {
    points: Vec<Vertex>,
    /// Before each of the points, and after the last: the colours.
    colourings: Vec<Colouring>,
    /// How many of the vertices must be told apart.
    wanted: usize,
}

impl Base {
    fn new(graph: &RuleGraph, refiner: &mut Refiner<'_>) -> Option<Base> {
        let wanted = graph.fluents + graph.moves;
        let mut base = Base { points: Vec::new(), colourings: vec![refiner.first()?], wanted };
        while base.points.len() < LONGEST_BASE {
            let colouring = &base.colourings[base.points.len()];
            let Some(cell) = smallest_cell(colouring, wanted) else { return Some(base) };
            let next = refiner.single_out(colouring, cell[0])?;
            base.points.push(cell[0]);
            base.colourings.push(next);
        }
        None
    }
}

/// The vertices that look like another, the fewest of one colour; none where all can be told apart.
fn smallest_cell(colouring: &Colouring, wanted: usize) -> Option<Vec<Vertex>> {
    let mut cells: FxHashMap<u64, Vec<Vertex>> = FxHashMap::default();
    for (vertex, &colour) in colouring.colours[..wanted].iter().enumerate() {
        cells.entry(colour).or_default().push(vertex as Vertex);
    }
    let cells = cells.into_values().filter(|cell| cell.len() > 1);
    cells.min_by_key(|cell| (cell.len(), cell[0]))
}

/// The search for permutations.
struct SymmetrySearch<'g> {
    checker: RuleChecker<'g>,
    refiner: Refiner<'g>,
    base: Base,
    generators: Vec<Vec<Vertex>>,
    is_complete: bool,
    tries: u32,
}

impl SymmetrySearch<'_> {
    /// How many vertices the point of a level can be mapped to while those before it stay.
    fn orbit(&mut self, level: usize) -> usize {
        let point = self.base.points[level];
        let colouring = self.base.colourings[level].clone();
        let colour = colouring.colours[point as usize];
        let wanted = self.base.wanted as Vertex;
        let alike: Vec<Vertex> =
            (0..wanted).filter(|&vertex| colouring.colours[vertex as usize] == colour).collect();
        // All generators so far keep the points before.
        let mut orbit = vec![point];
        self.close(&mut orbit);
        for other in alike {
            if orbit.contains(&other) {
                continue;
            }
            self.tries = TRIES;
            if let Some(images) = self.find(level, &colouring, other) {
                self.generators.push(images);
                self.close(&mut orbit);
            } else if self.tries == 0 {
                self.is_complete = false;
            }
        }
        orbit.len()
    }

    /// Adds to an orbit all that generators map it to.
    fn close(&self, orbit: &mut Vec<Vertex>) {
        let mut at = 0;
        while at < orbit.len() {
            for images in &self.generators {
                let image = images[orbit[at] as usize];
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            at += 1;
        }
    }

    /// A permutation that maps the point of a level to another vertex, among those that look the same
    /// so far.
    fn find(&mut self, level: usize, before: &Colouring, other: Vertex) -> Option<Vec<Vertex>> {
        let Some(after) = self.refiner.single_out(before, other) else {
            self.tries = 0;
            return None;
        };
        let expected = &self.base.colourings[level + 1];
        if after.count != expected.count {
            return None;
        }
        let Some(&point) = self.base.points.get(level + 1) else {
            self.tries = self.tries.saturating_sub(1);
            let images = matched(expected, &after)?;
            return self.checker.keeps_rules(&images).then_some(images);
        };
        let colour = expected.colours[point as usize];
        let alike: Vec<Vertex> = (0..self.base.wanted as Vertex)
            .filter(|&vertex| after.colours[vertex as usize] == colour)
            .collect();
        for next in alike {
            if self.tries == 0 {
                return None;
            }
            if let Some(images) = self.find(level + 1, &after, next) {
                return Some(images);
            }
        }
        None
    }
}

/// By vertex: the one that has its colour in the other colouring. Atoms that still look alike are
/// taken in their order.
fn matched(from: &Colouring, to: &Colouring) -> Option<Vec<Vertex>> {
    let sorted = |colouring: &Colouring| {
        let vertices = colouring.colours.iter().enumerate();
        let mut sorted: Vec<(u64, Vertex)> =
            vertices.map(|(vertex, &colour)| (colour, vertex as Vertex)).collect();
        sorted.sort_unstable();
        sorted
    };
    let mut images = vec![0; from.colours.len()];
    for ((colour, vertex), (other, image)) in sorted(from).into_iter().zip(sorted(to)) {
        if colour != other {
            return None;
        }
        images[vertex as usize] = image;
    }
    Some(images)
}
