//! A naive evaluator.
