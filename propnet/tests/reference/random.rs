//! Random sheets.
