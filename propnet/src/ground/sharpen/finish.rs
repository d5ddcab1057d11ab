//! Back to [`GroundRules`]: recipes are settled, what nothing needs is dropped, atoms and moves
//! are numbered anew.

use super::super::rules::{
    AtomId, GroundAtom, GroundLiteral, GroundRules, HelperArguments, Recipe, RuleTable,
};
use super::cone::cone;
use super::work::{AtomKind, SharpenWork, Stopped, Ticker, grouped};

/// The sharpened rules.
pub(super) fn finish(mut work: SharpenWork, ticker: &mut Ticker) -> Result<GroundRules, Stopped> {
    let cone = cone(&work, ticker)?;
    for (fluent, &atom) in work.true_atoms.iter().enumerate() {
        if work.is_carried(fluent as u32) && !cone.play[atom as usize] {
            work.ground.fluents[fluent].recipe = Recipe::Observed;
        }
    }
    let repeated = settle_copies(&mut work);
    let moves = renumber_moves(&mut work);

    const UNUSED: AtomId = AtomId::MAX;
    let mut number = vec![UNUSED; work.atom_count()];
    let kept = |rule: usize| cone.live[work.rules.head(rule) as usize];
    for rule in (0..work.rules.len()).filter(|&rule| kept(rule)) {
        number[work.rules.head(rule) as usize] = 0;
        work.rules.body(rule).iter().for_each(|literal| number[literal.atom() as usize] = 0);
    }
    for &(copy, original) in &repeated {
        if !work.rules_of(original).is_empty() {
            number[copy as usize] = 0;
        }
    }
    let mut atoms = Vec::new();
    let mut helpers = HelperArguments::default();
    let of_helpers = std::mem::take(&mut work.ground.helpers);
    for (id, atom) in std::mem::take(&mut work.ground.atoms).into_iter().enumerate() {
        if number[id] == UNUSED {
            continue;
        }
        number[id] = atoms.len() as AtomId;
        atoms.push(match (atom, work.kinds[id]) {
            (GroundAtom::Does(role, _), AtomKind::Does(m)) => {
                GroundAtom::Does(role, moves[m as usize])
            }
            (GroundAtom::Legal(role, _), AtomKind::Legal(m)) => {
                GroundAtom::Legal(role, moves[m as usize])
            }
            (GroundAtom::Helper(relation, all), _) => {
                let arguments = helpers.add(of_helpers.of(all));
                GroundAtom::Helper(relation, arguments.expect("no more than there were"))
            }
            (atom, _) => atom,
        });
    }

    let mut rules = RuleTable::with_capacity(work.rules.len(), work.rules.literal_count());
    let mut body = Vec::new();
    let mut write = |head: AtomId, rule: usize| {
        body.clear();
        let renumbered = |literal: &GroundLiteral| {
            GroundLiteral::new(number[literal.atom() as usize], literal.negated())
        };
        body.extend(work.rules.body(rule).iter().map(renumbered));
        rules.push(number[head as usize], &body, work.rules.origin(rule));
    };
    for rule in (0..work.rules.len()).filter(|&rule| kept(rule)) {
        write(work.rules.head(rule), rule);
        ticker.tick(1)?;
    }
    for (copy, original) in repeated {
        work.rules_of(original).for_each(|rule| write(copy, rule));
    }
    let mut ground = work.ground;
    ground.rules = grouped(rules, atoms.len());
    ground.atoms = atoms;
    ground.helpers = helpers;
    Ok(ground)
}

/// Makes each copy one of a carried fluent. What it was a copy of may since have become a copy
/// itself, or constant; or nothing reads it any more, and then both are observed: the copy gets
/// the rules of the original. Returns the `next` atoms of these pairs.
fn settle_copies(work: &mut SharpenWork) -> Vec<(AtomId, AtomId)> {
    let recipes: Vec<Recipe> = work.fluents().iter().map(|fluent| fluent.recipe).collect();
    let mut repeated = Vec::new();
    for (fluent, &recipe) in recipes.iter().enumerate() {
        let Recipe::Copy(mut original) = recipe else { continue };
        while let Recipe::Copy(further) = recipes[original] {
            original = further;
        }
        work.ground.fluents[fluent].recipe = match recipes[original] {
            Recipe::Observed => {
                repeated.push((work.next_atoms[fluent], work.next_atoms[original]));
                Recipe::Observed
            }
            Recipe::Constant(value) => Recipe::Constant(value),
            _ => Recipe::Copy(original),
        };
    }
    repeated
}

/// Drops the moves that are never legal; returns the new index of each other move in its role.
fn renumber_moves(work: &mut SharpenWork) -> Vec<usize> {
    let mut renumbered = vec![usize::MAX; work.legal_atoms.len()];
    let mut at = 0;
    for role in 0..work.ground.moves.len() {
        let mut kept = Vec::new();
        for term in std::mem::take(&mut work.ground.moves[role]) {
            if !work.rules_of(work.legal_atoms[at]).is_empty() {
                renumbered[at] = kept.len();
                kept.push(term);
            }
            at += 1;
        }
        work.ground.moves[role] = kept;
    }
    renumbered
}
