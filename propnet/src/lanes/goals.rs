//! The goals of lanes that wait for them, by value: which lanes have it.

use smallvec::SmallVec;

use super::harvest::Harvest;
use super::word::Word;
use crate::game::goal_value;
use crate::program::Program;

/// By role: a goal value, or none where the rules give none or several.
pub(super) type LaneGoals = SmallVec<[Option<i32>; 4]>;

/// Who has which goals.
pub(super) struct Goals<W> {
    /// By role and goal value: the value, where it is a number.
    values: Vec<Vec<Option<i32>>>,
    /// By role: the values that occur, each with its lanes. Every lane that waited is in one.
    found: Vec<Vec<(Option<i32>, W)>>,
}

impl<W: Word> Goals<W> {
    pub(super) fn new(program: &Program) -> Self {
        let numbers = |texts: &Vec<String>| texts.iter().map(|text| goal_value(text)).collect();
        let values: Vec<Vec<Option<i32>>> = program.goals.iter().map(numbers).collect();
        let found = values.iter().map(|_| Vec::new()).collect();
        Goals { values, found }
    }

    /// How many roles there are.
    pub(super) fn roles(&self) -> usize {
        self.values.len()
    }

    /// Notes the goals of lanes that wait, which were just computed.
    pub(super) fn find(&mut self, harvest: &Harvest<W>, program: &Program) {
        let roles = program.questions.goals.iter().zip(&self.values).zip(&mut self.found);
        for ((slots, values), found) in roles {
            let (mut some, mut several) = (W::ZERO, W::ZERO);
            found.clear();
            for (slot, &value) in slots.iter().zip(values) {
                let lanes = harvest.work[slot.index()] & harvest.waiting;
                if !lanes.is_zero() {
                    several = several | some & lanes;
                    some = some | lanes;
                    found.push((value, lanes));
                }
            }
            let without = several | harvest.waiting & !some;
            if !without.is_zero() {
                found.iter_mut().for_each(|(_, lanes)| *lanes = *lanes & !several);
                found.push((None, without));
            }
        }
    }

    /// The goals of a lane that waited, and which of some lanes have the same.
    pub(super) fn of(&self, lane: usize, lanes: W) -> (LaneGoals, W) {
        let (mut goals, mut alike) = (LaneGoals::new(), lanes);
        for found in &self.found {
            if let Some(&(value, own)) = found.iter().find(|(_, own)| own.has(lane)) {
                goals.push(value);
                alike = alike & own;
            }
        }
        (goals, alike)
    }
}
