//! What runs the routines of a program, now and as soon as something faster is ready.

use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use propnet::lanes::{Backend, Code, Part};
use propnet::machine::{Level, MachineError};
use propnet::program::Program;

/// Code to start with, and compiled code once it is there.
#[derive(Clone)]
pub struct Codes {
    first: Arc<Code>,
    compiled: Arc<OnceLock<Compiled>>,
    /// Whether there is going to be compiled code.
    is_awaited: bool,
}

/// What compiling came to.
struct Compiled {
    code: Result<Arc<Code>, MachineError>,
    time: Duration,
}

impl Codes {
    /// Code of this back end, compiled before anything is played.
    pub fn ready(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        Self::ready_with(program, backend, &[])
    }

    /// The same, where more than playouts is to be ready.
    pub fn ready_with(
        program: &Program,
        backend: Backend,
        more: &[Part],
    ) -> Result<Self, MachineError> {
        let first = code_with(program, backend, more)?;
        Ok(Codes { first, compiled: Arc::default(), is_awaited: false })
    }

    /// Portable code, and behind it machine code that a thread of its own compiles. If it is not
    /// needed any more when it is ready, nobody waits for it.
    pub fn later(program: &Arc<Program>, level: Level) -> Result<Self, MachineError> {
        Self::later_with(program, level, &[])
    }

    /// The same, where more than playouts is to be ready.
    pub fn later_with(
        program: &Arc<Program>,
        level: Level,
        more: &'static [Part],
    ) -> Result<Self, MachineError> {
        if !level.is_available() {
            return Err(MachineError::Level { level });
        }
        let first = code_with(program, Backend::Portable, more)?;
        let codes = Codes { first, compiled: Arc::default(), is_awaited: true };
        let (program, compiled) = (program.clone(), codes.compiled.clone());
        thread::spawn(move || {
            let start = Instant::now();
            let code = code_with(&program, Backend::Machine(level), more);
            compiled.get_or_init(|| Compiled { code, time: start.elapsed() });
        });
        Ok(codes)
    }

    /// The fastest code that there is by now.
    pub fn best(&self) -> &Arc<Code> {
        match self.compiled.get() {
            Some(Compiled { code: Ok(code), .. }) => code,
            _ => &self.first,
        }
    }

    /// Whether the code is the best that there will be.
    pub fn is_settled(&self) -> bool {
        !self.is_awaited || self.compiled.get().is_some()
    }

    /// How long compiling took, where it was done beside the play and is done.
    pub fn compile_time(&self) -> Option<Duration> {
        self.compiled.get().map(|compiled| compiled.time)
    }

    /// Why the playouts stay on the portable simulator, if compiling has failed.
    pub fn failure(&self) -> Option<&MachineError> {
        self.compiled.get().and_then(|compiled| compiled.code.as_ref().err())
    }
}

/// Code that is ready for playouts and more.
fn code_with(
    program: &Program,
    backend: Backend,
    more: &[Part],
) -> Result<Arc<Code>, MachineError> {
    let code = Code::new(program, backend)?;
    code.prepare(program, more)?;
    Ok(Arc::new(code))
}
