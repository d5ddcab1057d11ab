//! Sheets to play, those of the project and small ones that show one thing each.

pub(crate) const TIC_TAC_TOE: &str = include_str!("../../../games/tic_tac_toe.kif");
pub(crate) const CONNECT_FOUR: &str = include_str!("../../../games/connect_four.kif");
pub(crate) const BREAKTHROUGH: &str = include_str!("../../../games/breakthrough.kif");
pub(crate) const ROCK_PAPER_SCISSORS: &str = include_str!("../../../games/rock_paper_scissors.kif");
pub(crate) const EIGHT_PUZZLE: &str = include_str!("../../../games/eight_puzzle.kif");
pub(crate) const THREE_PLAYERS: &str = include_str!("../../../games/three_player_tic_tac_toe.kif");
pub(crate) const HEX_SMALL: &str = include_str!("../../../games/hex_small.kif");

/// Numbers that follow each other.
fn successors(count: usize) -> String {
    (0..count).map(|at| format!("(succ {at} {})\n", at + 1)).collect()
}

/// Six roles that move at once; what each may do depends on what it did last.
pub(crate) fn six_roles() -> String {
    let roles: String = (1..=6).map(|role| format!("(role r{role})\n")).collect();
    roles
        + &successors(5)
        + "(thing a) (thing b) (thing c)
           (init (step 0))
           (<= (legal ?r (take ?x)) (role ?r) (thing ?x) (not (true (has ?r ?x))))
           (<= (legal ?r rest) (role ?r) (true (has ?r a)))
           (<= (next (has ?r ?x)) (does ?r (take ?x)))
           (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
           (<= terminal (true (step 5)))
           (<= terminal (true (has r1 c)) (true (has r2 c)) (true (has r6 c)))
           (<= (goal ?r 100) (role ?r) (true (has ?r a)))
           (<= (goal ?r 40) (role ?r) (true (has ?r b)))
           (<= (goal ?r 0) (role ?r) (not (true (has ?r a))) (not (true (has ?r b))))"
}

/// A game in which passing is a real alternative to moving.
pub(crate) const PASSING: &str = include_str!("passing.kif");

/// One role that may walk into a dead end, where the game is not over but no move is legal. The
/// goals are none, one, several, or no number.
pub(crate) const DEAD_END: &str = "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal r on) (true (at ?n)))
    (<= (legal r off) (true (at ?n)))
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does r on))
    (<= (next lost) (does r off))
    (<= terminal (true (at 3)))
    (<= (goal r 10) (true (at 3)))
    (<= (goal r 10) (true (at 2)))
    (<= (goal r 60) (true (at 2)))
    (<= (goal r 70) (true lost))";

/// A move that becomes legal after the first step. Whether it did is known before a move is chosen,
/// and read again afterwards.
pub(crate) fn opening() -> String {
    successors(12)
        + "(role r) (init (step 0))
           (legal r a) (<= (legal r b) (true begun))
           (next begun)
           (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
           (<= (next won) (does r a))
           (<= terminal (true (step 12)))
           (<= (goal r 100) (true won))
           (<= (goal r 0) (not (true won)))"
}

/// Two roles that move at once and never come to an end.
pub(crate) const ENDLESS: &str = "(role x) (role o) (init (last 1 1))
    (choice 1) (choice 2) (choice 3) (choice 4)
    (<= (legal x (say ?n)) (choice ?n))
    (<= (legal o (say ?n)) (choice ?n))
    (<= (next (last ?m ?n)) (does x (say ?m)) (does o (say ?n)))
    (<= terminal (true never))
    (<= (next never) (true never))
    (goal x 30) (goal o 70)";

/// So many moves, each legal while it is open; what was done is closed.
pub(crate) fn open_moves(count: usize) -> String {
    let opens: String =
        (0..count).map(|at| format!("(number {at}) (init (open {at}))\n")).collect();
    opens
        + "(role r)
           (<= (legal r (close ?n)) (true (open ?n)))
           (<= (next (open ?n)) (true (open ?n)) (not (does r (close ?n))))
           (<= terminal (true never))
           (<= (next never) (true never))
           (goal r 0)"
}
