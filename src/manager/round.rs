//! One question to the players, and their answers within their clocks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use propnet::game::Role;

use super::player_thread::{Fault, PlayerAnswer, PlayerReply};
use super::referee::EndReason;

/// The answers by role; none for players that were not asked or did not answer in time.
pub(super) type Answers = Vec<Option<Result<PlayerAnswer, Fault>>>;

/// A turn, as long as answers to it count.
pub(super) struct Round<'m> {
    pub(super) turn: u64,
    /// When an answer is due, by role; none for players without a clock.
    pub(super) deadlines: Vec<Option<Instant>>,
    pub(super) received: &'m Receiver<PlayerReply>,
    pub(super) interrupt: &'m AtomicBool,
    pub(super) answers: Answers,
}

/// How often the wait checks for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

impl Round<'_> {
    /// Waits until these roles have answered, or their time is over.
    pub(super) fn wait(&mut self, roles: &[Role]) -> Result<(), EndReason> {
        loop {
            let now = Instant::now();
            // This thread may be late as well, so it reads all replies before it gives up on a
            // player: an answer counts by the time at which it came.
            while let Ok(reply) = self.received.try_recv() {
                self.hear(reply)?;
            }
            let has_time = |role: Role| self.deadlines[role].is_none_or(|end| now < end);
            let awaited: Vec<Role> = roles
                .iter()
                .copied()
                .filter(|&role| self.answers[role].is_none() && has_time(role))
                .collect();
            if awaited.is_empty() {
                return Ok(());
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(EndReason::Interrupted);
            }
            let next = awaited.into_iter().filter_map(|role| self.deadlines[role]).min();
            let patience = next.map_or(LOOK, |end| end.saturating_duration_since(now).min(LOOK));
            // A player can still answer, so the channel is open.
            if let Ok(reply) = self.received.recv_timeout(patience) {
                self.hear(reply)?;
            }
        }
    }

    /// Takes an answer that came in time. An answer to an earlier question came too late.
    fn hear(&mut self, reply: PlayerReply) -> Result<(), EndReason> {
        if reply.turn != self.turn {
            return Ok(());
        }
        if reply.said.as_ref().is_err_and(|fault| *fault == Fault::Quit) {
            return Err(EndReason::Left(reply.role));
        }
        if self.deadlines[reply.role].is_none_or(|end| reply.at <= end) {
            self.answers[reply.role] = Some(reply.said);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    /// The answers that count, by the times at which they came, for a thread that looks only after
    /// the deadline.
    fn counted(deadlines: &[Option<Instant>], came: &[Instant]) -> Vec<bool> {
        let (replies, received) = channel();
        for (role, &at) in came.iter().enumerate() {
            let said = Ok(PlayerAnswer { text: "up".to_string(), report: None });
            replies.send(PlayerReply { role, turn: 1, at, said }).expect("somebody listens");
        }
        let deadlines = deadlines.to_vec();
        let (interrupt, answers) = (AtomicBool::new(false), vec![None; deadlines.len()]);
        let mut round =
            Round { turn: 1, deadlines, received: &received, interrupt: &interrupt, answers };
        let roles: Vec<Role> = (0..came.len()).collect();
        round.wait(&roles).expect("nobody leaves");
        round.answers.iter().map(Option::is_some).collect()
    }

    #[test]
    fn answers_count_by_when_they_came_not_by_when_they_are_heard() {
        let end = Instant::now();
        let later = end + Duration::from_nanos(1);
        while Instant::now() <= later {
            thread::yield_now();
        }
        assert_eq!(counted(&[Some(end); 3], &[end; 3]), [true; 3]);
        assert_eq!(counted(&[Some(end); 3], &[later, end, later]), [false, true, false]);
        assert_eq!(counted(&[Some(end), None], &[later, later]), [false, true]);
    }
}
