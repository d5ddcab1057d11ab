//! Who may stop an evaluation. The library itself reads no clock.

use std::fmt;
use std::sync::Arc;

/// Says whether an evaluation may go on. The reasoner asks it inside its joins, every few thousand
/// steps; a caller can also use that to make the evaluation wait.
#[derive(Clone, Default)]
pub struct WorkWatch(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl WorkWatch {
    /// A watch that asks a function; false stops the evaluation. The default never stops anything.
    pub fn new(may_go_on: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        WorkWatch(Some(Arc::new(may_go_on)))
    }

    /// Whether the evaluation may go on.
    pub(crate) fn may_go_on(&self) -> bool {
        self.0.as_ref().is_none_or(|may_go_on| may_go_on())
    }
}

impl fmt::Debug for WorkWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
