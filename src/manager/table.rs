//! The players of a match around one table.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use propnet::game::{Move, Role};

use super::http::{HttpPlayer, Line, start_message};
use super::human::HumanPlayer;
use super::judge::Judge;
use super::player::{Player, PlayerKind};
use super::seat::{Ask, Fault, Mind, Reply, Seat};
use super::setup::MatchSetup;
use super::strategy::StrategyPlayer;
use crate::agent::{AgentOptions, AgentSettings, Log, StopHandle};
use crate::search::{Budget, machine_bytes};

/// Who sits where.
pub(super) struct Table {
    places: Vec<Place>,
    /// Whether strategies have a budget instead of a clock.
    has_budget: bool,
}

/// One role's player.
enum Place {
    /// The judge plays for it.
    Random,
    First,
    Human(Seat),
    Strategy(Seat, StopHandle),
    Http(Seat, Line),
}

/// Players are told that the match is over, but nobody waits long until they have understood.
const FAREWELL: Duration = Duration::from_secs(2);

impl Table {
    /// Gives each player a seat.
    pub(super) fn new(
        setup: &MatchSetup,
        replies: &Sender<Reply>,
        notes: &Sender<String>,
    ) -> io::Result<Self> {
        let place = |(role, player): (Role, &_)| place(setup, role, player, replies, notes);
        let places = setup.players.iter().map(|player| &player.kind).enumerate().map(place);
        Ok(Table {
            places: places.collect::<io::Result<_>>()?,
            has_budget: setup.simulations.is_some(),
        })
    }

    /// The roles of players that are asked, and are no people.
    pub(super) fn machines(&self) -> Vec<Role> {
        self.roles(|place| matches!(place, Place::Strategy(..) | Place::Http(..)))
    }

    /// The roles of people.
    pub(super) fn people(&self) -> Vec<Role> {
        self.roles(|place| matches!(place, Place::Human(_)))
    }

    fn roles(&self, wanted: impl Fn(&Place) -> bool) -> Vec<Role> {
        let places = self.places.iter().enumerate();
        places.filter(|(_, place)| wanted(place)).map(|(role, _)| role).collect()
    }

    /// Whether somebody is asked who plays the role.
    pub(super) fn is_asked(&self, role: Role) -> bool {
        !matches!(self.places[role], Place::Random | Place::First)
    }

    /// Whether its time is bounded.
    pub(super) fn has_clock(&self, role: Role) -> bool {
        match self.places[role] {
            Place::Http(..) => true,
            Place::Strategy(..) => !self.has_budget,
            Place::Random | Place::First | Place::Human(_) => false,
        }
    }

    pub(super) fn ask(&self, role: Role, ask: Ask) {
        match &self.places[role] {
            Place::Random | Place::First => {}
            Place::Human(seat) | Place::Strategy(seat, _) | Place::Http(seat, _) => seat.ask(ask),
        }
    }

    /// The move of a role for which the judge plays.
    pub(super) fn own_choice(&self, role: Role, judge: &mut Judge<'_>) -> Option<Move> {
        match self.places[role] {
            Place::Random => judge.random(role),
            Place::First => judge.first(role),
            Place::Human(_) | Place::Strategy(..) | Place::Http(..) => None,
        }
    }

    /// Tells everybody that the match is over.
    pub(super) fn dismiss(
        &mut self,
        is_completed: bool,
        last: Option<&Vec<String>>,
        notes: &Sender<String>,
    ) {
        let (done, told) = channel();
        let mut waiting = 0;
        for place in self.places.drain(..) {
            match place {
                Place::Random | Place::First | Place::Human(_) => {}
                Place::Strategy(_, stop_handle) => stop_handle.stop(),
                Place::Http(_, line) => {
                    let (done, last) = (done.clone(), last.cloned());
                    let tell = move || {
                        let told = match is_completed {
                            true => line.stop(last.as_deref(), FAREWELL),
                            false => line.abort(FAREWELL),
                        };
                        // Nobody may be waiting any more.
                        let _ = done.send(told);
                    };
                    let thread = thread::Builder::new().name("farewell".to_string()).spawn(tell);
                    waiting += usize::from(thread.is_ok());
                }
            }
        }
        let end = Instant::now() + FAREWELL + FAREWELL / 2;
        for _ in 0..waiting {
            match told.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Ok(_)) => {}
                Ok(Err(fault)) => drop(notes.send(unheard(&fault))),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    drop(notes.send(unheard(&Fault::Late)));
                }
            }
        }
    }
}

fn unheard(fault: &Fault) -> String {
    let reason = match fault {
        Fault::Broken(reason) => reason,
        Fault::Late | Fault::Quit => "no answer",
    };
    format!("a player was told in vain that the match is over: {reason}")
}

fn place(
    setup: &MatchSetup,
    role: Role,
    player: &PlayerKind,
    replies: &Sender<Reply>,
    notes: &Sender<String>,
) -> io::Result<Place> {
    let seat = |mind: Box<dyn Mind>| Seat::new(role, mind, replies.clone());
    let name = &setup.roles[role];
    Ok(match player {
        PlayerKind::Random => Place::Random,
        PlayerKind::First => Place::First,
        PlayerKind::Human => {
            let console = setup.console.clone();
            Place::Human(seat(Box::new(HumanPlayer { role: name.clone(), console }))?)
        }
        PlayerKind::Strategy(settings) => {
            let stop_handle = StopHandle::default();
            let player = StrategyPlayer {
                sheet: setup.sheet.clone(),
                role: name.clone(),
                options: options(setup, role, settings, notes),
                agent: None,
                stop_handle: stop_handle.clone(),
            };
            Place::Strategy(seat(Box::new(player))?, stop_handle)
        }
        PlayerKind::Http(address) => {
            let line = Line::new(address, &setup.match_id);
            let clocks = setup.clocks;
            let start =
                start_message(&setup.match_id, name, &setup.sheet, clocks.start, clocks.play);
            Place::Http(seat(Box::new(HttpPlayer { line: line.clone(), start }))?, line)
        }
    })
}

/// The memory of a search: what searches have together is a quarter of the machine's.
fn memory(setup: &MatchSetup) -> u64 {
    let is_search = |player: &&Player| matches!(player.kind, PlayerKind::Strategy(_));
    let searches = setup.players.iter().filter(is_search).count();
    machine_bytes() / 4 / searches.max(1) as u64
}

fn options(
    setup: &MatchSetup,
    role: Role,
    settings: &AgentSettings,
    notes: &Sender<String>,
) -> AgentOptions {
    let (notes, name) = (notes.clone(), setup.roles[role].clone());
    let mut settings = settings.clone();
    settings.search.limit_memory(memory(setup));
    AgentOptions {
        settings,
        engine: setup.engine.clone(),
        // Players of one match never have the same chances.
        seed: setup.seed.wrapping_mul(64).wrapping_add(role as u64),
        budget: setup.simulations.map(Budget::simulations),
        circuit: setup.circuit.clone(),
        log: Log::new(move |line| drop(notes.send(format!("{name}: {line}")))),
    }
}
