//! Penalties, Shock Step and Punishment: each of two runners has its own course, on which
//! all lanes but one cost something.
//!
//! The games separate depth (the length of the lanes) from branching (their number). Both players
//! make the same number of moves, so the tree has one depth. The squares that were stepped on stay
//! in the state and the penalty is the sum over them, so no two sequences lead to the same state.

use super::text::{NUMBERS, comment, facts, successors};

/// What a step costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Penalty {
    /// One point outside the safe lane.
    Plain,
    /// The distance from the safe lane.
    Distance,
    /// The distance from the safe lane, and one more for each earlier step.
    Growing,
}

/// The size of a course.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Course {
    /// The lanes of each player; the first is safe
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=40))]
    pub(crate) lanes: u32,
    /// The squares of a lane, including the start and the goal
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=40))]
    pub(crate) length: u32,
}

impl Penalty {
    fn name(self) -> &'static str {
        match self {
            Penalty::Plain => "penalties",
            Penalty::Distance => "shock_step",
            Penalty::Growing => "punishment",
        }
    }

    /// The cost of the step into a square.
    fn of(self, lane: u32, row: u32) -> u32 {
        match self {
            _ if lane == 1 => 0,
            Penalty::Plain => 1,
            Penalty::Distance => lane - 1,
            Penalty::Growing => lane - 1 + row - 2,
        }
    }

    fn says(self) -> &'static str {
        match self {
            Penalty::Plain => "Lane 1 costs nothing, a step into any other lane costs 1.",
            Penalty::Distance => {
                "Lane 1 costs nothing, a step into another lane costs its distance from lane 1."
            }
            Penalty::Growing => {
                "Lane 1 costs nothing, a step into another lane costs its distance from lane 1 and \
                 1 more for each step made before."
            }
        }
    }
}

impl Course {
    pub(crate) fn name(&self, penalty: Penalty) -> String {
        format!("{}_{}x{}", penalty.name(), self.lanes, self.length)
    }

    /// The sheet of a game on this course.
    pub(crate) fn sheet(&self, penalty: Penalty) -> String {
        let Course { lanes, length } = *self;
        let squares = || (2..=length).flat_map(|row| (1..=lanes).map(move |lane| (lane, row)));
        let costs = facts(
            "cost",
            squares().map(|(lane, row)| format!("{lane} {row} {}", penalty.of(lane, row))),
        );
        let most: u32 = (2..=length).map(|row| penalty.of(lanes, row)).sum();
        format!(
            "{head}{PLAYERS}{lane_facts}\n\n{rows}\n\n{ahead}\n\n{points}\n\n{succ}\n\n\
             ;; (cost ?l ?r ?v): the step into lane ?l, row ?r costs ?v\n\n{costs}\n{NUMBERS}{RULES}\
             ;; End: black, who moves last, is there\n\n\
             (<= terminal\n    (true (row black {length})))\n\n\
             ;; Goals: compare the penalties; 50 while the race is on\n\n\
             (<= (leads ?p)\n    (turn ?p ?q)\n    (total ?p {length} ?n)\n    \
             (total ?q {length} ?m)\n    (less ?n ?m))\n{GOALS}",
            head = self.head(penalty),
            lane_facts = facts("lane", 1..=lanes),
            rows = facts("rank", 1..=length),
            ahead = successors("ahead", 1, length),
            points = facts("points", 0..=most),
            succ = successors("succ", 0, most),
        )
    }

    fn head(&self, penalty: Penalty) -> String {
        let Course { lanes, length } = *self;
        let name = penalty.name().replace('_', " ");
        let title = name[..1].to_uppercase() + &name[1..];
        let game = comment(&format!(
            "Each player has a runner on a course of its own, {lanes} lanes wide and {length} \
             squares long. In turn the runners take one step forward, into any lane. {} When both \
             have reached the last square, who has the smaller penalty wins; the same for both is \
             a draw. To stay in lane 1 is best.",
            penalty.says()
        ));
        let history = comment(
            "The way of a runner is in the state: different moves never lead to the same state.",
        );
        format!(
            ";; {title}, {lanes} lanes of length {length}\n;;\n{game}\n;;\n{history}\n;;\n\
             ;; State   (trail ?p ?l ?r)  the runner of ?p came to row ?r in lane ?l\n\
             ;;         (row ?p ?r)       the runner of ?p is in row ?r\n\
             ;;         (control ?p)      it is the turn of ?p\n\
             ;; Moves   (run ?l)          one step forward into lane ?l, for the player in\n\
             ;;                           control, noop for the other\n\
             ;; white begins; both start in row 1 of lane 1.\n;;\n\
             ;; Written by `ludens-tools generate {}`.\n",
            penalty.name().replace('_', "-"),
        )
    }
}

const PLAYERS: &str = "
;; Players and courses

(role white)
(role black)

(turn white black)
(turn black white)

";

const RULES: &str = ";; All fluents and moves

(<= (base (trail ?p ?l ?r2))
    (role ?p)
    (lane ?l)
    (ahead ?r ?r2))
(<= (base (row ?p ?r))
    (role ?p)
    (rank ?r))
(<= (base (control ?p))
    (role ?p))

(<= (input ?p (run ?l))
    (role ?p)
    (lane ?l))
(<= (input ?p noop)
    (role ?p))

;; Start

(<= (init (row ?p 1))
    (role ?p))
(init (control white))

;; Legal moves: a step into any lane

(<= (legal ?p (run ?l))
    (true (control ?p))
    (lane ?l))
(<= (legal ?p noop)
    (role ?p)
    (not (true (control ?p))))

;; Next state: the runner in control is one row on

(<= (next (trail ?p ?l ?r2))
    (does ?p (run ?l))
    (true (row ?p ?r))
    (ahead ?r ?r2))
(<= (next (trail ?p ?l ?r))
    (true (trail ?p ?l ?r)))

(<= (next (row ?p ?r2))
    (true (control ?p))
    (true (row ?p ?r))
    (ahead ?r ?r2))
(<= (next (row ?p ?r))
    (true (row ?p ?r))
    (not (true (control ?p))))

(<= (next (control ?q))
    (true (control ?p))
    (turn ?p ?q))

;; (total ?p ?r ?n): the steps of ?p up to row ?r have cost ?n

(<= (total ?p 1 0)
    (role ?p))
(<= (total ?p ?r2 ?m)
    (total ?p ?r ?n)
    (ahead ?r ?r2)
    (true (trail ?p ?l ?r2))
    (cost ?l ?r2 ?v)
    (plus ?n ?v ?m))

";

const GOALS: &str = "
(<= (goal ?p 100)
    (leads ?p))
(<= (goal ?p 0)
    (turn ?p ?q)
    (leads ?q))
(<= (goal ?p 50)
    (turn ?p ?q)
    (not (leads ?p))
    (not (leads ?q)))
";
