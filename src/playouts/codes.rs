//! What runs the routines of a program, now and as soon as something faster is ready.

use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use propnet::lanes::{Backend, Code};
use propnet::machine::{Level, MachineError};
use propnet::program::Program;

/// Code to start with, and compiled code once it is there.
#[derive(Clone)]
pub struct Codes {
    first: Arc<Code>,
    compiled: Arc<OnceLock<Compiled>>,
}

/// What compiling came to.
struct Compiled {
    code: Result<Arc<Code>, MachineError>,
    time: Duration,
}

impl Codes {
    /// Code of this back end, compiled before anything is played.
    pub fn ready(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        let first = Arc::new(Code::new(program, backend)?);
        Ok(Codes { first, compiled: Arc::default() })
    }

    /// Portable code, and behind it machine code that a thread of its own compiles. If it is not
    /// needed any more when it is ready, nobody waits for it.
    pub fn later(program: &Arc<Program>, level: Level) -> Result<Self, MachineError> {
        if !level.is_available() {
            return Err(MachineError::Level { level });
        }
        let codes = Codes::ready(program, Backend::Portable)?;
        let (program, compiled) = (program.clone(), codes.compiled.clone());
        thread::spawn(move || {
            let start = Instant::now();
            let code = Code::new(&program, Backend::Machine(level)).map(Arc::new);
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

    /// How long compiling took, where it was done beside the play and is done.
    pub fn compile_time(&self) -> Option<Duration> {
        self.compiled.get().map(|compiled| compiled.time)
    }

    /// Why the playouts stay on the portable simulator, if compiling has failed.
    pub fn failure(&self) -> Option<&MachineError> {
        self.compiled.get().and_then(|compiled| compiled.code.as_ref().err())
    }
}
