//! The sizes of generated games that are kept in `games/`.

use anyhow::Result;

use super::{Course, Goofspiel, OptimisticMoves, Penalty, Progression};

/// A sheet and the name of its file without the extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generated {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The sheets that are kept.
pub(crate) fn kept() -> Result<Vec<Generated>> {
    let mut sheets = Vec::new();
    for (cards, win, no_history) in [
        (4, false, false),
        (4, false, true),
        (5, true, false),
        (6, true, false),
        (9, true, false),
        (13, false, true),
    ] {
        let (prizes, lead) = (Vec::new(), false);
        sheets.push(Goofspiel { cards, prizes, win, no_history, lead }.generated()?);
    }
    for penalty in [Penalty::Plain, Penalty::Distance, Penalty::Growing] {
        for (lanes, length) in [(4, 5), (10, 10)] {
            sheets.push(Course { lanes, length }.generated(penalty));
        }
    }
    for (active, depth_factor) in [(1, 2), (6, 4), (10, 16)] {
        let race = Progression { active, depth_factor, runners: 10, length: 10 };
        sheets.push(race.generated()?);
    }
    sheets.extend([1, 2, 4, 6].map(|pawns| OptimisticMoves { pawns }.generated()));
    Ok(sheets)
}

impl Goofspiel {
    pub(crate) fn generated(&self) -> Result<Generated> {
        Ok(Generated { name: self.name(), text: self.sheet()? })
    }
}

impl Course {
    pub(crate) fn generated(&self, penalty: Penalty) -> Generated {
        Generated { name: self.name(penalty), text: self.sheet(penalty) }
    }
}

impl Progression {
    pub(crate) fn generated(&self) -> Result<Generated> {
        Ok(Generated { name: self.name(), text: self.sheet()? })
    }
}

impl OptimisticMoves {
    pub(crate) fn generated(&self) -> Generated {
        Generated { name: self.name(), text: self.sheet() }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::Path;

    use ludens::perft::{Counter, Level, Perft};
    use ludens::pipeline::{Engine, PipelineOptions};
    use propnet::gdl::Source;
    use propnet::reference;

    use super::*;

    /// Deeper than any of these games.
    const ALL: usize = 1000;

    /// What is counted at each depth, from 1 to this one at most.
    pub(in super::super) fn levels(sheet: &Generated, depth: usize) -> Vec<Level> {
        let (_, findings) = reference::examine(Source::from_text("sheet", &sheet.text));
        assert!(findings.is_empty(), "{}: {findings:?}", sheet.name);
        let rules = reference::load(Source::from_text("sheet", &sheet.text)).expect("it is played");
        let options = PipelineOptions { passes: Vec::new(), ..PipelineOptions::default() };
        let mut game = Engine::Circuit.start(&rules, &options).expect("it is grounded");
        let start = game.initial_state().expect("a state");
        let (mut perft, _) = Perft::new(&mut *game, start, 0).expect("a level");
        std::iter::from_fn(|| perft.next_level().expect("a level")).take(depth).collect()
    }

    fn goofspiel(cards: u32, prizes: &[u32], win: bool, no_history: bool) -> Generated {
        let game = Goofspiel { cards, prizes: prizes.to_vec(), win, no_history, lead: false };
        game.generated().expect("good parameters")
    }

    #[test]
    fn the_sheets_in_games_are_what_the_generators_write() {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
        for sheet in kept().expect("good parameters") {
            let file = games.join(format!("{}.kif", sheet.name));
            let text = fs::read_to_string(&file).unwrap_or_default();
            assert!(
                text == sheet.text,
                "{}: run `ludens-tools generate all --into games`",
                sheet.name
            );
        }
    }

    #[test]
    fn bids_with_the_history_never_meet_in_a_state() {
        for (win, prizes) in [(false, vec![]), (true, vec![2, 4, 1, 3])] {
            let levels = levels(&goofspiel(4, &prizes, win, false), ALL);
            let paths: Vec<u128> = levels.iter().map(|level| level.paths).collect();
            assert_eq!(paths, [16, 144, 576, 576]);
            assert!(levels.iter().all(|level| u128::from(level.states) == level.paths));
            let goals: i128 = levels[3].goal_sums.iter().flatten().sum();
            assert_eq!(goals, 100 * 576, "the goals of both add up to 100");
        }
    }

    #[test]
    fn bids_without_the_history_meet() {
        for cards in [2, 3, 4] {
            let levels = levels(&goofspiel(cards, &[], false, true), ALL);
            let last = levels.last().expect("a level");
            assert!(u128::from(last.states) < last.paths, "{last:?}");
            assert_eq!(last.terminal_paths, last.paths);
        }
    }

    #[test]
    fn prizes_must_be_an_order_of_the_cards() {
        let game = Goofspiel {
            cards: 3,
            prizes: vec![1, 2, 2],
            win: false,
            no_history: false,
            lead: false,
        };
        let error = game.generated().expect_err("2 comes twice");
        assert!(error.to_string().contains("1 to 3"), "{error}");
    }

    #[test]
    fn on_a_course_every_way_is_a_state_and_the_safe_lane_is_best() {
        for penalty in [Penalty::Plain, Penalty::Distance, Penalty::Growing] {
            let levels = levels(&Course { lanes: 3, length: 3 }.generated(penalty), ALL);
            let paths: Vec<u128> = levels.iter().map(|level| level.paths).collect();
            assert_eq!(paths, [3, 9, 27, 81]);
            assert!(levels.iter().all(|level| u128::from(level.states) == level.paths));
            assert_eq!(levels[3].terminal_paths, 81);
            assert_eq!(levels[3].goal_sums, [Some(4050), Some(4050)], "both have the same course");
        }
    }

    #[test]
    fn a_race_ends_at_the_goal_or_at_the_limit() {
        let race =
            |active, depth_factor| Progression { active, depth_factor, runners: 2, length: 3 };
        // One of two moves; white needs two steps of its own, and is the first to take them.
        let ends: Vec<u128> = levels(&race(1, 2).generated().expect("a race"), ALL)
            .iter()
            .map(|level| level.terminal_paths)
            .collect();
        assert_eq!(ends.len(), 8, "twice the four moves that black needs");
        assert_eq!(ends[..3], [0, 0, 2], "white runs, black does either, white runs");
        let all = levels(&race(2, 1).generated().expect("a race"), ALL);
        assert_eq!(all.len(), 4);
        assert!(race(3, 1).generated().is_err());
    }
}
