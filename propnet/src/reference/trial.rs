//! Plays a sheet at random for a while and reports what its rules leave open.
//!
//! What only evaluation can show is shown by evidence, never guessed: a terminal state without a
//! goal value, a state sentence that `base` does not list, a role that cannot move. The games are
//! seeded, and what they may take is counted in steps, not in time, so a sheet gets the same
//! findings everywhere.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashSet;

use super::join::Limits;
use super::reasoner::Reasoner;
use crate::game::{Game, Move, PlayError, State};
use crate::gdl::{Finding, Rules, Span, Symbol, word};

/// Random games that are played.
const GAMES: u64 = 10;

/// Steps of evaluation after which no further question is asked; a second or so.
const WORK: u64 = 8_000_000;

/// The same for moves: in some endless games a move takes no evaluation at all.
const MOVES: usize = 10_000;

/// What one question may take.
const LIMITS: Limits = Limits { facts: 3_000_000, bytes: 512 << 20, work: 100_000_000 };

/// What random play shows.
pub(super) fn trial(rules: &Rules) -> Vec<Finding> {
    let mut trial = Trial { rules, findings: Vec::new(), known: FxHashSet::default(), moves: 0 };
    let mut game = Reasoner::with_limits(rules, LIMITS);
    let declared =
        Declared { base: game.declared(word::BASE, 1), input: game.declared(word::INPUT, 2) };
    match game.initial_state() {
        Err(error @ PlayError::TooLarge { .. }) => trial.report(not_tried(&error)),
        Err(error) => trial.report(Finding::sheet_error(
            "no-initial-state",
            format!("the initial state cannot be computed: {error}"),
        )),
        Ok(initial) => {
            for seed in 0..GAMES {
                if trial.is_over(&game) {
                    break;
                }
                if let Err(error) = trial.play(&mut game, &initial, &declared, seed) {
                    if let PlayError::TooLarge { .. } = error {
                        trial.report(not_tried(&error));
                        break;
                    }
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

/// The real limits are higher, so the sheet may well be playable.
fn not_tried(error: &PlayError) -> Finding {
    Finding::sheet_warning("not-tried", format!("too large to be tried out: {error}"))
        .help("the sheet was checked, but not played; expect it to be slow")
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
    /// Joint moves made.
    moves: usize,
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
            if self.is_over(game) {
                return Ok(());
            }
            self.moves += 1;
            let moves = game.complete_joint_move(&state, &[], &mut rng)?;
            state = game.next_state(&state, &moves)?;
        }
    }

    /// Whether enough was done.
    fn is_over(&self, game: &Reasoner) -> bool {
        game.work_done() > WORK || self.moves >= MOVES
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
