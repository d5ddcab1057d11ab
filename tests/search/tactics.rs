//! Positions with one right answer, and tic-tac-toe against everything an opponent can do.

use std::collections::HashMap;

use ludens::search::{Budget, Search, SearchGame, Settings};
use propnet::game::{Game, Move, Role, State};

use super::games::{Prepared, answer, on_one_thread, search_after, set};

const GUIDED: [&str; 2] = ["uct", "mast"];

/// Plays one side by search against every reply of the other.
struct Exhaustive<'g> {
    game: &'g SearchGame,
    settings: &'g Settings,
    own: Role,
    simulations: u64,
    /// By state: the answer, which does not depend on how it was reached.
    answers: HashMap<State, Move>,
    lost: u64,
    won: u64,
}

impl Exhaustive<'_> {
    fn explore(&mut self, judge: &mut dyn Game, state: &State) {
        if judge.is_terminal(state).expect("an answer") {
            match judge.goal(state, self.own).expect("a goal") {
                0 => self.lost += 1,
                100 => self.won += 1,
                _ => (),
            }
            return;
        }
        let other = 1 - self.own;
        let own = match judge.legal_moves(state, self.own).expect("moves") {
            moves if moves.len() == 1 => moves.iter().next().expect("a move"),
            _ => self.answer(state),
        };
        for reply in judge.legal_moves(state, other).expect("moves").iter() {
            let mut joint = vec![own; 2];
            joint[other] = reply;
            let next = judge.next_state(state, &joint).expect("legal moves");
            self.explore(judge, &next);
        }
    }

    fn answer(&mut self, state: &State) -> Move {
        if let Some(&known) = self.answers.get(state) {
            return known;
        }
        let seed = self.answers.len() as u64;
        let mut search = Search::at(self.game, self.settings, seed, state).expect("a search");
        let budget = Budget::simulations(self.simulations);
        search.run(&budget).expect("a search");
        let chosen = search.best_move(self.own).expect("a move");
        self.answers.insert(state.clone(), chosen);
        chosen
    }
}

#[test]
fn tic_tac_toe_is_never_lost() {
    never_lost(&on_one_thread("uct"), 10_000);
    // With few at once, fewer simulations are enough.
    never_lost(&on_one_thread("uct:in_flight=4"), 2000);
}

fn never_lost(settings: &Settings, simulations: u64) {
    let prepared = Prepared::named("tic_tac_toe");
    let game = prepared.lanes(settings);
    for own in 0..2 {
        let mut judge = Search::new(&game, settings, 0).expect("a search");
        let judge = judge.game();
        let mut play = Exhaustive {
            game: &game,
            settings,
            own,
            simulations,
            answers: HashMap::new(),
            lost: 0,
            won: 0,
        };
        let start = judge.initial_state().expect("a state");
        play.explore(judge, &start);
        assert_eq!(play.lost, 0, "role {own}, {} positions", play.answers.len());
        assert!(play.won > 0, "mistakes are punished");
    }
}

/// Plays one side by one search, whose graph is kept from move to move, against every reply.
///
/// A search cannot go back, so each game is played anew from the start; the same seed makes the same
/// moves as long as the replies are the same.
#[test]
fn tic_tac_toe_is_never_lost_with_the_graph_kept() {
    let prepared = Prepared::named("tic_tac_toe");
    let settings = on_one_thread("uct:in_flight=4");
    let game = prepared.lanes(&settings);
    for own in 0..2 {
        let (mut replies, mut won) = (Some(Vec::new()), 0);
        while let Some(line) = replies {
            let (goal, choices) = game_against(&game, &settings, own, &line);
            assert_ne!(goal, 0.0, "role {own} against {line:?}");
            won += u32::from(goal == 100.0);
            replies = next_line(line, &choices);
        }
        assert!(won > 0, "mistakes are punished");
    }
}

/// The goal of a side in a game against these replies, by number, and the first ones after them; and
/// how many replies there were to choose from each time.
fn game_against(
    game: &SearchGame,
    settings: &Settings,
    own: Role,
    line: &[usize],
) -> (f64, Vec<usize>) {
    let mut search = Search::new(game, settings, 3).expect("a search");
    let mut choices = Vec::new();
    while !search.is_over() {
        let replies = search.legal_moves(1 - own);
        let mut joint = vec![replies[0]; 2];
        if replies.len() > 1 {
            joint[1 - own] = replies[line.get(choices.len()).copied().unwrap_or(0)];
            choices.push(replies.len());
        } else {
            search.run(&Budget::simulations(2000)).expect("a search");
        }
        joint[own] = search.best_move(own).expect("a move");
        search.advance(&joint).expect("legal moves");
    }
    (search.goals().expect("the game is over")[own], choices)
}

/// The next line of replies in order, if there is one, after one with so many choices each time.
fn next_line(mut line: Vec<usize>, choices: &[usize]) -> Option<Vec<usize>> {
    line.resize(choices.len(), 0);
    while let Some(last) = line.pop() {
        if last + 1 < choices[line.len()] {
            line.push(last + 1);
            return Some(line);
        }
    }
    None
}

#[test]
fn connect_four_wins_and_saves() {
    let prepared = Prepared::named("connect_four");
    let drops = |columns: &[u32]| -> Vec<Vec<String>> {
        let joint = |(at, column): (usize, &u32)| {
            let drop = format!("(drop {column})");
            if at % 2 == 0 { vec![drop, "noop".into()] } else { vec!["noop".into(), drop] }
        };
        columns.iter().enumerate().map(joint).collect()
    };
    let shared = |strategy: &str| set(&format!("{strategy}:threads=2:parallel=tree"));
    let ways = GUIDED.map(|strategy| [on_one_thread(strategy), shared(strategy)]);
    for settings in ways.into_iter().flatten() {
        let strategy = &settings.scheme;
        let game = prepared.lanes(&settings);
        let found = |columns: &[u32]| {
            let line = drops(columns);
            let line: Vec<Vec<&str>> =
                line.iter().map(|joint| joint.iter().map(String::as_str).collect()).collect();
            let line: Vec<&[&str]> = line.iter().map(Vec::as_slice).collect();
            let mut search = search_after(&game, &settings, 5, &line);
            answer(&mut search, columns.len() % 2, 3000)
        };
        // Three in a row with one end open: it is completed, or it is stopped.
        assert_eq!(found(&[2, 1, 3, 1, 4, 1]), "(drop 5)", "{strategy}");
        assert_eq!(found(&[2, 1, 3, 1, 4]), "(drop 5)", "{strategy}");
        // Two in a row with room on both sides become an open three, unless the other is in time.
        let open = ["(drop 2)".to_string(), "(drop 5)".to_string()];
        assert!(open.contains(&found(&[4, 4, 3, 3])), "{strategy}");
        assert!(open.contains(&found(&[4, 4, 3])), "{strategy}");
    }
}

/// The answer in a position of breakthrough, given by its pawns as column and row.
fn breakthrough(
    game: &SearchGame,
    settings: &Settings,
    turn: &str,
    white: &[(u32, u32)],
    black: &[(u32, u32)],
) -> String {
    let cell = |player: &'static str| {
        move |(column, row): &(u32, u32)| format!("(cell {column} {row} {player})")
    };
    let sentences: Vec<String> = white
        .iter()
        .map(cell("white"))
        .chain(black.iter().map(cell("black")))
        .chain([format!("(control {turn})")])
        .collect();
    let mut search = Search::at_sentences(game, settings, 3, &sentences).expect("a search");
    answer(&mut search, usize::from(turn == "black"), 3000)
}

#[test]
fn breakthrough_wins_and_saves() {
    let prepared = Prepared::named("breakthrough");
    for strategy in GUIDED {
        let settings = on_one_thread(strategy);
        let game = prepared.lanes(&settings);
        let found =
            |turn, white: &[_], black: &[_]| breakthrough(&game, &settings, turn, white, black);
        // A race that is won by a move, if the runner goes on at once; straight or to the side.
        let home = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)];
        let runner = [&home[..], &[(5, 6)]].concat();
        let answer = found("white", &runner, &[(1, 8), (2, 8), (8, 3)]);
        assert!(answer.starts_with("(move 5 6 "), "{strategy}: {answer}");
        // The runner is about to arrive, and one pawn can take it.
        let runner = [&home[..], &[(4, 7)]].concat();
        let answer = found("black", &runner, &[(5, 8), (8, 8), (1, 8), (7, 6)]);
        assert_eq!(answer, "(move 5 8 4 7)", "{strategy}");
        // The same for the other side.
        let answer = found("white", &[(1, 1), (5, 1), (8, 2)], &[(2, 2), (7, 8), (6, 7)]);
        assert_eq!(answer, "(move 1 1 2 2)", "{strategy}");
    }
}

#[test]
fn the_reference_reasoner_finds_the_same() {
    let prepared = Prepared::named("tic_tac_toe");
    // x has two in the first column.
    let line: [&[&str]; 4] = [
        &["(mark 1 1)", "noop"],
        &["noop", "(mark 2 2)"],
        &["(mark 1 2)", "noop"],
        &["noop", "(mark 3 3)"],
    ];
    for strategy in GUIDED {
        let settings = on_one_thread(strategy);
        for game in [prepared.lanes(&settings), prepared.reference()] {
            let mut search = search_after(&game, &settings, 2, &line);
            assert_eq!(answer(&mut search, 0, 300), "(mark 1 3)", "{strategy}");
            let mut search = search_after(&game, &settings, 2, &line[..3]);
            assert_eq!(answer(&mut search, 1, 300), "(mark 1 3)", "{strategy}");
        }
    }
}
