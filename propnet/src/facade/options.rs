//! How rules are compiled: plain settings with the usual values as defaults.

use crate::circuit::WorkBudget;
use crate::circuit::optimize::Pass;
use crate::ground::Limits;
use crate::lanes::Setup;
use crate::reference::WorkWatch;

/// How rules are compiled; see [`Compiled::new`](super::Compiled::new).
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// How far grounding may go. Reaching a limit is an ordinary error.
    pub limits: Limits,
    /// The passes over the circuit, in their order. All of them by default; [`Pass::FAST`] where
    /// the game starts soon.
    pub passes: Vec<Pass>,
    /// How much work the proofs of the circuit may be, in units of about a nanosecond. Where it is
    /// used up, the circuit becomes larger and says the same.
    pub proofs: u64,
    /// The width of the lanes and what runs them: the fastest on this processor by default. It
    /// never changes a result.
    pub lanes: Setup,
    /// The joint moves after which a playout is cut, so that games without an end do not run
    /// forever; 10,000 by default.
    pub max_moves: u64,
    /// Lets the caller stop the work; by default nothing stops it.
    pub watch: WorkWatch,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            limits: Limits::default(),
            passes: Pass::ALL.to_vec(),
            proofs: WorkBudget::PROOFS,
            lanes: Setup::default(),
            max_moves: 10_000,
            watch: WorkWatch::default(),
        }
    }
}
