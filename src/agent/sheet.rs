//! The rules of a match, as a player gets them.

use std::sync::Arc;

use crate::pipeline::Stages;

/// The rules of a game.
#[derive(Clone)]
pub enum Sheet {
    /// As text.
    Text(String),
    /// Parsed, with all that players have made of them.
    Stages(Arc<Stages>),
}

impl From<&str> for Sheet {
    fn from(text: &str) -> Self {
        Sheet::Text(text.to_string())
    }
}

impl From<&String> for Sheet {
    fn from(text: &String) -> Self {
        Sheet::Text(text.clone())
    }
}

impl From<Arc<Stages>> for Sheet {
    fn from(stages: Arc<Stages>) -> Self {
        Sheet::Stages(stages)
    }
}
