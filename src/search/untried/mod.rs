//! Untried moves: when, and which, of the moves never tried in a node. One file for each scheme.

mod first;

use rand_pcg::Pcg64;

use super::policy::Sampler;
use super::scheme::{Part, Values};
use super::selection::NodeMoves;

/// All schemes for moves never tried; the first is the usual one.
pub(crate) const UNTRIED: &[&Part<MakeUntried>] = &[&first::PART];

/// Makes such a scheme from the values of its parameters.
pub(crate) type MakeUntried = fn(&Values) -> Box<dyn Untried>;

/// A scheme for moves never tried.
pub(crate) trait Untried: Send + Sync {
    /// The index of one of the `count` moves never tried, of which there is at least one; none if
    /// selection shall choose among the others.
    fn choose(
        &self,
        node: &NodeMoves,
        count: usize,
        policy: Option<&dyn Sampler>,
        rng: &mut Pcg64,
    ) -> Option<usize>;
}
