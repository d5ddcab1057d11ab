//! Rules -> findings: the restrictions of the GDL specification.

use super::finding::Finding;
use super::rules::Rules;

/// Everything that can be said about a sheet without evaluating it.
pub fn check(_rules: &Rules) -> Vec<Finding> {
    Vec::new()
}
