//! Circuit -> text: one line for each gate and each port.
//!
//! A gate is called by its node, an input by its sentence in GDL, and `!` is the complement:
//!
//! ```text
//! n12 = (true (cell 1 1 b)) & !n7
//! (legal x (mark 1 1)) = n12
//! ```

use std::fmt::{self, Write};

use super::circuit::{Circuit, FluentKind, Group};
use super::network::{Gate, Signal};

/// The circuit as text. The same circuit gives the same text.
pub fn print_circuit(circuit: &Circuit) -> String {
    let mut printer = Printer { circuit, text: String::new() };
    printer.circuit().expect("a string takes everything that is written to it");
    printer.text
}

struct Printer<'a> {
    circuit: &'a Circuit,
    text: String,
}

impl Printer<'_> {
    fn circuit(&mut self) -> fmt::Result {
        self.initial_state()?;
        self.gates()?;
        self.loops()?;
        self.outputs()?;
        let circuit = self.circuit;
        circuit.groups.iter().try_for_each(|group| self.group(group))
    }

    fn initial_state(&mut self) -> fmt::Result {
        for (at, port) in self.circuit.fluents.iter().enumerate() {
            if port.initially && port.kind != FluentKind::Follows {
                writeln!(self.text, "(init {})", self.circuit.names.fluent_text(at))?;
            }
        }
        Ok(())
    }

    fn gates(&mut self) -> fmt::Result {
        let network = &self.circuit.network;
        for node in 0..network.len() as u32 {
            if network.gate(node) == Gate::And {
                let inputs = network.inputs(node).iter().map(|&input| self.signal(input));
                let inputs: Vec<String> = inputs.collect();
                writeln!(self.text, "n{node} = {}", inputs.join(" & "))?;
            }
        }
        Ok(())
    }

    /// What a loop feeds back is false at first, and then what it found in the sweep before.
    fn loops(&mut self) -> fmt::Result {
        for block in &self.circuit.loops {
            writeln!(self.text, "repeat until nothing changes, at most {} times", block.sweeps)?;
            for member in &block.members {
                let (feedback, value) = (self.signal(member.feedback), self.signal(member.value));
                writeln!(self.text, "    {feedback} <- {value}")?;
            }
        }
        Ok(())
    }

    fn outputs(&mut self) -> fmt::Result {
        let circuit = self.circuit;
        for (role, ports) in circuit.moves.iter().enumerate() {
            for (at, port) in ports.iter().enumerate() {
                let (name, signal) = (self.move_sentence("legal", role, at), port.legal);
                writeln!(self.text, "{name} = {}", self.signal(signal))?;
            }
        }
        writeln!(self.text, "terminal = {}", self.signal(circuit.terminal))?;
        for (role, ports) in circuit.goals.iter().enumerate() {
            for port in ports {
                let (role, value) = (&circuit.names.roles()[role], circuit.names.text(port.value));
                writeln!(self.text, "(goal {role} {value}) = {}", self.signal(port.holds))?;
            }
        }
        for (at, port) in circuit.fluents.iter().enumerate() {
            let name = circuit.names.fluent_text(at);
            let (word, signal) = match port.kind {
                FluentKind::Carried | FluentKind::Observed => ("next", port.next),
                FluentKind::Follows => ("true", port.now),
            };
            writeln!(self.text, "({word} {name}) = {}", self.signal(signal))?;
        }
        Ok(())
    }

    fn group(&mut self, group: &Group) -> fmt::Result {
        let words = if group.exactly_one { "exactly one" } else { "at most one" };
        let names = &self.circuit.names;
        let members = group.members.iter().map(|&member| names.fluent_text(member as usize));
        let members: Vec<String> = members.collect();
        writeln!(self.text, "{words} of {}", members.join(" "))
    }

    fn signal(&self, signal: Signal) -> String {
        let node = signal.node();
        let name = match self.circuit.network.gate(node) {
            Gate::False => return signal.is_complement().to_string(),
            Gate::Fluent(fluent) => {
                format!("(true {})", self.circuit.names.fluent_text(fluent as usize))
            }
            Gate::Move(role, at) => self.move_sentence("does", role as usize, at as usize),
            Gate::Feedback(..) | Gate::And => format!("n{node}"),
        };
        if signal.is_complement() { format!("!{name}") } else { name }
    }

    fn move_sentence(&self, word: &str, role: usize, at: usize) -> String {
        let names = &self.circuit.names;
        format!("({word} {} {})", names.roles()[role], names.text_of_move(role, at))
    }
}
