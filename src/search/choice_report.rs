//! Which scheme plays, and by what evidence: what `auto` tells about its choice.

use std::fmt;

use serde::Serialize;

use super::scheme::Scheme;

/// How a scheme was chosen for a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChoiceReport {
    /// The scheme that plays.
    pub scheme: Scheme,
    /// The scheme that plays unless another one is better beyond noise.
    pub base: Scheme,
    /// What random walks say about the game.
    pub profile: Profile,
    /// Contests of other schemes against the base.
    pub evidence: Vec<Evidence>,
    /// The games of these contests, unfinished ones aside, and what they took.
    pub games: u64,
    /// Simulations in them.
    pub simulations: u64,
    /// Seconds that all of this took.
    pub seconds: f64,
    /// Why there were no contests, or why they have not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// What random walks say about a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// How many roles it has.
    pub roles: usize,
    /// Whether several roles had a choice in the same state.
    pub is_simultaneous: bool,
    /// The sum of all goals, if it was the same at all ends.
    pub constant_sum: Option<f64>,
    /// The mean number of joint moves to the end.
    pub length: f64,
    /// The mean number of choices on the way, of all roles together.
    pub choices: f64,
    /// The mean number of moves in a choice.
    pub branching: f64,
    /// The walks.
    pub walks: u64,
}

/// A contest of a scheme against the base.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// The scheme.
    pub scheme: Scheme,
    /// Simulations for each of its moves, and for those of the base.
    pub simulations: [u64; 2],
    /// Games.
    pub games: usize,
    /// Its points in percent.
    pub percent: f64,
    /// The 95 % interval of that mean.
    pub interval: [f64; 2],
}

impl fmt::Display for ChoiceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "auto plays {} ({}", self.scheme, self.profile)?;
        for evidence in &self.evidence {
            write!(f, "; {evidence}")?;
        }
        if let Some(notice) = &self.notice {
            write!(f, "; {notice}")?;
        }
        write!(f, "; {} games in {:.2} s)", self.games, self.seconds)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match (self.roles, self.is_simultaneous) {
            (1, _) => "one role".to_string(),
            (roles, true) => format!("{roles} roles, simultaneous moves"),
            (roles, false) => format!("{roles} roles in turn"),
        };
        let sum = match self.constant_sum {
            Some(sum) if self.roles > 1 => format!(", goals add up to {sum}"),
            _ => String::new(),
        };
        write!(
            f,
            "{kind}{sum}, about {:.0} steps, {:.1} moves in a choice",
            self.length, self.branching
        )
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evidence { scheme, simulations: [own, base], games, percent, interval } = self;
        let [low, high] = interval;
        write!(
            f,
            "{scheme} {percent:.0} % ({low:.0} to {high:.0}) of {games} games with {own} against \
             {base} simulations"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_told_with_its_evidence() {
        let scheme = |name| Scheme::named(name).expect("a scheme");
        let report = ChoiceReport {
            scheme: scheme("uct+solver"),
            base: scheme("uct+solver"),
            profile: Profile {
                roles: 2,
                is_simultaneous: false,
                constant_sum: Some(100.0),
                length: 7.6,
                choices: 7.6,
                branching: 5.25,
                walks: 16,
            },
            evidence: vec![Evidence {
                scheme: scheme("uct+mast+solver"),
                simulations: [80, 100],
                games: 24,
                percent: 45.8,
                interval: [28.0, 65.2],
            }],
            games: 24,
            simulations: 1000,
            seconds: 0.125,
            notice: None,
        };
        assert_eq!(
            report.to_string(),
            "auto plays uct+solver (2 roles in turn, goals add up to 100, about 8 steps, 5.2 moves in \
             a choice; uct+mast+solver 46 % (28 to 65) of 24 games with 80 against 100 simulations; \
             24 games in 0.12 s)"
        );
        let json = serde_json::to_value(&report).expect("JSON");
        assert_eq!(json["evidence"][0]["scheme"], "uct+mast+solver");
        assert_eq!(json["profile"]["constant_sum"], 100.0);
    }
}
