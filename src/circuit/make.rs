//! Rules -> optimised circuit, within bounds.

use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{Circuit, build};
use propnet::gdl::Rules;

use crate::ground::{Bounds, Ungrounded, ground_within};

/// The circuit of rules that `propnet::reference::load` gave, after all passes.
pub fn circuit_within(rules: &Rules, bounds: &Bounds) -> Result<Circuit, Ungrounded> {
    let mut circuit = build(&ground_within(rules, bounds)?.rules)?;
    for pass in Pass::ALL {
        circuit = pass.run(&circuit, &Params::default()).0;
    }
    Ok(circuit)
}
