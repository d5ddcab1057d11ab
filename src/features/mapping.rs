//! From the values of features to the values of moves.
//!
//! FAST: equations 4.1 and 4.2 of Finnsson's thesis.
//!
//! ```text
//! pieces  Q(a) = -(2 theta(to) + theta(from)) for a capture, else -100     (4.1)
//! cells   Q(a) = c theta(own piece on to)                                  (4.2)
//! ```
//!
//! A value theta is that for the role that moves: own pieces are worth more than 0, and pieces of
//! others less.

use propnet::game::{Role, State};

use super::find::{FeatureKind, Features};
use super::move_cells::MoveCells;

/// How values of features become values of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MappingOptions {
    /// The factor c of equation 4.2.
    pub cell_factor: f64,
    /// A value nearer to 0 than this is not used: it may be chance. The thesis says "far enough from
    /// zero" and no number. Piece values are about 5 to 13 there.
    pub least_value: f64,
}

impl Default for MappingOptions {
    fn default() -> Self {
        MappingOptions { cell_factor: 5.0, least_value: 1.0 }
    }
}

/// The value of a move that is not a capture, by equation 4.1.
const NO_CAPTURE: f64 = -100.0;

/// The value of a move if some fluents are true: a sum of the values of features, each with a
/// factor. If the value of the first feature is not used, the move has no such value.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveFeature {
    /// The fluents that must be true.
    pub conditions: Vec<usize>,
    /// Features and their factors.
    pub parts: Vec<(usize, f64)>,
}

/// Which features make the values of moves. It does not change while values are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// By role and move. No two apply to the same state.
    pub moves: Vec<Vec<Vec<MoveFeature>>>,
    /// The value of a move to which none applies.
    pub otherwise: f64,
    least_value: f64,
}

/// A value that a move has if some fluents are true.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionalValue {
    /// The fluents that must be true.
    pub conditions: Vec<usize>,
    /// The value Q.
    pub value: f64,
}

/// The values of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveValues {
    /// By role and move. No two apply to the same state.
    pub moves: Vec<Vec<Vec<ConditionalValue>>>,
    /// The value of a move to which none applies.
    pub otherwise: f64,
}

impl Mapping {
    /// How moves get their values from features.
    pub fn new(features: &Features, options: &MappingOptions) -> Self {
        let on_cell = OnCell::new(features);
        let map = |role: Role, cells: &MoveCells| match features.kind {
            FeatureKind::Pieces => captures(&on_cell, role, cells),
            FeatureKind::Cells => arrivals(&on_cell, role, cells, options.cell_factor),
        };
        let roles = features.moves.iter().enumerate();
        let moves = roles.map(|(role, moves)| moves.iter().map(|one| map(role, one)).collect());
        let otherwise = match features.kind {
            FeatureKind::Pieces => NO_CAPTURE,
            FeatureKind::Cells => 0.0,
        };
        Mapping { moves: moves.collect(), otherwise, least_value: options.least_value }
    }

    /// The values of all moves by the values of the features, by role and feature.
    pub fn values(&self, theta: &[Vec<f64>]) -> MoveValues {
        let roles = self.moves.iter().zip(theta);
        let moves = roles.map(|(moves, theta)| {
            let value = |one: &MoveFeature| self.value(one, theta);
            moves.iter().map(|features| features.iter().filter_map(value).collect()).collect()
        });
        MoveValues { moves: moves.collect(), otherwise: self.otherwise }
    }

    fn value(&self, feature: &MoveFeature, theta: &[f64]) -> Option<ConditionalValue> {
        let used = |at: usize| Some(theta[at]).filter(|value| value.abs() >= self.least_value);
        let &(first, _) = feature.parts.first()?;
        used(first)?;
        let parts = feature.parts.iter();
        let value = parts.map(|&(at, factor)| factor * used(at).unwrap_or(0.0)).sum();
        Some(ConditionalValue { conditions: feature.conditions.clone(), value })
    }
}

impl MoveValues {
    /// The value of a move in a state, if a feature is active there for it.
    pub fn active(&self, state: &State, role: Role, index: usize) -> Option<f64> {
        let values = self.moves.get(role)?.get(index)?;
        let applies = |one: &&ConditionalValue| one.conditions.iter().all(|&at| state.contains(at));
        values.iter().find(applies).map(|one| one.value)
    }

    /// The values of moves of a role in a state; none if no feature is active for any of them, when
    /// all would be equal.
    pub fn of_moves(&self, state: &State, role: Role, moves: &[usize]) -> Option<Vec<f64>> {
        let values: Vec<Option<f64>> =
            moves.iter().map(|&index| self.active(state, role, index)).collect();
        let any = values.iter().any(Option::is_some);
        any.then(|| values.into_iter().map(|value| value.unwrap_or(self.otherwise)).collect())
    }
}

/// By cell: the fluents on it that count for features.
struct OnCell(Vec<Vec<FluentOnCell>>);

/// A fluent on a cell, the owner of its piece, and the feature that it counts for.
#[derive(Clone, Copy)]
struct FluentOnCell {
    fluent: usize,
    owner: Role,
    feature: usize,
}

impl OnCell {
    fn new(features: &Features) -> Self {
        let mut cells = vec![Vec::new(); features.board.cells.len()];
        let feature: std::collections::HashMap<usize, usize> =
            features.fluents.iter().copied().collect();
        for at in &features.board.fluents {
            if let (Some(&feature), Some(owner)) =
                (feature.get(&at.fluent), features.owners[at.content])
            {
                cells[at.cell].push(FluentOnCell { fluent: at.fluent, owner, feature });
            }
        }
        OnCell(cells)
    }
}

/// Equation 4.1: an own piece captures a piece of another.
fn captures(on_cell: &OnCell, role: Role, cells: &MoveCells) -> Vec<MoveFeature> {
    let (Some(from), Some(to)) = (cells.from, cells.to) else { return Vec::new() };
    let own = on_cell.0[from].iter().filter(|at| at.owner == role);
    let pairs = own.flat_map(|own| {
        let others = on_cell.0[to].iter().filter(|at| at.owner != role);
        others.map(move |other| MoveFeature {
            conditions: vec![other.fluent, own.fluent],
            parts: vec![(other.feature, -2.0), (own.feature, -1.0)],
        })
    });
    pairs.collect()
}

/// Equation 4.2: an own piece arrives on a cell.
fn arrivals(on_cell: &OnCell, role: Role, cells: &MoveCells, factor: f64) -> Vec<MoveFeature> {
    let Some(to) = cells.to else { return Vec::new() };
    let own = on_cell.0[to].iter().filter(|at| at.owner == role);
    let arrival =
        |own: &FluentOnCell| MoveFeature { conditions: vec![], parts: vec![(own.feature, factor)] };
    own.map(arrival).collect()
}

#[cfg(test)]
mod tests {
    use propnet::game::TableId;

    use super::*;

    /// A white rook can be on h1, where fluent 0 says so, and a black one on h8, with fluent 1.
    fn rooks() -> OnCell {
        let rook = |fluent| FluentOnCell { fluent, owner: fluent, feature: fluent };
        OnCell(vec![vec![rook(0)], vec![rook(1)]])
    }

    fn mapping(moves: Vec<Vec<Vec<MoveFeature>>>, otherwise: f64) -> Mapping {
        Mapping { moves, otherwise, least_value: MappingOptions::default().least_value }
    }

    fn state(fluents: &[usize]) -> State {
        State::new(TableId::unique(), fluents.iter().copied())
    }

    /// Figure 4.2 of the thesis with the values of the talk: `(move h 1 h 8)` where a white rook
    /// captures a black one, and the same the other way round.
    #[test]
    fn a_capture_is_worth_what_equation_4_1_says() {
        let (h1, h8) = (Some(0), Some(1));
        let moves = vec![
            vec![
                captures(&rooks(), 0, &MoveCells { from: h1, to: h8 }),
                captures(&rooks(), 0, &MoveCells::default()),
            ],
            vec![captures(&rooks(), 1, &MoveCells { from: h8, to: h1 })],
        ];
        let theta = [vec![5.26, -4.98], vec![-5.26, 4.98]];
        let values = mapping(moves, NO_CAPTURE).values(&theta);
        let near = |found: Option<f64>, value: f64| (found.expect("active") - value).abs() < 1e-9;
        let both = state(&[0, 1]);
        assert!(near(values.active(&both, 0, 0), 4.7));
        assert!(near(values.active(&both, 1, 0), 5.54));
        assert_eq!(values.active(&state(&[0]), 0, 0), None);
        assert_eq!(values.active(&both, 0, 1), None);
        let all = values.of_moves(&both, 0, &[0, 1]).expect("a capture");
        assert!(near(Some(all[0]), 4.7) && all[1] == -100.0);
        assert_eq!(values.of_moves(&state(&[0]), 0, &[0, 1]), None);
    }

    #[test]
    fn values_near_zero_are_not_used() {
        let capture = captures(&rooks(), 0, &MoveCells { from: Some(0), to: Some(1) });
        let mapping = mapping(vec![vec![capture]], NO_CAPTURE);
        let value =
            |theta: [f64; 2]| mapping.values(&[theta.to_vec()]).active(&state(&[0, 1]), 0, 0);
        assert_eq!(value([0.9, -2.0]), Some(4.0));
        assert_eq!(value([5.0, -0.9]), None);
        assert_eq!(value([1.0, -1.0]), Some(1.0));
    }

    #[test]
    fn an_arrival_is_worth_what_equation_4_2_says() {
        let to = |cell| MoveCells { from: None, to: Some(cell) };
        let moves =
            vec![vec![arrivals(&rooks(), 0, &to(0), 5.0), arrivals(&rooks(), 0, &to(1), 5.0)]];
        let values = mapping(moves, 0.0).values(&[vec![3.0, -2.0]]);
        assert_eq!(values.active(&state(&[]), 0, 0), Some(15.0));
        // Nothing is known of a white rook on h8.
        assert_eq!(values.of_moves(&state(&[]), 0, &[0, 1]), Some(vec![15.0, 0.0]));
    }
}
