//! Putting the states of some lanes aside, for questions that are asked later about many at once.
//!
//! It is done after almost every step of playouts, so it is a routine like the others.

use super::cover::Mapping;
use super::op::{Block, Op, Routine, Slot, Space, table};
use super::slots::ZERO;

/// A routine that adds the state in some lanes to what is kept of others.
///
/// The work space begins with a word that must be false in every lane, and the word with the
/// lanes; what is kept comes after them, word by word as in the state.
#[derive(Clone, Debug)]
pub struct AsideProgram {
    /// The operations.
    pub routine: Routine,
    /// The words of the state that are kept, ascending.
    pub words: Vec<usize>,
    /// The words of the work space.
    pub work_words: usize,
}

/// a OR (b AND c).
const ADD: u8 = 0b1111_1000;

impl AsideProgram {
    /// The word with the lanes that are put aside: to be set.
    pub const LANES: usize = ZERO + 1;

    /// Where what is kept begins.
    pub const KEPT: usize = Self::LANES + 1;

    /// Keeps the words that a routine reads, of a state of `state_words` words.
    pub(super) fn new(reader: &Routine, state_words: usize, mapping: Mapping) -> Self {
        let ops = reader.blocks.iter().flat_map(|block| &block.ops);
        let slots = ops.flat_map(|op| op.inputs).filter(|slot| slot.space() == Space::Before);
        let mut words: Vec<usize> = slots.map(|slot| slot.index()).collect();
        words.sort_unstable();
        words.dedup();
        let kept = |word: usize| Slot::new(Space::Work, Self::KEPT + word);
        let spare = kept(state_words);
        let ops = words.iter().flat_map(|&word| {
            let [state, lanes] = [(Space::Before, word), (Space::Work, Self::LANES)]
                .map(|(space, index)| Slot::new(space, index));
            let kept = kept(word);
            match mapping {
                Mapping::TwoInputs => vec![
                    Op { table: table::AND, inputs: [state, lanes, lanes], target: spare },
                    Op { table: table::OR, inputs: [kept, spare, spare], target: kept },
                ],
                Mapping::ThreeInputs => {
                    vec![Op { table: ADD, inputs: [kept, state, lanes], target: kept }]
                }
            }
        });
        let block = Block { ops: ops.collect(), feedback: Vec::new() };
        let keeps = words.iter().map(|&word| kept(word)).collect();
        let routine = Routine { blocks: vec![block], keeps };
        AsideProgram { routine, words, work_words: Self::KEPT + state_words + 1 }
    }
}
