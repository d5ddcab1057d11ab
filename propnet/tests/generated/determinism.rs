//! The sheets of the field.
