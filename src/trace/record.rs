//! A run -> a trace of it, with whole sets.

use propnet::game::{Game, PlayError};

use super::format::{RecordedPlayout, RecordedStep, Trace};
use super::text::{sorted_moves, sorted_sentences};
use crate::run::{Run, Setup};
use crate::start::StartError;

/// Plays one playout of at most `max_steps` joint moves and records it.
///
/// Where the rules give no answer, the trace says so in its `error` and ends there; an `Err` means
/// that the setup asks for something impossible.
pub fn record(
    game: &mut dyn Game,
    name: &str,
    setup: &Setup,
    max_steps: u64,
) -> Result<Trace, StartError> {
    let init = game.initial_state()?;
    let mut run = Run::new(game, setup)?;
    let mut playout = RecordedPlayout { seed: Some(setup.seed), ..RecordedPlayout::default() };
    if setup.state.is_some() {
        playout.start = Some(sorted_sentences(game, &run.state)?);
    }
    let mut trace = Trace {
        game: Some(name.to_string()),
        roles: Some(game.roles().to_vec()),
        init: Some(sorted_sentences(game, &init)?),
        ..Trace::default()
    };
    match play(game, &mut run, &mut playout, max_steps) {
        Ok(()) => {}
        Err(StartError::Play(error)) => {
            playout.error = true;
            playout.terminal = Some(false);
            playout.final_state = None;
            trace.error = Some(error.to_string());
        }
        Err(error) => return Err(error),
    }
    trace.playouts.push(playout);
    Ok(trace)
}

fn play(
    game: &mut dyn Game,
    run: &mut Run,
    playout: &mut RecordedPlayout,
    max_steps: u64,
) -> Result<(), StartError> {
    let terminal = loop {
        if game.is_terminal(&run.state)? {
            run.check_script_is_done()?;
            break true;
        }
        if run.step as u64 >= max_steps {
            break false;
        }
        let state = sorted_sentences(game, &run.state)?;
        let legals: Result<_, PlayError> =
            (0..game.roles().len()).map(|role| sorted_moves(game, &run.state, role)).collect();
        let legals = legals?;
        let joint = run.advance(game)?;
        let texts = joint.iter().enumerate().map(|(role, &chosen)| game.move_text(role, chosen));
        playout.steps.push(RecordedStep {
            state: Some(state),
            legals: Some(legals),
            moves: texts.collect::<Result<_, _>>()?,
            ..RecordedStep::default()
        });
    };
    playout.final_state = Some(sorted_sentences(game, &run.state)?);
    playout.terminal = Some(terminal);
    playout.capped = !terminal;
    if terminal {
        let roles = 0..game.roles().len();
        let goals: Result<_, PlayError> =
            roles.map(|role| game.proper_goal(&run.state, role)).collect();
        playout.goals = Some(goals?);
    }
    Ok(())
}
