//! What holds together with what: the facts by which gates are cut down.

use super::super::circuit::Circuit;
use super::super::network::Signal;
use super::exclusive::ExclusiveInputs;
use super::implied::Implied;
use super::pass::PassWork;

/// What follows from signals, and which inputs exclude each other.
pub(super) struct KnownSignals {
    pub(super) implied: Implied,
    exclusive: ExclusiveInputs,
}

/// What is true together with something.
pub(super) struct Context {
    /// Ascending.
    holds: Vec<Signal>,
    /// The choices of which a member is among them, with that member, ascending.
    chosen: Vec<(u32, Signal)>,
}

impl KnownSignals {
    /// What is known about a circuit.
    pub(super) fn new(circuit: &Circuit, work: PassWork<'_>) -> Self {
        let implied = Implied::new(circuit, work);
        let exclusive = ExclusiveInputs::new(circuit, &implied, work.budget);
        KnownSignals { implied, exclusive }
    }

    /// What is true whenever these signals are, themselves included; nothing if they never are.
    pub(super) fn context(&self, signals: &[Signal]) -> Option<Context> {
        let holds = self.implied.of_all(signals);
        let mut chosen: Vec<(u32, Signal)> = Vec::new();
        for &signal in &holds {
            chosen.extend(self.exclusive.of(signal).iter().map(|&choice| (choice, signal)));
        }
        chosen.sort_unstable();
        let is_double = |pair: &[(u32, Signal)]| pair[0].0 == pair[1].0;
        let is_opposed = |pair: &[Signal]| pair[0] == !pair[1];
        let never = chosen.windows(2).any(is_double) || holds.windows(2).any(is_opposed);
        (!never).then_some(Context { holds, chosen })
    }

    /// Whether a signal is known to be true in a context.
    pub(super) fn holds(&self, context: &Context, signal: Signal) -> bool {
        context.holds.binary_search(&signal).is_ok() || self.is_excluded(context, !signal)
    }

    /// Whether another member of the same choice is true.
    pub(super) fn is_excluded(&self, context: &Context, signal: Signal) -> bool {
        self.exclusive.of(signal).iter().any(|&choice| {
            let found = context.chosen.binary_search_by_key(&choice, |chosen| chosen.0);
            found.is_ok_and(|at| context.chosen[at].1 != signal)
        })
    }
}

impl Context {
    /// What is true, ascending; what is false because something else is chosen is left out.
    pub(super) fn signals(&self) -> &[Signal] {
        &self.holds
    }
}
