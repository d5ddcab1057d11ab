//! Circuit -> Program: a whole step of a playout as straight-line operations on words.
//!
//! After this stage no graph exists. Not only the rules of the game are operations, but also the
//! choice of the moves and the random numbers that decide it, so that nothing in a step is done for
//! one lane alone. Only where moves have weights the choice is made between two parts of the step.

mod aside;
mod choice;
mod copier;
mod cover;
mod cover_three;
mod leaves;
mod limit;
mod lower;
mod numbers;
mod op;
mod options;
mod playing;
mod prefix;
#[expect(clippy::module_inception, reason = "the stage's one value")]
mod program;
mod questions;
mod random;
mod sampling;
mod seed;
mod slots;
mod step;
mod step_program;
mod weighted;

pub use aside::AsideProgram;
pub use cover::Mapping;
pub use op::{Block, Feedback, Op, Routine, Slot, Space, table};
pub use options::StepOptions;
pub use prefix::{Reach, StepPrefix};
pub use program::{FluentPlace, Program};
pub use questions::Questions;
pub use random::STATE_BITS;
pub use sampling::{EXPLORED_OF, HALVING, HIGHEST_VALUE, Sampling, ValueScale};
pub(crate) use sampling::{FIRST_WEIGHTS, LEGAL, SAMPLING_BITS, gibbs_weight};
pub use seed::{JobSeeds, SeedProgram};
pub use step::CHOICE_BITS;
pub use step_program::{ForcedPorts, MadePorts, StepPorts, StepProgram};
pub use weighted::{CASE_BITS, Chooser, WeightedChoice};
