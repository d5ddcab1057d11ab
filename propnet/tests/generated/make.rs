//! Random sheets: which relations, fluents and moves there are, and how many rules each has.

use rand::RngExt;

use super::choices::Choices;
use super::rules::{DOES, GOAL, INIT, LEGAL, Maker, NEXT, Relation, TERMINAL, TRUE};
use super::sheet::Sheet;
use super::terms::{Family, Kind};

/// Kinds that columns of helpers, fluents and moves have.
const KINDS: [Kind; 8] = [
    Kind::Number,
    Kind::Number,
    Kind::Letter,
    Kind::Letter,
    Kind::Pair,
    Kind::Nested,
    Kind::Any,
    Kind::Role,
];

/// The sheet of a seed.
pub(crate) fn sheet(seed: u64) -> Sheet {
    sheet_of(Choices::seeded(seed), false).0
}

/// A sheet by choices, with much recursion or little, and the choices that are left.
pub(crate) fn sheet_of(choices: Choices, is_recursive: bool) -> (Sheet, Choices) {
    let mut maker = Maker {
        rng: choices,
        is_recursive,
        roles: Vec::new(),
        fluents: Vec::new(),
        moves: Vec::new(),
        relations: Vec::new(),
    };
    let names = ["r", "s", "t", "a"];
    for name in &names[..1 + maker.below(4)] {
        maker.roles.push(name.to_string());
    }
    for at in 0..2 + maker.below(4) {
        let fluent = maker.family(["f", "g", "on", "k", "a"][at]);
        maker.fluents.push(fluent);
    }
    for at in 0..1 + maker.below(3) {
        let action = maker.family(["m", "noop", "n", "p"][at]);
        maker.moves.push(action);
    }
    let mut sheet = Sheet::default();
    maker.statics(&mut sheet);
    maker.initial(&mut sheet);
    maker.states(&mut sheet);
    maker.ends(&mut sheet);
    maker.steps(&mut sheet);
    maker.vary(&mut sheet);
    (sheet, maker.rng)
}

impl Maker {
    fn family(&mut self, name: &str) -> Family {
        let count = match name {
            "on" | "noop" | "a" => 0,
            _ => 1 + self.below(2),
        };
        Family { name: name.into(), columns: self.columns(count) }
    }

    fn columns(&mut self, count: usize) -> Vec<Kind> {
        (0..count).map(|_| KINDS[self.below(KINDS.len())]).collect()
    }

    pub(crate) fn add(&mut self, name: &str, columns: Vec<Kind>, level: u32) {
        self.relations.push(Relation { name: name.into(), columns, level });
    }

    /// A helper that can be read from now on.
    fn helper(&mut self, stem: &str, level: u32) {
        let count = [0, 1, 1, 2, 2, 3][self.below(6)];
        let mut columns = self.columns(count);
        if count > 0 && self.once_in(6) {
            columns[0] = [Kind::Fluent, Kind::Move][self.below(2)];
        }
        let name = format!("{stem}{}", self.relations.len());
        self.add(&name, columns, level);
    }

    /// Other ways to write the same: in capitals, facts as rules, rules twice, in another order.
    fn vary(&mut self, sheet: &mut Sheet) {
        for at in 0..sheet.0.len() {
            let rule = &mut sheet.0[at];
            match self.rng.random_range(0..40) {
                0 => {
                    rule.head = rule.head.to_uppercase();
                    rule.body.iter_mut().for_each(|literal| *literal = literal.to_uppercase());
                }
                1 if rule.body.is_empty() => rule.head = format!("(<= {})", rule.head),
                2 => {
                    let again = rule.clone();
                    sheet.0.push(again);
                }
                _ => {}
            }
        }
        // Roles are in the order of their facts, whatever stands between them.
        if self.once_in(4) {
            sheet.0.reverse();
        }
    }

    /// Rules for the helpers of some levels; they may read all that there is by then.
    fn helper_rules(&mut self, sheet: &mut Sheet, from: u32, to: u32) {
        for at in 0..self.relations.len() {
            let Relation { name, columns, level } = &self.relations[at];
            let (name, columns, level) = (name.clone(), columns.clone(), *level);
            let is_helper = name.starts_with("h");
            if !is_helper || level < from || level > to {
                continue;
            }
            for _ in 0..1 + self.below(3) {
                let (head, body) = self.rule(&name, &columns, level);
                sheet.rule(head, body);
            }
        }
    }

    fn statics(&mut self, sheet: &mut Sheet) {
        for role in self.roles.clone() {
            sheet.fact(format!("(role {role})"));
        }
        self.add("role", vec![Kind::Role], 0);
        self.add("succ", vec![Kind::Number, Kind::Number], 0);
        sheet.fact("(succ 0 1)");
        sheet.fact("(succ 1 2)");
        for at in 0..1 + self.below(3) {
            let count = 1 + self.below(2);
            let columns = self.columns(count);
            let name = format!("d{at}");
            for _ in 0..1 + self.below(4) {
                let fact = self.fact(&name, &columns);
                sheet.fact(fact);
            }
            self.add(&name, columns, 0);
        }
        for level in [1, 2, 3] {
            for _ in 0..self.below(3) {
                self.helper("h", level);
            }
        }
        self.helper_rules(sheet, 1, 3);
        if self.once_in(3) {
            // Stratified by argument only.
            self.add("even", vec![Kind::Number], 4);
            sheet.rule("(even ?y)", vec!["(succ ?x ?y)".into(), "(not (even ?x))".into()]);
        }
    }

    fn initial(&mut self, sheet: &mut Sheet) {
        for _ in 0..1 + self.below(5) {
            let fact = self.fact("init", &[Kind::Fluent]);
            sheet.fact(fact);
        }
        for _ in 0..self.below(3) {
            let (head, body) = self.rule("init", &[Kind::Fluent], INIT - 1);
            sheet.rule(head, body);
        }
    }

    fn states(&mut self, sheet: &mut Sheet) {
        if self.once_in(3) {
            self.add("init", vec![Kind::Fluent], INIT);
            self.helper("h", INIT + 1);
            self.helper_rules(sheet, INIT + 1, INIT + 1);
        }
        self.add("true", vec![Kind::Fluent], TRUE);
        if self.once_in(10) {
            let fact = self.fact("true", &[Kind::Fluent]);
            sheet.fact(fact);
        }
        for level in [TRUE + 1, TRUE + 2, TRUE + 3] {
            for _ in 0..self.below(3) {
                self.helper("h", level);
            }
        }
        self.helper_rules(sheet, TRUE + 1, TRUE + 3);
        if self.once_in(3) {
            self.add("odd", vec![Kind::Number], TRUE + 4);
            let (_, mut body) = self.rule("odd", &[], TRUE);
            body.extend(["(succ ?x ?y)".into(), "(not (odd ?x))".into()]);
            sheet.rule("(odd ?y)", body);
        }
        if self.is_recursive {
            self.recursion(sheet);
        }
        self.add("legal", vec![Kind::Role, Kind::Move], LEGAL);
        for role in self.roles.clone() {
            if !self.once_in(5) {
                let action = self.ground(Kind::Move);
                sheet.fact(format!("(legal {role} {action})"));
            }
        }
        for _ in 0..1 + self.below(4) {
            let (head, body) = self.rule("legal", &[Kind::Role, Kind::Move], LEGAL);
            sheet.rule(head, body);
        }
    }

    fn ends(&mut self, sheet: &mut Sheet) {
        self.add("terminal", vec![], TERMINAL);
        for _ in 0..1 + self.below(2) {
            let (head, mut body) = self.rule("terminal", &[], LEGAL);
            body.push(format!("(true {})", self.ground(Kind::Fluent)));
            sheet.rule(head, body);
        }
        for _ in 0..1 + self.below(2) {
            let (head, body) = self.rule("goal", &[Kind::Role, Kind::Number], TERMINAL);
            sheet.rule(head, body);
        }
        if self.once_in(2) {
            sheet.rule(
                "(goal ?r 50)",
                vec!["(role ?r)".into(), "(not (goal ?r 0))".into(), "(not (goal ?r 1))".into()],
            );
        }
        if self.once_in(3) {
            self.add("goal", vec![Kind::Role, Kind::Number], GOAL);
            self.helper("h", GOAL + 1);
            self.helper_rules(sheet, GOAL + 1, GOAL + 1);
        }
    }

    fn steps(&mut self, sheet: &mut Sheet) {
        self.add("does", vec![Kind::Role, Kind::Move], DOES);
        for level in [DOES + 1, DOES + 2] {
            for _ in 0..self.below(3) {
                self.helper("h", level);
            }
        }
        self.helper_rules(sheet, DOES + 1, DOES + 2);
        for family in 0..self.fluents.len() {
            let kind = Kind::Family(family);
            let level = NEXT + 10 * family as u32;
            let variables = ["?x", "?y"];
            let Family { name, columns } = &self.fluents[family];
            let whole = match columns.len() {
                0 => name.clone(),
                count => format!("({name} {})", variables[..count].join(" ")),
            };
            let frame = (format!("(next {whole})"), vec![format!("(true {whole})")]);
            match self.below(8) {
                0 => continue,
                1 => {
                    sheet.rule(frame.0, frame.1);
                    continue;
                }
                2 | 3 => sheet.rule(frame.0, frame.1),
                _ => {}
            }
            if self.once_in(2) {
                self.add("next", vec![kind], level);
            }
            for _ in 0..1 + self.below(3) {
                let (head, body) = self.rule("next", &[kind], level);
                sheet.rule(head, body);
            }
            if self.once_in(4) {
                self.helper("h", level + 5);
                self.helper_rules(sheet, level + 5, level + 5);
            }
        }
        if self.once_in(3) {
            let (head, body) = self.rule("next", &[Kind::Fluent], DOES + 2);
            sheet.rule(head, body);
        }
    }
}
