//! The record of a match against an engine.

use propnet::gdl::Source;
use propnet::reference;

use super::case::{CaseResult, VerifySettings};
use super::replay::replay_playout;
use crate::pipeline::Stages;
use crate::record::MatchRecord;
use crate::start::StartError;
use crate::trace::{RecordedPlayout, RecordedStep};

/// Verifies a record by the rules of a sheet: the moves are legal, the states are those that
/// follow, the game is over where the record says so, and the goals agree. `name` stands for the
/// record in error messages; the content is a hash of both.
pub fn verify_record(
    name: &str,
    record: &MatchRecord,
    sheet: Source,
    content: String,
    settings: &VerifySettings,
) -> CaseResult {
    let mut result = CaseResult::new(name, settings, content);
    let playout = match claims(name, record) {
        Ok(playout) => playout,
        Err(error) => {
            result.message = Some(error.to_string());
            return result;
        }
    };
    let rules = match reference::load(sheet) {
        Ok(rules) => rules,
        Err(error) => {
            result.message = Some(format!("the sheet cannot be played:\n{error}"));
            return result;
        }
    };
    let roles: Vec<String> = record.roles.iter().map(|role| role.to_lowercase()).collect();
    let roles = (!roles.is_empty()).then_some(roles.as_slice());
    match Stages::new(rules).start(settings.engine, &settings.options) {
        Ok(mut game) => {
            result.judge(replay_playout(&mut *game, roles, &playout, settings.steps));
        }
        Err(error) => result.limit(error),
    }
    result
}

/// What a record claims. A match that starts in the middle of a game has a sheet that starts there,
/// so the first state is compared like all others.
fn claims(name: &str, record: &MatchRecord) -> Result<RecordedPlayout, StartError> {
    let state = |step: usize| -> Result<Option<Vec<String>>, StartError> {
        let sentences = record.state(name, step)?;
        Ok(sentences.map(|list| list.iter().map(|given| given.text.to_lowercase()).collect()))
    };
    let most = record.moves.len() + 1;
    if record.states.len() > most {
        let place = name.to_string();
        let message = format!("{} states, but joint moves for only {most}", record.states.len());
        return Err(StartError::Input { place, message });
    }
    let steps = record.moves.iter().enumerate().map(|(at, moves)| {
        Ok(RecordedStep { state: state(at)?, moves: moves.clone(), ..RecordedStep::default() })
    });
    Ok(RecordedPlayout {
        steps: steps.collect::<Result<_, StartError>>()?,
        final_state: state(record.moves.len())?,
        terminal: record.is_completed.then_some(true),
        goals: (!record.goal_values.is_empty()).then(|| record.goal_values.clone()),
        ..RecordedPlayout::default()
    })
}
