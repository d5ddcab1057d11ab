//! Long work without the interpreter's lock, which Ctrl-C ends.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often Python is asked whether there is a signal.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Set where the work should end soon.
#[derive(Clone, Default)]
pub(crate) struct StopFlag(pub(crate) Arc<AtomicBool>);

impl StopFlag {
    /// Whether the work may go on.
    pub(crate) fn may_go_on(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// Ends the work soon.
    pub(crate) fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows new work.
    pub(crate) fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Does work in a thread of its own, while this one waits for its end or for a signal. After a
/// signal, such as Ctrl-C, the flag is set, and the exception of its handler is raised as soon as
/// the work has ended.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let wait = || {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = scope.spawn(move || drop(sender.send(work())));
            let mut raised = None;
            loop {
                match receiver.recv_timeout(LOOK_EVERY) {
                    Ok(result) => return raised.map_or(Ok(result), Err),
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        raised = Python::attach(|py| py.check_signals()).err();
                        if raised.is_some() {
                            stop.stop();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => match worker.join() {
                        Err(panic) => resume_unwind(panic),
                        Ok(()) => unreachable!("a worker that ends has sent its result"),
                    },
                }
            }
        })
    };
    py.detach(wait)
}
