//! Ground rules evaluated by brute force, before and after, over all reachable states.

use std::collections::{BTreeMap, BTreeSet};

use propnet::ground::{Atom, GroundRules, Recipe};
use propnet::terms::TermId;

/// Which fluents are true.
pub(crate) type State = Vec<bool>;

/// What people and players see in a state.
#[derive(Debug, PartialEq, Eq)]
struct View {
    legal: Vec<BTreeSet<TermId>>,
    goals: BTreeSet<(usize, TermId)>,
    terminal: bool,
}

/// Fails unless both play the same game. Returns the number of states.
pub(crate) fn same_game(before: &GroundRules, after: &GroundRules) -> usize {
    well_formed(after);
    let initial: State = before.fluents.iter().map(|fluent| fluent.initially).collect();
    let started: State = after.fluents.iter().map(|fluent| fluent.initially).collect();
    assert_eq!(shown(after, &started), initial, "the start");
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        let seen_before = view(before, &state);
        assert_eq!(seen_before, view(after, &state), "in {state:?}");
        assert_eq!(seen_before, view(after, &unobserved(after, &state)), "play in {state:?}");
        if seen_before.terminal {
            continue;
        }
        for joint in joint_moves(&seen_before.legal) {
            let next = step(before, &state, &joint);
            assert_eq!(shown(after, &step(after, &state, &joint)), next, "{joint:?} in {state:?}");
            // Playouts do without the observed fluents.
            let blind = step(after, &unobserved(after, &state), &joint);
            assert_eq!(unobserved(after, &blind), unobserved(after, &next), "play: {joint:?}");
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    seen.len()
}

/// What the types promise about sharpened rules.
fn well_formed(ground: &GroundRules) {
    let heads: BTreeSet<u32> = ground.rules.iter().map(|(head, _)| head).collect();
    assert!((1..ground.rules.len()).all(|r| ground.rules.head(r - 1) <= ground.rules.head(r)));
    let with_rules =
        |f: usize| matches!(ground.fluents[f].recipe, Recipe::Carried | Recipe::Observed);
    let mut used: BTreeSet<u32> = heads.clone();
    for (_, body) in ground.rules.iter() {
        used.extend(body.iter().map(|literal| literal.atom()));
    }
    assert_eq!(used.len(), ground.atoms.len(), "every atom is used");
    for (id, atom) in ground.atoms.iter().enumerate() {
        match *atom {
            Atom::True(f) => assert!(with_rules(f), "a rule reads {f}"),
            Atom::Next(f) => assert!(with_rules(f) && heads.contains(&(id as u32))),
            Atom::Does(r, m) => assert!(m < ground.moves[r].len()),
            _ => assert!(heads.contains(&(id as u32)), "{atom:?} has no rule"),
        }
    }
    for fluent in &ground.fluents {
        if let Recipe::Copy(other) = fluent.recipe {
            assert_eq!(ground.fluents[other].recipe, Recipe::Carried);
        }
    }
    for (role, moves) in ground.moves.iter().enumerate() {
        for m in 0..moves.len() {
            assert!(ground.atoms.contains(&Atom::Legal(role, m)), "a move is never legal");
        }
    }
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
            Atom::Legal(role, m) if value => drop(view.legal[role].insert(ground.moves[role][m])),
            Atom::Goal(role, goal) if value => drop(view.goals.insert((role, goal))),
            Atom::Terminal => view.terminal = value,
            _ => {}
        }
    }
    view
}

fn step(ground: &GroundRules, state: &State, joint: &[TermId]) -> State {
    let model = model(ground, state, joint);
    let mut next = vec![false; state.len()];
    for (atom, &value) in ground.atoms.iter().zip(&model) {
        if let Atom::Next(f) = *atom {
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
            Atom::True(f) => state[f],
            Atom::Does(role, m) => joint.get(role) == Some(&ground.moves[role][m]),
            _ => false,
        })
        .collect();
    let inputs: BTreeMap<u32, bool> = ground
        .atoms
        .iter()
        .enumerate()
        .filter(|(_, atom)| matches!(atom, Atom::True(_) | Atom::Does(..)))
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
