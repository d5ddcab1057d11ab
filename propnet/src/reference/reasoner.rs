//! The reference reasoner as a game: a model of the rules, asked about one state at a time.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::smallvec;

use super::clause::{Clause, Pattern, clauses};
use super::facts::{IndexAccess, NO_ROW};
use super::join::ReasonerLimits;
use super::model::{Failure, Model};
use super::watch::WorkWatch;
use crate::game::{Game, Move, MoveSet, PlayError, Role, State, TableId, one_goal};
use crate::gdl::{Rules, Symbol, Symbols, Term, TermKind, parse_ground_term, word};
use crate::terms::{TermId, Terms};

type TermTable = IndexSet<TermId, FxBuildHasher>;

/// Plays a sheet straight from its rules.
///
/// The tables of propositions and moves start with the initial state and grow as play meets new
/// ones. The model holds the facts of the state asked about last, so several questions about one
/// state cost little more than one.
pub struct Reasoner {
    rules: Rules,
    terms: Terms,
    model: Model,
    roles: Vec<TermId>,
    role_names: Vec<String>,
    table: TableId,
    fluents: TermTable,
    moves: Vec<TermTable>,
    initial: Vec<TermId>,
    initial_error: Option<PlayError>,
    current: Option<State>,
    /// What fluents and moves can look like: arguments of the heads of init and next, and of
    /// legal.
    fluent_heads: Vec<Pattern>,
    move_heads: Vec<[Pattern; 2]>,
}

impl Reasoner {
    /// A reasoner for rules that [`super::load`] accepted.
    pub fn new(rules: &Rules) -> Self {
        Self::with_limits(rules, ReasonerLimits::default())
    }

    /// The same with limits of the caller's choice.
    pub fn with_limits(rules: &Rules, limits: ReasonerLimits) -> Self {
        Self::watched(rules, limits, WorkWatch::default())
    }

    /// The same, but the watch may stop any evaluation, the one here of the initial state
    /// included. A question that was stopped has the answer [`PlayError::Stopped`].
    pub fn watched(rules: &Rules, limits: ReasonerLimits, watch: WorkWatch) -> Self {
        let mut terms = Terms::default();
        let (clauses, relations) = clauses(rules, &mut terms);
        let id = |name, arity| relations.get_index_of(&(name, arity));
        let head_of = |clause: &Clause, name, arity| Some(clause.head.relation) == id(name, arity);
        let mut fluent_heads = Vec::new();
        let mut move_heads = Vec::new();
        let mut roles = TermTable::default();
        for clause in &clauses {
            if head_of(clause, word::INIT, 1) || head_of(clause, word::NEXT, 1) {
                fluent_heads.push(clause.head.args[0].clone());
            } else if let [role, action] = &clause.head.args[..]
                && head_of(clause, word::LEGAL, 2)
            {
                move_heads.push([role.clone(), action.clone()]);
            } else if let [Pattern::Ground(role)] = clause.head.args[..]
                && head_of(clause, word::ROLE, 1)
            {
                roles.insert(role);
            }
        }
        // `init` is evaluated in an empty state, once. To all other rules it is a given relation.
        let mut first = Model::new(clauses.clone(), relations.clone(), limits, watch.clone());
        first.set_state(std::iter::empty());
        let init = first.id(word::INIT, 1);
        let (initial, initial_error) = match first.ask(init, &mut terms) {
            Ok(facts) => (facts.rows().map(|row| row[0]).collect(), None),
            Err(failure) => (Vec::new(), Some(first.error(failure, &terms, rules))),
        };
        let others = clauses.into_iter().filter(|clause| clause.head.relation != init).collect();
        let mut model = Model::new(others, relations, limits, watch);
        for &fluent in &initial {
            model.insert(init, &[fluent]);
        }
        model.set_state(std::iter::empty());
        let roles: Vec<TermId> = roles.into_iter().collect();
        Reasoner {
            role_names: roles.iter().map(|&role| terms.canonical(role, &rules.symbols)).collect(),
            moves: vec![TermTable::default(); roles.len()],
            rules: rules.clone(),
            table: TableId::unique(),
            fluents: initial.iter().copied().collect(),
            terms,
            model,
            roles,
            initial,
            initial_error,
            current: None,
            fluent_heads,
            move_heads,
        }
    }

    /// The sentences of `base` or `input` without their relation's name, if it has rules.
    pub(super) fn declared(&mut self, name: Symbol, arity: usize) -> Option<FxHashSet<String>> {
        self.rules.rules.iter().find(|rule| rule.head.relation == name)?;
        let facts = self.model.ask(self.model.id(name, arity), &mut self.terms).ok()?;
        let text = |row: &[TermId]| {
            let args = row.iter().map(|&arg| self.terms.canonical(arg, &self.rules.symbols));
            args.collect::<Vec<_>>().join(" ")
        };
        Some(facts.rows().map(text).collect())
    }

    /// Steps taken in all.
    pub(super) fn work_done(&self) -> u64 {
        self.model.work_before + self.model.work
    }

    /// Makes `state` the state the model is about.
    fn enter(&mut self, state: &State) -> Result<(), PlayError> {
        if self.current.as_ref() != Some(state) {
            self.table.check_state(state)?;
            let fluents = state.iter().filter_map(|index| self.fluents.get_index(index).copied());
            self.model.set_state(fluents);
            self.current = Some(state.clone());
        }
        self.model.clear_moves();
        Ok(())
    }

    fn failed(&self, failure: Failure) -> PlayError {
        self.model.error(failure, &self.terms, &self.rules)
    }

    fn holds_terminal(&mut self) -> Result<bool, PlayError> {
        let terminal = self.model.id(word::TERMINAL, 0);
        let answer = self.model.ask(terminal, &mut self.terms).map(|facts| facts.len() > 0);
        answer.map_err(|failure| self.failed(failure))
    }

    /// The pairs of a binary relation whose first part is the role.
    fn of_role(&mut self, relation: usize, role: Role) -> Result<Vec<TermId>, PlayError> {
        let name = self.roles[role];
        if let Err(failure) = self.model.ask(relation, &mut self.terms).map(|_| ()) {
            return Err(self.failed(failure));
        }
        // By an index: a sheet may have thousands of roles.
        let facts = &mut self.model.facts[relation];
        let by_role =
            facts.index(IndexAccess { keys: vec![smallvec![0]], ..IndexAccess::default() });
        let mut at = self.model.newest(relation, by_role, &[name], &self.terms);
        let facts = &self.model.facts[relation];
        let mut found = Vec::new();
        while at != NO_ROW {
            found.push(facts.row(at as usize)[1]);
            at = facts.older(by_role, at);
        }
        found.reverse(); // into the order in which they were concluded
        Ok(found)
    }

    fn set_of(&mut self, fluents: impl Iterator<Item = TermId>) -> State {
        State::new(self.table, fluents.map(|fluent| self.fluents.insert_full(fluent).0))
    }

    /// The term with this text, made of symbols of the sheet; an unknown symbol is the error.
    fn term_of(&mut self, text: &str) -> Result<TermId, String> {
        let (term, symbols) = parse_ground_term(text).ok_or("it is not one ground term")?;
        let term = translate(&term, &symbols, &self.rules.symbols)
            .map_err(|name| format!("the sheet has no symbol {name}"))?;
        self.terms
            .intern_term(&term)
            .ok_or_else(|| "it is nested too deeply, or too long".to_string())
    }

    /// The text of a move of this reasoner.
    fn text_of(&self, role: Role, chosen: Move) -> String {
        let term = self.move_term(role, chosen);
        term.map_or(String::new(), |term| self.terms.canonical(term, &self.rules.symbols))
    }

    /// A move of this reasoner in the letter case of the sheet.
    pub(super) fn spelling_of(&self, role: Role, chosen: Move) -> String {
        let spelling = |symbol| self.rules.symbols.spelling(symbol);
        let term = self.move_term(role, chosen);
        term.map_or(String::new(), |term| self.terms.text(term, &spelling))
    }

    fn move_term(&self, role: Role, chosen: Move) -> Option<TermId> {
        self.moves[role].get_index(chosen.index()).copied()
    }
}

impl Game for Reasoner {
    fn roles(&self) -> &[String] {
        &self.role_names
    }

    fn initial_state(&mut self) -> Result<State, PlayError> {
        match &self.initial_error {
            Some(error) => Err(error.clone()),
            None => Ok(self.set_of(self.initial.clone().into_iter())),
        }
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, PlayError> {
        self.enter(state)?;
        self.holds_terminal()
    }

    fn legal_moves(&mut self, state: &State, role: Role) -> Result<MoveSet, PlayError> {
        self.enter(state)?;
        let legal = self.of_role(self.model.id(word::LEGAL, 2), role)?;
        let table = &mut self.moves[role];
        let legal = legal.into_iter().map(|action| table.insert_full(action).0);
        let legal = MoveSet::new(self.table, legal);
        if legal.is_empty() && !self.holds_terminal()? {
            return Err(PlayError::NoLegalMove { role: self.role_names[role].clone() });
        }
        Ok(legal)
    }

    fn next_state(&mut self, state: &State, moves: &[Move]) -> Result<State, PlayError> {
        if moves.len() != self.roles.len() {
            return Err(PlayError::WrongMoveCount { wanted: self.roles.len(), got: moves.len() });
        }
        self.table.check_moves(moves)?;
        for (role, &chosen) in moves.iter().enumerate() {
            if !self.legal_moves(state, role)?.contains(chosen) {
                let (role, text) = (self.role_names[role].clone(), self.text_of(role, chosen));
                return Err(PlayError::IllegalMove { role, text });
            }
        }
        let pairs = moves.iter().enumerate().filter_map(|(role, &chosen)| {
            Some([self.roles[role], self.moves[role].get_index(chosen.index()).copied()?])
        });
        self.model.set_moves(pairs);
        let next = self.model.id(word::NEXT, 1);
        let answer = self.model.ask(next, &mut self.terms);
        let answer = answer.map(|facts| facts.rows().map(|row| row[0]).collect::<Vec<_>>());
        let fluents = answer.map_err(|failure| self.failed(failure))?;
        Ok(self.set_of(fluents.into_iter()))
    }

    fn goal(&mut self, state: &State, role: Role) -> Result<i32, PlayError> {
        self.enter(state)?;
        let values = self.of_role(self.model.id(word::GOAL, 2), role)?;
        let text = |value| self.terms.canonical(value, &self.rules.symbols);
        one_goal(&self.role_names[role], values.into_iter().map(text).collect())
    }

    fn sentences(&self, state: &State) -> Result<Vec<String>, PlayError> {
        self.table.check_state(state)?;
        let fluents = state.iter().filter_map(|index| self.fluents.get_index(index));
        let mut sentences: Vec<String> =
            fluents.map(|&fluent| self.terms.canonical(fluent, &self.rules.symbols)).collect();
        sentences.sort();
        Ok(sentences)
    }

    fn state_of(&mut self, sentences: &[String]) -> Result<State, PlayError> {
        let mut fluents = Vec::with_capacity(sentences.len());
        for text in sentences {
            let unknown = |reason| PlayError::UnknownSentence { text: text.clone(), reason };
            let fluent = self.term_of(text).map_err(unknown)?;
            if !self.fluent_heads.iter().any(|head| head.may_match(fluent, &self.terms)) {
                let reason = "no init or next rule can make it true".to_string();
                return Err(PlayError::UnknownSentence { text: text.clone(), reason });
            }
            fluents.push(fluent);
        }
        Ok(self.set_of(fluents.into_iter()))
    }

    fn move_text(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.table.check_move(chosen)?;
        Ok(self.text_of(role, chosen))
    }

    fn move_spelling(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.table.check_move(chosen)?;
        Ok(self.spelling_of(role, chosen))
    }

    fn move_of(&mut self, role: Role, text: &str) -> Result<Move, PlayError> {
        let name = self.roles[role];
        let known = self.term_of(text).ok().filter(|&action| {
            self.move_heads.iter().any(|[who, what]| {
                who.may_match(name, &self.terms) && what.may_match(action, &self.terms)
            })
        });
        match known {
            Some(action) => {
                Ok(Move::new(self.table, self.moves[role].insert_full(action).0 as u32))
            }
            None => Err(PlayError::UnknownMove {
                role: self.role_names[role].clone(),
                text: text.to_string(),
            }),
        }
    }
}

/// A term in the symbols of another table; the error is the name that table does not have.
fn translate(term: &Term, from: &Symbols, to: &Symbols) -> Result<Term, String> {
    let symbol = |name| to.get(from.name(name)).ok_or_else(|| from.name(name).to_string());
    let kind = match &term.kind {
        TermKind::Variable(name) => TermKind::Variable(symbol(*name)?),
        TermKind::Constant(name) => TermKind::Constant(symbol(*name)?),
        TermKind::Function(name, args) => {
            let args: Result<Vec<Term>, String> =
                args.iter().map(|arg| translate(arg, from, to)).collect();
            TermKind::Function(symbol(*name)?, args?)
        }
    };
    Ok(Term { kind, span: term.span })
}
