//! The code that runs the routines of a program, now and as soon as faster code is ready.

use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use propnet::lanes::{Backend, Code, Part};
use propnet::machine::{Level, MachineError};
use propnet::program::Program;

/// Code to start with, and compiled code once it is ready.
#[derive(Clone)]
pub struct Codes {
    first: Arc<Code>,
    compiled: Arc<OnceLock<Compiled>>,
    /// Whether there is going to be compiled code.
    is_awaited: bool,
}

/// The result of compiling.
struct Compiled {
    code: Result<Arc<Code>, MachineError>,
    time: Duration,
}

impl Codes {
    /// Code that is compiled already.
    pub fn of(code: Code) -> Self {
        Codes { first: Arc::new(code), compiled: Arc::default(), is_awaited: false }
    }

    /// Code of this back end, compiled before anything is played.
    pub fn ready(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        Self::ready_while(program, backend, &[], &|| true)
    }

    /// The same with more parts than those for playouts. An error if `proceed` returns false before
    /// the code is compiled.
    pub fn ready_while(
        program: &Program,
        backend: Backend,
        more: &[Part],
        proceed: &dyn Fn() -> bool,
    ) -> Result<Self, MachineError> {
        code_with(program, backend, more, proceed).map(Self::of)
    }

    /// Portable code now, and machine code later, which a thread of its own compiles. The thread
    /// stops soon after the last copy of these codes is dropped.
    pub fn later(program: &Arc<Program>, level: Level) -> Result<Self, MachineError> {
        Self::later_with(program, level, &[])
    }

    /// The same with more parts than those for playouts.
    pub fn later_with(
        program: &Arc<Program>,
        level: Level,
        more: &'static [Part],
    ) -> Result<Self, MachineError> {
        if !level.is_available() {
            return Err(MachineError::Level { level });
        }
        let first = Arc::new(code_with(program, Backend::Portable, more, &|| true)?);
        let compiled: Arc<OnceLock<Compiled>> = Arc::default();
        let (program, place) = (program.clone(), Arc::downgrade(&compiled));
        let compile = move || {
            let start = Instant::now();
            let is_needed = || place.strong_count() > 0;
            let code = code_with(&program, Backend::Machine(level), more, &is_needed).map(Arc::new);
            if let Some(place) = place.upgrade() {
                place.get_or_init(|| Compiled { code, time: start.elapsed() });
            }
        };
        let thread = thread::Builder::new().name("compile".to_string()).spawn(compile);
        // Without a thread the portable code goes on playing.
        Ok(Codes { first, compiled, is_awaited: thread.is_ok() })
    }

    /// The fastest code that is ready.
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

    /// The time that compiling took, if it ran in the background and is done.
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
    proceed: &dyn Fn() -> bool,
) -> Result<Code, MachineError> {
    let parts: Vec<Part> = Part::PLAYOUTS.iter().chain(more).copied().collect();
    Code::new_while(program, backend, &parts, proceed)
}

#[cfg(test)]
mod tests {
    use propnet::lanes::Setup;

    use super::*;

    const SHEET: &str = "(role r) (legal r go) (init (at 0)) (succ 0 1) (goal r 50)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true (at 1)))";

    fn program() -> Arc<Program> {
        let rules = propnet::load(SHEET).expect("rules");
        let game = propnet::Compiled::new(&rules, &Default::default()).expect("a game");
        Arc::new(Program::new(game.circuit(), Setup::default().mapping()))
    }

    #[test]
    fn code_that_nobody_needs_is_not_compiled() {
        let program = program();
        for backend in [Backend::Machine(Level::Avx2), Backend::Machine(Level::Avx512)] {
            let asked = code_with(&program, backend, Part::QUESTIONS, &|| false);
            assert!(matches!(asked, Err(MachineError::Stopped)));
        }
    }

    #[test]
    fn the_thread_that_compiles_ends_with_the_last_copy() {
        let program = program();
        let Backend::Machine(level) = Setup::default().backend() else { return };
        let codes = Codes::later_with(&program, level, Part::QUESTIONS).expect("codes");
        drop(codes.clone());
        drop(codes);
        let end = Instant::now() + Duration::from_secs(60);
        while Arc::strong_count(&program) > 1 {
            assert!(Instant::now() < end, "the thread still holds the program");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
