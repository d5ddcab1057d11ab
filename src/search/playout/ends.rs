//! Where games end after one more joint move, for as many states and moves at once as there are lanes.

use propnet::game::{Move, PlayError, goal_value};
use propnet::lanes::{Batch, Word};
use propnet::program::Program;

use super::replay::goals_of_role;
use super::simulator::{End, EndQuestion};

/// Where the game is over after one of these joint moves.
pub(super) fn ends_after<W: Word>(
    batch: &mut Batch<W>,
    program: &Program,
    questions: &[EndQuestion],
) -> Result<Vec<End>, PlayError> {
    let roles = program.goals.len();
    let count = |question: &EndQuestion| question.moves.len() / roles;
    let places = questions.iter().enumerate().flat_map(|(question, asked)| {
        (0..count(asked)).map(move |joint| AskedMove { question, joint })
    });
    let places: Vec<AskedMove> = places.collect();
    let mut ends = Vec::new();
    for places in places.chunks(W::LANES) {
        let runs = places.chunk_by(|one, next| one.question == next.question);
        let state = |run: &[AskedMove]| (&*questions[run[0].question].state, run.len());
        batch.load_repeated(runs.map(state).collect::<Vec<_>>())?;
        batch.make(places.iter().map(|place| place.moves(questions, roles)))?;
        batch.advance();
        batch.go_on();
        batch.look();
        let terminal = batch.terminal_lanes() & W::first(places.len());
        if terminal.is_zero() {
            continue;
        }
        batch.score();
        let numbers = |texts: &Vec<String>| texts.iter().map(|text| goal_value(text)).collect();
        let goals = program.goals.iter().enumerate().map(|(role, texts)| {
            let values: Vec<Option<i32>> = numbers(texts);
            goals_of_role(batch, role, &values, places.len())
        });
        let goals: Vec<Vec<Option<i32>>> = goals.collect();
        for lane in terminal.lanes() {
            let AskedMove { question, joint } = places[lane];
            let goals = goals.iter().map(|own| own[lane].map_or(0.0, f64::from)).collect();
            ends.push(End { question, joint, state: batch.state(lane), goals });
        }
    }
    Ok(ends)
}

/// A joint move of a question.
#[derive(Clone, Copy)]
struct AskedMove {
    question: usize,
    joint: usize,
}

impl AskedMove {
    fn moves<'q>(&self, questions: &'q [EndQuestion], roles: usize) -> &'q [Move] {
        &questions[self.question].moves[self.joint * roles..][..roles]
    }
}
