//! Features of a game, found by template: piece types, or else cells.
//!
//! FAST: Finnsson and Björnsson 2010; section 4.1.4 of Finnsson's thesis.

use propnet::game::{Role, State};
use propnet::names::Names;

use super::board::Board;
use super::episode::{Episode, EpisodeError, EpisodePlan, play_episodes};
use super::move_cells::{MoveCells, MoveReading, cells_of_moves, move_readings};
use super::move_terms::MoveTerms;
use super::owners::owners;
use crate::pipeline::LaneProgram;

/// What the features of a game are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// The number of pieces of each type.
    Pieces,
    /// Whether a side has a piece on a cell.
    Cells,
}

/// The features of a game, on its board.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// What they are.
    pub kind: FeatureKind,
    /// The board.
    pub board: Board,
    /// By content of the board: the role whose piece it is; none for blanks and other contents
    /// without an owner.
    pub owners: Vec<Option<Role>>,
    /// The features.
    pub list: Vec<Feature>,
    /// Each fluent that counts for a feature, and that feature, by their indices.
    pub fluents: Vec<(usize, usize)>,
    /// By shape of moves: a move that has it, and how it names cells.
    pub shapes: Vec<MoveShape>,
    /// By role and move: its cells.
    pub moves: Vec<Vec<MoveCells>>,
}

/// One feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The side.
    pub owner: Role,
    /// The piece, as a content of the board.
    pub content: usize,
    /// The cell that it is on, where cells are the features.
    pub cell: Option<usize>,
}

/// Moves of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveShape {
    /// The role of the move that stands for all of them.
    pub role: Role,
    /// Its index.
    pub index: usize,
    /// How they name cells.
    pub reading: MoveReading,
}

/// Why a game has no features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoFeatures {
    /// There is no other role to compare with.
    #[error("the game has fewer than two roles")]
    OneRole,
    /// Nothing looks like a board on which moves put pieces.
    #[error("no fluent has two coordinates and a content that moves put there")]
    NoBoard,
    /// Pieces on the board are of one side or of none.
    #[error("fewer than two sides have pieces of their own on the board")]
    OneSide,
    /// Each side has cells that are closed to others.
    #[error("each side has one piece type, and cells that others cannot occupy")]
    SeparateCells,
}

impl Features {
    /// The features of a game, found in some of its playouts.
    pub fn find(names: &Names, episodes: &[Episode]) -> Result<Features, NoFeatures> {
        if names.roles().len() < 2 {
            return Err(NoFeatures::OneRole);
        }
        let moves = MoveTerms::new(names);
        let candidates = Board::candidates(names, episodes);
        let mut why = NoFeatures::NoBoard;
        for board in candidates {
            match Features::on_board(board, names, &moves, episodes) {
                Ok(features) => return Ok(features),
                // The reason that got furthest says most.
                Err(NoFeatures::NoBoard) => {}
                Err(error) => why = error,
            }
        }
        Err(why)
    }

    /// The same for a program, whose playouts are made for this.
    pub fn find_by_play(
        program: &LaneProgram,
        seed: u64,
    ) -> Result<Result<Features, NoFeatures>, EpisodeError> {
        let plan = EpisodePlan { first: 0, count: WATCHED, seed, limit: WATCHED_MOVES };
        let mut episodes = Vec::new();
        play_episodes(program, &plan, None, &mut |episode| episodes.push(episode))?;
        Ok(Features::find(&program.program.names, &episodes))
    }

    fn on_board(
        board: Board,
        names: &Names,
        moves: &MoveTerms,
        episodes: &[Episode],
    ) -> Result<Features, NoFeatures> {
        let places = board.by_fluent(names.fluent_count());
        let owners = owners(&board, moves, episodes, &places);
        let readings = move_readings(&board, &owners, moves, episodes, &places);
        if readings.iter().all(|reading| reading.to.is_none()) {
            return Err(NoFeatures::NoBoard);
        }
        let (kind, list) = features(&board, &owners, names.roles().len())?;
        let fluents = feature_fluents(&board, &list);
        let shapes = moves.shapes.iter().zip(&readings);
        let shapes = shapes.map(|(sample, &reading)| MoveShape {
            role: sample.role,
            index: sample.index,
            reading,
        });
        let shapes = shapes.collect();
        let moves = cells_of_moves(&readings, moves, &board.cell_index());
        Ok(Features { kind, board, owners, list, fluents, shapes, moves })
    }

    /// What a feature is called.
    pub fn text(&self, feature: usize, names: &Names) -> String {
        let Feature { content, cell, .. } = self.list[feature];
        let content = self.board.content_text(content, names);
        match cell {
            Some(cell) => format!("{} {content}", self.board.cell_text(cell, names)),
            None => content,
        }
    }
}

/// The playouts that are watched to find features, and the joint moves of each at most.
pub(crate) const WATCHED: u64 = 128;
pub(super) const WATCHED_MOVES: u64 = 250;

/// Piece types where a side has more than one, else cells.
fn features(
    board: &Board,
    owners: &[Option<Role>],
    roles: usize,
) -> Result<(FeatureKind, Vec<Feature>), NoFeatures> {
    let pieces =
        || owners.iter().enumerate().filter_map(|(content, owner)| Some((content, (*owner)?)));
    let types = |role| pieces().filter(|(_, owner)| *owner == role).count();
    let sides = (0..roles).filter(|&role| types(role) > 0).count();
    if sides < 2 {
        return Err(NoFeatures::OneSide);
    }
    if (0..roles).any(|role| types(role) > 1) {
        let list = pieces().map(|(content, owner)| Feature { owner, content, cell: None });
        return Ok((FeatureKind::Pieces, list.collect()));
    }
    let on_cell = board.fluents.iter().filter_map(|at| {
        let owner = owners[at.content]?;
        Some(Feature { owner, content: at.content, cell: Some(at.cell) })
    });
    let list: Vec<Feature> = on_cell.collect();
    // N cells are N features of each side: a cell that only some can occupy compares nothing.
    if list.len() < sides * board.cells.len() {
        return Err(NoFeatures::SeparateCells);
    }
    Ok((FeatureKind::Cells, list))
}

/// The fluents that count for features.
fn feature_fluents(board: &Board, list: &[Feature]) -> Vec<(usize, usize)> {
    let by_key: std::collections::HashMap<(usize, Option<usize>), usize> =
        list.iter().enumerate().map(|(at, one)| ((one.content, one.cell), at)).collect();
    let feature = |content, cell| by_key.get(&(content, cell)).copied();
    let fluents = board.fluents.iter().filter_map(|at| {
        let found = feature(at.content, None).or_else(|| feature(at.content, Some(at.cell)));
        Some((at.fluent, found?))
    });
    fluents.collect()
}

/// Features counted in states.
#[derive(Clone, Debug)]
pub struct FeatureCounter {
    /// By fluent.
    feature: Vec<Option<usize>>,
    counts: Vec<f64>,
}

impl FeatureCounter {
    /// A counter of these features.
    pub fn new(features: &Features) -> Self {
        let last = features.fluents.iter().map(|(fluent, _)| *fluent).max();
        let mut feature = vec![None; last.map_or(0, |last| last + 1)];
        for &(fluent, at) in &features.fluents {
            feature[fluent] = Some(at);
        }
        FeatureCounter { feature, counts: vec![0.0; features.list.len()] }
    }

    /// The features that a state has, each with its count, in ascending order.
    pub fn count(&mut self, state: &State) -> Vec<(usize, f64)> {
        self.count_of(state.iter())
    }

    /// The same for the fluents that are true in a state.
    pub(crate) fn count_of(&mut self, fluents: impl Iterator<Item = usize>) -> Vec<(usize, f64)> {
        let mut found = Vec::new();
        for at in fluents.filter_map(|fluent| *self.feature.get(fluent)?) {
            if self.counts[at] == 0.0 {
                found.push((at, 0.0));
            }
            self.counts[at] += 1.0;
        }
        found.sort_by_key(|(at, _)| *at);
        for (at, count) in &mut found {
            *count = std::mem::take(&mut self.counts[*at]);
        }
        found
    }
}
