//! A larger game, made up.

use std::fmt::Write;

use propnet::ground::GroundRules;

use super::text::ground;

/// A board of `side` times `side` cells: pieces of two roles slide up to `reach` cells in a row
/// or column if the way is free, steps are counted, and the game ends when white connects two
/// edges. Wide, deep and circular rules as in real sheets.
pub(crate) fn board(side: isize, reach: isize) -> GroundRules {
    let mut text = String::from(
        "(role w) (role b) (init (step 0)) (init (turn w)) grounded
         (<= (next (turn w)) (true (turn b))) (<= (next (turn b)) (true (turn w)))
         (<= (goal w 100) (true (turn b))) (<= (goal b 100) (true (turn w)))
         (<= terminal (true (step 99)))",
    );
    for step in 0..99 {
        let _ = write!(text, "(<= (next (step {})) (true (step {step})))", step + 1);
    }
    let near = |x: isize, y: isize, distance: isize| {
        [(0, 1), (1, 0), (0, -1), (-1, 0)]
            .map(|(dx, dy)| (x + dx * distance, y + dy * distance, (dx, dy)))
            .into_iter()
            .filter(|(x, y, _)| (0..side).contains(x) && (0..side).contains(y))
    };
    for (x, y) in (0..side * side).map(|cell| (cell / side, cell % side)) {
        let owner = ["w", "e", "b"][((x > 1) as isize + (x >= side - 2) as isize) as usize];
        let _ = write!(
            text,
            "(init (cell {x} {y} {owner})) (<= (free {x} {y}) (true (cell {x} {y} e)))
             (<= (next (cell {x} {y} e)) (left {x} {y}))
             (<= (next (cell {x} {y} e)) (true (cell {x} {y} e)) (not (reached {x} {y})))"
        );
        for r in ["w", "b"] {
            let _ = write!(
                text,
                "(<= (next (cell {x} {y} {r})) (true (cell {x} {y} {r})) (not (left {x} {y})))"
            );
        }
        for (u, v, (dx, dy)) in (1..=reach).flat_map(|distance| near(x, y, distance)) {
            let (p, q) = (u - dx, v - dy);
            let way =
                if (p, q) == (x, y) { "grounded".into() } else { format!("(way {x} {y} {p} {q})") };
            let _ = write!(text, "(<= (way {x} {y} {u} {v}) (free {u} {v}) grounded {way})");
            for r in ["w", "b"] {
                let _ = write!(
                    text,
                    "(<= (legal {r} (go {x} {y} {u} {v}))
                         (true (cell {x} {y} {r})) (true (turn {r})) (way {x} {y} {u} {v}))
                     (<= (left {x} {y}) (does {r} (go {x} {y} {u} {v})))
                     (<= (reached {u} {v}) (does {r} (go {x} {y} {u} {v})))
                     (<= (next (cell {u} {v} {r})) (does {r} (go {x} {y} {u} {v})))"
                );
            }
        }
        for (u, v, _) in near(x, y, 1) {
            let _ = write!(text, "(<= (linked {x} {y}) (true (cell {x} {y} w)) (linked {u} {v}))");
        }
        if y == 0 {
            let _ = write!(text, "(<= (linked {x} 0) (true (cell {x} 0 w)))");
        }
        if y == side - 1 {
            let _ = write!(text, "(<= terminal (linked {x} {y}))");
        }
    }
    for r in ["w", "b"] {
        let _ = write!(text, "(<= (legal {r} noop) (not (true (turn {r}))))");
    }
    ground(&text)
}
