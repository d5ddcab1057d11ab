//! Positions with a forced win in 3 or 5 plies are solved with few simulations.
//!
//! `forced_wins.txt` has a line for each position: the game, the plies to the forced win, and the moves
//! that lead there, one for each ply. [`find_forced_wins`] made it: in games that were played at random
//! from consecutive seeds, positions so many plies before the end, of which an exhaustive search found
//! that the role whose turn it is wins in that many plies, and not in fewer.

use std::collections::HashMap;
use std::fmt::Write;

use ludens::search::{Budget, RunEnd, Search};
use propnet::game::{Game, JointMove, Move, Role, State};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::games::{Prepared, on_one_thread};

const FORCED_WINS: &str = include_str!("forced_wins.txt");

/// The games, and how many positions there are of each of [`PLIES`].
const GAMES: [(&str, [usize; 3]); 2] =
    [("connect_four", [12, 12, 0]), ("breakthrough", [12, 12, 0])];

const PLIES: [usize; 3] = [3, 5, 7];

/// The joint move in which the role whose turn it is makes the move with this text; with the role.
fn joint_move(game: &mut dyn Game, state: &State, text: &str) -> (Role, Vec<Move>) {
    let legal = |game: &mut dyn Game, role| game.legal_moves(state, role).expect("moves");
    let texts = |role: Role, game: &mut dyn Game| -> Vec<(Move, bool)> {
        let moves = legal(game, role);
        moves.iter().map(|it| (it, game.move_text(role, it).expect("a text") == text)).collect()
    };
    let mut turn = 0;
    let joint = (0..2).map(|role| {
        let all = texts(role, game);
        let named = all.iter().find(|(_, is_it)| *is_it);
        turn = if named.is_some() { role } else { turn };
        named.unwrap_or(&all[0]).0
    });
    let joint = joint.collect();
    (turn, joint)
}

#[test]
fn forced_wins_are_solved_within_ten_thousand_simulations() {
    for (name, expected) in GAMES {
        let settings = on_one_thread("uct+solver");
        let game = Prepared::named(name).lanes(&settings);
        let lines = FORCED_WINS.lines().filter_map(|line| line.split_once(": "));
        let own = lines.filter_map(|(head, moves)| {
            let (game, plies) = head.split_once(' ')?;
            (game == name).then_some((plies, moves))
        });
        let mut counts = HashMap::new();
        for (plies, moves) in own {
            let mut search = Search::new(&game, &settings, 1).expect("a search");
            for text in moves.split(", ") {
                let state = search.state().clone();
                let (_, joint) = joint_move(search.game(), &state, text);
                search.advance(&joint).expect("a legal move");
            }
            let turn = (0..2).find(|&role| search.legal_moves(role).len() > 1).unwrap_or(0);
            let report = search.run(&Budget::simulations(10_000)).expect("a report");
            let about = format!("{name}, {plies} plies, {moves}\n{report}");
            assert_eq!(report.end, RunEnd::Solved, "{about}");
            let bounds = &report.solver.as_ref().expect("a solver").bounds;
            assert_eq!(bounds[turn], [100.0; 2], "{about}");
            *counts.entry(plies).or_insert(0) += 1;
        }
        let counts = PLIES.map(|plies| counts.get(&*plies.to_string()).copied().unwrap_or(0));
        assert_eq!(counts, expected, "{name}");
    }
}

/// An exhaustive search for forced wins of one role.
struct Finder<'g> {
    game: &'g mut dyn Game,
    role: Role,
    /// By state and plies: whether the role wins.
    known: HashMap<(State, usize), bool>,
    /// By plies: the moves that settled a state last, of the role and of the other one. They are looked
    /// at first elsewhere.
    settling: HashMap<(usize, bool), JointMove>,
    /// The states that may still be looked at.
    left: usize,
}

impl Finder<'_> {
    /// All joint moves, those that settled a state before first, and the states after them.
    fn children(&mut self, state: &State, first: (usize, bool)) -> Vec<(JointMove, State)> {
        let moves = |role| self.game.legal_moves(state, role).expect("moves");
        let [own, others] = [0, 1].map(moves);
        let mut joints: Vec<JointMove> =
            own.iter().flat_map(|one| others.iter().map(move |other| vec![one, other])).collect();
        if let Some(at) = joints.iter().position(|joint| self.settling.get(&first) == Some(joint)) {
            joints.swap(0, at);
        }
        self.left = self.left.saturating_sub(joints.len());
        let states = self.game.next_states(state, &joints).expect("states");
        joints.into_iter().zip(states).collect()
    }

    /// Where the game is over: whether the role has won.
    fn won(&mut self, state: &State) -> Option<bool> {
        let is_over = self.game.is_terminal(state).expect("an answer");
        is_over.then(|| self.game.goal(state, self.role).expect("a goal") == 100)
    }

    /// Whether the role, whose turn it is, wins within so many plies; none if it takes too long to say.
    fn wins(&mut self, state: &State, plies: usize) -> Option<bool> {
        let key = (state.clone(), plies);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let mut open = Vec::new();
        for (joint, child) in self.children(state, (plies, true)) {
            match self.won(&child) {
                Some(true) => {
                    self.known.insert(key, true);
                    return Some(true);
                }
                Some(false) => {}
                None => open.push((joint, child)),
            }
        }
        let mut wins = false;
        for (joint, child) in open.into_iter().filter(|_| plies > 1) {
            if self.left == 0 {
                return None;
            }
            wins = !self.is_refuted(&child, plies - 1)?;
            if wins {
                self.settling.insert((plies, true), joint);
                break;
            }
        }
        self.known.insert(key, wins);
        Some(wins)
    }

    /// Whether the other role, whose turn it is, can avoid to lose within so many plies.
    fn is_refuted(&mut self, state: &State, plies: usize) -> Option<bool> {
        let mut open = Vec::new();
        for (joint, reply) in self.children(state, (plies, false)) {
            match self.won(&reply) {
                Some(false) => return Some(true),
                Some(true) => {}
                None => open.push((joint, reply)),
            }
        }
        for (joint, reply) in open {
            if !self.wins(&reply, plies - 1)? {
                self.settling.insert((plies, false), joint);
                return Some(true);
            }
        }
        Some(false)
    }
}

/// A position that takes more states is left out.
const MOST_STATES: usize = 100_000;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search/forced_wins.txt");

/// Writes `forced_wins.txt`.
#[test]
#[ignore = "makes the positions that another test uses"]
fn find_forced_wins() {
    let mut found = String::new();
    for (name, wanted) in GAMES {
        let settings = on_one_thread("uct");
        let game = Prepared::named(name).lanes(&settings);
        let mut search = Search::new(&game, &settings, 1).expect("a search");
        let game = search.game();
        let mut counts = [0; PLIES.len()];
        for seed in 0.. {
            if counts == wanted {
                break;
            }
            let (states, moves, winner) = random_game(game, seed);
            let Some(role) = winner else { continue };
            for ((count, plies), wanted) in counts.iter_mut().zip(PLIES).zip(wanted) {
                let Some(at) = states.len().checked_sub(plies + 1).filter(|_| *count < wanted)
                else {
                    continue;
                };
                let (known, settling) = (HashMap::new(), HashMap::new());
                let mut finder =
                    Finder { game: &mut *game, role, known, settling, left: MOST_STATES };
                let sooner = finder.wins(&states[at], plies - 2);
                if sooner == Some(false) && finder.wins(&states[at], plies) == Some(true) {
                    *count += 1;
                    writeln!(found, "{name} {plies}: {}", moves[..at].join(", ")).expect("a line");
                    std::fs::write(FILE, &found).expect("a file");
                }
            }
        }
    }
}

/// The states of a random game, the moves that were made, and who won.
fn random_game(game: &mut dyn Game, seed: u64) -> (Vec<State>, Vec<String>, Option<Role>) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut states = vec![game.initial_state().expect("a state")];
    let mut moves = Vec::new();
    loop {
        let state = states[states.len() - 1].clone();
        if game.is_terminal(&state).expect("an answer") {
            let winner = (0..2).find(|&role| game.goal(&state, role).expect("a goal") == 100);
            return (states, moves, winner);
        }
        let joint = game.complete_joint_move(&state, &[], &mut rng).expect("moves");
        let turn =
            (0..2).find(|&role| game.move_text(role, joint[role]).expect("a text") != "noop");
        moves.push(
            turn.map_or("noop".to_string(), |role| {
                game.move_text(role, joint[role]).expect("a text")
            }),
        );
        states.push(game.next_state(&state, &joint).expect("a state"));
    }
}
