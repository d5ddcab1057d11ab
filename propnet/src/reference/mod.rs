//! The slow, obvious reasoner.
use crate::game::*;
use crate::gdl::{Finding, Rules, SheetError, Source};

/// Parses and checks a sheet; the rules are returned only where it can be played.
pub fn load(source: Source) -> Result<Rules, SheetError> {
    let (rules, findings) = crate::gdl::parse(source);
    if findings.is_empty() { Ok(rules) } else { Err(SheetError::new(rules.source, findings)) }
}

/// All findings about a sheet, errors and warnings, in the order of their places.
pub fn examine(source: Source) -> (Rules, Vec<Finding>) {
    crate::gdl::parse(source)
}

/// The reasoner.
pub struct Reasoner {}
impl Reasoner {
    /// Makes a reasoner for rules that `load` gave.
    pub fn new(_rules: &Rules) -> Reasoner {
        Reasoner {}
    }
}
impl Game for Reasoner {
    fn roles(&self) -> &[String] {
        todo!()
    }
    fn initial_state(&mut self) -> Result<State, PlayError> {
        todo!()
    }
    fn is_terminal(&mut self, _state: &State) -> Result<bool, PlayError> {
        todo!()
    }
    fn legal_moves(&mut self, _state: &State, _role: Role) -> Result<MoveSet, PlayError> {
        todo!()
    }
    fn next_state(&mut self, _state: &State, _moves: &[Move]) -> Result<State, PlayError> {
        todo!()
    }
    fn goal(&mut self, _state: &State, _role: Role) -> Result<i32, PlayError> {
        todo!()
    }
    fn sentences(&self, _state: &State) -> Vec<String> {
        todo!()
    }
    fn state_of(&mut self, _sentences: &[String]) -> Result<State, PlayError> {
        todo!()
    }
    fn move_text(&self, _role: Role, _chosen: Move) -> String {
        todo!()
    }
    fn move_spelling(&self, _role: Role, _chosen: Move) -> String {
        todo!()
    }
    fn move_of(&mut self, _role: Role, _text: &str) -> Result<Move, PlayError> {
        todo!()
    }
}
