//! The first difference between an engine and a trace.

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
    /// The value in the trace, if it is not a set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The value of the engine, if it is not a set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Members that only the trace has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Members that only the engine has.
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

/// The number of members of a set that are shown; the rest are counted.
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
    /// As a prefix of a message about the place.
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
