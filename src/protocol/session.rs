//! Messages -> replies: which matches there are, and which message is for which.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use tracing::Level;

use super::match_state::MatchEnd;
use super::message::{Message, MessageError, StartMessage, is_blank, read_message};
use super::metrics::Metrics;
use super::reply::Reply;
use super::running_matches::RunningMatches;
use super::session_match::SessionMatch;
use crate::agent::{AgentOptions, Log};
use crate::record::fingerprint;

/// How a session plays.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// How matches are played. Each has a seed of its own, counted from this one on.
    pub agent: AgentOptions,
    /// How many matches there may be at once.
    pub matches: usize,
    /// The folder for records; none for no records.
    pub records: Option<PathBuf>,
    /// The longest clock of a match; a START with a longer one is refused.
    pub max_clock: Duration,
    /// A match is given up if its next message does not come this long after the clock of the last
    /// one is over.
    pub patience: Duration,
    /// Receives log lines.
    pub log: Log,
}

impl Default for SessionOptions {
    /// One match at a time, no records, clocks of up to an hour, and half a minute of patience.
    fn default() -> Self {
        SessionOptions {
            agent: AgentOptions::default(),
            matches: 1,
            records: None,
            max_clock: Duration::from_secs(3600),
            patience: Duration::from_secs(30),
            log: Log::default(),
        }
    }
}

/// The most words and lists that the rules of a match may have. Real sheets stay below a fifth of
/// it; one that is as large takes up to 350 MB.
const LARGEST_SHEET: usize = 500_000;

/// What the sheets of all matches may weigh together: one as large as can be, and a large real one
/// for each match.
const SHEETS_WEIGHT: usize = LARGEST_SHEET + (16 << 20) / BYTES_PER_WORD;
const SHEET_SHARE: usize = 50_000;

/// This many bytes of a sheet's text weigh as much as one of its words.
const BYTES_PER_WORD: usize = 8;

/// How long the end of a match waits for the last threads of its player, so that there is room for
/// the next one.
const GRACE: Duration = Duration::from_secs(1);

/// A match that begins anew may find this many others of its name that still run: the one it takes
/// the place of, and the one that was before it.
const NAMESAKES: usize = 2;

/// How many finished matches are remembered: managers may send the end twice.
const REMEMBERED: usize = 64;

/// Why a match gives way to another of its name.
const BEGINS_ANEW: &str = "given up: the match begins anew";

/// All matches. Messages may come from many threads at once.
pub struct Session {
    options: SessionOptions,
    table: Mutex<MatchTable>,
    slots: RunningMatches,
    metrics: Arc<Metrics>,
    /// Notified when a match has left.
    left: Condvar,
    /// Messages that may have to wait for a clock.
    waiting: AtomicUsize,
}

#[derive(Default)]
struct MatchTable {
    /// By identifier, in lower case.
    matches: IndexMap<String, Arc<SessionMatch>>,
    /// How many matches have left the table and are not completely recorded yet.
    leaving: usize,
    /// Matches that gave way to others of the same name, and why; they are still to be ended.
    given_up: Vec<(Arc<SessionMatch>, &'static str)>,
    /// Matches that are over.
    over: VecDeque<String>,
    /// Matches begun so far.
    begun: u64,
}

impl MatchTable {
    /// The match of that name. Where its START came in the middle of another just like it, it is
    /// known now which one is played: a match that goes on has moves to report. The other one gives
    /// way.
    fn session_match(&mut self, key: &str, goes_on: bool) -> Option<Arc<SessionMatch>> {
        let session_match = self.matches.get(key)?.clone();
        let Some(former) = session_match.take_former() else { return Some(session_match) };
        let (played, given_up, why) = match goes_on {
            true => (former, session_match, "given up: the match of that name goes on"),
            false => (session_match, former, BEGINS_ANEW),
        };
        given_up.stop();
        self.given_up.push((given_up, why));
        self.matches.insert(key.to_string(), played.clone());
        Some(played)
    }
}

/// How many messages are worked on at once where there may be this many matches.
pub(super) fn messages_at_once(matches: usize) -> usize {
    64 + 4 * matches
}

/// Of the places for messages, this many are kept for those that are answered immediately.
const KEPT_PLACES: usize = 16;

/// A message that may have to wait for a clock, until this is dropped.
struct WaitingMessage<'s>(&'s AtomicUsize);

impl<'s> WaitingMessage<'s> {
    fn new(count: &'s AtomicUsize) -> Self {
        count.fetch_add(1, SeqCst);
        WaitingMessage(count)
    }
}

impl Drop for WaitingMessage<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl Session {
    /// A session without a match.
    pub fn new(options: SessionOptions) -> Self {
        let metrics = Arc::new(Metrics::default());
        let slots = RunningMatches::new(metrics.clone());
        let waiting = AtomicUsize::default();
        Session { options, table: Mutex::default(), slots, metrics, left: Condvar::new(), waiting }
    }

    /// How many matches run, those included that still begin or end.
    pub fn running(&self) -> usize {
        self.slots.running().matches
    }

    /// How many matches there may be at once.
    pub fn most_matches(&self) -> usize {
        self.options.matches
    }

    /// Answers a message. This takes as long as the clocks of its match allow.
    pub fn answer(&self, text: &str, arrived: Instant) -> Reply {
        self.reply(read_message(text), arrived)
    }

    /// The same for a message that was read before.
    pub fn reply(&self, message: Result<Message, MessageError>, arrived: Instant) -> Reply {
        self.metrics.count_message(message.as_ref().map_or("invalid", Message::kind));
        let reply = match message {
            Ok(Message::Info) => Reply::Info { is_available: self.is_available(arrived) },
            Ok(Message::Start(_) | Message::Play { .. }) if self.is_crowded() => Reply::Busy,
            Ok(Message::Start(start)) => {
                let _waiting = WaitingMessage::new(&self.waiting);
                self.start(start, arrived)
            }
            Ok(Message::Play { id, previous }) => {
                let _waiting = WaitingMessage::new(&self.waiting);
                let goes_on = previous.as_ref().is_some_and(|joint| !is_blank(joint));
                // Others have the table while it thinks.
                let session_match = self.table().session_match(&key(&id), goes_on);
                session_match
                    .map_or(Reply::Busy, |session_match| session_match.play(previous, arrived))
            }
            Ok(Message::Stop { id, previous }) => self.end(&id, MatchEnd::Stop(previous), arrived),
            Ok(Message::Abort { id }) => self.end(&id, MatchEnd::Abort("aborted"), arrived),
            Ok(Message::Preview { size, clock }) => {
                self.complaint(size, clock).map_or(Reply::Ready, Reply::Refused)
            }
            Err(error) => Reply::Refused(error.to_string()),
        };
        match &reply {
            Reply::Refused(why) => {
                self.options.log.write(Level::WARN, &format!("refused: {why}"));
            }
            Reply::Busy => drop(self.metrics.busy.inc()),
            _ => {}
        }
        self.metrics.count_answer(arrived.elapsed());
        reply
    }

    /// Whether too many messages wait for a clock for another one to join them: the remaining places
    /// are for those that are answered at once, above all for the end of a match.
    fn is_crowded(&self) -> bool {
        let places = messages_at_once(self.options.matches);
        self.waiting.load(SeqCst) + KEPT_PLACES >= places
    }

    /// Why a match cannot be played, whatever its rules say.
    fn complaint(&self, size: usize, clock: Duration) -> Option<String> {
        let most = self.options.max_clock;
        if clock > most {
            let (clock, most) = (clock.as_secs_f64(), most.as_secs_f64());
            return Some(format!(
                "a clock of {clock} seconds; at most {most} are played here (--max-clock)"
            ));
        }
        (size > LARGEST_SHEET)
            .then(|| format!("the rules have {size} words and lists; {LARGEST_SHEET} is the limit"))
    }

    pub(super) fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// Gives up matches that no longer get messages.
    pub fn tidy(&self, now: Instant) {
        let mut table = self.table();
        let forgotten: Vec<String> = table
            .matches
            .iter()
            .filter(|(_, session_match)| session_match.is_forgotten(now, self.options.patience))
            .map(|(id, _)| id.clone())
            .collect();
        for id in forgotten {
            table.session_match(&id, false);
            let session_match = table.matches.shift_remove(&id);
            let why = "given up: no message for too long";
            table.given_up.extend(session_match.map(|session_match| (session_match, why)));
        }
        let given_up = self.leave_given_up(&mut table);
        drop(table);
        // None goes on while another ends.
        given_up.iter().for_each(|(leaving, _)| leaving.session_match.stop());
        for (leaving, why) in given_up {
            self.end_and_wait(leaving, MatchEnd::Abort(why), now);
        }
    }

    /// Gives up all matches. Their records are written when this returns, and so are those of
    /// matches that others are just ending.
    pub fn end_all(&self, now: Instant) {
        let mut table = self.table();
        let matches: Vec<Arc<SessionMatch>> =
            table.matches.drain(..).map(|(_, session_match)| session_match).collect();
        for session_match in matches {
            let why = "given up: the player is shut down";
            let former = session_match.take_former();
            table.given_up.extend(former.into_iter().chain([session_match]).map(|one| (one, why)));
        }
        let all = self.leave_given_up(&mut table);
        drop(table);
        let end =
            |leaving: LeavingMatch<'_>, why| leaving.session_match.end(MatchEnd::Abort(why), now);
        // None waits for another that is slow to end.
        thread::scope(|scope| {
            for (leaving, why) in all {
                scope.spawn(move || end(leaving, why));
            }
        });
        drop(self.left.wait_while(self.table(), |table| table.leaving > 0));
    }

    fn is_available(&self, now: Instant) -> bool {
        self.tidy(now);
        self.running() < self.options.matches
    }

    fn start(&self, start: StartMessage, arrived: Instant) -> Reply {
        let longer = start.start_clock.max(start.play_clock);
        if let Some(why) = self.complaint(start.size, longer) {
            return Reply::Refused(why);
        }
        self.tidy(arrived);
        let (id, id_text) = (key(&start.id), start.id.clone());
        // Others have the table meanwhile: a sheet may be large.
        let rules = fingerprint(&start.sheet);
        let mut table = self.table();
        let known = table.matches.get(&id).cloned();
        let is_again = known.as_ref().is_some_and(|known| known.is_begun_by(&start, &rules));
        let (session_match, replaced) = match known {
            Some(known) if is_again && known.is_at_start() => (known, None),
            // Two roles of one match cannot be told apart by the messages that follow.
            Some(known) if !known.start.role.eq_ignore_ascii_case(&start.role) => {
                return Reply::Busy;
            }
            _ if !self.has_room(known.is_some()) => return Reply::Busy,
            _ if !self.has_room_for_sheet(&start) => {
                let why = "no room for so large a sheet beside those of other matches; try again \
                           when one is over";
                return Reply::Refused(why.to_string());
            }
            known => {
                let (former, replaced) = if is_again { (known, None) } else { (None, known) };
                let before = replaced.as_ref().and_then(|replaced| replaced.take_former());
                table.given_up.extend(before.map(|before| (before, BEGINS_ANEW)));
                let slot = self.slots.slot(weight(&start));
                let session_match =
                    Arc::new(SessionMatch::new(start, rules, former, arrived, slot));
                table.matches.insert(id.clone(), session_match.clone());
                table.over.retain(|over| *over != id);
                table.begun += 1;
                (session_match, replaced.map(|replaced| self.leave(&mut table, replaced)))
            }
        };
        let seed = self.options.agent.seed.wrapping_add(table.begun - 1);
        drop(table);
        if let Some(replaced) = replaced {
            self.end_and_wait(replaced, MatchEnd::Abort(BEGINS_ANEW), arrived);
        }
        let reply = session_match.begin(&self.options, seed, arrived);
        if reply != Reply::Ready {
            self.forget(&id_text, &session_match);
            let slot = session_match.slot();
            drop(session_match);
            self.slots.wait_for(&slot, GRACE);
        }
        reply
    }

    fn end(&self, id: &str, how: MatchEnd, arrived: Instant) -> Reply {
        let mut table = self.table();
        table.session_match(
            &key(id),
            matches!(&how, MatchEnd::Stop(Some(joint)) if !is_blank(joint)),
        );
        let Some(session_match) = table.matches.shift_remove(&key(id)) else {
            let is_known = table.over.contains(&key(id));
            return if is_known { how.reply() } else { Reply::Busy };
        };
        let leaving = self.leave(&mut table, session_match);
        drop(table);
        let reply = self.end_and_wait(leaving, how, arrived);
        let mut table = self.table();
        table.over.push_back(key(id));
        if table.over.len() > REMEMBERED {
            table.over.pop_front();
        }
        drop(table);
        reply
    }

    /// Ends a match, and waits a little until nothing of it runs any more.
    fn end_and_wait(&self, leaving: LeavingMatch<'_>, how: MatchEnd, arrived: Instant) -> Reply {
        let slot = leaving.session_match.slot();
        let reply = leaving.session_match.end(how, arrived);
        drop(leaving);
        self.slots.wait_for(&slot, GRACE);
        reply
    }

    /// Whether one more match may run.
    fn has_room(&self, is_known: bool) -> bool {
        let namesakes = if is_known { NAMESAKES } else { 0 };
        self.running() < self.options.matches + namesakes
    }

    fn has_room_for_sheet(&self, start: &StartMessage) -> bool {
        let most = SHEETS_WEIGHT + SHEET_SHARE * self.options.matches;
        self.slots.running().weight + weight(start) <= most
    }

    /// Counts all that gave way.
    fn leave_given_up(&self, table: &mut MatchTable) -> Vec<(LeavingMatch<'_>, &'static str)> {
        let given_up = std::mem::take(&mut table.given_up);
        given_up
            .into_iter()
            .map(|(session_match, why)| (self.leave(table, session_match), why))
            .collect()
    }

    /// Counts a match that was just taken out of the table.
    fn leave(&self, table: &mut MatchTable, session_match: Arc<SessionMatch>) -> LeavingMatch<'_> {
        table.leaving += 1;
        LeavingMatch { session: self, session_match }
    }

    /// Removes a match that could not begin, unless another has its name already.
    fn forget(&self, id: &str, session_match: &Arc<SessionMatch>) {
        let mut table = self.table();
        if table.matches.get(&key(id)).is_some_and(|known| Arc::ptr_eq(known, session_match)) {
            table.matches.shift_remove(&key(id));
            let former = session_match.take_former();
            table.matches.extend(former.map(|former| (key(id), former)));
        }
    }

    fn table(&self) -> MutexGuard<'_, MatchTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A match on its way out, which a session that ends waits for. It is dropped when the match has
/// ended, and never while the table is locked.
struct LeavingMatch<'s> {
    session: &'s Session,
    session_match: Arc<SessionMatch>,
}

impl Drop for LeavingMatch<'_> {
    fn drop(&mut self) {
        self.session.table().leaving -= 1;
        self.session.left.notify_all();
    }
}

/// What a sheet weighs: its words and lists for what they are parsed to, and its text.
fn weight(start: &StartMessage) -> usize {
    start.size + start.sheet.len() / BYTES_PER_WORD
}

/// Some managers write everything in capitals.
fn key(id: &str) -> String {
    id.to_lowercase()
}
