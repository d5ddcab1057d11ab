//! Questions about many states at once have the same answers at every width and on every back end.

use std::sync::Arc;

use propnet::circuit::CircuitGame;
use propnet::game::{Game, JointMove, Move, State};
use propnet::lanes::{Backend, Batch, Code, PerWidth, Setup, Width, Word};
use propnet::program::{Mapping, Program};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::engine::levels;
use super::sheets::*;
use super::support::Sheet;

/// Why states and moves are known.
const OWN: &str = "of the same circuit";

/// The number of states of each game.
const COUNT: usize = 300;

/// A state, and all that is asked about it.
struct Known {
    state: State,
    is_terminal: bool,
    legal: Vec<Vec<Move>>,
    goals: Vec<Option<i32>>,
    /// A joint move and the state that it leads to, where the game goes on.
    next: Option<(JointMove, State)>,
}

/// States that random play leads to, as the plain circuit knows them.
fn known(sheet: &Sheet) -> Vec<Known> {
    let mut game = CircuitGame::new(sheet.plain.clone());
    let roles = 0..game.roles().len();
    let mut rng = Pcg64::seed_from_u64(7);
    let mut state = game.initial_state().expect("a state");
    let mut found = Vec::new();
    while found.len() < COUNT {
        let is_terminal = game.is_terminal(&state).expect("an answer");
        let mut legal = |role| game.legal_moves(&state, role).map(|legal| legal.iter().collect());
        let legal = roles.clone().map(|role| legal(role).unwrap_or_default()).collect();
        let goals = roles.clone().map(|role| game.goal(&state, role).ok()).collect();
        let joint = game.complete_joint_move(&state, &[], &mut rng).ok();
        let joint = joint.filter(|_| !is_terminal);
        let next = joint.map(|joint| {
            let next = game.next_state(&state, &joint).expect("legal moves");
            (joint, next)
        });
        let after = next.as_ref().map(|(_, next)| next.clone());
        found.push(Known { state, is_terminal, legal, goals, next });
        state = after.unwrap_or_else(|| game.initial_state().expect("a state"));
    }
    found
}

struct Check<'a> {
    name: &'a str,
    program: &'a Arc<Program>,
    code: &'a Arc<Code>,
    known: &'a [Known],
}

impl PerWidth for Check<'_> {
    type Output = ();

    fn run<W: Word>(self) {
        let mut batch = Batch::<W>::new(self.program, self.code);
        for known in self.known.chunks(W::LANES) {
            self.check(&mut batch, known);
        }
    }
}

impl Check<'_> {
    fn check<W: Word>(&self, batch: &mut Batch<W>, known: &[Known]) {
        // What was loaded before does not matter.
        batch.load(known.iter().rev().map(|known| &known.state)).expect(OWN);
        let packed: Vec<u64> =
            known.iter().flat_map(|known| self.program.pack(&known.state).expect(OWN)).collect();
        batch.load_packed(&packed);
        batch.look();
        batch.score();
        let roles = 0..known[0].goals.len();
        let legal: Vec<_> = roles.map(|role| batch.legal_moves(role, known.len())).collect();
        for (lane, known) in known.iter().enumerate() {
            assert_eq!(batch.is_terminal(lane), known.is_terminal, "{}", self.name);
            for (role, goal) in known.goals.iter().enumerate() {
                let legal: Vec<Move> = legal[role][lane].iter().collect();
                // The plain circuit gives no set where a role cannot move.
                assert_eq!(legal, known.legal[role], "{}", self.name);
                let goals = batch.goals(lane, role);
                let one = (goals.len() == 1).then(|| goals[0].parse().expect("a number"));
                assert_eq!(one, *goal, "{}", self.name);
            }
        }
        let open: Vec<&Known> = known.iter().filter(|known| known.next.is_some()).collect();
        let next = || open.iter().filter_map(|known| known.next.as_ref());
        batch.load(open.iter().map(|known| &known.state)).expect(OWN);
        batch.make(next().map(|(joint, _)| &joint[..])).expect(OWN);
        batch.advance();
        let states: Vec<&State> = next().map(|(_, state)| state).collect();
        assert_eq!(
            batch.next_states(open.len()).iter().collect::<Vec<_>>(),
            states,
            "{}",
            self.name
        );
        let mut packed = Vec::new();
        batch.next_packed(open.len(), &mut packed);
        let expected: Vec<u64> =
            next().flat_map(|(_, state)| self.program.pack(state).expect(OWN)).collect();
        assert_eq!(packed, expected, "{}", self.name);
        batch.go_on();
        batch.look();
        let behind = batch.legal_moves(0, open.len());
        batch.load(states).expect(OWN);
        batch.look();
        assert_eq!(batch.legal_moves(0, open.len()), behind, "{}", self.name);
    }
}

#[test]
fn answers_are_the_same_everywhere() {
    let games = [
        ("tic_tac_toe", TIC_TAC_TOE),
        ("breakthrough", BREAKTHROUGH),
        ("three_players", THREE_PLAYERS),
        ("hex_small", HEX_SMALL),
        ("dead_end", DEAD_END),
        ("passing", PASSING),
    ];
    for (name, text) in games {
        let sheet = Sheet::new(text);
        let known = known(&sheet);
        assert!(known.iter().any(|known| known.is_terminal || known.next.is_none()), "{name}");
        let program = |mapping| sheet.engine_with(mapping).program;
        let programs = [program(Mapping::TwoInputs), program(Mapping::ThreeInputs)];
        for program in &programs {
            let code = Arc::new(Code::new(program, Backend::Portable).expect("code"));
            for &width in Width::ALL {
                width.dispatch(Check { name, program, code: &code, known: &known });
            }
        }
        for level in levels() {
            let setup = Setup::new(None, Some(Backend::Machine(level))).expect("available");
            let program = &programs[usize::from(setup.mapping() == Mapping::ThreeInputs)];
            let ready = Code::for_questions(program, setup.backend()).expect("code");
            assert!(ready.bytes() > 0);
            // The other one is made for playouts, and makes the code of questions when asked.
            for code in [ready, Code::new(program, setup.backend()).expect("code")] {
                let code = Arc::new(code);
                setup.width().dispatch(Check { name, program, code: &code, known: &known });
            }
        }
    }
}
