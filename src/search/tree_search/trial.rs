//! A tree without workers, for tests: they decide what is launched and how it ends.

use propnet::game::{Game, Move, MoveSet, State, TableId};
use propnet::gdl::Source;
use propnet::lanes::{Ending, FirstState, Job, Outcome, Setup};
use propnet::reference::{self, Reasoner};

use super::simulation::Simulation;
use super::tree_search::TreeSearch;
use crate::pipeline::{LaneProgram, PipelineOptions, circuit_within};
use crate::search::budget::{Budget, Clock};
use crate::search::playout::{PlainSimulator, Simulator, new_node};
use crate::search::settings::Settings;
use crate::search::tree::{MoveId, NewNode, NodeId, Tree};

/// The lanes that a tree believes to have.
pub(crate) const LANES: usize = 256;

/// A choice between two moves, eight times, and each way leads elsewhere.
pub(crate) const CHOICE: &str = "
    (role chooser) (init (at 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (legal chooser a) (legal chooser b)
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (next (did ?x ?m)) (true (did ?x ?m)))
    (<= (next (did ?x ?m)) (true (at ?x)) (does chooser ?m))
    (<= terminal (true (at 8)))
    (goal chooser 50)";

/// The game of a sheet on lanes.
pub(crate) fn game_on_lanes(sheet: &str) -> Box<dyn Game + Send> {
    let rules = reference::load(Source::from_text("sheet", sheet)).expect("a sheet");
    let circuit = circuit_within(&rules, &PipelineOptions::default()).expect("a circuit");
    LaneProgram::for_questions(&circuit, Setup::default()).expect("a program").game()
}

/// A tree, and what plays for it one playout after the other.
pub(crate) struct Trial {
    pub(crate) search: TreeSearch,
    pub(crate) simulator: PlainSimulator,
}

impl Trial {
    /// The tree of a sheet's first state.
    pub(crate) fn new(sheet: &str, strategy: &str, texts: &[&str]) -> Self {
        let rules = reference::load(Source::from_text("sheet", sheet)).expect("a sheet");
        Self::on(Box::new(Reasoner::new(&rules)), strategy, texts)
    }

    /// The tree of a game's first state.
    pub(crate) fn on(game: Box<dyn Game + Send>, strategy: &str, texts: &[&str]) -> Self {
        let mut settings = Settings::named(strategy).expect("a strategy");
        texts.iter().for_each(|text| settings.set(text).expect("a setting"));
        let mut simulator = PlainSimulator::new(game, 1);
        let state = simulator.game().initial_state().expect("a state");
        let search = TreeSearch::new(&mut simulator, 1, &settings, state, 1, usize::MAX);
        let mut search = search.expect("a tree");
        search.lanes = LANES;
        Trial { search, simulator }
    }

    /// Launches what may be under way; whether anything is.
    pub(crate) fn launch(&mut self, budget: &Budget) -> bool {
        let mut clock = Clock::new(budget);
        self.search.launch_all(0, budget, &mut clock)
    }

    /// The jobs that were launched.
    pub(crate) fn jobs(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.search.jobs)
    }

    /// Plays jobs to their ends.
    pub(crate) fn play(&mut self, jobs: Vec<Job>) {
        jobs.into_iter().for_each(|job| self.simulator.push(job));
        while self.simulator.unfinished() > 0 {
            self.simulator.step();
        }
        for mut outcome in self.simulator.outcomes() {
            self.search.finish(0, &mut outcome, self.simulator.game()).expect("a state");
        }
    }

    /// Searches until a budget is spent.
    pub(crate) fn run(&mut self, budget: &Budget) {
        self.search.begin(budget);
        while self.launch(budget) {
            let jobs = self.jobs();
            self.play(jobs);
            self.search.ask_about_ends(&mut self.simulator).expect("states");
        }
    }

    /// The moves with these indices.
    pub(crate) fn moves(&self, indices: &[u32]) -> Vec<Move> {
        let tree = &self.search.tree;
        let table = tree[tree.root].state.table();
        indices.iter().map(|&index| Move::new(table, index)).collect()
    }

    /// A simulation of one role that makes these moves, whatever would have been chosen.
    pub(crate) fn simulate(&mut self, moves: &[Move], goal: i32, ending: Ending) {
        let (search, game) = (&mut self.search, self.simulator.game());
        let mut simulation = Simulation::default();
        simulation.reset(1, 1);
        let mut next = Some(search.tree.root);
        for chosen in moves {
            let Some(node) = next else { break };
            search.tree.open(node);
            let places = search.tree.places(node, &[*chosen]).expect("a legal move");
            search.tree[node].visits += 1.0;
            search.tree[places[0]].visits += 1.0;
            next = search.tree.child(node, &places);
            simulation.nodes.push(node);
            simulation.chosen.extend(places);
        }
        let level = simulation.depth() - 1;
        let last = &search.tree[simulation.nodes[level]];
        let state = game.next_state(&last.state, &moves[level..=level]).expect("a state");
        let found = new_node(game, state).expect("a state");
        simulation.expands = true;
        search.counts.expanding += 1;
        let mut outcome = Outcome {
            tag: search.simulations[0].start(simulation),
            count: 1,
            ending,
            goals: [Some(goal)].into_iter().collect(),
            length: (moves.len() - level) as u64,
            moves: moves[level..].to_vec(),
            first: Some(Box::new(FirstState {
                moves: moves[level..=level].into(),
                is_terminal: found.goals.is_some(),
                state: found.state,
                legal: found.legal,
            })),
        };
        search.finish(0, &mut outcome, game).expect("states");
    }
}

/// A ring of states, in each of which one move leads on; the nearer, the more often visited.
pub(crate) fn ring(states: usize) -> Tree {
    let table = TableId::unique();
    let new_node = |at: usize| NewNode {
        state: State::from_words(table, &[at as u64]),
        legal: vec![MoveSet::new(table, [0])],
        goals: None,
    };
    let mut tree = Tree::new(new_node(0), 1, true, &[]);
    let only_move = |tree: &Tree, node| [MoveId::new(tree.span(node, 0).start)];
    for at in 1..states {
        let child = tree.add(new_node(at));
        tree.open(child);
        let parent = NodeId::new(at - 1);
        tree.link(parent, &only_move(&tree, parent), child);
    }
    let last = NodeId::new(states - 1);
    tree.link(last, &only_move(&tree, last), tree.root);
    for (at, node) in tree.nodes.iter_mut().enumerate() {
        node.visits = (states - at) as f64;
    }
    tree
}
