//! One part of a scheme: a name, where it comes from, what can be chosen about it, how it is made.

use super::parameter::Parameter;

/// A part that a scheme may have. `M` makes it.
pub(crate) struct Part<M> {
    /// What it is called on the command line and in records.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// The paper that it comes from; empty where there is none.
    pub paper: &'static str,
    /// What can be chosen about it.
    pub parameters: &'static [Parameter],
    pub(crate) make: M,
}

/// A part without its maker: its documentation.
#[derive(Clone, Copy, Debug)]
pub struct PartInfo {
    /// The question that it answers, such as `selection`. A scheme has one part for each.
    pub kind: &'static str,
    /// What it is called on the command line and in records.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// The paper that it comes from; empty where there is none.
    pub paper: &'static str,
    /// What can be chosen about it.
    pub parameters: &'static [Parameter],
}

impl<M> Part<M> {
    /// Its documentation.
    pub(super) fn info(&self, kind: &'static str) -> PartInfo {
        let &Part { name, help, paper, parameters, .. } = self;
        PartInfo { kind, name, help, paper, parameters }
    }
}
