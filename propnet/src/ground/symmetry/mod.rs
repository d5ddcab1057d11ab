//! Symmetries of a game: permutations of its fluents and moves that map the ground rules to themselves.
//!
//! ```text
//! graph    the rules as a graph: fluents, moves and other atoms, joined by rules
//! refine   colours of what cannot be told apart, refined until nothing changes
//! find     a generating set, by giving single fluents a colour of their own
//! group    the permutations that generators make, and states mapped by them
//! ```
//!
//! Colour refinement (Weisfeiler and Leman 1968) and individualisation, with orbits pruned by what was
//! found, as in nauty (McKay 1981). Colours only propose: each permutation is checked rule by rule.
//! Roles and goal values stay what they are, so a state and its image are worth the same to each role.

mod find;
mod graph;
mod group;
mod refine;

pub use find::{Symmetries, symmetries};
pub use group::{Symmetry, SymmetryGroup};

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::{Game, State};
    use crate::gdl::Source;
    use crate::ground::{GroundGame, GroundRules, Limits, NoWatch, Options, ground};
    use crate::reference::load;

    fn grounded(sheet: &str) -> GroundRules {
        let rules = load(Source::from_text("sheet", sheet)).expect("a sheet");
        ground(&rules, &Options::default(), Limits::default(), &mut NoWatch)
            .expect("ground rules")
            .rules
    }

    /// Values of all roles in every state that can be reached from one, each role choosing what is best
    /// for itself; only one role chooses at a time.
    fn value(
        game: &mut GroundGame,
        state: &State,
        known: &mut HashMap<State, Vec<i32>>,
    ) -> Vec<i32> {
        if let Some(value) = known.get(state) {
            return value.clone();
        }
        let roles = game.roles().len();
        let found = if game.is_terminal(state).expect("an answer") {
            let goals = (0..roles).map(|role| game.proper_goal(state, role).expect("an answer"));
            goals.map(|goal| goal.expect("a goal")).collect()
        } else {
            let legal: Vec<_> =
                (0..roles).map(|role| game.legal_moves(state, role).expect("moves")).collect();
            let chooser = legal.iter().position(|moves| moves.len() > 1).unwrap_or(0);
            let mut best: Option<Vec<i32>> = None;
            for chosen in legal[chooser].iter() {
                let joint: Vec<_> = (0..roles)
                    .map(|role| match role == chooser {
                        true => chosen,
                        false => legal[role].iter().next().expect("a move"),
                    })
                    .collect();
                let next = game.next_state(state, &joint).expect("a state");
                let value = value(game, &next, known);
                if best.as_ref().is_none_or(|best| value[chooser] > best[chooser]) {
                    best = Some(value);
                }
            }
            best.expect("a move")
        };
        known.insert(state.clone(), found.clone());
        found
    }

    /// Two take turns to take one or two of three heaps of two; who takes the last wins.
    const HEAPS: &str = "
        (role a) (role b) (init (control a)) (heap 1) (heap 2) (heap 3)
        (init (left 1 2)) (init (left 2 2)) (init (left 3 2))
        (less 2 1) (less 2 0) (less 1 0)
        (<= (legal ?r (take ?h ?n)) (true (control ?r)) (true (left ?h ?m)) (less ?m ?n))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (next (left ?h ?n)) (does ?r (take ?h ?n)))
        (<= (changed ?h) (does ?r (take ?h ?n)))
        (<= (next (left ?h ?n)) (true (left ?h ?n)) (not (changed ?h)))
        (<= some (true (left ?h ?n)) (distinct ?n 0))
        (<= terminal (not some))
        (<= (goal a 100) (true (control b))) (<= (goal a 0) (true (control a)))
        (<= (goal b 100) (true (control a))) (<= (goal b 0) (true (control b)))";

    #[test]
    fn equal_heaps_can_be_exchanged_and_images_are_worth_the_same() {
        let rules = grounded(HEAPS);
        let found = symmetries(&rules);
        assert_eq!((found.order, found.is_complete), (6, true));
        let group = found.that_keep_the_start(100);
        assert_eq!((group.members.len(), group.is_whole), (6, true));
        let mut game = GroundGame::new(rules);
        let start = game.initial_state().expect("a state");
        let mut known = HashMap::new();
        value(&mut game, &start, &mut known);
        let mut least = std::collections::HashSet::new();
        for (state, value) in &known {
            for member in &group.members {
                // The start is kept, so the image can be reached too.
                assert_eq!(known.get(&member.state(state)), Some(value));
                assert_eq!(member.inverse().state(&member.state(state)), *state);
            }
            let canonical = group.canonical(state).map_or(state.clone(), |(image, _)| image);
            assert!(group.canonical(&canonical).is_none(), "the least image is its own");
            least.insert(canonical);
        }
        // Of three heaps of up to two, by whose turn it is, there are 27 states and 10 up to order; 8 of
        // these 54 and 4 of these 20 are never reached.
        assert_eq!((known.len(), least.len()), (46, 16));
    }

    #[test]
    fn a_different_heap_stays_where_it_is() {
        // Heaps alike in their rules, one of which starts with less: the rules are as symmetric as before.
        let smaller = grounded(&HEAPS.replace("(init (left 3 2))", "(init (left 3 1))"));
        let found = symmetries(&smaller);
        assert_eq!(found.that_keep_the_start(100).members.len(), 2, "{}", found.order);
        // One that may be taken only as a whole is another heap.
        let whole = HEAPS.replace("(less ?m ?n))", "(less ?m ?n) (ok ?h ?n))");
        let whole = format!("{whole} (ok 1 0) (ok 1 1) (ok 2 0) (ok 2 1) (ok 3 0)");
        let found = symmetries(&grounded(&whole));
        assert_eq!((found.order, found.is_complete), (2, true));
        // With three different ones there is no symmetry at all.
        let all = whole.replace("(init (left 2 2))", "(init (left 2 0))");
        assert!(symmetries(&grounded(&all)).that_keep_the_start(100).members.is_empty());
    }

    #[test]
    fn a_group_that_is_too_large_is_made_of_fewer_generators() {
        let lamps: String = (0..7).map(|at| format!("(lamp {at}) (init (off {at}))")).collect();
        let sheet = format!(
            "(role r) {lamps} (<= (legal r (on ?x)) (true (off ?x)))
             (<= (next (off ?x)) (true (off ?x)) (not (does r (on ?x))))
             (<= dark (true (off ?x))) (<= terminal (not dark)) (goal r 100)"
        );
        let found = symmetries(&grounded(&sheet));
        assert_eq!((found.order, found.is_complete), (5040, true));
        let group = found.that_keep_the_start(48);
        assert!(
            !group.is_whole && (2..=48).contains(&group.members.len()),
            "{}",
            group.members.len()
        );
        assert_eq!(found.that_keep_the_start(5040).members.len(), 5040);
    }
}
