//! Ground rules evaluated by brute force, before and after, over all reachable states.

use std::collections::{BTreeMap, BTreeSet};

use propnet::ground::{GroundAtom, GroundRules, Recipe};
use propnet::terms::TermId;

/// Which fluents are true.
pub(crate) type State = Vec<bool>;

/// What people and players see in a state.
#[derive(Debug, PartialEq, Eq)]
struct View {
    legal: Vec<BTreeSet<TermId>>,
    goals: BTreeSet<(u32, TermId)>,
    terminal: bool,
}

/// What differs between the two games, or the number of states if nothing does.
pub(crate) fn same_game(before: &GroundRules, after: &GroundRules) -> Result<usize, String> {
    well_formed(after)?;
    let initial: State = before.fluents.iter().map(|fluent| fluent.initially).collect();
    let started: State = after.fluents.iter().map(|fluent| fluent.initially).collect();
    same(&shown(after, &started), &initial, "the start")?;
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        let seen_before = view(before, &state);
        same(&seen_before, &view(after, &state), &format!("{state:?}"))?;
        let seen_blind = view(after, &unobserved(after, &state));
        same(&seen_before, &seen_blind, &format!("playouts in {state:?}"))?;
        // No pass uses that the game ends, so states behind an end must agree as well.
        for joint in joint_moves(&seen_before.legal) {
            let next = step(before, &state, &joint);
            let place = format!("{joint:?} in {state:?}");
            same(&next, &shown(after, &step(after, &state, &joint)), &place)?;
            // Playouts do without the observed fluents.
            let blind = step(after, &unobserved(after, &state), &joint);
            same(&unobserved(after, &next), &unobserved(after, &blind), &place)?;
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Ok(seen.len())
}

fn same<T: PartialEq + std::fmt::Debug>(before: &T, after: &T, place: &str) -> Result<(), String> {
    ensure(before == after, || format!("{place}:\n{before:?}\n{after:?}"))
}

fn ensure(holds: bool, complaint: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(complaint()) }
}

/// What the types promise about sharpened rules.
fn well_formed(ground: &GroundRules) -> Result<(), String> {
    let rules = &ground.rules;
    let grouped = (1..rules.len()).all(|r| rules.head(r - 1) <= rules.head(r));
    ensure(grouped, || "heads descend".into())?;
    let heads: BTreeSet<u32> = rules.iter().map(|(head, _)| head).collect();
    let mut used = heads.clone();
    used.extend(rules.iter().flat_map(|(_, body)| body.iter().map(|literal| literal.atom())));
    ensure(used.len() == ground.atoms.len(), || "an atom is not used".into())?;
    let ruled = |f: usize| matches!(ground.fluents[f].recipe, Recipe::Carried | Recipe::Observed);
    for (id, atom) in ground.atoms.iter().enumerate() {
        let has_rules = heads.contains(&(id as u32));
        let fine = match *atom {
            GroundAtom::True(f) => ruled(f) && !has_rules,
            GroundAtom::Next(f) => ruled(f) && has_rules,
            GroundAtom::Does(r, m) => m < ground.moves[r as usize].len() && !has_rules,
            _ => has_rules,
        };
        ensure(fine, || format!("{atom:?} is not as it should be"))?;
    }
    for fluent in &ground.fluents {
        if let Recipe::Copy(other) = fluent.recipe {
            let carried = ground.fluents[other].recipe == Recipe::Carried;
            ensure(carried, || format!("{other} is not carried but copied"))?;
        }
    }
    for (role, moves) in ground.moves.iter().enumerate() {
        for m in 0..moves.len() {
            let legal = ground.atoms.contains(&GroundAtom::Legal(role as u32, m));
            ensure(legal, || format!("move {m} of {role} is never legal"))?;
        }
    }
    Ok(())
}

/// The state as people see it.
fn shown(ground: &GroundRules, state: &State) -> State {
    let value = |f: usize| match ground.fluents[f].recipe {
        Recipe::Carried | Recipe::Observed => state[f],
        Recipe::Constant(value) => value,
        Recipe::Copy(other) => state[other],
    };
    (0..state.len()).map(value).collect()
}

/// The state as playouts know it.
fn unobserved(ground: &GroundRules, state: &State) -> State {
    let carried = |f: usize| ground.fluents[f].recipe == Recipe::Carried && state[f];
    (0..state.len()).map(carried).collect()
}

fn view(ground: &GroundRules, state: &State) -> View {
    let model = model(ground, state, &[]);
    let mut view = View {
        legal: vec![BTreeSet::new(); ground.roles.len()],
        goals: BTreeSet::new(),
        terminal: false,
    };
    for (atom, &value) in ground.atoms.iter().zip(&model) {
        match *atom {
            GroundAtom::Legal(role, m) if value => {
                let role = role as usize;
                view.legal[role].insert(ground.moves[role][m]);
            }
            GroundAtom::Goal(role, goal) if value => drop(view.goals.insert((role, goal))),
            GroundAtom::Terminal => view.terminal = value,
            _ => {}
        }
    }
    view
}

fn step(ground: &GroundRules, state: &State, joint: &[TermId]) -> State {
    let model = model(ground, state, joint);
    let mut next = vec![false; state.len()];
    for (atom, &value) in ground.atoms.iter().zip(&model) {
        if let GroundAtom::Next(f) = *atom {
            next[f] = value;
        }
    }
    next
}

fn joint_moves(legal: &[BTreeSet<TermId>]) -> Vec<Vec<TermId>> {
    let mut joint = vec![Vec::new()];
    for moves in legal {
        joint = joint
            .iter()
            .flat_map(|start| {
                moves.iter().map(move |&next| start.iter().copied().chain([next]).collect())
            })
            .collect();
    }
    joint
}

/// The truth of each atom. Negation is by the alternating fixpoint: a set that is too small gives
/// one that is too large and the other way round, until nothing changes. It needs no strata.
fn model(ground: &GroundRules, state: &State, joint: &[TermId]) -> Vec<bool> {
    let mut small = vec![false; ground.atoms.len()];
    loop {
        let large = least(ground, state, joint, &small);
        let next = least(ground, state, joint, &large);
        if next == small {
            return small;
        }
        small = next;
    }
}

fn least(ground: &GroundRules, state: &State, joint: &[TermId], assumed: &[bool]) -> Vec<bool> {
    let mut values: Vec<bool> = ground
        .atoms
        .iter()
        .map(|atom| match *atom {
            GroundAtom::True(f) => state[f],
            GroundAtom::Does(role, m) => {
                let role = role as usize;
                joint.get(role) == Some(&ground.moves[role][m])
            }
            _ => false,
        })
        .collect();
    let inputs: BTreeMap<u32, bool> = ground
        .atoms
        .iter()
        .enumerate()
        .filter(|(_, atom)| matches!(atom, GroundAtom::True(_) | GroundAtom::Does(..)))
        .map(|(id, _)| (id as u32, values[id]))
        .collect();
    loop {
        let mut changed = false;
        for (head, body) in ground.rules.iter() {
            let holds = body.iter().all(|literal| match literal.negated() {
                false => values[literal.atom() as usize],
                true => match inputs.get(&literal.atom()) {
                    Some(value) => !value,
                    None => !assumed[literal.atom() as usize],
                },
            });
            if holds && !values[head as usize] {
                values[head as usize] = true;
                changed = true;
            }
        }
        if !changed {
            return values;
        }
    }
}
