//! The first thing in which an engine and a trace differ.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A difference: the place, what was compared, and both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Where in the trace.
    #[serde(flatten)]
    pub at: Where,
    /// What was compared.
    pub what: String,
    /// What the trace says, where it is no set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What the engine says, where it is no set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What the trace has and the engine has not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What the engine has and the trace has not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surplus: Vec<String>,
}

/// A place in a trace. Playouts and steps are counted from 0, as in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Where {
    /// The playout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playout: Option<usize>,
    /// The step; the end of a playout is the step after its last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// How many members of a set are shown; the rest is counted.
const SHOWN: usize = 12;

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.at, self.what)?;
        if let Some(expected) = &self.expected {
            write!(f, "\n  expected: {expected}")?;
        }
        if let Some(found) = &self.found {
            write!(f, "\n  found:    {found}")?;
        }
        write_set(f, "missing: ", &self.missing)?;
        write_set(f, "too much:", &self.surplus)
    }
}

impl fmt::Display for Where {
    /// As a prefix of what is said about the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(playout) = self.playout {
            write!(f, "playout {playout}, ")?;
        }
        if let Some(step) = self.step {
            write!(f, "step {step}, ")?;
        }
        if let Some(role) = &self.role {
            write!(f, "role {role}, ")?;
        }
        Ok(())
    }
}

fn write_set(f: &mut fmt::Formatter<'_>, name: &str, set: &[String]) -> fmt::Result {
    if set.is_empty() {
        return Ok(());
    }
    let shown = &set[..set.len().min(SHOWN)];
    write!(f, "\n  {name} {}", shown.join(" "))?;
    match set.len() - shown.len() {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}
