//! Plays a sheet at random for a while and reports what its rules leave open.
//!
//! What only evaluation can show is shown by evidence, never guessed: a terminal state without a
//! goal value, a state sentence that `base` does not list, a role that cannot move, games that do
//! not end. The games are seeded, and what they may take is counted in steps, not in time, so a
//! sheet gets the same findings everywhere.

use indexmap::IndexMap;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::join::ReasonerLimits;
use super::reasoner::Reasoner;
use super::watch::WorkWatch;
use crate::game::{Game, JointMove, Move, PlayError, State};
use crate::gdl::{Finding, Rules, Symbol, word};

/// Random games that are played.
const GAMES: u64 = 10;

/// Steps of evaluation after which no further question is asked; a second or so.
const WORK: u64 = 8_000_000;

/// Joint moves after which a game is broken off.
const LONGEST: usize = 1_000;

/// What one question may take.
const LIMITS: ReasonerLimits =
    ReasonerLimits { facts: 3_000_000, bytes: 512 << 20, work: 100_000_000 };

/// What random play shows.
pub(super) fn trial(rules: &Rules, watch: &WorkWatch) -> Vec<Finding> {
    let mut trial = Trial { rules, findings: IndexMap::default(), path: Vec::new() };
    let mut game = Reasoner::watched(rules, LIMITS, watch.clone());
    let declared =
        Declared { base: game.declared(word::BASE, 1), input: game.declared(word::INPUT, 2) };
    match game.initial_state() {
        Err(error @ PlayError::TooLarge { .. }) => trial.not_tried(&error),
        Err(error) => {
            let message = format!("the initial state cannot be computed: {error}");
            trial.keep("initial state", Finding::sheet_error("no-initial-state", message));
        }
        Ok(initial) => trial.play_all(&mut game, &initial, &declared),
    }
    trial.findings.into_values().collect()
}

/// What `base` and `input` list, if the sheet has them.
struct Declared {
    base: Option<FxHashSet<String>>,
    input: Option<FxHashSet<String>>,
}

struct Trial<'a> {
    rules: &'a Rules,
    /// What was found, each kind once.
    findings: IndexMap<String, Finding, FxBuildHasher>,
    /// The joint moves of the present game.
    path: Vec<JointMove>,
}

/// How a game ended.
enum End {
    Terminal,
    /// It was broken off after [`LONGEST`] joint moves.
    TooLong,
    /// All games together took too much work.
    Exhausted,
}

impl Trial<'_> {
    fn play_all(&mut self, game: &mut Reasoner, initial: &State, declared: &Declared) {
        let (mut played, mut too_long) = (0, 0);
        for seed in 0..GAMES {
            self.path.clear();
            match self.play(game, initial, declared, seed) {
                Ok(End::Terminal) => played += 1,
                Ok(End::TooLong) => (played, too_long) = (played + 1, too_long + 1),
                Ok(End::Exhausted) => break,
                Err(error @ PlayError::TooLarge { .. }) => {
                    self.not_tried(&error);
                    break;
                }
                Err(error) => {
                    played += 1;
                    let message = format!("random play came to a halt: {error}");
                    let finding = Finding::sheet_warning("play-fails", message.clone())
                        .help("make sure that every state that can be reached has a way on");
                    self.show(game, &message, finding);
                }
            }
        }
        if too_long > 0 && too_long == played {
            let games = if played == 1 { "1 game was" } else { &format!("{played} games were") };
            let message =
                format!("no random game ended: {games} broken off after {LONGEST} joint moves");
            let help = "let the state count the moves, and end the game at some number";
            let finding = self.at(word::TERMINAL, "endless", message).help(help);
            self.keep("endless", finding);
        }
    }

    fn play(
        &mut self,
        game: &mut Reasoner,
        initial: &State,
        declared: &Declared,
        seed: u64,
    ) -> Result<End, PlayError> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut state = initial.clone();
        loop {
            if game.work_done() > WORK {
                return Ok(End::Exhausted);
            }
            self.compare_base(game, &state, declared)?;
            if game.is_terminal(&state)? {
                return self.check_goals(game, &state).map(|()| End::Terminal);
            }
            self.compare_input(game, &state, declared)?;
            if self.path.len() == LONGEST {
                return Ok(End::TooLong);
            }
            let moves = game.complete_joint_move(&state, &[], &mut rng)?;
            state = game.next_state(&state, &moves)?;
            self.path.push(moves);
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
            let help =
                "give each role exactly one goal value from 0 to 100 in every terminal state";
            let finding = self.at(word::GOAL, "bad-goal", message).help(help);
            self.show(game, &format!("goal of role {role}"), finding);
        }
        Ok(())
    }

    fn compare_base(
        &mut self,
        game: &Reasoner,
        state: &State,
        declared: &Declared,
    ) -> Result<(), PlayError> {
        let Some(base) = &declared.base else { return Ok(()) };
        let sentences = game.sentences(state)?;
        if let Some(missing) = sentences.iter().find(|text| !base.contains(*text)) {
            let message = format!("base does not list {missing}, but random play reached it");
            let help = "let base list every state sentence";
            let finding = self.at(word::BASE, "bad-base", message).help(help);
            self.show(game, "base", finding);
        }
        Ok(())
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
            let texts = legal.iter().map(|chosen| game.move_text(role, chosen));
            let pairs: Result<Vec<String>, PlayError> =
                texts.map(|text| Ok(format!("{} {}", game.roles()[role], text?))).collect();
            if let Some(missing) = pairs?.iter().find(|text| !input.contains(*text)) {
                let message = format!("input does not list ({missing}), but the move was legal");
                let help = "let input list every move";
                let finding = self.at(word::INPUT, "bad-input", message).help(help);
                self.show(game, "input", finding);
            }
        }
        Ok(())
    }

    /// A warning at the first rule of a relation.
    fn at(&self, relation: Symbol, code: &'static str, message: String) -> Finding {
        let rules = &self.rules.rules;
        match rules.iter().find(|rule| rule.head.relation == relation) {
            Some(rule) => Finding::warning(code, rule.head.span, message),
            None => Finding::sheet_warning(code, message),
        }
    }

    /// Keeps a finding with the moves that lead there. Of one kind the first with the fewest moves
    /// stays.
    fn show(&mut self, game: &Reasoner, kind: &str, finding: Finding) {
        let known = self.findings.get(kind).and_then(|known| known.moves.as_ref());
        if known.is_some_and(|known| known.len() <= self.path.len()) {
            return;
        }
        let spell = |(role, &chosen): (usize, &Move)| game.spelling_of(role, chosen);
        let joint = |joint: &JointMove| joint.iter().enumerate().map(spell).collect();
        let moves = self.path.iter().map(joint).collect();
        self.findings.insert(kind.to_string(), finding.moves(moves));
    }

    fn keep(&mut self, kind: &str, finding: Finding) {
        self.findings.insert(kind.to_string(), finding);
    }

    /// The real limits are higher, so the sheet may well be playable.
    fn not_tried(&mut self, error: &PlayError) {
        let message = format!("too large to be tried out: {error}");
        let finding = Finding::sheet_warning("not-tried", message)
            .help("the sheet was checked, but not played; expect it to be slow");
        self.keep("not tried", finding);
    }
}
