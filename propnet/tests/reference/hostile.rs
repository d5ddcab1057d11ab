//! Sheets made to hurt: an answer comes back, and soon.
