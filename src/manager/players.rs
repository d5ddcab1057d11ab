//! The players of a match.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use propnet::game::{Move, Role};

use super::http::{HttpPlayer, PlayerClient, start_message};
use super::human::HumanPlayer;
use super::judge::Judge;
use super::player::{Player, PlayerKind};
use super::player_thread::{Fault, PlayerBackend, PlayerReply, PlayerRequest, PlayerThread};
use super::setup::MatchSetup;
use super::strategy::StrategyPlayer;
use crate::agent::{AgentOptions, AgentSettings, Log, Sheet, StopHandle};
use crate::pipeline::Cache;
use crate::search::{Budget, machine_bytes};

/// All players of a match, by role.
pub(super) struct Players {
    slots: Vec<PlayerSlot>,
    /// Whether strategies have a budget instead of a clock.
    has_budget: bool,
}

/// One role's player.
enum PlayerSlot {
    /// The judge chooses its moves.
    Random,
    First,
    Human(PlayerThread),
    Strategy(PlayerThread, StopHandle),
    Http(PlayerThread, PlayerClient),
}

/// The longest wait for a player to confirm that the match is over.
const FAREWELL: Duration = Duration::from_secs(2);

impl Players {
    /// Starts a thread for each player that needs one.
    pub(super) fn new(
        setup: &MatchSetup,
        replies: &Sender<PlayerReply>,
        notes: &Sender<String>,
    ) -> io::Result<Self> {
        let cache = Cache::default();
        let slot = |(role, player): (Role, &_)| slot(setup, role, player, &cache, replies, notes);
        let slots = setup.players.iter().map(|player| &player.kind).enumerate().map(slot);
        Ok(Players {
            slots: slots.collect::<io::Result<_>>()?,
            has_budget: setup.simulations.is_some(),
        })
    }

    /// The roles of players that are asked and are not people.
    pub(super) fn machines(&self) -> Vec<Role> {
        self.roles(|slot| matches!(slot, PlayerSlot::Strategy(..) | PlayerSlot::Http(..)))
    }

    /// The roles of people.
    pub(super) fn people(&self) -> Vec<Role> {
        self.roles(|slot| matches!(slot, PlayerSlot::Human(_)))
    }

    fn roles(&self, wanted: impl Fn(&PlayerSlot) -> bool) -> Vec<Role> {
        let slots = self.slots.iter().enumerate();
        slots.filter(|(_, slot)| wanted(slot)).map(|(role, _)| role).collect()
    }

    /// Whether the player of the role is asked, so that the judge does not choose its moves.
    pub(super) fn is_asked(&self, role: Role) -> bool {
        !matches!(self.slots[role], PlayerSlot::Random | PlayerSlot::First)
    }

    /// Whether its time is bounded.
    pub(super) fn has_clock(&self, role: Role) -> bool {
        match self.slots[role] {
            PlayerSlot::Http(..) => true,
            PlayerSlot::Strategy(..) => !self.has_budget,
            PlayerSlot::Random | PlayerSlot::First | PlayerSlot::Human(_) => false,
        }
    }

    pub(super) fn request(&self, role: Role, request: PlayerRequest) {
        match &self.slots[role] {
            PlayerSlot::Random | PlayerSlot::First => {}
            PlayerSlot::Human(thread)
            | PlayerSlot::Strategy(thread, _)
            | PlayerSlot::Http(thread, _) => thread.request(request),
        }
    }

    /// The move of a role whose moves the judge chooses.
    pub(super) fn own_choice(&self, role: Role, judge: &mut Judge<'_>) -> Option<Move> {
        match self.slots[role] {
            PlayerSlot::Random => judge.random(role),
            PlayerSlot::First => judge.first(role),
            PlayerSlot::Human(_) | PlayerSlot::Strategy(..) | PlayerSlot::Http(..) => None,
        }
    }

    /// Tells all players that the match is over.
    pub(super) fn dismiss(
        &mut self,
        is_completed: bool,
        last: Option<&Vec<String>>,
        notes: &Sender<String>,
    ) {
        let (done, told) = channel();
        let mut waiting = 0;
        for slot in self.slots.drain(..) {
            match slot {
                PlayerSlot::Random | PlayerSlot::First | PlayerSlot::Human(_) => {}
                PlayerSlot::Strategy(_, stop_handle) => stop_handle.stop(),
                PlayerSlot::Http(_, client) => {
                    let (done, last) = (done.clone(), last.cloned());
                    let tell = move || {
                        let told = match is_completed {
                            true => client.stop(last.as_deref(), FAREWELL),
                            false => client.abort(FAREWELL),
                        };
                        // The receiver may be gone.
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
    format!("a player did not confirm the end of the match: {reason}")
}

fn slot(
    setup: &MatchSetup,
    role: Role,
    player: &PlayerKind,
    cache: &Cache,
    replies: &Sender<PlayerReply>,
    notes: &Sender<String>,
) -> io::Result<PlayerSlot> {
    let thread =
        |backend: Box<dyn PlayerBackend>| PlayerThread::new(role, backend, replies.clone());
    let name = &setup.roles[role];
    Ok(match player {
        PlayerKind::Random => PlayerSlot::Random,
        PlayerKind::First => PlayerSlot::First,
        PlayerKind::Human => {
            let console = setup.console.clone();
            PlayerSlot::Human(thread(Box::new(HumanPlayer { role: name.clone(), console }))?)
        }
        PlayerKind::Strategy(settings) => {
            let stop_handle = StopHandle::default();
            let player = StrategyPlayer {
                sheet: sheet(setup),
                role: name.clone(),
                options: options(setup, role, settings, cache, notes),
                agent: None,
                stop_handle: stop_handle.clone(),
            };
            PlayerSlot::Strategy(thread(Box::new(player))?, stop_handle)
        }
        PlayerKind::Http(address) => {
            let client = PlayerClient::new(address, &setup.match_id);
            let clocks = setup.clocks;
            let start =
                start_message(&setup.match_id, name, &setup.sheet, clocks.start, clocks.play);
            PlayerSlot::Http(
                thread(Box::new(HttpPlayer { client: client.clone(), start }))?,
                client,
            )
        }
    })
}

/// The rules for strategies, parsed already if the caller has parsed them.
fn sheet(setup: &MatchSetup) -> Sheet {
    setup.stages.clone().map_or_else(|| (&setup.sheet).into(), Sheet::from)
}

/// The memory of one search: all searches of a match together get a quarter of the machine's.
fn memory(setup: &MatchSetup) -> u64 {
    let is_search = |player: &&Player| matches!(player.kind, PlayerKind::Strategy(_));
    let searches = setup.players.iter().filter(is_search).count();
    machine_bytes() / 4 / searches.max(1) as u64
}

fn options(
    setup: &MatchSetup,
    role: Role,
    settings: &AgentSettings,
    cache: &Cache,
    notes: &Sender<String>,
) -> AgentOptions {
    let (notes, name) = (notes.clone(), setup.roles[role].clone());
    let mut settings = settings.clone();
    settings.search.limit_memory(memory(setup));
    AgentOptions {
        settings,
        pipeline: setup.pipeline.clone(),
        // Players of one match have different seeds.
        seed: setup.seed.wrapping_mul(64).wrapping_add(role as u64),
        budget: setup.simulations.map(Budget::simulations),
        cache: cache.clone(),
        log: Log::new(move |line| drop(notes.send(format!("{name}: {line}")))),
    }
}
