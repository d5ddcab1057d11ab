//! The plain evaluator as a [`Game`].

use std::sync::Arc;

use super::order::{ComponentId, ComponentOrder};
use super::tables::{AtomTables, QuestionCones};
use super::values::{AtomValues, Undefined};
use crate::game::{Game, GoalDegrees, Move, MoveSet, PlayError, Role, State, one_goal};
use crate::ground::print::atom_text;
use crate::ground::rules::{AtomId, GroundRules, Recipe};
use crate::names::Names;

/// Plays ground rules by evaluating them.
///
/// A state's bits are indices into [`GroundRules::fluents`], and all fluents are shown, whatever
/// their recipe: constants and copies as it says, observed ones by their rules. A move is an index
/// into the role's [`GroundRules::moves`].
///
/// [`Game::state_of`] takes the sentences as they are, even where they contradict a recipe (a
/// constant that is absent, a copy that differs from its fluent). No rule reads such fluents, so
/// that changes no answer about the state, and the next state is in order again.
///
/// The answers about one state are kept until another state is asked about.
pub struct GroundGame {
    rules: Arc<GroundRules>,
    names: Names,
    tables: AtomTables,
    order: ComponentOrder,
    cones: QuestionCones,
    values: AtomValues,
    /// The state that the values are about.
    current: Option<State>,
    /// Whether moves are among the inputs at present.
    moved: bool,
}

impl GroundGame {
    /// A game of these rules, which may be shared with other uses of them.
    pub fn new(rules: impl Into<Arc<GroundRules>>) -> Self {
        let rules = rules.into();
        let (tables, order) = (AtomTables::new(&rules), ComponentOrder::new(&rules));
        GroundGame {
            names: rules.names(),
            cones: tables.cones(&order, &rules),
            values: AtomValues::new(rules.atoms.len(), rules.rules.len(), order.kinds.len()),
            tables,
            order,
            current: None,
            moved: false,
            rules,
        }
    }

    /// The rules that are played.
    pub fn rules(&self) -> &GroundRules {
        &self.rules
    }

    /// Makes `state` the state the values are about, and no move made.
    fn enter(&mut self, state: &State) -> Result<(), PlayError> {
        if self.current.as_ref() != Some(state) {
            self.names.table().check_state(state)?;
            for &(atom, fluent) in &self.tables.truths {
                self.values.truth[atom as usize] = state.contains(fluent);
            }
            self.values.forget();
            self.current = Some(state.clone());
        }
        if self.moved {
            for &(atom, ..) in &self.tables.does {
                self.values.truth[atom as usize] = false;
            }
            self.values.forget_moves(&self.order);
            self.moved = false;
        }
        Ok(())
    }

    /// Makes these the moves made in the current state.
    fn make(&mut self, moves: &[Move]) {
        for &(atom, role, action) in &self.tables.does {
            self.values.truth[atom as usize] = moves[role].index() == action;
        }
        self.values.forget_moves(&self.order);
        self.moved = true;
    }

    fn ask(&mut self, cone: impl Fn(&QuestionCones) -> &[ComponentId]) -> Result<(), PlayError> {
        let answer = self.values.ask(cone(&self.cones), &self.order, &self.rules.rules);
        answer.map_err(|Undefined(rule)| {
            let table = &self.rules.rules;
            let name = |symbol| self.rules.symbols.name(symbol);
            PlayError::Unstratified {
                sentence: atom_text(&self.rules, table.head(rule), &name),
                place: self.rules.source.place(table.origin(rule)),
            }
        })
    }

    fn holds(&self, atom: AtomId) -> bool {
        self.values.truth[atom as usize]
    }

    fn holds_terminal(&mut self) -> Result<bool, PlayError> {
        self.ask(|cones| &cones.terminal)?;
        Ok(self.tables.terminal.is_some_and(|atom| self.holds(atom)))
    }
}

impl Game for GroundGame {
    fn goal_degrees(&mut self) -> Option<Arc<GoalDegrees>> {
        GoalDegrees::new(&self.rules).map(Arc::new)
    }

    fn roles(&self) -> &[String] {
        self.names.roles()
    }

    fn initial_state(&mut self) -> Result<State, PlayError> {
        let fluents = self.rules.fluents.iter().enumerate();
        let first = fluents.filter(|(_, fluent)| match fluent.recipe {
            Recipe::Constant(truth) => truth,
            Recipe::Carried | Recipe::Copy(_) | Recipe::Observed => fluent.initially,
        });
        Ok(State::new(self.names.table(), first.map(|(index, _)| index)))
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, PlayError> {
        self.enter(state)?;
        self.holds_terminal()
    }

    fn legal_moves(&mut self, state: &State, role: Role) -> Result<MoveSet, PlayError> {
        self.enter(state)?;
        self.ask(|cones| &cones.legal)?;
        let moves = self.tables.legal[role].iter();
        let legal = moves.filter(|(_, atom)| self.holds(*atom)).map(|&(action, _)| action);
        let legal = MoveSet::new(self.names.table(), legal);
        if legal.is_empty() && !self.holds_terminal()? {
            return Err(self.names.no_legal_move(role));
        }
        Ok(legal)
    }

    fn next_state(&mut self, state: &State, moves: &[Move]) -> Result<State, PlayError> {
        self.names.check_joint_move(moves)?;
        for (role, &chosen) in moves.iter().enumerate() {
            if !self.legal_moves(state, role)?.contains(chosen) {
                return Err(self.names.illegal_move(role, chosen));
            }
        }
        self.make(moves);
        self.ask(|cones| &cones.next)?;
        let by_rule = |fluent: usize| self.tables.next[fluent].is_some_and(|atom| self.holds(atom));
        let fluents = self.rules.fluents.iter().enumerate();
        let next = fluents.filter(|&(index, fluent)| match fluent.recipe {
            Recipe::Carried | Recipe::Observed => by_rule(index),
            Recipe::Constant(truth) => truth,
            Recipe::Copy(of) => by_rule(of),
        });
        Ok(State::new(self.names.table(), next.map(|(index, _)| index)))
    }

    fn goal(&mut self, state: &State, role: Role) -> Result<i32, PlayError> {
        self.enter(state)?;
        self.ask(|cones| &cones.goal)?;
        let values = self.tables.goals[role].iter().filter(|(_, atom)| self.holds(*atom));
        let text = |&(value, _): &(_, _)| self.names.text(value);
        one_goal(&self.names.roles()[role], values.map(text).collect())
    }

    fn sentences(&self, state: &State) -> Result<Vec<String>, PlayError> {
        self.names.sentences(state)
    }

    fn state_of(&mut self, sentences: &[String]) -> Result<State, PlayError> {
        self.names.state_of(sentences)
    }

    fn move_text(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.names.move_text(role, chosen)
    }

    fn move_spelling(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.names.move_spelling(role, chosen)
    }

    fn move_of(&mut self, role: Role, text: &str) -> Result<Move, PlayError> {
        self.names.move_of(role, text)
    }
}
