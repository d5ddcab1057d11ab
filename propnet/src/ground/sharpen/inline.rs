//! Helpers that are read once are replaced by their definition.
//!
//! Unfolding a definition where it is read keeps the least fixpoint. It makes rules fewer and
//! never lengthens the whole, because what is read once is written once.

use super::super::rules::AtomId;
use super::report::SharpenReport;
use super::rewrite::{Put, rewrite};
use super::work::{AtomKind, SharpenWork, Stopped, Ticker};

/// How often a helper is read.
#[derive(Clone, Copy)]
enum Reads {
    Never,
    /// Positively, by this rule.
    Once(u32),
    Often,
}

/// Unfolds helpers read once and drops those never read.
pub(super) fn inline(
    work: &mut SharpenWork,
    report: &mut SharpenReport,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let mut reads = vec![Reads::Never; work.atom_count()];
    for (rule, (_, body)) in work.rules.iter().enumerate() {
        for literal in body {
            let reads = &mut reads[literal.atom() as usize];
            *reads = match *reads {
                Reads::Never if !literal.negated() => Reads::Once(rule as u32),
                _ => Reads::Often,
            };
        }
    }
    let mut puts = Put::for_atoms(work.atom_count());
    let mut changed = false;
    let is_helper = |&atom: &usize| work.kinds[atom] == AtomKind::Helper && !work.unstable[atom];
    let helpers: Vec<usize> = (0..work.atom_count()).filter(is_helper).collect();
    for &atom in &helpers {
        let rules = work.rules_of(atom as AtomId).len();
        let put = match reads[atom] {
            Reads::Never if rules > 0 => {
                report.unread += 1;
                Put::False
            }
            // Not into itself. A ring of helpers that only read each other is unfolded nowhere:
            // none of its rules is written.
            Reads::Once(reader) if rules == 1 => {
                if work.rules.head(reader as usize) == atom as AtomId {
                    continue;
                }
                report.inlined += 1;
                Put::Body
            }
            _ => continue,
        };
        puts.put[atom] = put;
        changed = true;
    }
    // A rule that says no more than `q <= h`, the only one to read h: h's rules become q's. Not
    // where that closes a ring of rules that only read each other.
    let mut heir: Vec<AtomId> = (0..work.atom_count() as AtomId).collect();
    for &atom in &helpers {
        let Reads::Once(reader) = reads[atom] else { continue };
        let head = work.rules.head(reader as usize);
        if puts.put[atom] == Put::Keep
            && puts.put[head as usize] == Put::Keep
            && !work.unstable[head as usize]
            && work.rules.body(reader as usize).len() == 1
            && last_heir(&mut heir, head) != atom as AtomId
        {
            heir[atom] = head;
            report.lifted += 1;
            changed = true;
        }
    }
    if !changed {
        return Ok(());
    }
    for &atom in &helpers {
        heir[atom] = last_heir(&mut heir, atom as AtomId);
    }
    puts.heir = heir;
    rewrite(work, &mut puts, ticker)
}

/// Who inherits in the end; the way there is halved each time it is walked.
fn last_heir(heir: &mut [AtomId], atom: AtomId) -> AtomId {
    let mut at = atom as usize;
    while heir[at] as usize != at {
        heir[at] = heir[heir[at] as usize];
        at = heir[at] as usize;
    }
    at as AtomId
}
