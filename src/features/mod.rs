//! Features of board games: found by template, learned from playouts, mapped to moves.
//!
//! ```text
//! episode     random playouts with all their states       board       cells and what is on them
//! owners      which side a piece belongs to                move_terms  moves taken apart
//! move_cells  the cells that a move leaves and reaches     find        piece types, or else cells
//! learn       the values of features, by TD(lambda)        mapping     the values of moves
//! control     playouts that prefer moves by them           learn_by_play  what such playouts teach
//! ```
//!
//! This is all that FAST (features-to-action sampling: Finnsson and Björnsson 2010, section 4.1.4 of
//! Finnsson's thesis) needs but the search whose playouts follow it. No name of a sheet is read: what is a
//! board, whose piece is whose and where a move leads is found from the terms and random playouts.

mod board;
mod control;
mod episode;
mod find;
mod learn;
mod learn_by_play;
mod mapping;
mod move_cells;
mod move_terms;
mod owners;

pub use board::{Board, BoardFluent, Coordinates};
pub use episode::{Episode, EpisodeError, EpisodePlan, play_episodes};
pub(crate) use find::WATCHED;
pub use find::{Feature, FeatureCounter, FeatureKind, Features, MoveShape, NoFeatures};
pub use learn::{FeatureCounts, LearnOptions, Learner, lambda_returns, reward, value};
pub use learn_by_play::learn_by_play;
pub use mapping::{ConditionalValue, Mapping, MappingOptions, MoveFeature, MoveValues};
pub use move_cells::{CoordinateLeaves, MoveCells, MoveReading};
