//! The results of simulations: expansion, back-propagation, learning, best lines.

use propnet::game::{Game, PlayError};
use propnet::lanes::{Ending, Outcome};

use super::simulation::Simulation;
use super::tree_search::{TreeSearch, WorkerNumber};
use crate::search::playout::{first_node, goals_of};
use crate::search::policy::Finished;
use crate::search::tree::NodeId;

impl TreeSearch {
    /// Finishes a simulation that ended in a node whose score is known.
    pub(crate) fn finish_at_end(
        &mut self,
        worker: WorkerNumber,
        node: NodeId,
        mut simulation: Simulation,
    ) {
        let discount = self.parts.evaluation.discount();
        let goals = self.tree.known_scores(node);
        simulation.best = goals.first().copied().unwrap_or(0.0);
        for (score, goal) in simulation.scores.iter_mut().zip(&goals) {
            *score = discount * simulation.samples as f64 * goal;
        }
        if self.parts.wants_squares {
            simulation.add_squares(&vec![0.0; simulation.scores.len()], simulation.samples);
        }
        simulation.back_up(&mut self.tree, discount, self.parts.least_step);
        self.parts.selection.learn(&mut self.tree, &simulation);
        self.learn_from_tree(&simulation);
        let learned_from = self.learned_from(simulation.samples);
        if learned_from > 0 {
            let path = simulation.moves(&self.tree, simulation.depth());
            let count = learned_from as f64;
            let finished = Finished { path: &path, playout: &[], goals: &goals, discount, count };
            self.parts.learn(&mut self.tree, &simulation, &finished);
            self.learning.note((learned_from * path.len()) as u64);
            self.keep_credited(path, goals.to_vec(), count);
        }
        if self.prove(&simulation, true) {
            self.count(simulation.samples);
        }
        self.parts.back_up(&mut self.tree, &simulation);
        self.counts.states += (simulation.samples * simulation.depth()) as u64;
        self.simulations[worker].recycle(simulation);
    }

    /// Takes in the outcome of a worker's playouts. The game answers questions about states.
    pub(crate) fn finish(
        &mut self,
        worker: WorkerNumber,
        outcome: &mut Outcome,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        let tag = outcome.tag;
        let Some(simulation) = self.simulations[worker].finish(tag, outcome.count) else {
            return Ok(());
        };
        let is_last = simulation.pending == 0;
        let before = self.parts.wants_squares.then(|| simulation.scores.clone());
        self.parts.evaluation.add_scores(outcome, &mut simulation.scores);
        if let Some(before) = before {
            simulation.add_squares(&before, outcome.count);
        }
        // What is seen where a playout was cut may be gone at its end.
        if outcome.ending != Ending::Limit {
            simulation.best = simulation.best.max(goals_of(outcome).next().unwrap_or(0.0));
        }
        goals_of(outcome).for_each(|goal| self.tree.goal_range.note(goal));
        self.counts.playouts += outcome.count as u64;
        // The last move of the descent is the playout's first.
        let states = simulation.depth() as u64 - 1 + outcome.length;
        self.counts.states += outcome.count as u64 * states;
        if outcome.ending == Ending::Limit {
            self.counts.cut += outcome.count as u64;
        }
        if outcome.first.is_some() {
            self.expand(worker, outcome, game)?;
        }
        if !outcome.moves.is_empty() {
            self.use_moves(worker, outcome, game)?;
        }
        if is_last && let Some(simulation) = self.simulations[worker].end(tag) {
            self.learn_from_tree(&simulation);
            let discount = self.parts.evaluation.discount();
            simulation.back_up(&mut self.tree, discount, self.parts.least_step);
            self.parts.selection.learn(&mut self.tree, &simulation);
            self.prove(&simulation, false);
            self.parts.back_up(&mut self.tree, &simulation);
            self.count(simulation.samples);
            self.counts.expanding -= u64::from(simulation.expands);
            self.simulations[worker].recycle(simulation);
        }
        Ok(())
    }

    /// Adds the state after a playout's first move to the tree.
    fn expand(
        &mut self,
        worker: WorkerNumber,
        outcome: &mut Outcome,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        let Some(simulation) = self.simulations[worker].get(outcome.tag) else { return Ok(()) };
        let Some(found) = first_node(outcome) else { return Ok(()) };
        let last = simulation.depth() - 1;
        let node = simulation.nodes[last];
        if self.tree.child(node, simulation.level(last)).is_none() {
            let before = self.tree.nodes.len();
            let child = self.tree.add(found);
            self.tree.link(node, simulation.level(last), child);
            self.parts.link(&mut self.tree, node, simulation.level(last), child, game)?;
            self.counts.expansions += (self.tree.nodes.len() - before) as u64;
        }
        self.counts.expanding -= u64::from(std::mem::take(&mut simulation.expands));
        Ok(())
    }

    /// Uses the moves that a playout made.
    fn use_moves(
        &mut self,
        worker: WorkerNumber,
        outcome: &Outcome,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        self.learn(worker, outcome);
        self.keep_line(worker, outcome);
        let score = goals_of(outcome).next().unwrap_or(0.0);
        let (room, before) = (self.room(), self.tree.nodes.len());
        let simulation = self.simulations[worker].get(outcome.tag);
        if let (Some(best_line), Some(simulation)) = (&mut self.parts.best_line, simulation)
            && outcome.ending != Ending::Limit
            && best_line.wants(score)
        {
            let tree = &mut self.tree;
            let links = best_line.enter(tree, game, simulation, &outcome.moves, score, &room)?;
            for (node, at, child) in links {
                self.parts.link(&mut self.tree, node, &[at], child, game)?;
            }
            self.counts.expansions += (self.tree.nodes.len() - before) as u64;
        }
        Ok(())
    }

    /// Lets the parts learn from a simulation, in the tree and in the playout.
    fn learn(&mut self, worker: WorkerNumber, outcome: &Outcome) {
        if !self.parts.learns() {
            return;
        }
        let Some(simulation) = self.simulations[worker].get(outcome.tag) else { return };
        // The last level is the playout's first move.
        let path = simulation.moves(&self.tree, simulation.depth() - 1);
        let evaluation = &*self.parts.evaluation;
        let roles = 0..outcome.goals.len();
        let goals: Vec<f64> = roles.map(|role| evaluation.goal(outcome, role)).collect();
        let finished = Finished {
            path: &path,
            playout: &outcome.moves,
            goals: &goals,
            discount: evaluation.discount(),
            count: outcome.count as f64,
        };
        self.parts.learn(&mut self.tree, simulation, &finished);
        self.learning.note((outcome.moves.len() + path.len()) as u64);
        let mut moves = path;
        moves.extend(&outcome.moves);
        self.keep_credited(moves, goals, outcome.count as f64);
    }

    /// Lets a policy learn that looks at moves in the tree alone.
    fn learn_from_tree(&mut self, simulation: &Simulation) {
        let policy = self.parts.policy.as_mut().filter(|policy| policy.reads_tree());
        let Some(policy) = policy else { return };
        let path = simulation.moves(&self.tree, simulation.depth());
        let discount = self.parts.evaluation.discount();
        let count = simulation.samples as f64;
        // The scores are those seen from the last node: its move is discounted already.
        let goals = simulation.scores.iter().map(|score| score / (count * discount));
        let goals: Vec<f64> = goals.collect();
        let finished = Finished { path: &path, playout: &[], goals: &goals, discount, count };
        policy.learn_from_tree(&finished);
        self.learning.note(path.len() as u64);
    }

    fn count(&mut self, samples: usize) {
        self.counts.simulations += samples as u64;
        if let Some(best_line) = &mut self.parts.best_line {
            best_line.count(samples);
        }
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::Move;

    use super::super::trial::Trial;
    use super::*;
    use crate::search::budget::Budget;
    use crate::search::playout::Simulator;
    use crate::search::policy::Situation;

    /// Three moves, each of them another one.
    const STEPS: &str = "
        (role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal walker (go ?y)) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= terminal (true (at 3)))
        (goal walker 80)";

    fn trial(sheet: &str, more: &str) -> Trial {
        Trial::new(sheet, "mast", &["one_role=off", "discount=0.5", "in_flight=1", more])
    }

    fn moves(trial: &mut Trial, texts: &[&str]) -> Vec<Move> {
        let game = trial.simulator.game();
        texts.iter().map(|text| game.move_of(0, text).expect("a move")).collect()
    }

    fn averages(trial: &Trial, moves: &[Move]) -> Vec<f64> {
        let policy = trial.search.parts.policy.as_ref().expect("a policy");
        let tree = &trial.search.tree;
        policy.values(0, moves, &Situation { state: &tree[tree.root].state, made: &[] })
    }

    #[test]
    fn moves_in_the_tree_and_in_the_playout_are_credited_with_discounted_scores() {
        let mut trial = trial(STEPS, "lanes_per_leaf=auto");
        let steps = moves(&mut trial, &["(go 1)", "(go 2)", "(go 3)"]);
        trial.simulate(&steps, 80, Ending::Terminal);
        assert_eq!(averages(&trial, &steps), [10.0, 20.0, 40.0], "all in the playout");
        trial.simulate(&steps, 0, Ending::Terminal);
        assert_eq!(averages(&trial, &steps), [5.0, 10.0, 20.0], "the first one in the tree");
        trial.simulate(&steps, 80, Ending::Terminal);
        trial.simulate(&steps, 80, Ending::Terminal);
        assert_eq!(averages(&trial, &steps), [7.5, 15.0, 30.0], "two in the tree");
    }

    #[test]
    fn a_budget_of_states_counts_those_in_the_tree_and_in_playouts() {
        let mut trial = trial(STEPS, "lanes_per_leaf=auto");
        // Each simulation makes three moves, wherever the tree ends.
        trial.run(&Budget::states(30));
        let counts = trial.search.counts;
        assert_eq!((counts.simulations, counts.states), (10, 30));
        assert!(counts.playouts > 0 && counts.playouts < 10, "{counts:?}");
    }

    #[test]
    fn samples_of_an_end_are_credited_as_those_of_playouts() {
        let mut trial = trial(STEPS, "lanes_per_leaf=16");
        let steps = moves(&mut trial, &["(go 1)", "(go 2)", "(go 3)"]);
        for _ in 0..3 {
            trial.simulate(&steps, 80, Ending::Terminal);
        }
        // The whole game is in the tree by now.
        trial.run(&Budget::simulations(16));
        assert_eq!(trial.search.counts.simulations, 16);
        assert_eq!(trial.search.counts.playouts, 0);
        assert_eq!(trial.search.counts.states, 16 * 3);
        assert_eq!(trial.search.learning.seen, 16);
        // Three simulations credited their moves, and 16 samples those of three levels.
        let root = &trial.search.tree.moves[0];
        assert_eq!((root.visits, root.total), (19.0, 190.0));
        assert_eq!(trial.search.learning.fresh, 3 * 3 + 16 * 3);
    }
}
