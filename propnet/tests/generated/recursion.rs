//! What recursion-heavy sheets have beside the rest: helpers that need each other in a state, and
//! moves whose legality rests on them.

use rand::RngExt;

use super::rules::{Maker, TRUE};
use super::sheet::Sheet;
use super::terms::Kind;

/// Above all other helpers of a state, and below `legal`.
const LEVEL: u32 = TRUE + 5;

impl Maker {
    /// Adds loops that the rules made later can read, and moves and steps that depend on them.
    pub(crate) fn recursion(&mut self, sheet: &mut Sheet) {
        let count = self.rings(sheet);
        self.paths(sheet);
        for role in self.roles.clone() {
            for _ in 0..2 + self.below(3) {
                let action = self.ground(Kind::Move);
                let ring = format!("q{}", self.below(count));
                let fluent = format!("(true {})", self.ground(Kind::Fluent));
                let body = match self.below(4) {
                    0 => vec![],
                    1 => vec![fluent],
                    2 => vec![ring],
                    _ => vec![format!("(not {ring})"), fluent],
                };
                sheet.rule(format!("(legal {role} {action})"), body);
            }
        }
        self.flips(sheet);
    }

    /// Sentences that follow from each other and from the state. Says how many there are.
    fn rings(&mut self, sheet: &mut Sheet) -> usize {
        let count = 3 + self.below(7);
        for at in 0..count {
            self.add(&format!("q{at}"), vec![], LEVEL);
        }
        for at in 0..count {
            for _ in 0..1 + self.below(3) {
                let mut body = Vec::new();
                for _ in 0..self.below(3) {
                    body.push(format!("q{}", self.below(count)));
                }
                for _ in 0..1 + self.below(2) {
                    let fluent = self.ground(Kind::Fluent);
                    body.push(match self.once_in(3) {
                        true => format!("(not (true {fluent}))"),
                        false => format!("(true {fluent})"),
                    });
                }
                sheet.rule(format!("q{at}"), body);
            }
        }
        count
    }

    /// Which numbers can be reached from which, over links that come and go.
    fn paths(&mut self, sheet: &mut Sheet) {
        let numbers = vec![Kind::Number, Kind::Number];
        self.add("link", numbers.clone(), LEVEL - 1);
        self.add("path", numbers.clone(), LEVEL);
        for _ in 0..2 + self.below(4) {
            let link = self.fact("link", &numbers);
            sheet.rule(link, vec![format!("(true {})", self.ground(Kind::Fluent))]);
        }
        sheet.rule("(path ?x ?y)", vec!["(link ?x ?y)".into()]);
        let [first, second] = [["link", "path"], ["path", "link"], ["path", "path"]][self.below(3)];
        sheet.rule("(path ?x ?z)", vec![format!("({first} ?x ?y)"), format!("({second} ?y ?z)")]);
    }

    /// Fluents that moves turn over, and some that are true from the second state on.
    fn flips(&mut self, sheet: &mut Sheet) {
        for _ in 0..1 + self.below(3) {
            let role = self.roles[self.rng.random_range(0..self.roles.len())].clone();
            let does = format!("(does {role} {})", self.ground(Kind::Move));
            let fluent = self.ground(Kind::Fluent);
            let (next, now) = (format!("(next {fluent})"), format!("(true {fluent})"));
            sheet.rule(next.clone(), vec![does.clone(), format!("(not {now})")]);
            sheet.rule(next, vec![now, format!("(not {does})")]);
        }
        for _ in 0..self.below(2) {
            let fact = self.fact("next", &[Kind::Fluent]);
            sheet.fact(fact);
        }
    }
}
