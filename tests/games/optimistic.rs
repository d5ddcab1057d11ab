//! What the sheets of Optimistic Moves say about their position, proven by search.
//!
//! The solver knows the game directly and is fast enough for all sizes; that it plays the game of
//! the sheet is shown by random games, in which both must agree on every legal move and every end.

use std::collections::BTreeSet;

use propnet::circuit::CircuitGame;
use propnet::game::{Game, State};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashMap;

use super::sheet::{Sheet, sheets};

const COLUMNS: u32 = 12;
const ROWS: u32 = 8;

/// Moves of both players that are enough for all that is claimed.
const MOVES: u32 = 14;

/// Cells as bits, row by row from below.
type Cells = u128;

/// Squares as chess players name them, from and to.
type Step = (u32, u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    /// The pawns of who moves.
    own: Cells,
    other: Cells,
    /// Whether who moves goes up.
    up: bool,
}

impl Position {
    fn of(game: &CircuitGame, state: &State) -> Position {
        let (mut white, mut black, mut up) = (0, 0, false);
        for sentence in game.sentences(state).expect("sentences") {
            let words: Vec<&str> = sentence.trim_matches(['(', ')']).split_whitespace().collect();
            let cell = |at: usize| -> u32 { words[at].parse().expect("a number") };
            match words[..] {
                ["cell", _, _, "white"] => white |= 1 << square(cell(1), cell(2)),
                ["cell", _, _, "black"] => black |= 1 << square(cell(1), cell(2)),
                ["control", player] => up = player == "white",
                _ => panic!("{sentence}"),
            }
        }
        let (own, other) = if up { (white, black) } else { (black, white) };
        Position { own, other, up }
    }

    fn after(self, (from, to): Step) -> Position {
        let own = self.own & !(1 << from) | 1 << to;
        Position { own: self.other & !(1 << to), other: own, up: !self.up }
    }

    /// Moves that the pawn which is farthest on needs, if nothing is in its way.
    fn distance(self, own: bool) -> u32 {
        let (pawns, up) = if own { (self.own, self.up) } else { (self.other, !self.up) };
        match (pawns, up) {
            (0, _) => u32::MAX / 4,
            (_, true) => ROWS - 1 - (127 - pawns.leading_zeros()) / COLUMNS,
            (_, false) => pawns.trailing_zeros() / COLUMNS,
        }
    }
}

fn square(column: u32, row: u32) -> u32 {
    (row - 1) * COLUMNS + column - 1
}

/// A square by its name, such as b5.
fn named(name: &str) -> u32 {
    let bytes = name.as_bytes();
    square(u32::from(bytes[0] - b'a') + 1, u32::from(bytes[1] - b'0'))
}

fn step(text: &str) -> Step {
    let (from, to) = text.split_once('-').expect("two squares");
    (named(from), named(to))
}

fn is_wall(column: u32, row: u32) -> bool {
    [3, 10].contains(&column) || column == 1 && row <= 6 || column == 12 && row >= 3
}

fn steps(position: Position) -> Vec<Step> {
    let mut steps = Vec::new();
    for from in (0..COLUMNS * ROWS).filter(|from| position.own >> from & 1 == 1) {
        let (column, row) = (from % COLUMNS + 1, from / COLUMNS + 1);
        let next = if position.up { row + 1 } else { row - 1 };
        if next == 0 || next > ROWS {
            continue;
        }
        for to in column - 1..=column + 1 {
            let free = |cells: Cells| cells >> square(to, next) & 1 == 0;
            let inside = (1..=COLUMNS).contains(&to) && !is_wall(to, next);
            if inside && free(position.own) && (to != column || free(position.other)) {
                steps.push((from, square(to, next)));
            }
        }
    }
    steps
}

/// The winner, if there is one: whether it goes up.
fn winner(position: Position) -> Option<bool> {
    if position.distance(false) == 0 || steps(position).is_empty() {
        return Some(!position.up);
    }
    (position.distance(true) == 0).then_some(position.up)
}

/// Proves that a player can force a win within so many moves of both. What it says is true; a win
/// by leaving the other without a move, far from the far row, it may miss.
#[derive(Default)]
struct Solver {
    /// The most moves that were not enough for who moves, and the fewest that were.
    known: FxHashMap<Position, (u32, u32)>,
}

impl Solver {
    /// Whether who moves wins. Few moves are tried first: what they show is not searched again.
    fn proves_win(&mut self, position: Position) -> bool {
        (1..=MOVES).step_by(2).any(|moves| self.wins(position, moves))
    }

    /// Whether who moves loses.
    fn proves_loss(&mut self, position: Position) -> bool {
        (2..=MOVES).step_by(2).any(|moves| self.loses(position, moves))
    }

    fn wins(&mut self, position: Position, moves: u32) -> bool {
        if winner(position).is_some() || 2 * position.distance(true) > moves + 1 {
            return winner(position) == Some(position.up);
        }
        let (not, enough) = self.known.get(&position).copied().unwrap_or((0, u32::MAX));
        if moves <= not || moves >= enough {
            return moves >= enough;
        }
        let wins = steps(position).iter().any(|&s| self.loses(position.after(s), moves - 1));
        let known = self.known.entry(position).or_insert((0, u32::MAX));
        match wins {
            true => known.1 = known.1.min(moves),
            false => known.0 = known.0.max(moves),
        }
        wins
    }

    /// Whether who moves loses, whatever it does.
    fn loses(&mut self, position: Position, moves: u32) -> bool {
        if winner(position).is_some() || 2 * position.distance(false) > moves {
            return winner(position) == Some(!position.up);
        }
        let mut steps = steps(position);
        steps.sort_by_key(|step| position.other >> step.1 & 1 == 0);
        steps.iter().all(|&step| self.wins(position.after(step), moves - 1))
    }
}

fn positions() -> Vec<(u32, &'static Sheet)> {
    let pawns = |sheet: &'static Sheet| {
        let pawns = sheet.name.strip_prefix("optimistic_moves_")?;
        Some((pawns.parse().expect("a number of pawns"), sheet))
    };
    sheets().iter().filter_map(pawns).collect()
}

fn start(sheet: &Sheet) -> Position {
    let mut game = sheet.game();
    let state = game.initial_state().expect("a state");
    Position::of(&game, &state)
}

#[test]
fn white_wins_along_the_wall_to_the_left() {
    for (pawns, sheet) in positions() {
        let (start, mut solver) = (start(sheet), Solver::default());
        let winning = ["d2-d3", "d2-e3", "e2-d3", "e2-e3", "e2-f3", "f2-e3", "f2-f3"];
        let columns = ["d", "e", "f"];
        let front = |name: &&str| {
            columns.iter().take(pawns.div_ceil(2) as usize).any(|c| name.starts_with(c))
        };
        for name in winning.iter().filter(|name| front(name)) {
            let won = solver.proves_loss(start.after(step(name)));
            assert!(won, "{}: {name} wins", sheet.name);
        }
    }
}

#[test]
fn the_tempting_step_has_one_refutation() {
    for (_, sheet) in positions() {
        let tempted = start(sheet).after(step("b5-b6"));
        let mut solver = Solver::default();
        let refutation = step("a7-b6");
        for reply in steps(tempted) {
            let lost = solver.wins(tempted.after(reply), 3);
            assert_eq!(lost, reply != refutation, "{}: {reply:?}", sheet.name);
        }
        assert!(solver.proves_loss(tempted.after(refutation)), "{}: black wins", sheet.name);
    }
}

#[test]
fn to_block_the_trap_of_black_beforehand_loses() {
    for (_, sheet) in positions() {
        let (start, mut solver) = (start(sheet), Solver::default());
        for name in ["k2-k3", "l2-k3"] {
            let lost = solver.proves_win(start.after(step(name)));
            assert!(lost, "{}: {name} loses", sheet.name);
        }
        // Nor is there a need: black's own tempting step has a refutation.
        let run = start.after(step("d2-d3")).after(step("k4-k3"));
        assert!(solver.proves_loss(run.after(step("l2-k3"))), "{}", sheet.name);
    }
}

/// With few pawns nothing else wins.
#[test]
fn all_other_moves_lose_with_up_to_four_pawns() {
    for (_, sheet) in positions().into_iter().filter(|&(pawns, _)| pawns <= 4) {
        let start = start(sheet);
        let front = BTreeSet::from([named("d2"), named("e2")]);
        let mut solver = Solver::default();
        for other in steps(start).into_iter().filter(|step| !front.contains(&step.0)) {
            assert!(solver.proves_win(start.after(other)), "{}: {other:?}", sheet.name);
        }
    }
}

#[test]
fn the_solver_plays_the_game_of_the_sheet() {
    for (_, sheet) in positions() {
        let mut game = sheet.game();
        let mut rng = Pcg64Mcg::seed_from_u64(5);
        for _ in 0..20 {
            let mut state = game.initial_state().expect("a state");
            loop {
                let position = Position::of(&game, &state);
                let over = game.is_terminal(&state).expect("an answer");
                assert_eq!(over, winner(position).is_some(), "{}", sheet.name);
                if over {
                    let wins = game.goal(&state, 0).expect("a goal") == 100;
                    assert_eq!(Some(wins), winner(position), "{}", sheet.name);
                    break;
                }
                assert_eq!(
                    legal(&mut game, &state, position.up),
                    steps(position).into_iter().collect()
                );
                let joint = game.complete_joint_move(&state, &[], &mut rng).expect("a move");
                state = game.next_state(&state, &joint).expect("a state");
            }
        }
    }
}

/// The legal moves of who is in control, as the sheet has them.
fn legal(game: &mut CircuitGame, state: &State, white: bool) -> BTreeSet<Step> {
    let role = if white { 0 } else { 1 };
    let moves = game.legal_moves(state, role).expect("moves");
    let texts = moves.iter().map(|chosen| game.move_text(role, chosen).expect("a text"));
    let step = |text: String| {
        let text = text.trim_matches(['(', ')']).replace("move ", "");
        let number: Vec<u32> =
            text.split(' ').map(|word| word.parse().expect("a number")).collect();
        (square(number[0], number[1]), square(number[2], number[3]))
    };
    texts.map(step).collect()
}
