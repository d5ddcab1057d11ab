//! Games to search, from sheets of our own.

use std::sync::Arc;

use ludens::pipeline::{
    Compile, Control, LaneProgram, PipelineBounds, PipelineOptions, circuit_within, ground_within,
};
use ludens::search::{Budget, Search, SearchGame, Settings};
use propnet::circuit::Circuit;
use propnet::game::{Move, Role};
use propnet::gdl::{Rules, Source};
use propnet::ground::GroundGame;
use propnet::lanes::Setup;
use propnet::reference;

use crate::support;

/// A game, ready for any strategy.
pub(crate) struct Prepared {
    rules: Rules,
    circuit: Circuit,
}

impl Prepared {
    /// One of the sheets in games/.
    pub(crate) fn named(name: &str) -> Self {
        Self::of(support::load(&support::root().join("games").join(format!("{name}.kif"))))
    }

    /// A sheet of the test's own.
    pub(crate) fn text(text: &str) -> Self {
        Self::of(reference::load(Source::from_text("sheet", text)).expect("a sheet"))
    }

    fn of(rules: Rules) -> Self {
        let circuit = circuit_within(&rules, &PipelineOptions::default()).expect("a circuit");
        Prepared { rules, circuit }
    }

    /// The game on lanes.
    pub(crate) fn lanes(&self, settings: &Settings) -> SearchGame {
        self.compiled(settings, Compile::First)
    }

    /// The same, on code that is compiled while it is played.
    pub(crate) fn lanes_later(&self, settings: &Settings) -> SearchGame {
        self.compiled(settings, Compile::Beside)
    }

    fn compiled(&self, settings: &Settings, compile: Compile) -> SearchGame {
        let step = settings.step_options(self.circuit.names.roles().len());
        let program = LaneProgram::new(&self.circuit, Setup::default(), &step, compile);
        SearchGame::Lanes(program.expect("a program"))
    }

    /// The game as ground rules, one playout at a time.
    pub(crate) fn plain(&self) -> SearchGame {
        let ground = ground_within(&self.rules, &PipelineBounds::default(), Control::default());
        let ground = Arc::new(ground.expect("ground rules").rules);
        SearchGame::Plain(Arc::new(move || Box::new(GroundGame::new(ground.clone()))))
    }

    /// The game on the reference reasoner.
    pub(crate) fn reference(&self) -> SearchGame {
        let rules = self.rules.clone();
        SearchGame::Plain(Arc::new(move || Box::new(reference::Reasoner::new(&rules))))
    }
}

/// Settings written as `uct:c=60`.
pub(crate) fn set(text: &str) -> Settings {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The same on one thread.
pub(crate) fn on_one_thread(text: &str) -> Settings {
    set(&format!("{text}:threads=1"))
}

/// A search that has come to a position by these joint moves, written as text.
pub(crate) fn search_after(
    game: &SearchGame,
    settings: &Settings,
    seed: u64,
    line: &[&[&str]],
) -> Search {
    let mut search = Search::new(game, settings, seed).expect("a search");
    for joint in line {
        let moves = joint.iter().enumerate().map(|(role, text)| move_of(&mut search, role, text));
        let joint: Vec<Move> = moves.collect();
        search.advance(&joint).expect("legal moves");
    }
    search
}

pub(crate) fn move_of(search: &mut Search, role: Role, text: &str) -> Move {
    search.game().move_of(role, text).expect("a move of the game")
}

/// The text of the move that a search of so many simulations finds for a role.
pub(crate) fn answer(search: &mut Search, role: Role, simulations: u64) -> String {
    search.run(&Budget::simulations(simulations)).expect("a search");
    let chosen = search.best_move(role).expect("a legal move");
    search.game().move_text(role, chosen).expect("a text")
}
