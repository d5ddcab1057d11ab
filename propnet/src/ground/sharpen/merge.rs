//! Atoms that always equal another atom are replaced by it.

use super::super::rules::{AtomId, GroundLiteral, Recipe};
use super::classes::equal_atoms;
use super::cone::cone;
use super::report::SharpenReport;
use super::rewrite::{Put, rewrite};
use super::work::{AtomKind, SharpenWork, Stopped, Ticker};

/// Merges equal helpers and equal fluents, and drops helpers that nothing needs.
pub(super) fn merge(
    work: &mut SharpenWork,
    report: &mut SharpenReport,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let cone = cone(work, ticker)?;
    let classes = equal_atoms(work, &cone, ticker)?;
    let mut puts = Put::for_atoms(work.atom_count());
    let mut changed = false;
    for class in classes {
        match work.kinds[class[0] as usize] {
            AtomKind::Helper => {
                for &other in &class[1..] {
                    puts.put[other as usize] = equal_to(class[0]);
                }
                report.merged += class.len() - 1;
                changed = true;
            }
            // A copy is shown by looking at a fluent that is carried, so one must be.
            _ => {
                let needed = class.iter().copied().find(|&atom| cone.play[atom as usize]);
                let Some(original) = needed else { continue };
                let original = fluent_of(work, original);
                for other in class {
                    let other = fluent_of(work, other);
                    if other != original {
                        let put = &mut puts.put;
                        put[work.true_atoms[other] as usize] = equal_to(work.true_atoms[original]);
                        put[work.next_atoms[other] as usize] = equal_to(work.next_atoms[original]);
                        work.ground.fluents[other].recipe = Recipe::Copy(original);
                    }
                }
                changed = true;
            }
        }
    }
    for (atom, put) in puts.put.iter_mut().enumerate() {
        let has_rules = !work.rules_of(atom as AtomId).is_empty();
        if has_rules && !cone.live[atom] && work.kinds[atom] == AtomKind::Helper {
            *put = Put::False;
            report.unread += 1;
            changed = true;
        }
    }
    if changed { rewrite(work, &mut puts, ticker) } else { Ok(()) }
}

fn equal_to(atom: AtomId) -> Put {
    Put::Literal(GroundLiteral::new(atom, false))
}

/// The fluent of a `true` atom.
fn fluent_of(work: &SharpenWork, atom: AtomId) -> usize {
    match work.kinds[atom as usize] {
        AtomKind::True(fluent) => fluent as usize,
        kind => unreachable!("{kind:?} is no fluent"),
    }
}
