//! What is proven about a game from its circuit.

use propnet::circuit::plan::{
    FixedCourse, GoalSum, IndependentPart, Latch, OpenGoals, PartGoals, fixed_course, goal_sum,
    independent_parts, latches, lengths, one_chooses, part_goals,
};
use propnet::circuit::{Circuit, WorkBudget};
use propnet::ground::{Symmetries, Symmetry};
use serde::Serialize;

/// What is proven about a game, with the names of its rules.
#[derive(Clone, Debug, Serialize)]
pub struct Proven {
    /// The fluents whose course no move changes.
    pub fixed_course: Option<FixedFluents>,
    /// Fluents that keep a value once they have it.
    pub latches: Vec<LatchItem>,
    /// Whether latches can rule out goals before the end.
    pub rules_out_goals: bool,
    /// Whether they can leave each role only one goal before the end.
    pub decides_early: bool,
    /// The parts that do not depend on each other.
    pub parts: PartsItem,
    /// The symmetries of the rules.
    pub symmetries: SymmetriesItem,
    /// No game is over before so many joint moves.
    pub least_moves: usize,
    /// No game has more joint moves; none where there is no proof.
    pub most_moves: Option<usize>,
    /// All games have the same number of joint moves.
    pub is_length_fixed: bool,
    /// Never two roles have a choice in the same state.
    pub one_chooses: bool,
    /// What the goals of all roles add up to at every end; none where there is no proof.
    pub goal_sum: Option<i64>,
}

/// Fluents whose values at each step are known, whatever is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FixedFluents {
    /// The fluents.
    pub fluents: Vec<String>,
    /// How many steps their course has.
    pub steps: usize,
    /// The step that comes after the last one; none where the game is over by then.
    pub returns_to: Option<usize>,
}

/// A fluent that keeps a value once it has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LatchItem {
    /// The fluent.
    pub fluent: String,
    /// The value.
    pub value: bool,
}

/// Parts of a game, and how its goals put them together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartsItem {
    /// How many parts there are; 1 where all hangs together.
    pub count: usize,
    /// The first of them.
    pub parts: Vec<GamePart>,
    /// By role, where there are several.
    pub goals: Vec<RolePartGoals>,
}

/// Permutations of fluents and moves that map the rules to themselves, so that a state and its image
/// are worth the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymmetriesItem {
    /// How many there are, with the one that changes nothing, wherever the game starts.
    pub count: u128,
    /// How many of them map the first state to itself; none where they are too many to list.
    pub keep_the_start: Option<usize>,
    /// Whether there are no others: false where looking for them was too much work.
    pub is_complete: bool,
    /// By permutation of a set that makes all of them: the first fluents that it moves, each with the
    /// one in its place.
    pub generators: Vec<Vec<[String; 2]>>,
}

/// Fluents and moves that depend on no others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GamePart {
    /// The fluents.
    pub fluents: Vec<String>,
    /// The moves, with their roles.
    pub moves: Vec<String>,
}

/// How the goals of a role put parts together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RolePartGoals {
    /// The role.
    pub role: String,
    /// `apart`, `conjunction`, `sum` or `together`.
    pub goals: &'static str,
    /// Whether that is proven; a sum is what random games show.
    pub is_proven: bool,
}

/// No more parts than these are listed.
const MOST_PARTS: usize = 16;
/// No more symmetries than these are made one by one.
const MOST_SYMMETRIES: usize = 1000;
/// Generators that are listed, and fluents of each.
const SHOWN_GENERATORS: usize = 8;
const SHOWN_FLUENTS: usize = 6;

impl Proven {
    /// What can be proven within the budget. The second value is for those who play.
    pub(super) fn new(
        circuit: &Circuit,
        symmetries: &Symmetries,
        budget: &WorkBudget<'_>,
    ) -> (Self, Option<OpenGoals>) {
        let fixed = fixed_course(circuit, budget);
        let found = latches(circuit, budget);
        let open_goals = OpenGoals::new(circuit, &found);
        let lengths = lengths(circuit, fixed.as_ref(), &found, budget);
        let left_out = fixed.as_ref().map_or(&[][..], |fixed| &fixed.fluents);
        let proven = Proven {
            fixed_course: fixed.as_ref().map(|fixed| FixedFluents::new(circuit, fixed)),
            latches: found.iter().map(|latch| LatchItem::new(circuit, latch)).collect(),
            rules_out_goals: open_goals.is_some(),
            decides_early: open_goals.as_ref().is_some_and(OpenGoals::can_be_decided),
            parts: PartsItem::new(circuit, left_out, budget),
            symmetries: SymmetriesItem::new(circuit, symmetries),
            least_moves: lengths.least,
            most_moves: lengths.most,
            is_length_fixed: lengths.is_fixed(),
            one_chooses: one_chooses(circuit, budget),
            goal_sum: match goal_sum(circuit, budget) {
                GoalSum::Proven(sum) => Some(sum),
                GoalSum::Unknown => None,
            },
        };
        (proven, open_goals)
    }
}

fn texts(circuit: &Circuit, fluents: &[u32]) -> Vec<String> {
    fluents.iter().map(|&fluent| circuit.names.fluent_text(fluent as usize)).collect()
}

impl FixedFluents {
    fn new(circuit: &Circuit, fixed: &FixedCourse) -> Self {
        FixedFluents {
            fluents: texts(circuit, &fixed.fluents),
            steps: fixed.course.len(),
            returns_to: fixed.returns_to,
        }
    }
}

impl LatchItem {
    fn new(circuit: &Circuit, latch: &Latch) -> Self {
        let fluent = circuit.names.fluent_text(latch.fluent as usize);
        LatchItem { fluent, value: latch.value }
    }
}

impl PartsItem {
    fn new(circuit: &Circuit, left_out: &[u32], budget: &WorkBudget<'_>) -> Self {
        let parts = independent_parts(circuit, left_out);
        let goals = match parts.len() {
            0 | 1 => Vec::new(),
            _ => part_goals(circuit, &parts, budget),
        };
        let roles = circuit.names.roles().iter().zip(goals);
        let goals = roles.map(|(role, goals)| RolePartGoals {
            role: role.clone(),
            goals: match goals {
                PartGoals::Apart => "apart",
                PartGoals::Conjunction => "conjunction",
                PartGoals::Sum => "sum",
                PartGoals::Together => "together",
            },
            is_proven: matches!(goals, PartGoals::Apart | PartGoals::Conjunction),
        });
        PartsItem {
            count: parts.len().max(1),
            goals: goals.collect(),
            parts: parts.iter().take(MOST_PARTS).map(|part| GamePart::new(circuit, part)).collect(),
        }
    }
}

impl SymmetriesItem {
    fn new(circuit: &Circuit, found: &Symmetries) -> Self {
        let kept = found.that_keep_the_start(MOST_SYMMETRIES);
        let text = |fluent: usize| circuit.names.fluent_text(fluent);
        let moved = |generator: &Symmetry| {
            let images = generator.fluents.iter().enumerate();
            let moved = images.filter(|&(fluent, &image)| fluent != image as usize);
            let pair = |(fluent, &image): (usize, &u32)| [text(fluent), text(image as usize)];
            moved.take(SHOWN_FLUENTS).map(pair).collect()
        };
        SymmetriesItem {
            count: found.order,
            keep_the_start: kept.is_whole.then(|| kept.members.len().max(1)),
            is_complete: found.is_complete,
            generators: found.generators.iter().take(SHOWN_GENERATORS).map(moved).collect(),
        }
    }
}

impl GamePart {
    fn new(circuit: &Circuit, part: &IndependentPart) -> Self {
        let roles = circuit.names.roles();
        let moves = part.moves.iter().map(|&(role, at)| {
            let text = circuit.names.text_of_move(role as usize, at as usize);
            match roles.len() {
                1 => text,
                _ => format!("{} {text}", roles[role as usize]),
            }
        });
        GamePart { fluents: texts(circuit, &part.fluents), moves: moves.collect() }
    }
}
