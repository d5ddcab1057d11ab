//! The schemes that `auto` chooses among.

use super::super::choice_report::Profile;
use crate::search::scheme::Scheme;

/// A scheme that may be better than the base.
struct Contender {
    /// Its parts.
    parts: &'static str,
    /// Whether it is meant for games in which several roles choose at once, or for the others; none
    /// for both.
    is_simultaneous: Option<bool>,
}

/// All candidates, the most promising first.
const CANDIDATES: &[Contender] = &[
    Contender { parts: "regret_matching+solver", is_simultaneous: Some(true) },
    Contender { parts: "mast+solver", is_simultaneous: None },
    Contender { parts: "rave+mast+solver", is_simultaneous: Some(false) },
    Contender { parts: "nst+solver", is_simultaneous: Some(false) },
    Contender { parts: "ucb_tuned+solver", is_simultaneous: None },
];

/// The candidates for a game, each with the parts that were named beside `auto`. Where these answer
/// a question that a candidate answers too, it is none.
pub(super) fn candidates(profile: &Profile, scheme: &Scheme) -> Vec<Scheme> {
    // Alone there is nobody to play against; there a portfolio of methods searches for a line.
    if profile.roles < 2 {
        return Vec::new();
    }
    let fits = |candidate: &&Contender| {
        candidate.is_simultaneous.is_none_or(|kind| kind == profile.is_simultaneous)
    };
    let fitting = CANDIDATES.iter().filter(fits);
    fitting.filter_map(|candidate| scheme.replacing_auto(candidate.parts)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(roles: usize, is_simultaneous: bool, scheme: &str) -> Vec<String> {
        let profile = Profile {
            roles,
            is_simultaneous,
            constant_sum: None,
            length: 1.0,
            choices: 1.0,
            branching: 2.0,
            walks: 1,
        };
        let scheme = Scheme::named(scheme).expect("a scheme");
        candidates(&profile, &scheme).iter().map(|one| one.name().to_string()).collect()
    }

    #[test]
    fn candidates_fit_the_kind_of_game() {
        let turns = ["mast+solver", "rave+mast+solver", "nst+solver", "ucb_tuned+solver"];
        assert_eq!(names(2, false, "auto"), turns);
        let at_once = ["regret_matching+solver", "mast+solver", "ucb_tuned+solver"];
        assert_eq!(names(3, true, "auto"), at_once);
        assert!(names(1, false, "auto").is_empty());
    }

    #[test]
    fn parts_beside_auto_are_kept_and_those_that_collide_leave_no_candidate() {
        let expected = ["rave+mast+solver", "nst+solver", "ucb_tuned+solver"];
        let beside = |part: &str| expected.map(|name| format!("{name}+{part}"));
        assert_eq!(names(2, false, "auto+urgency")[1..], beside("urgency"));
        assert_eq!(names(2, false, "fast+auto")[1..], beside("fast"));
        assert_eq!(names(2, false, "auto+past"), ["ucb_tuned+solver+past"]);
    }
}
