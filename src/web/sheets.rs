//! Sheets that were opened, and what was made of them.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use propnet::circuit::Circuit;
use propnet::game::Game;
use propnet::gdl::{Rules, Severity, Source};
use propnet::reference::{self, Reasoner, ReasonerLimits};
use serde::Serialize;

use super::error::ApiError;
use crate::draw::{BoardPicture, Hints, Knowledge};
use crate::findings::SheetFindings;
use crate::library;
use crate::pipeline::{
    Control, LaneProgram, PipelineBounds, PipelineError, PipelineOptions, Stages, labelled_circuit,
};
use crate::run::Setup;
use crate::trace::hash_contents;

/// A sheet that was opened.
pub(super) struct OpenedSheet {
    pub(super) id: String,
    /// Its name without folder and extension.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) findings: SheetFindings,
    /// Its rules; none if it cannot be played.
    pub(super) rules: Option<Arc<Rules>>,
    stages: Option<Arc<Stages>>,
    /// In the letter case of the sheet.
    pub(super) roles: Vec<String>,
    game: Mutex<Option<Box<dyn Game + Send>>>,
    picture: Mutex<Option<BoardPicture>>,
    /// With labels: as it was built, and after all passes.
    circuits: Mutex<HashMap<bool, Arc<Circuit>>>,
}

/// What the page is told of a sheet.
#[derive(Serialize)]
pub(super) struct SheetDocument<'s> {
    id: &'s str,
    name: &'s str,
    text: &'s str,
    playable: bool,
    roles: &'s [String],
    findings: &'s SheetFindings,
}

/// The sheets that were opened last.
#[derive(Default)]
pub(super) struct Sheets(Mutex<VecDeque<Arc<OpenedSheet>>>);

/// So many sheets are kept.
const MOST: usize = 24;

/// What the reference reasoner may take for one question.
const LIMITS: ReasonerLimits =
    ReasonerLimits { facts: 5_000_000, bytes: 256 << 20, work: 400_000_000 };

/// What making a circuit for the page may take.
pub(super) const BOUNDS: PipelineBounds =
    PipelineBounds { time: Duration::from_secs(60), bytes: 2 << 30 };

/// How the page makes circuits and programs.
pub(super) fn pipeline_options() -> PipelineOptions {
    PipelineOptions { bounds: BOUNDS, ..PipelineOptions::default() }
}

impl Sheets {
    /// Opens a sheet, or finds it among those that are open.
    pub(super) fn open(&self, source: Source) -> Arc<OpenedSheet> {
        let id = hash_contents(&[source.name().as_bytes(), source.text().as_bytes()]);
        if let Some(sheet) = self.find(&id) {
            return sheet;
        }
        let sheet = Arc::new(OpenedSheet::new(id, source));
        let mut sheets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sheets.truncate(MOST - 1);
        sheets.push_front(sheet.clone());
        sheet
    }

    /// Opens a game that comes with the program.
    pub(super) fn open_named(&self, name: &str) -> Result<Arc<OpenedSheet>, ApiError> {
        let entry = library::find(name).ok_or_else(|| {
            let close = library::close_to(name);
            let hint = match &close[..] {
                [] => "GET /api/games lists all".to_string(),
                names => format!("similar names: {}", names.join(", ")),
            };
            ApiError::unknown(format!("there is no game {name}; {hint}"))
        })?;
        Ok(self.open(Source::from_text(entry.name, entry.text)))
    }

    fn find(&self, id: &str) -> Option<Arc<OpenedSheet>> {
        let mut sheets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = sheets.iter().position(|sheet| sheet.id == id)?;
        let sheet = sheets.remove(at)?;
        sheets.push_front(sheet.clone());
        Some(sheet)
    }

    /// The sheet with this identifier.
    pub(super) fn get(&self, id: &str) -> Result<Arc<OpenedSheet>, ApiError> {
        self.find(id)
            .ok_or_else(|| ApiError::unknown("this sheet is no longer open; open it again"))
    }
}

impl OpenedSheet {
    fn new(id: String, source: Source) -> Self {
        let name = std::path::Path::new(source.name());
        let name = name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = source.text().to_string();
        let (rules, mut found) = reference::examine(source);
        found.extend(Hints::findings(&text));
        let findings = SheetFindings::new(&rules, &found);
        let is_playable = !found.iter().any(|finding| finding.severity == Severity::Error);
        let rules = is_playable.then(|| Arc::new(rules));
        let roles = rules.as_ref().map(|rules| {
            let names = Reasoner::with_limits(rules, LIMITS).roles().to_vec();
            names.iter().map(|role| rules.symbols.spell(role)).collect()
        });
        OpenedSheet {
            id,
            name,
            text,
            findings,
            stages: rules.clone().map(|rules| Arc::new(Stages::for_players(rules))),
            rules,
            roles: roles.unwrap_or_default(),
            game: Mutex::default(),
            picture: Mutex::default(),
            circuits: Mutex::default(),
        }
    }

    /// What the page is told.
    pub(super) fn document(&self) -> SheetDocument<'_> {
        SheetDocument {
            id: &self.id,
            name: &self.name,
            text: &self.text,
            playable: self.rules.is_some(),
            roles: &self.roles,
            findings: &self.findings,
        }
    }

    /// Its rules, or the error that it cannot be played.
    pub(super) fn rules(&self) -> Result<&Arc<Rules>, ApiError> {
        let first = || self.findings.findings.first().map_or("", |finding| &finding.message);
        self.rules
            .as_ref()
            .ok_or_else(|| ApiError::bad(format!("this sheet cannot be played: {}", first())))
    }

    /// What is made of it for players.
    pub(super) fn stages(&self) -> Result<&Arc<Stages>, ApiError> {
        self.rules()?;
        self.stages.as_ref().ok_or_else(|| ApiError::bad("this sheet cannot be played"))
    }

    /// Asks its game, which answers one caller at a time.
    pub(super) fn ask<T>(
        &self,
        question: impl FnOnce(&mut dyn Game) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let rules = self.rules()?;
        let mut game = lock(&self.game);
        let game = game.get_or_insert_with(|| Box::new(Reasoner::with_limits(rules, LIMITS)));
        question(&mut **game)
    }

    /// A game of its own for one caller.
    pub(super) fn new_game(&self) -> Result<Box<dyn Game + Send>, ApiError> {
        Ok(Box::new(Reasoner::with_limits(self.rules()?, LIMITS)))
    }

    /// From now on, questions are answered by this program, which is faster.
    pub(super) fn use_program(&self, program: &LaneProgram) {
        *lock(&self.game) = Some(program.game());
    }

    /// Uses its pictures, which know the cells of this state.
    pub(super) fn draw<T>(
        &self,
        sentences: &[String],
        work: impl FnOnce(&BoardPicture) -> T,
    ) -> Result<T, ApiError> {
        let rules = self.rules()?;
        let mut picture = lock(&self.picture);
        if picture.is_none() {
            let mut game = self.new_game()?;
            let control = Control::default();
            let known = Knowledge::learn(rules, &mut *game, &Setup::default(), &BOUNDS, control);
            *picture = Some(BoardPicture::new(&known));
        }
        let Some(picture) = picture.as_mut() else { return Err(ApiError::bad("no picture")) };
        picture.include(sentences);
        Ok(work(picture))
    }

    /// Its circuit with labels: as it was built for the classic view, after all passes for the network.
    pub(super) fn circuit(
        &self,
        is_classic: bool,
        stop: &AtomicBool,
    ) -> Result<Arc<Circuit>, ApiError> {
        if let Some(circuit) = lock(&self.circuits).get(&is_classic) {
            return Ok(circuit.clone());
        }
        let may_go_on = || !stop.load(Relaxed);
        let control = Control::stoppable(&may_go_on);
        let mut options = pipeline_options();
        if is_classic {
            options.passes.clear();
        }
        let failed = |error: PipelineError| ApiError::bad(format!("no circuit: {error}"));
        let ground = self.stages()?.ground_rules(&BOUNDS, control).map_err(failed)?;
        let circuit = labelled_circuit(&ground, &options, control).map_err(failed)?;
        let circuit = Arc::new(circuit);
        lock(&self.circuits).insert(is_classic, circuit.clone());
        Ok(circuit)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
