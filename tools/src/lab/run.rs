//! Plays the games of an experiment that are not recorded yet.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens::search::{Budget, Contest, Contestant, GameResult, play_games};
use propnet::circuit::Circuit;
use propnet::game::Role;
use propnet::gdl::Source;

use super::experiment::{Cell, Experiment, Side};
use super::file::MoveBudget;
use super::progress::Progress;
use super::records::{GameRecord, RecordFile, Records};
use crate::contestant::{circuit, contestant, decided};

/// How an experiment is played; nothing of this changes a game, unless the budget is time.
#[derive(Clone, Debug, Default)]
pub(super) struct RunOptions {
    /// Threads; none for one on each processor.
    pub(super) threads: Option<usize>,
    /// The most games at once in a thread; none for as many as is useful.
    pub(super) at_once: Option<usize>,
    /// If there are any: only cells whose path contains one of these texts.
    pub(super) only: Vec<String>,
    /// If it is there: only the cell with this place in the experiment, and of its games those with
    /// these numbers. For callers that share the games of an experiment between machines.
    pub(super) part: Option<(usize, Vec<u64>)>,
}

/// Plays all games that are missing in the records, adds them, and tells how many there were.
pub(super) fn run(experiment: &Experiment, out: &Path, options: &RunOptions) -> Result<u64> {
    run_until(experiment, out, options, &mut |_| true)
}

/// The same; the rest of a cell is left out once its games are not wanted any more.
pub(super) fn run_until(
    experiment: &Experiment,
    out: &Path,
    options: &RunOptions,
    watch: &mut (dyn FnMut(GameRecord) -> bool + Send),
) -> Result<u64> {
    let records = Records::read(experiment, &[out.to_path_buf()])?;
    let mut progress = Progress::new(&records.warnings);
    let cells = experiment.cells.iter().enumerate();
    let cells = cells.filter(|(_, cell)| options.accepts(cell));
    let missing = |(at, cell)| (cell, options.wanted(at, records.missing(at, cell)));
    let work: Vec<(&Cell, Vec<u64>)> = cells.map(missing).collect();
    let work: Vec<_> = work.into_iter().filter(|(_, missing)| !missing.is_empty()).collect();
    work.iter().for_each(|(cell, missing)| progress.plan(&cell.sheet.name, missing.len()));
    let mut file = RecordFile::open(out)?;
    let mut played = 0;
    let mut last: Option<(&str, Circuit)> = None;
    for (cell, missing) in &work {
        let name = &cell.sheet.name;
        let circuit = match last.take() {
            Some((known, circuit)) if known == name => circuit,
            _ => circuit(Source::from_text(name.as_str(), &cell.sheet.text), name)?,
        };
        progress.begin(&cell.path(), &cell.sheet.name, missing.len());
        let table = CellTable { experiment, cell, circuit: &circuit, options };
        let (mut count, mut failure) = (0, None);
        table
            .play(missing, &mut |record| {
                let written = file.add(&record);
                count += 1;
                progress.count();
                let goes_on = written.is_ok() && watch(record);
                failure = written.err().or(failure.take());
                goes_on
            })
            .with_context(|| cell.path())?;
        failure.map_or(Ok(()), Err)?;
        progress.end(count as usize);
        played += count;
        last = Some((name, circuit));
    }
    Ok(played)
}

impl RunOptions {
    pub(super) fn accepts(&self, cell: &Cell) -> bool {
        let path = cell.path();
        self.only.is_empty() || self.only.iter().any(|text| path.contains(text))
    }

    /// Those of the games of a cell that are to be played.
    fn wanted(&self, at: usize, mut numbers: Vec<u64>) -> Vec<u64> {
        if let Some((cell, part)) = &self.part {
            numbers.retain(|number| *cell == at && part.contains(number));
        }
        numbers
    }
}

/// A cell that is played.
struct CellTable<'e> {
    experiment: &'e Experiment,
    cell: &'e Cell,
    circuit: &'e Circuit,
    options: &'e RunOptions,
}

impl CellTable<'_> {
    /// Plays the games with these numbers. The caller is told of each when it is over, and whether more
    /// are wanted is the answer.
    fn play(
        &self,
        numbers: &[u64],
        note: &mut (dyn FnMut(GameRecord) -> bool + Send),
    ) -> Result<()> {
        let roles = self.circuit.names.roles().len();
        let [first, second] = &self.cell.sides;
        let (first, second) = (self.contestant(first)?, self.contestant(second)?);
        let standard = Contest::default();
        let contest = Contest {
            games: self.cell.games,
            seed: self.experiment.seed,
            limit: self.cell.limit,
            seat: self.seat()?,
            threads: self.options.threads,
            at_once: self.options.at_once.unwrap_or(standard.at_once),
            ..standard
        };
        let (turned, straight): (Vec<u64>, Vec<u64>) =
            numbers.iter().partition(|number| self.is_turned(**number, roles));
        let note = Mutex::new((note, true));
        for (numbers, is_turned) in [(straight, false), (turned, true)] {
            let tell = |result: &GameResult| {
                let record = self.record(result, roles, is_turned);
                let mut note = note.lock().unwrap_or_else(PoisonError::into_inner);
                note.1 &= note.0(record);
                note.1
            };
            let (own, other) = if is_turned { (&second, &first) } else { (&first, &second) };
            play_games(own, other, &contest, &numbers, &tell)?;
        }
        Ok(())
    }

    /// Whether the second side has one role in this game, and the first all others: half of the games,
    /// so that equal sides have half of the points with any number of roles.
    fn is_turned(&self, number: u64, roles: usize) -> bool {
        roles > 2 && self.cell.role.is_none() && number / roles as u64 % 2 == 1
    }

    /// The role that the first side always has.
    fn seat(&self) -> Result<Option<Role>> {
        let Some(name) = &self.cell.role else { return Ok(None) };
        let roles = self.circuit.names.roles();
        let found = roles.iter().position(|role| *role == name.as_str());
        match found {
            Some(role) => Ok(Some(role)),
            None => bail!("there is no role {name}; the roles are {}", roles.join(", ")),
        }
    }

    fn contestant(&self, side: &Side) -> Result<Contestant> {
        let (budget, time) = match side.budget {
            MoveBudget::Simulations(count) => (Budget::simulations(count.get()), None),
            MoveBudget::Expansions(count) => (Budget::expansions(count.get()), None),
            MoveBudget::States(count) => (Budget::states(count.get()), None),
            MoveBudget::Milliseconds(count) => {
                (Budget::default(), Some(Duration::from_millis(count.get())))
            }
        };
        let moves = side.moves.clone();
        let contestant = contestant(self.circuit, side.settings.clone())?;
        let contestant = Contestant { budget, time, moves, ..contestant };
        decided(self.circuit, contestant, &self.cell.sheet.name)
    }

    fn record(&self, result: &GameResult, roles: usize, is_turned: bool) -> GameRecord {
        let [game, first, second] = self.cell.names().map(str::to_string);
        let side = |role: Role| usize::from((role == result.seat) == is_turned);
        let mut spent = result.spent;
        if is_turned {
            spent.reverse();
        }
        let wants_opening = !self.cell.right.is_empty();
        GameRecord {
            experiment: self.experiment.name.clone(),
            game,
            first,
            second,
            key: self.cell.key.clone(),
            number: result.game,
            seed: self.experiment.seed + result.game,
            sides: (0..roles).map(side).collect(),
            goals: result.goals.clone(),
            length: result.length,
            searches: spent.map(|spent| spent.searches),
            simulations: spent.map(|spent| spent.simulations),
            states: spent.map(|spent| spent.states),
            opening: result.opening.clone().filter(|_| wants_opening),
        }
    }
}
