//! Selection at random: Monte Carlo without guidance, the baseline of the CadiaPlayer papers.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::{Choice, Choose, MakeSelection, NodeMoves};
use crate::search::scheme::Part;

/// The part with this name.
pub(crate) const PART: Part<MakeSelection> = Part {
    name: "uniform",
    help: "moves in the tree at random",
    paper: "Finnsson and Björnsson 2008, section 5 (MC)",
    parameters: &[],
    make: |_, _| Box::new(Uniform),
};

struct Uniform;

impl Choose for Uniform {
    const USES_STATISTICS: bool = false;

    fn choose(&self, node: &NodeMoves, rng: &mut Pcg64) -> Choice {
        let at = match node.closed.is_empty() {
            true => rng.random_range(0..node.span.len()),
            false => {
                let count = node.open().count();
                node.open().nth(rng.random_range(0..count)).unwrap_or_default()
            }
        };
        Choice { at, bound: 0.0 }
    }
}
