//! Progression: a race in which some runners never move, cut off after a number of moves.
//!
//! The share of games with a natural end is tuned in two ways: by the share of runners that move,
//! and by the limit, which is the depth factor times the moves that black needs at least.

use anyhow::{Result, ensure};

use super::text::{GOALS, comment, facts, successors};

/// A race.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Progression {
    /// The runners of each player that move when they are chosen
    #[arg(long, default_value_t = 6)]
    pub(crate) active: u32,
    /// The game is a draw after F times as many moves as the shortest race of black takes (18)
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) depth_factor: u32,
    /// The runners of each player, each with its own lane
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) runners: u32,
    /// The squares of a lane, including the start and the goal
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=20))]
    pub(crate) length: u32,
}

impl Progression {
    pub(crate) fn name(&self) -> String {
        format!("progression_{}x{}", self.active, self.depth_factor)
    }

    fn limit(&self) -> u32 {
        2 * (self.length - 1) * self.depth_factor
    }

    /// The sheet.
    pub(crate) fn sheet(&self) -> Result<String> {
        let Progression { active, runners, length, .. } = *self;
        ensure!(
            (1..=runners).contains(&active),
            "1 to {runners} of {runners} runners can be active, not {active}"
        );
        // Without an inactive runner every chosen runner moves.
        let inactive = active < runners;
        let inactive_facts =
            if inactive { facts("inactive", active + 1..=runners) + "\n\n" } else { String::new() };
        Ok(format!(
            "{head}{PLAYERS}{active_facts}\n\n{inactive_facts}{rows}\n\n{ahead}\n\n{steps}\n\n{succ}\n\
             {base}{stay_input}{start}{stay_legal}{next}\
             (<= (wins ?p)\n    (true (runner ?p ?l {length})))\n\n(<= decided\n    (wins ?p))\n\n\
             (<= terminal\n    decided)\n(<= terminal\n    (true (step {limit})))\n\n;; Goals\n\n{GOALS}",
            head = self.head(),
            active_facts = facts("active", 1..=active),
            rows = facts("row", 1..=length),
            ahead = successors("ahead", 1, length),
            steps = facts("moves", 0..=self.limit()),
            succ = successors("succ", 0, self.limit()),
            base = BASE,
            stay_input = if inactive { STAY_INPUT } else { "" },
            start = START,
            stay_legal = if inactive { STAY_LEGAL } else { "" },
            next = NEXT,
            limit = self.limit(),
        ))
    }

    fn head(&self) -> String {
        let Progression { active, depth_factor, runners, length } = *self;
        let stay = if active < runners {
            format!(
                "The first {active} are active: chosen, they take one step forward. The others \
                 stay where they are when they are chosen."
            )
        } else {
            "Chosen, a runner takes one step forward.".to_string()
        };
        let game = comment(&format!(
            "Each player has {runners} runners, each in a lane of its own of {length} squares, \
             and chooses one of them in turn. {stay} Who first brings a runner to the last square \
             wins. After {} moves the game is a draw: {depth_factor} times the {} moves after \
             which black can be there, who moves second.",
            self.limit(),
            2 * (length - 1),
        ));
        let stay = if active < runners {
            "\n;;         (stay ?l)          the runner in lane ?l is chosen and stays"
        } else {
            ""
        };
        format!(
            ";; Progression, {active} of {runners} runners active, depth factor {depth_factor}\n;;\n\
             {game}\n;;\n\
             ;; State   (runner ?p ?l ?r)  the active runner of ?p in lane ?l is in row ?r\n\
             ;;         (control ?p)       it is the turn of ?p\n\
             ;;         (step ?n)          ?n moves were made\n\
             ;; Moves   (run ?l)           the runner in lane ?l takes a step{stay}\n\
             ;;         noop               for the player who is not in control\n\
             ;; white begins.\n;;\n\
             ;; Written by `ludens-tools generate progression`.\n",
        )
    }
}

const PLAYERS: &str = "
;; Players, lanes, rows and moves

(role white)
(role black)

(turn white black)
(turn black white)

";

const BASE: &str = "
;; All fluents and moves

(<= (base (runner ?p ?l ?r))
    (role ?p)
    (active ?l)
    (row ?r))
(<= (base (control ?p))
    (role ?p))
(<= (base (step ?n))
    (moves ?n))

(<= (input ?p (run ?l))
    (role ?p)
    (active ?l))
";

const STAY_INPUT: &str = "(<= (input ?p (stay ?l))
    (role ?p)
    (inactive ?l))
";

const START: &str = "(<= (input ?p noop)
    (role ?p))

;; Start

(<= (init (runner ?p ?l 1))
    (role ?p)
    (active ?l))
(init (control white))
(init (step 0))

;; Legal moves: any runner

(<= (legal ?p (run ?l))
    (true (control ?p))
    (active ?l))
";

const STAY_LEGAL: &str = "(<= (legal ?p (stay ?l))
    (true (control ?p))
    (inactive ?l))
";

const NEXT: &str = "(<= (legal ?p noop)
    (role ?p)
    (not (true (control ?p))))

;; Next state

(<= (next (runner ?p ?l ?r2))
    (does ?p (run ?l))
    (true (runner ?p ?l ?r))
    (ahead ?r ?r2))
(<= (next (runner ?p ?l ?r))
    (true (runner ?p ?l ?r))
    (not (does ?p (run ?l))))

(<= (next (control ?q))
    (true (control ?p))
    (turn ?p ?q))

(<= (next (step ?m))
    (true (step ?n))
    (succ ?n ?m))

;; End: a runner is there, or the limit is reached

";
