//! Optimistic Moves: a position of breakthrough with walls, in which the move that looks best loses
//! to one reply.
//!
//! ```text
//! 8  . . # . . . b b b # . #     White runs along the left wall of the midfield and wins. The
//! 7  b b # . . . b b b # . #     step b5-b6 threatens to capture on a7 and win, but a7 captures
//! 6  # . # . . . . . . # . #     first, and then runs down the b file sooner than any white pawn
//! 5  # w # . . . . . . # . #     can cross the board. Black has the same on the right: k4-k3 is
//! 4  # . # . . . . . . # b #     answered by l2. To block that beforehand loses the time that the
//! 3  # . # . . . . . . # . #     run in the midfield needs.
//! 2  # . # w w w . . . # w w
//! 1  # . # w w w . . . # . .     Fewer pawns: only those nearest to the walls.
//!    a b c d e f g h i j k l
//! ```

use super::text::{GOALS, comment, facts, successors};

/// The position, by the number of pawns that each player has in the midfield.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct OptimisticMoves {
    /// The pawns of each player in the midfield: 1, 2, 4 or 6
    #[arg(long, default_value_t = 6, value_parser = pawns)]
    pub(crate) pawns: usize,
}

fn pawns(text: &str) -> Result<usize, String> {
    let pawns = text.parse().ok().filter(|pawns| [1, 2, 4, 6].contains(pawns));
    pawns.ok_or_else(|| "each player has 1, 2, 4 or 6 pawns in the midfield".to_string())
}

/// A cell by column and row, from 1.
type Cell = (u32, u32);

const COLUMNS: u32 = 12;
const ROWS: u32 = 8;

/// The pawns of white in the midfield, in the order in which smaller positions keep them.
const MIDFIELD: [Cell; 6] = [(4, 2), (4, 1), (5, 2), (5, 1), (6, 2), (6, 1)];

/// Its pawns at the sides: the one that is tempted, and those that face the pawn of black.
const SIDES: [Cell; 3] = [(2, 5), (11, 2), (12, 2)];

/// The cell that mirrors a cell for black.
fn turned((column, row): Cell) -> Cell {
    (COLUMNS + 1 - column, ROWS + 1 - row)
}

/// The walls at the left of white: the lower part of the a file, and the c file.
fn is_left_wall((column, row): Cell) -> bool {
    column == 3 || column == 1 && row <= 6
}

fn is_wall(cell: Cell) -> bool {
    is_left_wall(cell) || is_left_wall(turned(cell))
}

fn cells() -> impl Iterator<Item = Cell> {
    (1..=ROWS).flat_map(|row| (1..=COLUMNS).map(move |column| (column, row)))
}

impl OptimisticMoves {
    pub(crate) fn name(&self) -> String {
        format!("optimistic_moves_{}", self.pawns)
    }

    /// The pawns of white.
    fn white(&self) -> Vec<Cell> {
        let mut pawns = [&SIDES, &MIDFIELD[..self.pawns]].concat();
        pawns.sort_unstable();
        pawns
    }

    fn picture(&self) -> String {
        let white = self.white();
        let mark = |cell: Cell| match cell {
            _ if is_wall(cell) => "#",
            _ if white.contains(&cell) => "w",
            _ if white.contains(&turned(cell)) => "b",
            _ => ".",
        };
        let row = |row: u32| {
            let marks: Vec<&str> = (1..=COLUMNS).map(|column| mark((column, row))).collect();
            format!(";;      {row}  {}\n", marks.join("  "))
        };
        let rows: String = (1..=ROWS).rev().map(row).collect();
        format!("{rows};;         1  2  3  4  5  6  7  8  9 10 11 12\n")
    }

    /// The sheet.
    pub(crate) fn sheet(&self) -> String {
        let pawn = |player: &str, (column, row): Cell| format!("(cell {column} {row} {player})");
        let white = self.white();
        let start: Vec<String> = white
            .iter()
            .map(|&cell| pawn("white", cell))
            .chain(white.iter().rev().map(|&cell| pawn("black", turned(cell))))
            .collect();
        let walls =
            cells().filter(|&cell| is_wall(cell)).map(|(column, row)| format!("{column} {row}"));
        format!(
            "{head}{PLAYERS}{columns}\n\n{rows}\n\n{beside}\n\n{above}\n\n\
             ;; Walls\n\n{walls}\n{BOARD}{start}\n{RULES}{GOALS}",
            head = self.head(),
            columns = facts("column", 1..=COLUMNS),
            rows = facts("row", 1..=ROWS),
            beside = successors("right", 1, COLUMNS),
            above = successors("above", 1, ROWS),
            walls = facts("wall", walls),
            start = facts("init", start),
        )
    }

    fn head(&self) -> String {
        let rules = comment(
            "Breakthrough on a board of 12 x 8 cells with walls (#), from a position in which the \
             most tempting move loses. A pawn moves one cell forward, straight or diagonally, into \
             an empty cell; diagonally it may also capture. Who brings a pawn to the far row wins; \
             who cannot move loses.",
        );
        let trap = comment(
            "White wins with a pawn of the front row in the midfield along the wall to its left. \
             Its pawn at the left looks better: one step on it threatens to capture the pawn beside \
             and then to win. But that pawn captures first, and then runs down the column sooner \
             than any white pawn is across. Black has the same trap at the right; to block it \
             beforehand takes the time that white needs.",
        );
        let count = match self.pawns {
            1 => "one pawn".to_string(),
            pawns => format!("{pawns} pawns"),
        };
        format!(
            ";; Optimistic Moves, {count} of each player in the midfield\n;;\n{rules}\n;;\n{picture};;\n\
             {trap}\n;;\n\
             ;; State   (cell ?c ?r ?p)  a pawn of ?p stands in column ?c, row ?r; an empty\n\
             ;;                          cell has no fluent\n\
             ;;         (control ?p)     it is the turn of ?p\n\
             ;; Moves   (move ?c ?r ?c2 ?r2)  from column ?c, row ?r to column ?c2, row ?r2,\n\
             ;;                          for the player in control, noop for the other\n\
             ;; white begins and goes up, black goes down.\n;;\n\
             ;; Written by `ludens-tools generate optimistic-moves`.\n",
            picture = self.picture(),
        )
    }
}

const PLAYERS: &str = "
;; Players and board

(role white)
(role black)

(turn white black)
(turn black white)

(far_row white 8)
(far_row black 1)

";

const BOARD: &str = "
(<= (floor ?c ?r)
    (column ?c)
    (row ?r)
    (not (wall ?c ?r)))

;; Ways on the floor: a row forward, straight or a column to either side

(<= (forward white ?r ?r2)
    (above ?r ?r2))
(<= (forward black ?r ?r2)
    (above ?r2 ?r))

(<= (beside ?c ?c2)
    (right ?c ?c2))
(<= (beside ?c ?c2)
    (right ?c2 ?c))

(<= (straight ?p ?c ?r ?r2)
    (forward ?p ?r ?r2)
    (floor ?c ?r)
    (floor ?c ?r2))
(<= (diagonal ?p ?c ?r ?c2 ?r2)
    (forward ?p ?r ?r2)
    (beside ?c ?c2)
    (floor ?c ?r)
    (floor ?c2 ?r2))

;; All fluents and moves

(<= (base (cell ?c ?r ?p))
    (floor ?c ?r)
    (role ?p))
(<= (base (control ?p))
    (role ?p))

(<= (input ?p (move ?c ?r ?c ?r2))
    (straight ?p ?c ?r ?r2))
(<= (input ?p (move ?c ?r ?c2 ?r2))
    (diagonal ?p ?c ?r ?c2 ?r2))
(<= (input ?p noop)
    (role ?p))

;; Start

";

const RULES: &str = "(init (control white))

;; Legal moves: straight into an empty cell, diagonally into any cell without
;; an own pawn

(<= (taken ?c ?r)
    (true (cell ?c ?r ?p)))

(<= (can ?p ?c ?r ?c ?r2)
    (true (cell ?c ?r ?p))
    (straight ?p ?c ?r ?r2)
    (not (taken ?c ?r2)))
(<= (can ?p ?c ?r ?c2 ?r2)
    (true (cell ?c ?r ?p))
    (diagonal ?p ?c ?r ?c2 ?r2)
    (not (true (cell ?c2 ?r2 ?p))))

(<= (legal ?p (move ?c ?r ?c2 ?r2))
    (true (control ?p))
    (can ?p ?c ?r ?c2 ?r2))
(<= (legal ?p noop)
    (role ?p)
    (not (true (control ?p))))

;; Next state: the pawn arrives; cells that the move does not touch stay

(<= (touched ?c ?r)
    (does ?p (move ?c ?r ?c2 ?r2)))
(<= (touched ?c2 ?r2)
    (does ?p (move ?c ?r ?c2 ?r2)))

(<= (next (cell ?c2 ?r2 ?p))
    (does ?p (move ?c ?r ?c2 ?r2)))
(<= (next (cell ?c ?r ?p))
    (true (cell ?c ?r ?p))
    (not (touched ?c ?r)))

(<= (next (control ?q))
    (true (control ?p))
    (turn ?p ?q))

;; End: a pawn on the far row, or a player who cannot move

(<= (can_move ?p)
    (can ?p ?c ?r ?c2 ?r2))

(<= (wins ?p)
    (far_row ?p ?r)
    (true (cell ?c ?r ?p)))
(<= (wins ?p)
    (turn ?p ?q)
    (true (control ?q))
    (not (can_move ?q)))

(<= decided
    (wins ?p))

(<= terminal
    decided)

;; Goals: 50 while nobody has won, which is never the value at the end

";
