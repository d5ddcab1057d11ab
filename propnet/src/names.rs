//! What the fluents and moves of a grounded game are called: the part of the questions of a game
//! that is about text, shared by every engine after grounding.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::game::{Move, PlayError, Role, State, TableId};
use crate::gdl::{Symbols, Term, TermKind, parse_ground_term};
use crate::terms::{TermId, Terms};

/// The names of a game: fluents by their index, moves by role and index.
#[derive(Clone, Debug)]
pub struct Names {
    table: TableId,
    symbols: Arc<Symbols>,
    terms: Arc<Terms>,
    roles: Vec<String>,
    fluents: Vec<TermId>,
    moves: Vec<Vec<TermId>>,
    fluent_index: FxHashMap<TermId, usize>,
    /// By role.
    move_index: Vec<FxHashMap<TermId, usize>>,
}

impl Names {
    /// The names of a game with these roles, fluents, and moves of each role.
    pub fn new(
        symbols: Arc<Symbols>,
        terms: Arc<Terms>,
        roles: &[TermId],
        fluents: Vec<TermId>,
        moves: Vec<Vec<TermId>>,
    ) -> Self {
        let index = |terms: &[TermId]| {
            terms.iter().enumerate().map(|(index, &term)| (term, index)).collect()
        };
        Names {
            table: TableId::unique(),
            roles: roles.iter().map(|&role| terms.canonical(role, &symbols)).collect(),
            fluent_index: index(&fluents),
            move_index: moves.iter().map(|moves| index(moves)).collect(),
            symbols,
            terms,
            fluents,
            moves,
        }
    }

    /// The names with these texts; none where one is not a ground term.
    pub fn from_texts(roles: &[String], fluents: &[String], moves: &[Vec<String>]) -> Option<Self> {
        // One term of all, so that they share their symbols.
        let texts = roles.iter().chain(fluents).chain(moves.iter().flatten());
        let texts: Vec<&str> = texts.map(String::as_str).collect();
        let (all, symbols) = parse_ground_term(&format!("(all {})", texts.join(" ")))?;
        let TermKind::Function(_, all) = &all.kind else { return None };
        let mut terms = Terms::default();
        let all = all.iter().map(|term| terms.intern_term(term));
        let mut all = all.collect::<Option<Vec<TermId>>>()?.into_iter();
        let mut take = |count: usize| all.by_ref().take(count).collect::<Vec<TermId>>();
        let (roles, fluents) = (take(roles.len()), take(fluents.len()));
        let moves = moves.iter().map(|own| take(own.len())).collect();
        Some(Names::new(Arc::new(symbols), Arc::new(terms), &roles, fluents, moves))
    }

    /// What the states and moves with these names belong to; shared by all clones.
    pub fn table(&self) -> TableId {
        self.table
    }

    /// The roles in the order of declaration, in lower case.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// How many fluents have a name.
    pub fn fluent_count(&self) -> usize {
        self.fluents.len()
    }

    /// The number of moves of a role.
    pub fn move_count(&self, role: Role) -> usize {
        self.moves[role].len()
    }

    /// The term that a fluent is.
    pub fn fluent_term(&self, fluent: usize) -> TermId {
        self.fluents[fluent]
    }

    /// The term that a move of a role is.
    pub fn move_term(&self, role: Role, index: usize) -> TermId {
        self.moves[role][index]
    }

    /// The terms that fluents and moves are made of.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// A term in lower case.
    pub fn text(&self, term: TermId) -> String {
        self.terms.canonical(term, &self.symbols)
    }

    /// A fluent in lower case.
    pub fn fluent_text(&self, fluent: usize) -> String {
        self.text(self.fluents[fluent])
    }

    /// The propositions of a state as sorted lower-case text.
    pub fn sentences(&self, state: &State) -> Result<Vec<String>, PlayError> {
        self.table.check_state(state)?;
        let fluents = state.iter().filter(|&index| index < self.fluents.len());
        let mut sentences: Vec<String> = fluents.map(|index| self.fluent_text(index)).collect();
        sentences.sort();
        Ok(sentences)
    }

    /// The state in which exactly these sentences are true.
    pub fn state_of(&self, sentences: &[String]) -> Result<State, PlayError> {
        let fluent = |text: &String| {
            let unknown = |reason| PlayError::UnknownSentence { text: text.clone(), reason };
            self.fluent(text).map_err(unknown)
        };
        let fluents: Vec<usize> = sentences.iter().map(fluent).collect::<Result<_, _>>()?;
        Ok(State::new(self.table, fluents))
    }

    /// The fluent with this text, or why there is none.
    fn fluent(&self, text: &str) -> Result<usize, String> {
        let term = find(text, &self.terms, &self.symbols)?;
        term.and_then(|term| self.fluent_index.get(&term).copied())
            .ok_or_else(|| "it can never be true in this game".to_string())
    }

    /// A move as lower-case text; empty where there is no such move.
    pub fn move_text(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.table.check_move(chosen)?;
        let action = self.moves[role].get(chosen.index());
        Ok(action.map_or(String::new(), |&term| self.text(term)))
    }

    /// The moves of a role in the order of their indices.
    pub fn moves(&self, role: Role) -> impl Iterator<Item = Move> + use<> {
        let table = self.table;
        (0..self.moves[role].len() as u32).map(move |index| Move::new(table, index))
    }

    /// The text, in lower case, of the move with this index.
    pub fn text_of_move(&self, role: Role, index: usize) -> String {
        self.text(self.moves[role][index])
    }

    /// A move in the letter case of the sheet.
    pub fn move_spelling(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.table.check_move(chosen)?;
        let spelling = |symbol| self.symbols.spelling(symbol);
        let action = self.moves[role].get(chosen.index());
        Ok(action.map_or(String::new(), |&term| self.terms.text(term, &spelling)))
    }

    /// The move with this text, in any letter case.
    pub fn move_of(&self, role: Role, text: &str) -> Result<Move, PlayError> {
        let term = find(text, &self.terms, &self.symbols).ok().flatten();
        let known = term.and_then(|term| self.move_index[role].get(&term));
        known.map(|&action| Move::new(self.table, action as u32)).ok_or_else(|| {
            PlayError::UnknownMove { role: self.roles[role].clone(), text: text.to_string() }
        })
    }

    /// The complaint that a role has no legal move.
    pub(crate) fn no_legal_move(&self, role: Role) -> PlayError {
        PlayError::NoLegalMove { role: self.roles[role].clone() }
    }

    /// The complaint that a move is not legal.
    pub fn illegal_move(&self, role: Role, chosen: Move) -> PlayError {
        match self.move_text(role, chosen) {
            Ok(text) => PlayError::IllegalMove { role: self.roles[role].clone(), text },
            Err(foreign) => foreign,
        }
    }

    /// Complains about a joint move that has not one move of this game for each role.
    pub(crate) fn check_joint_move(&self, moves: &[Move]) -> Result<(), PlayError> {
        let (wanted, got) = (self.roles.len(), moves.len());
        if wanted != got {
            return Err(PlayError::WrongMoveCount { wanted, got });
        }
        Ok(self.table.check_moves(moves)?)
    }
}

/// The known term with this text, if it is known; an error where it is no term of the sheet.
fn find(text: &str, terms: &Terms, symbols: &Symbols) -> Result<Option<TermId>, String> {
    let (term, names) = parse_ground_term(text).ok_or("it is not one ground term")?;
    find_term(&term, &names, terms, symbols)
}

fn find_term(
    term: &Term,
    names: &Symbols,
    terms: &Terms,
    symbols: &Symbols,
) -> Result<Option<TermId>, String> {
    let (name, args) = match &term.kind {
        TermKind::Variable(name) | TermKind::Constant(name) => (*name, [].as_slice()),
        TermKind::Function(name, args) => (*name, args.as_slice()),
    };
    let name = names.name(name);
    let known = symbols.get(name).ok_or_else(|| format!("the sheet has no symbol {name}"))?;
    let args: Result<Vec<_>, String> =
        args.iter().map(|arg| find_term(arg, names, terms, symbols)).collect();
    let args: Option<Vec<TermId>> = args?.into_iter().collect();
    Ok(args.and_then(|args| terms.find(known, &args)))
}
