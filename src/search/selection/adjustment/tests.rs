//! Adjustments on hand-computed examples.

use propnet::game::{Move, MoveSet, State, TableId};

use super::*;
use crate::search::scheme::Parameter;
use crate::search::selection::bounds::Terms;
use crate::search::tree::{MOVING, MOVING_COUNT, NewNode};

/// A tree of one node, whose two moves have these visits and totals, with the columns of a part.
struct Example {
    tree: Tree,
    table: TableId,
    adjustment: Box<dyn Adjustment>,
}

impl Example {
    fn new(name: &str, settings: &[(&Parameter, f64)], statistics: &[(f64, f64)]) -> Self {
        let part = ADJUSTMENTS.iter().find(|part| part.name == name).expect("a part");
        let mut values = Values::default();
        settings.iter().for_each(|(parameter, value)| values.put(parameter, *value));
        let adjustment = (part.make.make)(&values);
        let table = TableId::unique();
        let legal = vec![MoveSet::new(table, 0..statistics.len())];
        let root = NewNode { state: State::new(table, []), legal, goals: None };
        let mut tree = Tree::new(root, 1, true, adjustment.columns());
        for (entry, &(visits, total)) in tree.moves.iter_mut().zip(statistics) {
            (entry.visits, entry.total) = (visits, total);
        }
        Example { tree, table, adjustment }
    }

    /// A simulation through the root with these moves.
    fn learn(&mut self, moves: &[u32], goal: f64) {
        let moves: Vec<Move> = moves.iter().map(|&at| Move::new(self.table, at)).collect();
        let simulation = Simulation { nodes: vec![self.tree.root], ..Simulation::default() };
        let finished =
            Finished { path: &[], playout: &moves, goals: &[goal], discount: 1.0, count: 1.0 };
        self.adjustment.learn(&mut self.tree, &simulation, &finished);
    }

    /// The terms that become of means and equal bonuses.
    fn terms(&self, visits: f64, bonus: f64) -> Terms {
        let span = self.tree.span(self.tree.root, 0);
        let path = [self.tree.root];
        let node = NodeMoves { tree: &self.tree, role: 0, span, visits, path: &path };
        let mut terms = Terms::default();
        for entry in node.moves() {
            terms.push(entry.total / entry.visits, bonus);
        }
        self.adjustment.adjust(&node, &mut terms);
        terms
    }
}

#[test]
fn rave_counts_moves_made_later_less_the_more_a_node_is_visited() {
    let mut example = Example::new("rave", &[], &[(1.0, 20.0), (1.0, 60.0)]);
    // The first move is made later in both simulations, the second one at once in one of them.
    example.learn(&[1, 0], 100.0);
    example.learn(&[2, 0, 0], 50.0);
    assert_eq!(example.adjustment.amaf_samples(), 3);
    // With k = 500 and 500 visits the share is sqrt(500 / 2000) = 1/2.
    let terms = example.terms(500.0, 8.0);
    assert_eq!(terms.values[..], [0.5 * 75.0 + 0.5 * 20.0, 0.5 * 100.0 + 0.5 * 60.0]);
    assert_eq!(terms.bonuses[..], [4.0, 4.0]);
    // Without visits only they count.
    assert_eq!(example.terms(0.0, 8.0).values[..], [75.0, 100.0]);
}

#[test]
fn moves_without_samples_keep_their_bounds() {
    let mut example = Example::new("rave", &[], &[(1.0, 20.0), (1.0, 60.0)]);
    example.learn(&[1], 100.0);
    let terms = example.terms(0.0, 8.0);
    assert_eq!((&terms.values[..], &terms.bonuses[..]), (&[20.0, 100.0][..], &[8.0, 0.0][..]));
}

#[test]
fn grave_asks_an_ancestor_once_it_has_enough_samples() {
    let mut example = Example::new("grave", &[], &[(50.0, 1000.0), (50.0, 3000.0)]);
    for _ in 0..49 {
        example.learn(&[1, 0], 100.0);
    }
    assert_eq!(example.terms(100.0, 8.0).values[..], [20.0, 60.0]);
    example.learn(&[1, 0], 100.0);
    // 50 samples, 50 visits: 50 / (100 + 1e-5 * 2500).
    let share = 50.0 / 100.025;
    let values = example.terms(100.0, 8.0).values;
    assert!((values[0] - (share * 100.0 + (1.0 - share) * 20.0)).abs() < 1e-9, "{values:?}");
    example.adjustment.change_root();
    assert_eq!(example.terms(100.0, 8.0).values[..], [20.0, 60.0], "samples of another root");
}

#[test]
fn moving_averages_take_the_place_of_means() {
    let mut example = Example::new("moving_average", &[], &[(4.0, 100.0), (2.0, 0.0)]);
    example.tree.columns.add(MOVING, &[0], 80.0);
    example.tree.columns.add(MOVING_COUNT, &[0], 3.0);
    // Three of four visits are backed up; the second move has no score yet.
    assert_eq!(example.terms(6.0, 8.0).values[..], [60.0, 0.0]);
    assert_eq!(example.adjustment.least_step(), Some(0.01));
}

#[test]
fn nothing_is_explored_while_a_move_is_good_enough() {
    let example = Example::new("sufficiency", &[], &[(1.0, 90.0), (1.0, 20.0)]);
    assert_eq!(example.terms(6.0, 8.0).bonuses[..], [8.0, 8.0], "90 is not above 90");
    let example = Example::new("sufficiency", &[], &[(2.0, 181.0), (1.0, 20.0)]);
    assert_eq!(example.terms(6.0, 8.0).bonuses[..], [0.0, 0.0]);
}
