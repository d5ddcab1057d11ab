//! Lanes that are made while a count is under way.
//!
//! Making lanes takes longer than most small counts, which are done before it begins. A large count
//! gains far more than the lanes cost, so the caller goes on counting one state at a time and
//! checks from time to time whether they are ready.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::pipeline::LaneProgram;

/// How long a count goes on before lanes are made for it.
const PATIENCE: Duration = Duration::from_millis(100);

/// Makes lanes, or says why there are none.
type Make = Box<dyn FnOnce() -> Result<LaneProgram, String> + Send>;

/// Lanes that may be ready later.
pub struct LanesLater {
    stage: LanesStage,
    /// Receives the reason why there are no lanes.
    tell: Box<dyn FnMut(&str)>,
}

enum LanesStage {
    /// It is not known yet whether they are needed.
    Waiting {
        since: Instant,
        patience: Duration,
        make: Make,
    },
    /// A thread makes them.
    Making(Receiver<Result<LaneProgram, String>>),
    Ready(LaneProgram),
    /// There will be none.
    Failed,
}

impl LanesLater {
    /// Lanes that are made in a thread of their own once the count has taken a while. `tell` gets
    /// the reason if they cannot be made, provided that the count is still waiting for them.
    pub fn new(
        make: impl FnOnce() -> Result<LaneProgram, String> + Send + 'static,
        tell: impl FnMut(&str) + 'static,
    ) -> Self {
        LanesLater::after(PATIENCE, make, tell)
    }

    pub(super) fn after(
        patience: Duration,
        make: impl FnOnce() -> Result<LaneProgram, String> + Send + 'static,
        tell: impl FnMut(&str) + 'static,
    ) -> Self {
        let stage = LanesStage::Waiting { since: Instant::now(), patience, make: Box::new(make) };
        LanesLater { stage, tell: Box::new(tell) }
    }

    /// The lanes, if they are ready.
    pub(super) fn get(&mut self) -> Option<&LaneProgram> {
        match &self.stage {
            LanesStage::Waiting { since, patience, .. } if since.elapsed() >= *patience => {
                self.start()
            }
            LanesStage::Making(made) => match made.try_recv() {
                Ok(Ok(lanes)) => self.stage = LanesStage::Ready(lanes),
                Ok(Err(error)) => self.fail(&error),
                Err(TryRecvError::Disconnected) => self.fail("making the lanes failed"),
                Err(TryRecvError::Empty) => {}
            },
            LanesStage::Waiting { .. } | LanesStage::Ready(_) | LanesStage::Failed => {}
        }
        match &self.stage {
            LanesStage::Ready(lanes) => Some(lanes),
            _ => None,
        }
    }

    /// Gives up on lanes, and says why.
    pub(super) fn fail(&mut self, error: &str) {
        self.stage = LanesStage::Failed;
        (self.tell)(error);
    }

    fn start(&mut self) {
        let (sender, receiver) = channel();
        let LanesStage::Waiting { make, .. } =
            std::mem::replace(&mut self.stage, LanesStage::Failed)
        else {
            return;
        };
        // Sending fails if the count is done before.
        let work = move || drop(sender.send(make()));
        match thread::Builder::new().name("lanes".to_string()).spawn(work) {
            Ok(_) => self.stage = LanesStage::Making(receiver),
            Err(error) => self.fail(&error.to_string()),
        }
    }
}
