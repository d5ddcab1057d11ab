//! Colour refinement: vertices that the rules treat alike get the same colour.

use super::graph::{RuleGraph, Vertex};

/// Mixes two numbers into one (the finaliser of splitmix64, Steele, Lea and Flood 2014).
pub(super) fn mix(one: u64, other: u64) -> u64 {
    let mut x = one.rotate_left(25) ^ other.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Colours of all vertices.
#[derive(Clone)]
pub(super) struct Colouring {
    pub(super) colours: Vec<u64>,
    /// How many different ones there are.
    pub(super) count: usize,
}

/// Refines colours, with the work counted.
pub(super) struct Refiner<'g> {
    graph: &'g RuleGraph,
    /// Edges that may still be looked at.
    effort: u64,
    rule_colours: Vec<u64>,
    sorted: Vec<u64>,
}

impl<'g> Refiner<'g> {
    pub(super) fn new(graph: &'g RuleGraph, effort: u64) -> Self {
        let rule_colours = vec![0; graph.rules.len()];
        Refiner { graph, effort, rule_colours, sorted: Vec::new() }
    }

    /// The colours of the graph itself.
    pub(super) fn first(&mut self) -> Option<Colouring> {
        self.refine(self.graph.colours.clone())
    }

    /// The same after one vertex got a colour of its own.
    pub(super) fn single_out(&mut self, of: &Colouring, vertex: Vertex) -> Option<Colouring> {
        let mut colours = of.colours.clone();
        colours[vertex as usize] = mix(colours[vertex as usize], 0x51D);
        self.refine(colours)
    }

    /// Refines until no colour splits; none where that is more than the effort left. Vertices that
    /// some symmetry exchanges get the same numbers, whenever they are computed.
    fn refine(&mut self, mut colours: Vec<u64>) -> Option<Colouring> {
        let mut count = self.count(&colours);
        loop {
            self.effort = self.effort.checked_sub(2 * self.graph.edges() + colours.len() as u64)?;
            for (colour, edges) in self.rule_colours.iter_mut().zip(&self.graph.rules) {
                let edges =
                    edges.iter().map(|&(label, at)| mix(label.into(), colours[at as usize]));
                *colour = edges.fold(1, u64::wrapping_add);
            }
            let rules_at = |at: usize| {
                let rules = self.graph.rules_at[at].iter();
                rules
                    .map(|&(label, rule)| mix(label.into(), self.rule_colours[rule as usize]))
                    .fold(2, u64::wrapping_add)
            };
            let refined: Vec<u64> =
                colours.iter().enumerate().map(|(at, &colour)| mix(colour, rules_at(at))).collect();
            let refined_count = self.count(&refined);
            if refined_count <= count {
                return Some(Colouring { colours, count });
            }
            (colours, count) = (refined, refined_count);
        }
    }

    fn count(&mut self, colours: &[u64]) -> usize {
        self.sorted.clear();
        self.sorted.extend_from_slice(colours);
        self.sorted.sort_unstable();
        self.sorted.dedup();
        self.sorted.len()
    }
}
