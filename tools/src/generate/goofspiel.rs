//! Goofspiel: both players bid a card for a known prize at the same time.
//!
//! With the history in the state no two sequences of moves lead to the same state, as
//! experiments with solvers require. Only the history says which cards are used, so no engine can
//! remove it as unread.

use anyhow::{Result, ensure};

use super::text::{NUMBERS, comment, facts, successors};

/// A game of Goofspiel.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Goofspiel {
    /// The cards of each player, and the prizes: 2 to 13
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=13))]
    pub(crate) cards: u32,
    /// The prizes in the order in which they are played for [default: the highest first]
    #[arg(long, value_delimiter = ',', value_name = "4,3,2,1")]
    pub(crate) prizes: Vec<u32>,
    /// The player with more points wins; without this, goals depend on the difference in points
    #[arg(long)]
    pub(crate) win: bool,
    /// Leave out who bid what when, so that different sequences of bids lead to the same state
    #[arg(long)]
    pub(crate) no_history: bool,
    /// Keep the lead of the left player instead of the scores of both, so that there are fewer states;
    /// with --win and --no-history
    #[arg(long)]
    pub(crate) lead: bool,
}

impl Goofspiel {
    pub(crate) fn name(&self) -> String {
        let win = if self.win { "_win" } else { "" };
        let history = if self.no_history { "_no_history" } else { "" };
        let lead = if self.lead { "_lead" } else { "" };
        format!("goofspiel_{}{win}{history}{lead}", self.cards)
    }

    /// The sheet.
    pub(crate) fn sheet(&self) -> Result<String> {
        let prizes = self.prizes()?;
        ensure!(
            !self.lead || self.win && self.no_history,
            "--lead is for games with --win and --no-history"
        );
        let cards = self.cards;
        let all: u32 = prizes.iter().sum();
        // No player can win every prize: the bids of both players have the same sum. A lead is counted
        // from that of the right player on.
        let most = if self.lead { 2 * all } else { all - 1 };
        let prize_facts = facts(
            "prize",
            prizes.iter().enumerate().map(|(step, prize)| format!("{step} {prize}")),
        );
        Ok(format!(
            "{head}{PLAYERS}\n{card_facts}\n\n{steps}\n\n{points}\n\n{succ}\n\n\
             ;; (prize ?n ?v): ?v is played for after ?n rounds\n\n{prize_facts}\n{NUMBERS};; All fluents and moves\n\n{fluents}{score_fluents}{hands}{WINS_PRIZE}{scores}{STEPS}\
             ;; End: no card is left\n\n(<= terminal\n    (true (step {cards})))\n\n{goals}",
            head = self.head(&prizes),
            card_facts = facts("card", 1..=cards),
            steps = facts("rounds", 0..=cards),
            points = facts("points", 0..=most),
            succ = successors("succ", 0, most.max(cards)),
            hands = match (self.no_history, self.lead) {
                (true, true) => HANDS.replace(START_SCORE, &format!("(init (lead {all}))\n")),
                (true, false) => HANDS.to_string(),
                (false, _) => HISTORY.to_string(),
            },
            fluents = if self.no_history { HANDS_FLUENTS } else { HISTORY_FLUENTS },
            score_fluents = if self.lead {
                SCORE_FLUENTS.replace(SCORE_FLUENT, LEAD_FLUENT)
            } else {
                SCORE_FLUENTS.to_string()
            },
            scores = if self.lead { LEAD } else { SCORES },
            goals = match (self.win, self.lead) {
                (true, true) => WIN.replace(LEADS, &leads(all)),
                (true, false) => WIN.to_string(),
                (false, _) => by_points(all),
            },
        ))
    }

    fn prizes(&self) -> Result<Vec<u32>> {
        if self.prizes.is_empty() {
            return Ok((1..=self.cards).rev().collect());
        }
        let mut sorted = self.prizes.clone();
        sorted.sort_unstable();
        ensure!(
            sorted.iter().copied().eq(1..=self.cards),
            "the prizes must be the numbers 1 to {}, each once, in any order",
            self.cards
        );
        Ok(self.prizes.clone())
    }

    fn head(&self, prizes: &[u32]) -> String {
        let cards = self.cards;
        let order: Vec<String> = prizes.iter().map(u32::to_string).collect();
        let end = if self.win {
            "Who has more points at the end wins; as many for both is a draw."
        } else {
            "The goals tell by how much: 50 for each, and half of the lead in percent of all \
             prizes, rounded, goes from one to the other."
        };
        let game = comment(&format!(
            "Two players have the cards 1 to {cards}. In each round both bid a card at the same \
             time; the higher one wins the prize, and equal ones win nothing. The prizes are \
             played for in the order {}, which both know. {end}",
            order.join(", ")
        ));
        let history = if self.no_history {
            comment(
                "Who bid what when is not in the state, so different bids can lead to the same \
                 state.",
            )
        } else {
            comment(
                "The history is in the state: different bids never lead to the same state, and \
                 there are as many states as sequences of bids.",
            )
        };
        let state = if self.no_history { "(hand ?p ?c)  " } else { "(played ?p ?n ?c) " };
        let meaning = if self.no_history {
            "?p still has the card ?c"
        } else {
            "?p bid the card ?c in round ?n"
        };
        let scored = match self.lead {
            true => "left leads by ?n, counted from where right has all prizes",
            false => "?p has won prizes worth ?n",
        };
        let variant = match (self.win, self.no_history) {
            (true, true) => ", by win, without the history",
            (true, false) => ", by win",
            (false, true) => ", by points, without the history",
            (false, false) => ", by points",
        };
        format!(
            ";; Goofspiel with {cards} cards{variant}\n;;\n{game}\n;;\n{history}\n;;\n\
             ;; State   {:<19}{meaning}\n\
             ;;         {:<19}{scored}\n\
             ;;         {:<19}?n rounds are over\n\
             ;; Moves   {:<19}for both players in every round\n\
             ;; Both move at once; nobody waits.\n;;\n\
             ;; Written by `ludens-tools generate goofspiel`.\n",
            state.trim(),
            if self.lead { "(lead ?n)" } else { "(score ?p ?n)" },
            "(step ?n)",
            "(bid ?c)",
        )
    }
}

/// Who leads, in a game whose prizes add up to `all`.
fn leads(all: u32) -> String {
    format!(
        "(<= (leads left)\n    (true (lead ?n))\n    (less {all} ?n))\n\
         (<= (leads right)\n    (true (lead ?n))\n    (less ?n {all}))\n"
    )
}

/// The goals of a game whose prizes add up to `all`.
fn by_points(all: u32) -> String {
    let worth = |lead: u32| (100 * lead + all) / (2 * all);
    let table = facts(
        "worth",
        (0..all).map(|lead| format!("{lead} {} {}", 50 + worth(lead), 50 - worth(lead))),
    );
    format!(
        ";; Goals: (worth ?d ?g ?h): who leads by ?d points has ?g, the other ?h\n\n{table}\n{POINTS}"
    )
}

const PLAYERS: &str = "
;; Players, cards and numbers

(role left)
(role right)

(opponent left right)
(opponent right left)
";

const SCORE_FLUENTS: &str = "\
(<= (base (score ?p ?n))
    (role ?p)
    (points ?n))
(<= (base (step ?n))
    (rounds ?n))

(<= (input ?p (bid ?c))
    (role ?p)
    (card ?c))

;; Start

";

const HISTORY_FLUENTS: &str = "(<= (base (played ?p ?n ?c))
    (role ?p)
    (succ ?m ?n)
    (rounds ?n)
    (card ?c))
";

const HISTORY: &str = "(<= (init (score ?p 0))
    (role ?p))
(init (step 0))

;; Legal moves: every card that was not played

(<= (used ?p ?c)
    (true (played ?p ?n ?c)))

(<= (legal ?p (bid ?c))
    (role ?p)
    (card ?c)
    (not (used ?p ?c)))

;; Next state: what was played stays on record

(<= (next (played ?p ?m ?c))
    (true (step ?n))
    (succ ?n ?m)
    (rounds ?m)
    (does ?p (bid ?c)))
(<= (next (played ?p ?n ?c))
    (true (played ?p ?n ?c)))

";

const HANDS_FLUENTS: &str = "(<= (base (hand ?p ?c))
    (role ?p)
    (card ?c))
";

const HANDS: &str = "(<= (init (hand ?p ?c))
    (role ?p)
    (card ?c))
(<= (init (score ?p 0))
    (role ?p))
(init (step 0))

;; Legal moves: every card in the hand

(<= (legal ?p (bid ?c))
    (true (hand ?p ?c)))

;; Next state: the card is gone

(<= (next (hand ?p ?c))
    (true (hand ?p ?c))
    (not (does ?p (bid ?c))))

";

const SCORE_FLUENT: &str = "(<= (base (score ?p ?n))
    (role ?p)
    (points ?n))
";

const LEAD_FLUENT: &str = "(<= (base (lead ?n))
    (points ?n))
";

const START_SCORE: &str = "(<= (init (score ?p 0))
    (role ?p))
";

const LEADS: &str = "(<= (leads ?p)
    (opponent ?p ?q)
    (true (score ?p ?n))
    (true (score ?q ?m))
    (less ?m ?n))
";

const WINS_PRIZE: &str = ";; The higher bid wins the prize

(<= (wins_prize ?p)
    (opponent ?p ?q)
    (does ?p (bid ?c))
    (does ?q (bid ?d))
    (less ?d ?c))

";

const SCORES: &str = "(<= (next (score ?p ?m))
    (true (score ?p ?n))
    (true (step ?s))
    (prize ?s ?v)
    (plus ?n ?v ?m)
    (wins_prize ?p))
(<= (next (score ?p ?n))
    (true (score ?p ?n))
    (not (wins_prize ?p)))

";

const LEAD: &str = "(<= (next (lead ?m))
    (true (lead ?n))
    (true (step ?s))
    (prize ?s ?v)
    (plus ?n ?v ?m)
    (wins_prize left))
(<= (next (lead ?m))
    (true (lead ?n))
    (true (step ?s))
    (prize ?s ?v)
    (plus ?m ?v ?n)
    (wins_prize right))
(<= (next (lead ?n))
    (true (lead ?n))
    (not (wins_prize left))
    (not (wins_prize right)))

";

const STEPS: &str = "(<= (next (step ?m))
    (true (step ?n))
    (rounds ?m)
    (succ ?n ?m))

";

const WIN: &str = ";; Goals: compare the points

(<= (leads ?p)
    (opponent ?p ?q)
    (true (score ?p ?n))
    (true (score ?q ?m))
    (less ?m ?n))

(<= (goal ?p 100)
    (leads ?p))
(<= (goal ?p 0)
    (opponent ?p ?q)
    (leads ?q))
(<= (goal ?p 50)
    (opponent ?p ?q)
    (not (leads ?p))
    (not (leads ?q)))
";

const POINTS: &str = "
(<= (lead ?p ?d)
    (opponent ?p ?q)
    (true (score ?p ?n))
    (true (score ?q ?m))
    (plus ?m ?d ?n))

(<= (goal ?p ?g)
    (lead ?p ?d)
    (worth ?d ?g ?h))
(<= (goal ?p ?h)
    (opponent ?p ?q)
    (lead ?q ?d)
    (worth ?d ?g ?h))
";
