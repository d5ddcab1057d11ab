//! Random playouts: totals of many.

use std::sync::Arc;
use std::thread;

use ludens::pipeline::LaneProgram;
use ludens::playouts::{PlayoutBudget, PlayoutPlan, Statistics, play};
use propnet::game::State;
use propnet::lanes::Totals;
use propnet::program::StepOptions;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::WEIGHT_BITS;
use crate::errors::LudensError;
use crate::game::{LoadedGame, MOST_MOVES};
use crate::interrupt::{StopFlag, interruptible};
use crate::json::to_python;

/// The totals of playouts.
#[pyclass(frozen, name = "Playouts", module = "ludens")]
pub(crate) struct PyPlayouts {
    statistics: Statistics,
    totals: Totals,
    seconds: f64,
}

/// Plays, with weights or without.
pub(crate) fn play_at_random(
    py: Python<'_>,
    game: &Arc<LoadedGame>,
    number: u64,
    seed: u64,
    state: &State,
    weights: Option<Vec<Vec<u32>>>,
    threads: Option<usize>,
) -> PyResult<PyPlayouts> {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let stop = StopFlag::default();
    let work = || {
        let program = match &weights {
            None => game.program.clone(),
            Some(_) => game.program_for(&weighted_step(), &stop)?,
        };
        let LaneProgram { program, codes, setup } = &program;
        let plan = PlayoutPlan {
            program,
            codes,
            state,
            seed,
            budget: PlayoutBudget::Playouts(number),
            limit: MOST_MOVES,
            weights: weights.as_deref().unwrap_or_default(),
            threads: threads.unwrap_or_else(cores),
            width: setup.width(),
        };
        let played = play(&plan, &|_| stop.may_go_on())
            .map_err(|error| LudensError::new_err(error.to_string()))?;
        let statistics = Statistics::new(program, &played.totals);
        Ok(PyPlayouts { statistics, totals: played.totals, seconds: played.wall.as_secs_f64() })
    };
    interruptible(py, &stop, work)?
}

/// A step whose choices are weighted.
fn weighted_step() -> StepOptions {
    StepOptions {
        weights: Some(WEIGHT_BITS),
        limit_bits: StepOptions::bits_for(MOST_MOVES),
        ..StepOptions::default()
    }
}

#[pymethods]
impl PyPlayouts {
    /// How many playouts ended.
    #[getter]
    fn playouts(&self) -> u64 {
        self.totals.playouts
    }

    /// The joint moves of all of them.
    #[getter]
    fn steps(&self) -> u64 {
        self.totals.steps
    }

    /// Those that did not end within 10,000 joint moves, or could not go on.
    #[getter]
    fn unfinished(&self) -> u64 {
        self.totals.cut + self.totals.stuck
    }

    /// The mean number of joint moves; None without playouts.
    #[getter]
    fn mean_length(&self) -> Option<f64> {
        self.totals.mean_length()
    }

    /// By role: the mean goal; None where no playout gave it one.
    #[getter]
    fn mean_goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let means = PyDict::new(py);
        for goals in &self.statistics.goals {
            means.set_item(&goals.role, goals.mean)?;
        }
        Ok(means)
    }

    /// By number of joint moves: the playouts of that length.
    #[getter]
    fn lengths(&self) -> Vec<u64> {
        self.totals.lengths.clone()
    }

    /// The seconds it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The figures of `ludens playouts --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.statistics)
    }

    fn __repr__(&self) -> String {
        let mean = |mean: Option<f64>| mean.map_or("none".to_string(), |mean| format!("{mean:.2}"));
        let goals = self.statistics.goals.iter();
        let goals: Vec<String> =
            goals.map(|goals| format!("{} {}", goals.role, mean(goals.mean))).collect();
        let length = mean(self.totals.mean_length());
        format!("<{} playouts, mean length {length}: {}>", self.totals.playouts, goals.join(", "))
    }
}
