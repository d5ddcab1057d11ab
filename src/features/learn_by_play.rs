//! The values of features, learned from playouts that they control.
//!
//! FAST learns from the simulations that it controls itself (section 4.1.4 of Finnsson's thesis), and
//! that matters. In skirmish, a rook that moves at random is lost more often than a pawn that stands
//! still, so that random playouts value pawns most: in 100,000 of them pawns come to 9, knights and
//! bishops to 8, rooks to 7. Where captures are preferred, pawns come to 8, knights and bishops to 11,
//! rooks to 19: an order as in the thesis (5, 10, 10, 13).

use super::episode::{CHUNK, EpisodeError, EpisodePlan, play_episodes};
use super::find::{FeatureCounter, Features};
use super::learn::{LearnOptions, Learner};
use super::mapping::{Mapping, MappingOptions};
use crate::pipeline::LaneProgram;

/// Learns the values of features from playouts, each of which prefers moves by what was learned from
/// those before.
pub fn learn_by_play(
    program: &LaneProgram,
    features: &Features,
    plan: &EpisodePlan,
) -> Result<Learner, EpisodeError> {
    let roles = program.program.names.roles().len();
    let mapping = Mapping::new(features, &MappingOptions::default());
    let mut counter = FeatureCounter::new(features);
    let mut learner =
        Learner::new(features.kind, roles, features.list.len(), LearnOptions::default());
    let end = plan.first.saturating_add(plan.count);
    let mut first = plan.first;
    while first < end {
        let count = CHUNK.min(end - first);
        let values = mapping.values(learner.values());
        let some = EpisodePlan { first, count, ..*plan };
        play_episodes(program, &some, Some(&values), &mut |episode| {
            let counts: Vec<_> = episode.states.iter().map(|state| counter.count(state)).collect();
            learner.learn(&counts, &episode.goals);
        })?;
        first += count;
    }
    Ok(learner)
}
