//! Connect four, breakthrough and hex on boards of any size: the sheets of `games/` with other facts.

use super::set::Generated;
use super::text::{comment, facts, successors};

/// Connect four.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ConnectFour {
    /// The columns of the board: 4 to 12
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(4..=12))]
    pub(crate) columns: u32,
    /// The rows of the board: 4 to 12
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(4..=12))]
    pub(crate) rows: u32,
}

/// Breakthrough.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Breakthrough {
    /// The columns of the board: 2 to 12
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=12))]
    pub(crate) columns: u32,
    /// The rows of the board, of which each player fills two: 4 to 12
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(4..=12))]
    pub(crate) rows: u32,
}

/// Hex.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Hex {
    /// The length of each side: 2 to 13
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=13))]
    pub(crate) size: u32,
}

impl ConnectFour {
    pub(crate) fn generated(&self) -> Generated {
        let (columns, rows) = (self.columns, self.rows);
        let sheet = SheetText::new(include_str!("../../../games/connect_four.kif"))
            .head(&format!(
                "Connect four on a board that is {columns} cells wide and {rows} high. A disc falls \
                 on the topmost disc of its column. Four discs of one player in a line win."
            ))
            .facts("(column ", &facts("column", 1..=columns))
            .facts("(row ", &facts("row", 1..=rows))
            .facts("(succ ", &successors("succ", 1, columns.max(rows)))
            .replace("(taken ?c 6)", &format!("(taken ?c {rows})"));
        Generated { name: format!("connect_four_{columns}x{rows}"), text: sheet.0 }
    }
}

impl Breakthrough {
    pub(crate) fn generated(&self) -> Generated {
        let (columns, rows) = (self.columns, self.rows);
        let board =
            [facts("column", 1..=columns), facts("row", 1..=rows), successors("right", 1, columns)];
        let sheet = SheetText::new(include_str!("../../../games/breakthrough.kif"))
            .head(&format!(
                "Breakthrough on a board of {columns} columns and {rows} rows. Each player has two rows \
                 of pawns. A pawn moves one cell forward, straight or diagonally, into an empty cell; \
                 diagonally it may also capture. Who brings a pawn to the far row, or captures all \
                 pawns of the other, wins."
            ))
            .replace("white begins and goes up from rows 1 and 2, black goes down from 7 and 8.", "white begins and goes up, black goes down.")
            .facts("(index ", &board.join("\n\n"))
            .facts("(succ ", &successors("above", 1, rows))
            .replace("(succ ?r", "(above ?r")
            .replace("(succ ?c", "(right ?c")
            .replace("(index ?c)", "(column ?c)")
            .replace("(index ?r)", "(row ?r)")
            .replace("(home black 7)", &format!("(home black {})", rows - 1))
            .replace("(home black 8)", &format!("(home black {rows})"))
            .replace("(far_row white 8)", &format!("(far_row white {rows})"));
        Generated { name: format!("breakthrough_{columns}x{rows}"), text: sheet.0 }
    }
}

impl Hex {
    pub(crate) fn generated(&self) -> Generated {
        let size = self.size;
        let sheet = SheetText::new(include_str!("../../../games/hex_small.kif"))
            .head(&format!(
                "Hex on a board of {size} x {size} cells. Two players put stones on a rhombus of hexagons \
                 in turn. white wins with a chain of stones from the first row to the last one, black \
                 with one from the first column to the last one. A cell touches the two beside it in \
                 its row, the two in its column, and the two on the short diagonal: one column on and \
                 one row back, and the other way."
            ))
            .facts("(index ", &facts("index", 1..=size))
            .facts("(succ ", &successors("succ", 1, size))
            .replace("(reaches white ?c 5)", &format!("(reaches white ?c {size})"))
            .replace("(reaches black 5 ?r)", &format!("(reaches black {size} ?r)"));
        Generated { name: format!("hex_{size}x{size}"), text: sheet.0 }
    }
}

/// A sheet that is changed piece by piece.
struct SheetText(String);

impl SheetText {
    fn new(text: &str) -> Self {
        SheetText(text.to_string())
    }

    /// Another description, in place of everything before the list of fluents.
    fn head(self, about: &str) -> Self {
        let fluents = self.0.find(";; State").unwrap_or_default();
        SheetText(format!("{}\n;;\n{}", comment(about), &self.0[fluents..]))
    }

    /// Other facts, in place of the lines that begin like this.
    fn facts(self, prefix: &str, facts: &str) -> Self {
        let mut lines = Vec::new();
        for line in self.0.lines() {
            match line.starts_with(prefix) {
                false => lines.push(line),
                true if lines.last() != Some(&facts) => lines.push(facts),
                true => {}
            }
        }
        SheetText(lines.join("\n") + "\n")
    }

    fn replace(self, from: &str, to: &str) -> Self {
        SheetText(self.0.replace(from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::set::tests::levels;

    /// The rules without comments.
    fn rules(text: &str) -> Vec<&str> {
        text.lines().filter(|line| !line.starts_with(";;")).collect()
    }

    #[test]
    fn the_usual_size_is_the_sheet_in_games() {
        let board = ConnectFour { columns: 7, rows: 6 }.generated();
        let kept = rules(include_str!("../../../games/connect_four.kif"));
        assert_eq!(rules(&board.text), kept);
        let board = Hex { size: 5 }.generated();
        assert_eq!(rules(&board.text), rules(include_str!("../../../games/hex_small.kif")));
    }

    #[test]
    fn boards_of_other_sizes_have_their_own_moves() {
        let first = |sheet: Generated| {
            levels(&sheet, 2).iter().map(|level| level.paths).collect::<Vec<_>>()
        };
        assert_eq!(first(ConnectFour { columns: 5, rows: 4 }.generated()), [5, 25]);
        assert_eq!(first(Hex { size: 3 }.generated()), [9, 72]);
        // Each of n pawns of the front row goes straight or to either side, as far as there is one.
        assert_eq!(first(Breakthrough { columns: 8, rows: 8 }.generated()), [22, 484]);
        assert_eq!(first(Breakthrough { columns: 3, rows: 5 }.generated())[0], 7);
    }

    #[test]
    fn a_narrow_board_ends() {
        let levels = levels(&Breakthrough { columns: 2, rows: 4 }.generated(), 64);
        assert!(levels.len() < 64 && levels.iter().any(|level| level.terminal_paths > 0));
        let goals: i128 = levels.iter().flat_map(|level| level.goal_sums.iter().flatten()).sum();
        let ends: u128 = levels.iter().map(|level| level.terminal_paths).sum();
        assert_eq!(goals as u128, 100 * ends, "there are no draws, and one wins");
    }
}
