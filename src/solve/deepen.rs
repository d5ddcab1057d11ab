//! Iterative deepening: alpha-beta to one depth after the other, for each role whose value is asked
//! for, until all bounds meet.

use super::alpha_beta::{AlphaBeta, EndSums, SearchMeans, SearchRoot, SearchStop};
use super::error::SolveError;

/// How much deeper each search is than the one before: a move of each of two roles.
const STEP: u32 = 2;
/// Searches go no deeper than this.
const DEEPEST: u32 = 4000;

/// The searches for some roles.
pub(super) struct RoleDeepening {
    pub(super) searches: Vec<AlphaBeta>,
    /// The depth that was searched last.
    pub(super) depth: u32,
}

/// How iterative deepening ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeepeningEnd {
    /// All bounds meet.
    Closed,
    /// The caller stopped it, or it is as deep as searches go.
    Open,
    /// Ends have different sums of goals, which was to be reported.
    SumsDiffer,
}

impl RoleDeepening {
    /// Goes on until all bounds meet, or, if asked for, ends have different sums.
    pub(super) fn run(
        &mut self,
        root: SearchRoot<'_>,
        is_sum_assumed: bool,
        means: &mut SearchMeans<'_, '_>,
    ) -> Result<DeepeningEnd, SolveError> {
        loop {
            let mut is_open = false;
            for search in &mut self.searches {
                if search.bounds(root).is_closed() {
                    continue;
                }
                match search.deepen(root, self.depth, means) {
                    Ok(()) => is_open |= !search.bounds(root).is_closed(),
                    Err(SearchStop::Stopped) => return Ok(DeepeningEnd::Open),
                    Err(SearchStop::Error(error)) => return Err(error),
                }
                if is_sum_assumed && search.sums.differ {
                    return Ok(DeepeningEnd::SumsDiffer);
                }
            }
            if !is_open {
                return Ok(DeepeningEnd::Closed);
            }
            if self.depth >= DEEPEST {
                return Ok(DeepeningEnd::Open);
            }
            self.depth += STEP;
        }
    }

    /// States that were searched.
    pub(super) fn states(&self) -> u64 {
        self.searches.iter().map(|search| search.states).sum()
    }

    /// The sums of goals at all ends that were seen.
    pub(super) fn sums(&self) -> EndSums {
        let firsts = self.searches.iter().filter_map(|search| search.sums.first);
        let first = firsts.clone().next();
        let differ = self.searches.iter().any(|search| search.sums.differ)
            || firsts.clone().any(|sum| Some(sum) != first);
        EndSums { first, differ }
    }
}
