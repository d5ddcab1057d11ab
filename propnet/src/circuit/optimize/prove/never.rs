//! Moves that are legal in no state in which the groups of the circuit are kept.

use super::claims::Claims;
use super::induct::Prover;
use super::stage::ProofStage;
use crate::circuit::solver::Answer;

impl Prover<'_> {
    /// Closes the question about the moves that are legal in one of the simulator's states.
    pub(super) fn close_legal(&self, open: &mut [Vec<bool>]) {
        for (ports, open) in self.circuit.moves.iter().zip(open) {
            for (port, open) in ports.iter().zip(open) {
                *open &= self.simulator.holds(port.legal) == 0;
            }
        }
    }

    /// Those of the moves that are never legal.
    pub(super) fn never(&mut self, mut open: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
        let groups = self.circuit.groups.clone();
        let same = vec![None; self.circuit.fluents.len()];
        let claims = Claims { same, known: groups.len(), groups };
        let stage = ProofStage::new(claims, Vec::new(), self.circuit.fluents.len());
        let mut never: Vec<Vec<bool>> = open.iter().map(|open| vec![false; open.len()]).collect();
        for role in 0..open.len() {
            for at in 0..open[role].len() {
                if open[role][at] && !self.is_spent() {
                    never[role][at] = self.is_never(&stage, role, at, &mut open);
                }
            }
        }
        never
    }

    /// Whether a move is never legal. If not, closes the question about others that are legal
    /// beside it.
    fn is_never(
        &mut self,
        stage: &ProofStage,
        role: usize,
        at: usize,
        open: &mut [Vec<bool>],
    ) -> bool {
        self.begin();
        let legal = self.encoder.literal(self.circuit.moves[role][at].legal);
        let mut looked_at = 0;
        self.assume_about(stage, &mut looked_at);
        loop {
            match self.ask(&[legal]) {
                Answer::Never => return true,
                Answer::Unknown => return false,
                Answer::Possible => {}
            }
            let state = self.example();
            if !self.assume_broken(stage, &state) {
                self.simulator.start_at(&state);
                self.close_legal(open);
                return false;
            }
        }
    }
}
