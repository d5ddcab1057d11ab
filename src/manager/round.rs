//! One question to the players, and what they say to it within their clocks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use propnet::game::Role;

use super::referee::End;
use super::seat::{Fault, Reply, Said};

/// What came of asking, by role; none for those who were not asked or said nothing in time.
pub(super) type Answers = Vec<Option<Result<Said, Fault>>>;

/// A turn, as long as answers to it count.
pub(super) struct Round<'m> {
    pub(super) turn: u64,
    /// When an answer has to be there, by role; none for those without a clock.
    pub(super) deadlines: Vec<Option<Instant>>,
    pub(super) received: &'m Receiver<Reply>,
    pub(super) interrupt: &'m AtomicBool,
    pub(super) answers: Answers,
}

/// How often somebody looks whether the match is to end.
const LOOK: Duration = Duration::from_millis(20);

impl Round<'_> {
    /// Waits until these roles have answered, or their time is over.
    pub(super) fn wait(&mut self, roles: &[Role]) -> Result<(), End> {
        loop {
            let now = Instant::now();
            // Whoever waits here may be late as well, so what is there is heard before anybody is
            // given up: an answer counts by the time at which it came.
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
                return Err(End::Interrupted);
            }
            let next = awaited.into_iter().filter_map(|role| self.deadlines[role]).min();
            let patience = next.map_or(LOOK, |end| end.saturating_duration_since(now).min(LOOK));
            // Somebody can still answer, so the channel is not closed.
            if let Ok(reply) = self.received.recv_timeout(patience) {
                self.hear(reply)?;
            }
        }
    }

    /// Takes an answer that came in time. One to something else came too late.
    fn hear(&mut self, reply: Reply) -> Result<(), End> {
        if reply.turn != self.turn {
            return Ok(());
        }
        if reply.said.as_ref().is_err_and(|fault| *fault == Fault::Quit) {
            return Err(End::Left(reply.role));
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

    /// What counts of answers that came at these times, for somebody who looks only after the
    /// deadline.
    fn counted(deadlines: &[Option<Instant>], came: &[Instant]) -> Vec<bool> {
        let (replies, received) = channel();
        for (role, &at) in came.iter().enumerate() {
            let said = Ok(Said { text: "up".to_string(), report: None });
            replies.send(Reply { role, turn: 1, at, said }).expect("somebody listens");
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
