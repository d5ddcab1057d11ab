//! Adjustments on hand-computed examples.

use propnet::game::{Move, MoveSet, Role, State, TableId};
use propnet::gdl::Source;
use propnet::ground::{GroundGame, Limits, NoWatch, Options, ground};
use propnet::reference::{Reasoner, load};

use super::*;
use crate::search::scheme::Parameter;
use crate::search::selection::bounds::Terms;
use crate::search::tree::{BACKED_UP, Closed, MOVING, NewNode};

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
        for (at, (visits, _)) in statistics.iter().enumerate() {
            tree.columns.add(BACKED_UP, &[at], *visits);
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
        let node = NodeMoves {
            tree: &self.tree,
            role: 0,
            span,
            visits,
            path: &path,
            chosen: &[],
            closed: Closed::default(),
        };
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
fn what_is_in_flight_is_a_loss_for_samples_too() {
    for name in ["rave", "grave"] {
        let mut example = Example::new(name, &[], &[(4.0, 100.0), (4.0, 100.0)]);
        for _ in 0..50 {
            example.learn(&[0, 1], 80.0);
        }
        // A visit of the second move is in flight, so three quarters of its samples' mean count.
        example.tree.columns.add(BACKED_UP, &[1], -1.0);
        let values = example.terms(0.0, 8.0).values;
        let share = if name == "rave" { 1.0 } else { 50.0 / (54.0 + 1e-5 * 200.0) };
        let expected = [80.0, 60.0].map(|amaf| share * amaf + (1.0 - share) * 25.0);
        let is_near = values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_near, "{name}: {values:?} instead of {expected:?}");
    }
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
    // Three of four visits are backed up; the second move has no score yet.
    example.tree.columns.add(BACKED_UP, &[0], -1.0);
    example.tree.columns.add(BACKED_UP, &[1], -2.0);
    assert_eq!(example.terms(6.0, 8.0).values[..], [60.0, 0.0]);
    assert_eq!(example.adjustment.least_step(), Some(0.01));
}

#[test]
fn moves_with_small_proof_numbers_get_a_bonus() {
    let statistics = [(1.0, 50.0); 4];
    let mut example = Example::new("proof_numbers", &[], &statistics);
    let column = example.tree.columns.get_mut(proof_numbers::PROOF_NUMBER).expect("a column");
    column.copy_from_slice(&[1.0, 3.0, f64::INFINITY, 4.0]);
    // c_pn is 20, and the numbers that are finite are 1, 3 and 4.
    let bonuses = example.terms(4.0, 8.0).bonuses;
    assert_eq!(bonuses[..], [28.0, 8.0 + 20.0 * 0.5, 8.0, 8.0 + 20.0 * 0.25]);
}

/// Proof numbers after a simulation through the root and its first child: of all moves of the root, and
/// of the child. At the root the first role chooses one of two moves. In the child these are the
/// numbers of moves of both roles, and each joint move in the list ends the game with these goals.
fn proof_numbers(counts: [usize; 2], ends: &[([usize; 2], [f64; 2])]) -> [Vec<f64>; 2] {
    let mut part = (proof_numbers::PART.make.make)(&Values::default());
    let table = TableId::unique();
    let node = |at: usize, counts: [usize; 2], goals: Option<[f64; 2]>| NewNode {
        state: State::new(table, [at]),
        legal: counts.map(|count| MoveSet::new(table, 0..count)).to_vec(),
        goals: goals.map(|goals| goals.to_vec()),
    };
    let mut tree = Tree::new(node(0, [2, 1], None), 2, true, part.columns());
    let place = |tree: &Tree, node, role, at| MoveId::new(tree.span(node, role).start + at);
    let root = tree.root;
    let child = tree.add(node(1, counts, None));
    let joint = [place(&tree, root, 0, 0), place(&tree, root, 1, 0)];
    tree.link(root, &joint, child);
    tree.open(child);
    for (at, (joint, goals)) in ends.iter().enumerate() {
        let end = tree.add(node(2 + at, [0, 0], Some(*goals)));
        let joint = [0, 1].map(|role| place(&tree, child, role, joint[role]));
        tree.link(child, &joint, end);
    }
    let simulation = Simulation { nodes: vec![root, child], ..Simulation::default() };
    part.back_up(&mut tree, &simulation);
    let numbers = tree.columns.get(proof_numbers::PROOF_NUMBER).expect("a column");
    [root, child].map(|node| numbers[tree.span(node, 0).start..tree.span(node, 1).end].to_vec())
}

#[test]
fn proof_numbers_count_the_leaves_that_have_to_be_wins() {
    let inf = f64::INFINITY;
    // The opponent has three replies: to prove its own win it needs one of them, and the other all.
    assert_eq!(proof_numbers([1, 3], &[]), [vec![3.0, 1.0, 2.0], vec![3.0, 1.0, 1.0, 1.0]]);
    // One reply loses at once, another is a draw: then the first role has nothing to prove there.
    let ends = [([0, 0], [100.0, 0.0]), ([0, 1], [50.0, 50.0])];
    let found = proof_numbers([1, 3], &ends);
    assert_eq!(found, [vec![inf, 1.0, 2.0], vec![inf, inf, inf, 1.0]]);
    // A reply that wins is enough for the opponent.
    let found = proof_numbers([1, 2], &[([0, 1], [0.0, 100.0])]);
    assert_eq!(found, [vec![inf, 1.0, 1.0], vec![inf, 1.0, 0.0]]);
    // Both choose at once: a move needs all replies, of which one is known to win.
    let found = proof_numbers([2, 3], &[([0, 1], [100.0, 0.0])]);
    assert_eq!(found, [vec![2.0, 1.0, 3.0], vec![2.0, 3.0, 2.0, inf, 2.0]]);
}

#[test]
fn nothing_is_explored_while_a_move_is_good_enough() {
    let example = Example::new("sufficiency", &[], &[(1.0, 90.0), (1.0, 20.0)]);
    assert_eq!(example.terms(6.0, 8.0).bonuses[..], [8.0, 8.0], "90 is not above 90");
    let example = Example::new("sufficiency", &[], &[(2.0, 181.0), (1.0, 20.0)]);
    assert_eq!(example.terms(6.0, 8.0).bonuses[..], [0.0, 0.0]);
}

/// Each role takes a, b or c once a turn; nobody has all at the start, and what is taken stays.
const TAKING: &str = "
    (role r) (role s) (thing a) (thing b) (thing c) (init start)
    (<= (legal ?r (take ?x)) (role ?r) (thing ?x))
    (<= (next (has ?r ?x)) (does ?r (take ?x)))
    (<= (next (has ?r ?x)) (true (has ?r ?x)))
    (<= (all ?r) (true (has ?r a)) (true (has ?r b)) (true (has ?r c)))
    (<= terminal (all ?r))
    (<= (goal ?r 100) (all ?r))
    (<= (goal ?r 0) (role ?r) (not (all ?r)))";

/// A node for the state in which these sentences are true.
fn node_of(game: &mut dyn Game, sentences: &[&str]) -> NewNode {
    let sentences: Vec<String> = sentences.iter().map(|text| text.to_string()).collect();
    let state = game.state_of(&sentences).expect("a state");
    let legal = (0..2).map(|role| game.legal_moves(&state, role).expect("moves")).collect();
    let is_over = game.is_terminal(&state).expect("an answer");
    let goals = is_over
        .then(|| (0..2).map(|role| f64::from(game.goal(&state, role).expect("a goal"))).collect());
    NewNode { state, legal, goals }
}

/// The values of a role's moves in the root, where both have been tried as often as the first number
/// says with a mean of 50, once children are known for these joint moves.
fn biased(
    game: &mut dyn Game,
    role: Role,
    visits: f64,
    children: &[([usize; 2], &[&str])],
) -> Vec<f64> {
    let mut bias = (bias::PART.make.make)(&Values::default());
    bias.prepare(game);
    let mut tree = Tree::new(node_of(game, &["start"]), 2, true, bias.columns());
    for entry in &mut tree.moves {
        (entry.visits, entry.total) = (visits, 50.0 * visits);
    }
    let root = tree.root;
    for (joint, sentences) in children {
        let child = tree.add(node_of(game, sentences));
        let at = |role: Role| MoveId::new(tree.span(tree.root, role).start + joint[role]);
        let joint = [at(0), at(1)];
        tree.link(tree.root, &joint, child);
        bias.link(&mut tree, root, &joint, child, game).expect("values");
    }
    // What a tree knows stays when it is copied.
    let mut copy = tree.empty_like();
    let root = copy.copy_node(&tree, root);
    copy.set_root(root);
    let (span, path) = (copy.span(root, role), [root]);
    let node = NodeMoves {
        tree: &copy,
        role,
        span,
        visits: 3.0 * visits,
        path: &path,
        chosen: &[],
        closed: Closed::default(),
    };
    let mut terms = Terms::default();
    node.moves().iter().for_each(|entry| terms.push(entry.total / entry.visits, 8.0));
    bias.adjust(&node, &mut terms);
    assert_eq!(terms.bonuses[..], [8.0; 3], "only values have a prior");
    terms.values.to_vec()
}

fn ground_game(sheet: &str) -> GroundGame {
    let rules = load(Source::from_text("sheet", sheet)).expect("a sheet");
    let grounding = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
    GroundGame::new(grounding.expect("ground rules").rules)
}

#[test]
fn a_prior_is_the_degree_of_the_goals_and_fades_with_visits() {
    let mut game = ground_game(TAKING);
    // One of three: 100 to a degree of 1/3, 0 to a degree of 2/3. With k = 10 and 10 visits half of it
    // counts, with 30 a quarter.
    let one: &[([usize; 2], &[&str])] = &[([0, 1], &["(has r a)", "(has s b)"])];
    let close = |found: Vec<f64>, expected: [f64; 3]| {
        let is_close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_close, "{found:?}, not {expected:?}");
    };
    close(biased(&mut game, 0, 10.0, one), [0.5 * (100.0 / 3.0) + 25.0, 50.0, 50.0]);
    close(biased(&mut game, 0, 30.0, one), [0.25 * (100.0 / 3.0) + 37.5, 50.0, 50.0]);
    close(biased(&mut game, 1, 10.0, one), [50.0, 0.5 * (100.0 / 3.0) + 25.0, 50.0]);
}

#[test]
fn where_several_roles_choose_a_prior_is_the_mean_over_the_known_children() {
    let mut game = ground_game(TAKING);
    let children: &[([usize; 2], &[&str])] = &[
        ([0, 0], &["(has r a)"]),
        ([0, 1], &["(has r a)", "(has r b)"]),
        ([2, 0], &["(has r a)", "(has r b)", "(has r c)"]),
    ];
    // The first move: 1/3 and 2/3; the last one ends the game with 100.
    let found = biased(&mut game, 0, 10.0, children);
    assert!((found[0] - 50.0).abs() < 1e-9 && found[1] == 50.0 && found[2] == 75.0, "{found:?}");
    // For the other role: nothing of three is 0, and 0 is its goal at the end.
    assert_eq!(biased(&mut game, 1, 10.0, children), [25.0, 25.0, 50.0]);
}

#[test]
fn without_ground_rules_a_goal_is_reached_or_not() {
    let rules = load(Source::from_text("sheet", TAKING)).expect("a sheet");
    let two: &[([usize; 2], &[&str])] = &[([0, 0], &["(has r a)", "(has r b)"])];
    assert_eq!(biased(&mut Reasoner::new(&rules), 0, 10.0, two), [25.0, 50.0, 50.0]);
}

#[test]
fn the_example_of_contributing_is_this_code() {
    let guide = include_str!("../../../../CONTRIBUTING.md");
    let file = include_str!("captures.rs");
    assert!(guide.contains(&format!("```rust\n{file}```")), "CONTRIBUTING.md shows another file");
    let line = "    &captures::PART,\n";
    assert!(guide.contains(line) && include_str!("mod.rs").contains(line), "the line of the table");
}
