//! Helpers that a single literal defines are replaced by it.
//!
//! This is unfolding: the one rule stands wherever the helper is read. Under a negation it stays
//! in order as well, because the literal's atom is settled before the helper, and so before all
//! that read it.

use super::super::rules::AtomId;
use super::report::SharpenReport;
use super::rewrite::{Put, rewrite};
use super::work::{AtomKind, SharpenWork, Stopped, Ticker};

/// Replaces helpers by the literal that defines them, until no helper is defined so.
pub(super) fn alias(
    work: &mut SharpenWork,
    report: &mut SharpenReport,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    loop {
        let mut puts = Put::for_atoms(work.atom_count());
        let mut count = 0;
        for (atom, put) in puts.put.iter_mut().enumerate() {
            if work.kinds[atom] == AtomKind::Helper
                && !work.unstable[atom]
                && work.rules_of(atom as AtomId).len() == 1
                && let [only] = work.bodies_of(atom as AtomId)
            {
                *put = Put::Literal(*only);
                count += 1;
            }
        }
        if count == 0 {
            return Ok(());
        }
        report.aliased += count;
        rewrite(work, &mut puts, ticker)?;
    }
}
