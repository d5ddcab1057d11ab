//! Plays a sheet at random for a while and reports what its rules leave open.
//!
//! What only evaluation can show is shown by evidence, never guessed: a terminal state without a
//! goal value, a state sentence that `base` does not list, a role that cannot move. The games are
//! seeded, and their length is bounded by rows looked at, so a sheet gets the same findings
//! everywhere.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashSet;

use super::reasoner::Reasoner;
use crate::game::{Game, Move, PlayError, State};
use crate::gdl::{Finding, Rules, Span, Symbol, word};

/// Random games that are played.
const GAMES: u64 = 10;

/// Rows that may be looked at in all; a second or so of work.
const WORK: u64 = 3_000_000;

/// What random play shows.
pub(super) fn trial(rules: &Rules) -> Vec<Finding> {
    let mut trial = Trial { rules, findings: Vec::new(), known: FxHashSet::default() };
    let mut game = Reasoner::new(rules);
    let declared =
        Declared { base: game.declared(word::BASE, 1), input: game.declared(word::INPUT, 2) };
    match game.initial_state() {
        Err(error) => trial.report(Finding::sheet_error(
            "no-initial-state",
            format!("the initial state cannot be computed: {error}"),
        )),
        Ok(initial) => {
            for seed in 0..GAMES {
                if game.work_done() > WORK {
                    break;
                }
                if let Err(error) = trial.play(&mut game, &initial, &declared, seed) {
                    let message = format!("random play came to a halt: {error}");
                    trial.report(
                        Finding::sheet_warning("play-fails", message)
                            .help("make sure that every state that can be reached has a way on"),
                    );
                }
            }
        }
    }
    trial.findings
}

/// What `base` and `input` list, if the sheet has them.
struct Declared {
    base: Option<FxHashSet<String>>,
    input: Option<FxHashSet<String>>,
}

struct Trial<'a> {
    rules: &'a Rules,
    findings: Vec<Finding>,
    /// Complaints made, so that each is made once.
    known: FxHashSet<String>,
}

impl Trial<'_> {
    fn play(
        &mut self,
        game: &mut Reasoner,
        initial: &State,
        declared: &Declared,
        seed: u64,
    ) -> Result<(), PlayError> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut state = initial.clone();
        loop {
            self.compare_base(game, &state, declared);
            if game.is_terminal(&state)? {
                return self.check_goals(game, &state);
            }
            self.compare_input(game, &state, declared)?;
            if game.work_done() > WORK {
                return Ok(());
            }
            let moves = game.complete_joint_move(&state, &[], &mut rng)?;
            state = game.next_state(&state, &moves)?;
        }
    }

    fn check_goals(&mut self, game: &mut Reasoner, state: &State) -> Result<(), PlayError> {
        for role in 0..game.roles().len() {
            let what = match game.goal(state, role) {
                Ok(0..=100) => continue,
                Ok(value) => format!("role {} has the goal value {value}", game.roles()[role]),
                Err(
                    error @ (PlayError::NoGoal { .. }
                    | PlayError::SeveralGoals { .. }
                    | PlayError::GoalNotInteger { .. }),
                ) => error.to_string().replace(" in this state", ""),
                Err(error) => return Err(error),
            };
            let message = format!("in a terminal state that random play reached, {what}");
            if self.known.insert(format!("goal of role {role}")) {
                let help =
                    "give each role exactly one goal value from 0 to 100 in every terminal state";
                self.report_at(word::GOAL, "bad-goal", message, help);
            }
        }
        Ok(())
    }

    fn compare_base(&mut self, game: &Reasoner, state: &State, declared: &Declared) {
        let Some(base) = &declared.base else { return };
        if let Some(missing) = game.sentences(state).into_iter().find(|text| !base.contains(text)) {
            let message = format!("base does not list {missing}, but random play reached it");
            if self.known.insert("base".into()) {
                let help = "let base list every state sentence";
                self.report_at(word::BASE, "bad-base", message, help);
            }
        }
    }

    fn compare_input(
        &mut self,
        game: &mut Reasoner,
        state: &State,
        declared: &Declared,
    ) -> Result<(), PlayError> {
        let Some(input) = &declared.input else { return Ok(()) };
        for role in 0..game.roles().len() {
            let legal = game.legal_moves(state, role)?;
            let pair = |index: usize| {
                format!("{} {}", game.roles()[role], game.move_text(role, Move(index as u32)))
            };
            if let Some(missing) = legal.iter().map(pair).find(|text| !input.contains(text)) {
                let message = format!("input does not list ({missing}), but the move was legal");
                if self.known.insert("input".into()) {
                    let help = "let input list every move";
                    self.report_at(word::INPUT, "bad-input", message, help);
                }
            }
        }
        Ok(())
    }

    /// Reports at the first rule of a relation.
    fn report_at(&mut self, relation: Symbol, code: &'static str, message: String, help: &str) {
        let rules = &self.rules.rules;
        let span: Option<Span> =
            rules.iter().find(|rule| rule.head.relation == relation).map(|rule| rule.head.span);
        let finding = match span {
            Some(span) => Finding::warning(code, span, message),
            None => Finding::sheet_warning(code, message),
        };
        self.findings.push(finding.help(help));
    }

    fn report(&mut self, finding: Finding) {
        if self.known.insert(finding.message.clone()) {
            self.findings.push(finding);
        }
    }
}
