//! A tree without a crew, for tests: what is launched and what comes of it is up to them.

use propnet::game::{Move, State};
use propnet::gdl::Source;
use propnet::lanes::{Ending, FirstState, Job, Outcome};
use propnet::reference::{self, Reasoner};

use super::budget::{Budget, Clock};
use super::flight::Flight;
use super::grower::Grower;
use super::plain::PlainSimulator;
use super::settings::Settings;
use super::simulator::{Simulator, situation};
use super::tree::{Situation, Tree};

/// The lanes that a tree believes to have.
const LANES: usize = 256;

/// A choice between two moves, eight times, and each way leads elsewhere.
pub(super) const CHOICE: &str = "
    (role chooser) (init (at 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (legal chooser a) (legal chooser b)
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (next (did ?x ?m)) (true (did ?x ?m)))
    (<= (next (did ?x ?m)) (true (at ?x)) (does chooser ?m))
    (<= terminal (true (at 8)))
    (goal chooser 50)";

/// A tree, and what plays for it one playout after the other.
pub(super) struct Trial {
    pub(super) grower: Grower,
    pub(super) simulator: PlainSimulator,
}

impl Trial {
    /// The tree of a sheet's first state.
    pub(super) fn new(sheet: &str, settings: &Settings) -> Self {
        let rules = reference::load(Source::from_text("sheet", sheet)).expect("a sheet");
        let mut simulator = PlainSimulator::new(Box::new(Reasoner::new(&rules)), 1);
        let state = simulator.game().initial_state().expect("a state");
        let grower = Grower::new(&mut simulator, 1, settings, state, 1, usize::MAX);
        let mut grower = grower.expect("a tree");
        grower.lanes = LANES;
        Trial { grower, simulator }
    }

    /// Launches what may be under way; whether anything is.
    pub(super) fn launch(&mut self, budget: &Budget) -> bool {
        let mut clock = Clock::new(budget, std::time::Duration::ZERO);
        self.grower.launch_all(0, budget, &mut clock)
    }

    /// The jobs that were launched.
    pub(super) fn jobs(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.grower.jobs)
    }

    /// Plays jobs to their ends.
    pub(super) fn play(&mut self, jobs: Vec<Job>) {
        jobs.into_iter().for_each(|job| self.simulator.push(job));
        while self.simulator.unfinished() > 0 {
            self.simulator.step();
        }
        for mut outcome in self.simulator.outcomes() {
            self.grower.land(0, &mut outcome, self.simulator.game()).expect("a state");
        }
    }

    /// Searches until a budget is spent.
    pub(super) fn run(&mut self, budget: &Budget) {
        self.grower.begin(budget);
        while self.launch(budget) {
            let jobs = self.jobs();
            self.play(jobs);
        }
    }

    /// A simulation of one role that makes these moves, whatever would have been chosen.
    pub(super) fn simulate(&mut self, moves: &[Move], goal: i32, ending: Ending) {
        let (grower, game) = (&mut self.grower, self.simulator.game());
        let mut flight = Flight::default();
        flight.reset(1, 1);
        let mut next = Some(grower.tree.root);
        for chosen in moves {
            let Some(node) = next else { break };
            grower.tree.open(node);
            let places = grower.tree.places(node, &[*chosen]).expect("a legal move");
            grower.tree.nodes[node as usize].visits += 1.0;
            grower.tree.moves[places[0] as usize].visits += 1.0;
            next = grower.tree.child(node, &places);
            flight.nodes.push(node);
            flight.chosen.extend(places);
        }
        let level = flight.depth() - 1;
        let last = &grower.tree.nodes[flight.nodes[level] as usize];
        let state = game.next_state(&last.state, &moves[level..=level]).expect("a state");
        let found = situation(game, state).expect("a state");
        flight.expands = true;
        grower.counts.expanding += 1;
        let mut outcome = Outcome {
            tag: grower.flights[0].start(flight),
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
        grower.land(0, &mut outcome, game).expect("states");
    }
}

/// A ring of states, in each of which one move leads on; visited the more, the nearer.
pub(super) fn ring(states: usize) -> Tree {
    let situation = |at: usize| Situation {
        state: (0..64).filter(|bit| at >> bit & 1 == 1).collect::<State>(),
        legal: vec![[0].into_iter().collect()],
        goals: None,
    };
    let mut tree = Tree::new(situation(0), 1, true, false);
    for at in 1..states {
        let child = tree.add(situation(at));
        tree.open(child);
        let chosen = [tree.span(child - 1, 0).start as u32];
        tree.link(child - 1, &chosen, child);
    }
    let last = states as u32 - 1;
    let chosen = [tree.span(last, 0).start as u32];
    tree.link(last, &chosen, tree.root);
    for (at, node) in tree.nodes.iter_mut().enumerate() {
        node.visits = (states - at) as f64;
    }
    tree
}
