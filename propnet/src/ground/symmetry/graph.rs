//! Ground rules as a graph: vertices for what is permuted, joined by rules with labels.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::rules::{AtomId, GroundAtom, GroundRules, Recipe};
use super::refine::mix;

/// A vertex: fluents first, then moves role by role, then all other atoms.
pub(super) type Vertex = u32;

/// How a rule reads or makes a vertex.
type EdgeLabel = u8;

const TRUE: EdgeLabel = 0;
const NEXT: EdgeLabel = 1;
const DOES: EdgeLabel = 2;
const LEGAL: EdgeLabel = 3;
const ITSELF: EdgeLabel = 4;
/// Added for the head of a rule, and for a literal that must not hold.
const HEAD: EdgeLabel = 8;
const NEGATED: EdgeLabel = 16;
/// A fluent that equals another, as if by a rule.
const COPY: EdgeLabel = 32;

/// The rules as edges between labelled vertices.
pub(super) struct RuleGraph {
    pub(super) fluents: usize,
    pub(super) moves: usize,
    /// By vertex: its first colour.
    pub(super) colours: Vec<u64>,
    /// By rule: its edges, sorted.
    pub(super) rules: Vec<Vec<(EdgeLabel, Vertex)>>,
    /// By vertex: the rules at it, with the labels of their edges.
    pub(super) rules_at: Vec<Vec<(EdgeLabel, u32)>>,
}

impl RuleGraph {
    pub(super) fn new(rules: &GroundRules) -> Self {
        let fluents = rules.fluents.len();
        let mut first_move = vec![fluents];
        for moves in &rules.moves {
            first_move.push(first_move[first_move.len() - 1] + moves.len());
        }
        let mut count = first_move[rules.moves.len()];
        let moves = count - fluents;
        let mut colours: Vec<u64> = Vec::with_capacity(count);
        colours.extend(rules.fluents.iter().enumerate().map(|(at, fluent)| match fluent.recipe {
            Recipe::Carried => mix(1, 0),
            Recipe::Copy(_) => mix(2, 0),
            Recipe::Observed => mix(3, 0),
            // What never changes stays where it is.
            Recipe::Constant(_) => mix(4, at as u64),
        }));
        for (role, moves) in rules.moves.iter().enumerate() {
            colours.extend(std::iter::repeat_n(mix(5, role as u64), moves.len()));
        }
        let mut vertex_of: FxHashMap<AtomId, Vertex> = FxHashMap::default();
        let mut edge = |atom: AtomId| match rules.atoms[atom as usize] {
            GroundAtom::True(fluent) => (TRUE, fluent as Vertex),
            GroundAtom::Next(fluent) => (NEXT, fluent as Vertex),
            GroundAtom::Does(role, at) => (DOES, (first_move[role as usize] + at) as Vertex),
            GroundAtom::Legal(role, at) => (LEGAL, (first_move[role as usize] + at) as Vertex),
            other => {
                let vertex = *vertex_of.entry(atom).or_insert_with(|| {
                    colours.push(match other {
                        GroundAtom::Goal(role, value) => mix(mix(6, role.into()), value.0.into()),
                        GroundAtom::Terminal => mix(7, 0),
                        _ => mix(8, 0),
                    });
                    count += 1;
                    count as Vertex - 1
                });
                (ITSELF, vertex)
            }
        };
        let mut graph_rules: Vec<Vec<(EdgeLabel, Vertex)>> = Vec::with_capacity(rules.rules.len());
        for (head, body) in rules.rules.iter() {
            let (label, vertex) = edge(head);
            let mut edges = vec![(label | HEAD, vertex)];
            edges.extend(body.iter().map(|literal| {
                let (label, vertex) = edge(literal.atom());
                (label | if literal.negated() { NEGATED } else { 0 }, vertex)
            }));
            graph_rules.push(edges);
        }
        for (fluent, port) in rules.fluents.iter().enumerate() {
            if let Recipe::Copy(other) = port.recipe {
                graph_rules.push(vec![(COPY | HEAD, fluent as Vertex), (COPY, other as Vertex)]);
            }
        }
        let mut rules_at = vec![Vec::new(); colours.len()];
        for (number, edges) in graph_rules.iter_mut().enumerate() {
            edges.sort_unstable();
            for &(label, vertex) in &*edges {
                rules_at[vertex as usize].push((label, number as u32));
            }
        }
        RuleGraph { fluents, moves, colours, rules: graph_rules, rules_at }
    }

    /// How many edges there are.
    pub(super) fn edges(&self) -> u64 {
        self.rules.iter().map(|edges| edges.len() as u64).sum()
    }

    /// What checks permutations.
    pub(super) fn checker(&self) -> RuleChecker<'_> {
        RuleChecker { graph: self, known: self.rules.iter().map(Vec::as_slice).collect() }
    }
}

/// Checks that permutations map the rules to themselves.
pub(super) struct RuleChecker<'g> {
    graph: &'g RuleGraph,
    known: FxHashSet<&'g [(EdgeLabel, Vertex)]>,
}

impl RuleChecker<'_> {
    /// Whether a permutation of the vertices keeps what they are, and maps each rule to a rule.
    pub(super) fn keeps_rules(&self, images: &[Vertex]) -> bool {
        let colours = &self.graph.colours;
        let mut is_image = vec![false; images.len()];
        let keeps_kinds = images.iter().enumerate().all(|(vertex, &image)| {
            colours[vertex] == colours[image as usize]
                && !std::mem::replace(&mut is_image[image as usize], true)
        });
        // Different rules have different images, so if all are rules, all rules are images.
        let mut mapped = Vec::new();
        keeps_kinds
            && self.known.iter().all(|edges| {
                mapped.clear();
                mapped.extend(edges.iter().map(|&(label, at)| (label, images[at as usize])));
                mapped.sort_unstable();
                self.known.contains(mapped.as_slice())
            })
    }
}
