//! Lines of moves made again in lanes, all of them at once, to see the goals or the states on the way.

use propnet::game::{PlayError, goal_value};
use propnet::lanes::{Batch, RecordedPlayout, Replay, Word};
use propnet::program::Program;

use super::simulator::{Line, LineGoals};
use crate::search::policy::CreditedLine;

/// The goals in all states of these lines, of which there are no more than lanes. None if the work
/// is stopped.
pub(super) fn goals_along<'l, W: Word>(
    batch: &mut Batch<W>,
    program: &Program,
    lines: &'l [Line],
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<LineGoals>>, PlayError> {
    let roles = program.goals.len();
    let numbers = |texts: &Vec<String>| texts.iter().map(|text| goal_value(text)).collect();
    let values: Vec<Vec<Option<i32>>> = program.goals.iter().map(numbers).collect();
    let lengths: Vec<usize> = lines.iter().map(|line| line.moves.len() / roles).collect();
    let mut goals: Vec<LineGoals> =
        lengths.iter().map(|length| Vec::with_capacity((length + 1) * roles)).collect();
    batch.load(lines.iter().map(|line| &*line.start))?;
    for step in 0..=lengths.iter().copied().max().unwrap_or(0) {
        if !goes_on() {
            return Ok(None);
        }
        batch.score();
        for (role, values) in values.iter().enumerate() {
            let own = goals_of_role(batch, role, values, lines.len());
            for ((goals, own), &length) in goals.iter_mut().zip(own).zip(&lengths) {
                if step <= length {
                    goals.push(own);
                }
            }
        }
        // A line that has ended makes no move; its lane is ignored from then on.
        let made = step * roles..(step + 1) * roles;
        let joint = |line: &'l Line| line.moves.get(made.clone()).unwrap_or_default();
        batch.make(lines.iter().map(joint))?;
        batch.advance();
        batch.go_on();
    }
    Ok(Some(goals))
}

/// The goal of a role in each of the first lanes; none where the rules give none or several.
pub(super) fn goals_of_role<W: Word>(
    batch: &Batch<W>,
    role: usize,
    values: &[Option<i32>],
    count: usize,
) -> Vec<Option<i32>> {
    let mut goals = vec![None; count];
    let (mut some, mut several) = (W::ZERO, W::ZERO);
    for (lanes, &value) in batch.goal_lanes(role).zip(values) {
        let lanes = lanes & W::first(count);
        several = several | some & lanes;
        some = some | lanes;
        lanes.lanes().for_each(|lane| goals[lane] = value);
    }
    several.lanes().for_each(|lane| goals[lane] = None);
    goals
}

/// Shows all states of these lines as the fluents that are true in them.
pub(super) fn states_along<W: Word>(
    replay: &mut Replay<W>,
    fluents: usize,
    lines: &[CreditedLine],
    show: &mut dyn FnMut(usize, usize, &[u32]),
) -> Result<(), PlayError> {
    let playouts: Vec<RecordedPlayout> = lines
        .iter()
        .map(|line| RecordedPlayout { state: &line.start, moves: &line.moves })
        .collect();
    let mut of_lanes: Vec<Vec<u32>> = vec![Vec::new(); W::LANES];
    replay.run(&playouts, |step| {
        of_lanes.iter_mut().for_each(Vec::clear);
        for fluent in 0..fluents {
            step.fluent(fluent).lanes().for_each(|lane| of_lanes[lane].push(fluent as u32));
        }
        for lane in step.lanes.lanes() {
            show(step.first + lane, step.step, &of_lanes[lane]);
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use propnet::lanes::{Job, Setup};
    use propnet::{CompileOptions, Compiled, load};

    use super::super::program::SearchGame;
    use super::super::simulator::{replay, show_states};
    use super::*;
    use crate::pipeline::{Compile, LaneProgram};
    use crate::search::settings::Settings;

    fn credited(line: Line, roles: usize) -> CreditedLine {
        let Line { start, moves, .. } = line;
        CreditedLine { start, moves, goals: vec![0.0; roles], discount: 1.0, count: 1.0 }
    }

    #[test]
    fn lanes_see_the_goals_and_fluents_that_single_states_have() {
        for sheet in [
            include_str!("../../../games/skirmish.kif"),
            include_str!("../../../games/connect_four.kif"),
            include_str!("../../../games/chinese_checkers_3p.kif"),
        ] {
            let game = Compiled::new(&load(sheet).expect("a sheet"), &CompileOptions::default());
            let circuit = game.expect("a circuit").circuit().clone();
            let settings = Settings::named("uct+cutoff").expect("a strategy");
            let step = settings.step_options(circuit.names.roles().len());
            let program = LaneProgram::new(&circuit, Setup::default(), &step, Compile::First);
            let mut simulator = SearchGame::Lanes(program.expect("a program")).simulator(1);
            let start = Arc::new(simulator.game().initial_state().expect("a state"));
            simulator.push(Job { count: 10, wants_moves: 10, ..Job::new(0, 0, &start) });
            while simulator.unfinished() > 0 {
                simulator.step();
            }
            let lines: Vec<Line> = simulator
                .outcomes()
                .into_iter()
                .map(|outcome| Line {
                    played: 0,
                    start: start.clone(),
                    moves: outcome.moves,
                    is_terminal: true,
                })
                .collect();
            let found = simulator.goals_along(&lines, &mut || true).expect("states");
            let game = simulator.game();
            let expected = lines.iter().map(|line| replay(game, line, &mut || true));
            let expected: Option<Vec<LineGoals>> =
                expected.collect::<Result<_, _>>().expect("states");
            assert!(lines.len() == 10 && found.is_some());
            assert_eq!(found, expected);
            assert_eq!(simulator.goals_along(&lines, &mut || false), Ok(None));
            let roles = simulator.game().roles().len();
            let lines = lines.into_iter().map(|line| credited(line, roles));
            let lines: Vec<CreditedLine> = lines.collect();
            let mut shown = Vec::new();
            let mut show = |line: usize, step: usize, fluents: &[u32]| {
                shown.push((line, step, fluents.to_vec()));
            };
            simulator.states_along(&lines, &mut show).expect("states");
            shown.sort();
            let mut expected = Vec::new();
            for (at, line) in lines.iter().enumerate() {
                let mut show = |line: usize, step: usize, fluents: &[u32]| {
                    expected.push((line, step, fluents.to_vec()));
                };
                show_states(simulator.game(), line, at, &mut show).expect("states");
            }
            assert_eq!(shown, expected);
        }
    }
}
