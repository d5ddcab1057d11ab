//! A position: a state, drawn, with its legal moves.

use propnet::game::{Game, PlayError, Role, State};
use propnet::gdl::Source;
use serde::{Deserialize, Serialize};

use super::error::ApiError;
use super::sheets::OpenedSheet;
use crate::draw::{CellIndex, Marks};
use crate::start::read_sentences;

/// Where a game stands: a state or the initial one, and joint moves from there.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionRequest {
    /// The identifier of the sheet.
    pub(super) sheet: String,
    /// The true sentences of the state to begin with; the initial state if they are left out.
    pub(super) state: Option<Vec<String>>,
    /// Joint moves to make from there, a text for each role.
    #[serde(default)]
    pub(super) moves: Vec<Vec<String>>,
    /// The joint move that led there, to be marked.
    #[serde(default)]
    pub(super) last: Vec<String>,
    /// Moves and how often a search tried them, to be drawn over the board.
    #[serde(default)]
    pub(super) visits: Vec<(String, u64)>,
}

/// What is said of a position.
#[derive(Serialize)]
pub(super) struct PositionDocument {
    pub(super) state: Vec<String>,
    pub(super) roles: Vec<String>,
    pub(super) terminal: bool,
    /// By role, where the game is over; none where the rules give no proper goal.
    pub(super) goals: Option<Vec<Option<i32>>>,
    /// By role.
    pub(super) legal: Vec<Vec<LegalMove>>,
    /// The last of the moves that were made here.
    pub(super) last: Vec<String>,
    /// The boards as SVG.
    pub(super) board: Option<String>,
    /// The visits as SVG of the same size.
    pub(super) overlay: Option<String>,
    pub(super) lists: Vec<ListDocument>,
}

/// Sentences of one name that are on no board.
#[derive(Serialize)]
pub(super) struct ListDocument {
    name: String,
    entries: Vec<String>,
}

/// A move that may be made, and the cells that it names.
#[derive(Clone, Serialize)]
pub(super) struct LegalMove {
    pub(super) text: String,
    pub(super) cells: Vec<CellIndex>,
}

/// The most moves and sentences of a request.
const MOST_MOVES: usize = 10_000;
const MOST_SENTENCES: usize = 200_000;

/// The state that a request describes, in its game, and the last joint move that led there.
pub(super) fn state_of(
    game: &mut dyn Game,
    request: &PositionRequest,
) -> Result<(State, Vec<String>), ApiError> {
    if request.moves.len() > MOST_MOVES {
        return Err(ApiError::bad(format!("more than {MOST_MOVES} joint moves")));
    }
    let failed = |error: PlayError| ApiError::bad(error);
    let mut state = match &request.state {
        None => game.initial_state().map_err(failed)?,
        Some(sentences) => game.state_of(&checked(sentences)?).map_err(failed)?,
    };
    let mut last = request.last.clone();
    for (at, texts) in request.moves.iter().enumerate() {
        let refuse = |error: PlayError| ApiError::bad(format!("step {}: {error}", at + 1));
        if texts.len() != game.roles().len() {
            let roles = game.roles().join(", ");
            return Err(ApiError::bad(format!(
                "step {}: a joint move has a move for each role: {roles}",
                at + 1
            )));
        }
        if game.is_terminal(&state).map_err(refuse)? {
            return Err(ApiError::bad(format!("step {}: the game is over", at + 1)));
        }
        let joint = texts.iter().enumerate().map(|(role, text)| game.move_of(role, text));
        let joint = joint.collect::<Result<Vec<_>, _>>().map_err(refuse)?;
        state = game.next_state(&state, &joint).map_err(refuse)?;
        last.clone_from(texts);
    }
    Ok((state, last))
}

/// Sentences in the form in which games write them; an error for what is no sentence.
fn checked(sentences: &[String]) -> Result<Vec<String>, ApiError> {
    if sentences.len() > MOST_SENTENCES {
        return Err(ApiError::bad(format!("more than {MOST_SENTENCES} sentences")));
    }
    let text = format!("({})", sentences.join(" "));
    let given = read_sentences(&Source::from_text("state", &text)).map_err(ApiError::bad)?;
    Ok(given.into_iter().map(|sentence| sentence.text).collect())
}

impl OpenedSheet {
    /// Looks at a position.
    pub(super) fn position(&self, request: &PositionRequest) -> Result<PositionDocument, ApiError> {
        let mut document = self.ask(|game| {
            let (state, last) = state_of(game, request)?;
            self.describe(game, &state, last).map_err(ApiError::bad)
        })?;
        self.illustrate(&mut document, &request.visits)?;
        Ok(document)
    }

    /// The position without pictures.
    fn describe(
        &self,
        game: &mut dyn Game,
        state: &State,
        last: Vec<String>,
    ) -> Result<PositionDocument, PlayError> {
        let mut sentences = game.sentences(state)?;
        sentences.sort_unstable();
        let terminal = game.is_terminal(state)?;
        let roles = 0..self.roles.len();
        let goals = |game: &mut dyn Game| {
            roles
                .clone()
                .map(|role| game.proper_goal(state, role))
                .collect::<Result<Vec<_>, PlayError>>()
        };
        let goals = if terminal { Some(goals(game)) } else { None };
        let mut legal = Vec::new();
        for role in roles.clone().filter(|_| !terminal) {
            legal.push(legal_moves(game, state, role)?);
        }
        Ok(PositionDocument {
            state: sentences,
            roles: self.roles.clone(),
            terminal,
            goals: goals.transpose()?,
            legal,
            last,
            board: None,
            overlay: None,
            lists: Vec::new(),
        })
    }

    /// Adds pictures, and the cells of moves.
    fn illustrate(
        &self,
        document: &mut PositionDocument,
        visits: &[(String, u64)],
    ) -> Result<(), ApiError> {
        let sentences = document.state.clone();
        self.draw(&sentences, |picture| {
            for one in document.legal.iter_mut().flatten() {
                one.cells = picture.cells_of(&one.text);
            }
            let lists = picture.lists(&sentences).into_iter();
            let list = |list: crate::draw::List| ListDocument {
                name: list.name,
                entries: list.entries.iter().map(|args| args.join(" ")).collect(),
            };
            document.lists = lists.map(list).collect();
            if picture.has_boards() {
                let marks = picture.last_marks(&document.last);
                document.board = Some(picture.svg(&sentences, &marks));
            }
            if picture.has_boards() && !visits.is_empty() {
                let mut marks = Marks::default();
                let moves = visits.iter().map(|(text, visits)| (text.as_str(), *visits));
                picture.mark_visits(&mut marks, moves);
                document.overlay = Some(picture.overlay(&marks));
            }
        })
    }
}

/// The legal moves of a role, by their texts.
fn legal_moves(
    game: &mut dyn Game,
    state: &State,
    role: Role,
) -> Result<Vec<LegalMove>, PlayError> {
    let legal = game.legal_moves(state, role)?;
    let mut moves = Vec::new();
    for one in legal.iter() {
        moves.push(LegalMove { text: game.move_spelling(role, one)?, cells: Vec::new() });
    }
    moves.sort_by(|one, other| one.text.cmp(&other.text));
    Ok(moves)
}
