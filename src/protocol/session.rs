//! Messages -> replies: which matches there are, and which message is for which.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;

use super::contest::Contest;
use super::message::{Message, Start, read_message};
use super::play::End;
use super::reply::Reply;
use crate::agent::{AgentOptions, Log};

/// How a session plays.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// How matches are played. Each has a seed of its own, counted from this one on.
    pub agent: AgentOptions,
    /// How many matches there may be at once.
    pub matches: usize,
    /// The folder for records; none for no records.
    pub records: Option<PathBuf>,
    /// A match that nobody has asked about for so long, beside its clocks, is given up.
    pub patience: Duration,
    /// Who is told what happens.
    pub log: Log,
}

impl Default for SessionOptions {
    /// One match at a time, no records, and a minute of patience.
    fn default() -> Self {
        SessionOptions {
            agent: AgentOptions::default(),
            matches: 1,
            records: None,
            patience: Duration::from_secs(60),
            log: Log::default(),
        }
    }
}

/// So many matches that are over are remembered: managers may tell of the end twice.
const REMEMBERED: usize = 64;

/// All matches. Messages may come from many threads at once.
pub struct Session {
    options: SessionOptions,
    table: Mutex<Table>,
    /// Told when a match has left.
    left: Condvar,
}

#[derive(Default)]
struct Table {
    /// By identifier, in lower case.
    contests: IndexMap<String, Arc<Contest>>,
    /// How many matches are in the table no more, and not written to their ends yet.
    leaving: usize,
    /// What the last message of a match that is over was answered with.
    over: VecDeque<(String, Reply)>,
    /// Matches begun so far.
    begun: u64,
}

impl Session {
    /// A session without a match.
    pub fn new(options: SessionOptions) -> Self {
        Session { options, table: Mutex::default(), left: Condvar::new() }
    }

    /// How many matches there may be at once.
    pub fn most_matches(&self) -> usize {
        self.options.matches
    }

    /// Answers a message. This takes as long as the clocks of its match allow.
    pub fn answer(&self, text: &str, arrived: Instant) -> Reply {
        let reply = match read_message(text) {
            Ok(Message::Info) => Reply::Info { is_available: self.is_available(arrived) },
            Ok(Message::Start(start)) => self.start(start, arrived),
            Ok(Message::Play { id, previous }) => match self.contest(&id) {
                Some(contest) => contest.play(previous, arrived),
                None => Reply::Busy,
            },
            Ok(Message::Stop { id, previous }) => self.end(&id, End::Stop(previous), arrived),
            Ok(Message::Abort { id }) => self.end(&id, End::Abort("aborted"), arrived),
            Ok(Message::Preview { .. }) => Reply::Ready,
            Err(error) => Reply::Refused(error.to_string()),
        };
        if let Reply::Refused(why) = &reply {
            self.options.log.line(&format!("refused: {why}"));
        }
        reply
    }

    /// Gives up matches that nobody asks about any more.
    pub fn tidy(&self, now: Instant) {
        let mut table = self.table();
        let forgotten: Vec<String> = table
            .contests
            .iter()
            .filter(|(_, contest)| contest.is_forgotten(now, self.options.patience))
            .map(|(id, _)| id.clone())
            .collect();
        let forgotten: Vec<Leaving<'_>> =
            forgotten.iter().filter_map(|id| self.remove(&mut table, id)).collect();
        drop(table);
        for leaving in forgotten {
            leaving.contest.end(End::Abort("given up: nobody asks any more"), now);
        }
    }

    /// Gives up all matches. Their records are written when this is back, and so are those of
    /// matches that others are just ending.
    pub fn end_all(&self, now: Instant) {
        let mut table = self.table();
        let contests: Vec<Arc<Contest>> =
            table.contests.drain(..).map(|(_, contest)| contest).collect();
        let all: Vec<Leaving<'_>> =
            contests.into_iter().map(|contest| self.leave(&mut table, contest)).collect();
        drop(table);
        let end = |leaving: Leaving<'_>| {
            leaving.contest.end(End::Abort("given up: the player is shut down"), now);
        };
        // None waits for another that is slow to end.
        thread::scope(|scope| {
            all.into_iter().for_each(|leaving| drop(scope.spawn(move || end(leaving))));
        });
        drop(self.left.wait_while(self.table(), |table| table.leaving > 0));
    }

    fn is_available(&self, now: Instant) -> bool {
        self.tidy(now);
        self.table().contests.len() < self.options.matches
    }

    fn start(&self, start: Start, arrived: Instant) -> Reply {
        self.tidy(arrived);
        let (id, id_text) = (key(&start.id), start.id.clone());
        let mut table = self.table();
        let (contest, replaced) = match table.contests.get(&id) {
            Some(known) if known.is_begun_by(&start) => (known.clone(), None),
            // Two roles of one match cannot be told apart by the messages that follow.
            Some(known) if !known.start.role.eq_ignore_ascii_case(&start.role) => {
                return Reply::Busy;
            }
            None if table.contests.len() >= self.options.matches => return Reply::Busy,
            _ => {
                let contest = Arc::new(Contest::new(start, arrived));
                let replaced = table.contests.insert(id.clone(), contest.clone());
                table.over.retain(|(over, _)| *over != id);
                table.begun += 1;
                (contest, replaced.map(|replaced| self.leave(&mut table, replaced)))
            }
        };
        let seed = self.options.agent.seed.wrapping_add(table.begun - 1);
        drop(table);
        if let Some(replaced) = replaced {
            replaced.contest.end(End::Abort("given up: the match begins anew"), arrived);
        }
        let reply = contest.begin(&self.options, seed, arrived);
        if reply != Reply::Ready {
            self.forget(&id_text, &contest);
        }
        reply
    }

    fn end(&self, id: &str, how: End, arrived: Instant) -> Reply {
        let leaving = self.remove(&mut self.table(), &key(id));
        match leaving {
            Some(leaving) => {
                let reply = leaving.contest.end(how, arrived);
                let mut table = self.table();
                table.over.push_back((key(id), reply.clone()));
                if table.over.len() > REMEMBERED {
                    table.over.pop_front();
                }
                reply
            }
            None => {
                let table = self.table();
                let known = table.over.iter().find(|(over, _)| *over == key(id));
                known.map_or(Reply::Busy, |(_, reply)| reply.clone())
            }
        }
    }

    fn remove(&self, table: &mut Table, key: &str) -> Option<Leaving<'_>> {
        table.contests.shift_remove(key).map(|contest| self.leave(table, contest))
    }

    /// Counts a match that was just taken out of the table.
    fn leave(&self, table: &mut Table, contest: Arc<Contest>) -> Leaving<'_> {
        table.leaving += 1;
        Leaving { session: self, contest }
    }

    fn contest(&self, id: &str) -> Option<Arc<Contest>> {
        self.table().contests.get(&key(id)).cloned()
    }

    /// Removes a match that could not begin, unless another has its name already.
    fn forget(&self, id: &str, contest: &Arc<Contest>) {
        let mut table = self.table();
        if table.contests.get(&key(id)).is_some_and(|known| Arc::ptr_eq(known, contest)) {
            table.contests.shift_remove(&key(id));
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A match on its way out, which a session that ends waits for. It is dropped when the match has
/// ended, and never while the table is locked.
struct Leaving<'s> {
    session: &'s Session,
    contest: Arc<Contest>,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.session.table().leaving -= 1;
        self.session.left.notify_all();
    }
}

/// Managers that like capitals like them everywhere.
fn key(id: &str) -> String {
    id.to_lowercase()
}
