//! Numbers of nodes, moves and edges. Each has a type of its own, so that they cannot be confused.

/// Defines a number type. Half the size of a pointer, because a tree holds hundreds of millions.
macro_rules! id {
    ($name:ident, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(u32);

        impl $name {
            /// The one at an index of its list.
            pub(crate) fn new(index: usize) -> Self {
                $name(index as u32)
            }

            /// The index in its list.
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(NodeId, "The number of a node.");
id!(MoveId, "The number of a role's move in a node: its place among all moves of the tree.");
id!(EdgeId, "The number of an edge: a joint move of a node in which several roles choose.");

impl NodeId {
    /// Stands for none.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);

    /// None where it stands for none.
    pub(crate) fn some(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }
}

impl MoveId {
    /// The distance from another move of the same node.
    pub(crate) fn distance(self, first: MoveId) -> u32 {
        self.0 - first.0
    }
}
