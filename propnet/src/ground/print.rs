//! GroundRules -> text: the same game as a rule sheet without variables.

use std::borrow::Cow;

use super::rules::{AtomId, GroundAtom, GroundLiteral, GroundRules, Recipe};
use crate::gdl::{Symbol, Symbols, word};
use crate::terms::TermId;

/// The ground rules as GDL, a rule a line, in the spelling of the sheet.
///
/// Any player reads this text as the same game: the same states, moves, ends and goals from the
/// initial state on. All fluents are in it: a constant that is true is stated by `init` and `next`,
/// a copy has the rules of its fluent. Conditions on atoms that no rule concludes are decided, not
/// printed. A sheet must say something about `terminal` and about `legal` for each role; where no
/// rule is left for one, a rule stands for it that never applies.
pub fn print_ground(ground: &GroundRules) -> String {
    let lines = Lines { ground, possible: possible(ground) };
    let mut text = String::new();
    for section in
        [Lines::roles, Lines::init, Lines::legal, Lines::next, Lines::ends, Lines::helpers]
    {
        section(&lines, &mut text);
    }
    text
}

/// An atom as a sentence of GDL; `name` says how each symbol is written.
pub(crate) fn atom_text<'a>(
    ground: &'a GroundRules,
    atom: AtomId,
    name: &dyn Fn(Symbol) -> &'a str,
) -> String {
    let fluent = |index: usize| ground.fluents[index].term;
    let role = |role: u32| ground.roles[role as usize];
    let action = |by: u32, action: usize| [role(by), ground.moves[by as usize][action]];
    let sentence = |word, args: &[TermId]| sentence(ground, name(word).into(), args, name);
    match &ground.atoms[atom as usize] {
        GroundAtom::True(index) => sentence(word::TRUE, &[fluent(*index)]),
        GroundAtom::Does(by, index) => sentence(word::DOES, &action(*by, *index)),
        GroundAtom::Next(index) => sentence(word::NEXT, &[fluent(*index)]),
        GroundAtom::Legal(by, index) => sentence(word::LEGAL, &action(*by, *index)),
        GroundAtom::Goal(of, value) => sentence(word::GOAL, &[role(*of), *value]),
        GroundAtom::Terminal => sentence(word::TERMINAL, &[]),
        GroundAtom::Helper(symbol, args) => {
            let relation = relation(&ground.symbols, *symbol, name(*symbol));
            self::sentence(ground, relation, ground.helpers.of(*args), name)
        }
    }
}

fn sentence<'a>(
    ground: &'a GroundRules,
    relation: Cow<'a, str>,
    args: &[TermId],
    name: &dyn Fn(Symbol) -> &'a str,
) -> String {
    if args.is_empty() {
        return relation.into_owned();
    }
    let args: Vec<String> = args.iter().map(|&arg| ground.terms.text(arg, name)).collect();
    format!("({relation} {})", args.join(" "))
}

/// The name of a helper, which must not be one that GDL gives a meaning.
fn relation<'a>(symbols: &Symbols, symbol: Symbol, written: &'a str) -> Cow<'a, str> {
    // The words stand first in every table; `random`, the last, means nothing as a relation.
    if symbol >= word::RANDOM {
        return written.into();
    }
    let mut name = format!("{written}_helper");
    while symbols.get(&name).is_some() {
        name.push('_');
    }
    name.into()
}

/// By atom: whether it is an input or some rule for it is left, when all rules with a condition
/// that is impossible are taken away.
fn possible(ground: &GroundRules) -> Vec<bool> {
    let is_input = |atom: &GroundAtom| matches!(atom, GroundAtom::True(_) | GroundAtom::Does(..));
    let mut rules_left = vec![0usize; ground.atoms.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); ground.atoms.len()];
    for (rule, (head, body)) in ground.rules.iter().enumerate() {
        rules_left[head as usize] += 1;
        for literal in body.iter().filter(|literal| !literal.negated()) {
            readers[literal.atom() as usize].push(rule);
        }
    }
    let mut possible: Vec<bool> = std::iter::zip(&ground.atoms, &rules_left)
        .map(|(atom, &rules)| is_input(atom) || rules > 0)
        .collect();
    let mut todo: Vec<usize> = (0..possible.len()).filter(|&atom| !possible[atom]).collect();
    let mut removed = vec![false; ground.rules.len()];
    while let Some(atom) = todo.pop() {
        for &rule in &readers[atom] {
            let head = ground.rules.head(rule) as usize;
            if !std::mem::replace(&mut removed[rule], true) {
                rules_left[head] -= 1;
                if rules_left[head] == 0 {
                    possible[head] = false;
                    todo.push(head);
                }
            }
        }
    }
    possible
}

struct Lines<'a> {
    ground: &'a GroundRules,
    possible: Vec<bool>,
}

impl Lines<'_> {
    fn roles(&self, text: &mut String) {
        for &role in &self.ground.roles {
            self.fact(text, word::ROLE, &[role]);
        }
    }

    fn init(&self, text: &mut String) {
        for fluent in &self.ground.fluents {
            let first = match fluent.recipe {
                Recipe::Constant(truth) => truth,
                Recipe::Carried | Recipe::Copy(_) | Recipe::Observed => fluent.initially,
            };
            if first {
                self.fact(text, word::INIT, &[fluent.term]);
            }
        }
    }

    fn legal(&self, text: &mut String) {
        self.rules(text, |atom| matches!(atom, GroundAtom::Legal(..)));
        let mut served = vec![false; self.ground.roles.len()];
        for (atom, &possible) in std::iter::zip(&self.ground.atoms, &self.possible) {
            if let GroundAtom::Legal(role, _) = *atom {
                served[role as usize] |= possible;
            }
        }
        for (role, _) in served.iter().enumerate().filter(|(_, served)| !**served) {
            let name = self.ground.roles[role];
            let action = self.ground.moves[role].first().copied().unwrap_or(name);
            self.never(text, word::LEGAL, &[name, action]);
        }
    }

    fn next(&self, text: &mut String) {
        self.rules(text, |atom| matches!(atom, GroundAtom::Next(_)));
        let mut copies: Vec<Vec<TermId>> = vec![Vec::new(); self.ground.fluents.len()];
        for fluent in &self.ground.fluents {
            match fluent.recipe {
                Recipe::Constant(true) => self.fact(text, word::NEXT, &[fluent.term]),
                Recipe::Copy(of) => copies[of].push(fluent.term),
                Recipe::Constant(false) | Recipe::Carried | Recipe::Observed => {}
            }
        }
        for (head, body) in self.ground.rules.iter() {
            if let GroundAtom::Next(fluent) = self.ground.atoms[head as usize] {
                for &copy in &copies[fluent] {
                    self.rule(text, &self.sentence(word::NEXT, &[copy]), body);
                }
            }
        }
    }

    fn ends(&self, text: &mut String) {
        self.rules(text, |atom| matches!(atom, GroundAtom::Goal(..)));
        self.rules(text, |atom| *atom == GroundAtom::Terminal);
        let mut atoms = std::iter::zip(&self.ground.atoms, &self.possible);
        if !atoms.any(|(atom, &possible)| *atom == GroundAtom::Terminal && possible) {
            self.never(text, word::TERMINAL, &[]);
        }
    }

    fn helpers(&self, text: &mut String) {
        self.rules(text, |atom| matches!(atom, GroundAtom::Helper(..)));
    }

    /// The rules for atoms of some kind.
    fn rules(&self, text: &mut String, is_meant: impl Fn(&GroundAtom) -> bool) {
        for (head, body) in self.ground.rules.iter() {
            if is_meant(&self.ground.atoms[head as usize]) {
                self.rule(text, &self.atom(head), body);
            }
        }
    }

    /// A rule without the conditions that are always met; nothing if one never is.
    fn rule(&self, text: &mut String, head: &str, body: &[GroundLiteral]) {
        let is_possible = |literal: &GroundLiteral| self.possible[literal.atom() as usize];
        if !body.iter().all(|literal| literal.negated() || is_possible(literal)) {
            return;
        }
        let body: Vec<String> = body
            .iter()
            .filter(|l| is_possible(l))
            .map(|literal| {
                let atom = self.atom(literal.atom());
                if literal.negated() { format!(" (not {atom})") } else { format!(" {atom}") }
            })
            .collect();
        match body.is_empty() {
            true => text.push_str(head),
            false => text.push_str(&format!("(<= {head}{})", body.concat())),
        }
        text.push('\n');
    }

    /// A rule that never applies. Without a role nothing makes the text a sheet anyway.
    fn never(&self, text: &mut String, relation: Symbol, args: &[TermId]) {
        if let Some(&role) = self.ground.roles.first() {
            let head = self.sentence(relation, args);
            let condition = self.sentence(word::DISTINCT, &[role, role]);
            text.push_str(&format!("(<= {head} {condition})\n"));
        }
    }

    fn fact(&self, text: &mut String, relation: Symbol, args: &[TermId]) {
        text.push_str(&self.sentence(relation, args));
        text.push('\n');
    }

    fn sentence(&self, relation: Symbol, args: &[TermId]) -> String {
        let spelling = |symbol| self.ground.symbols.spelling(symbol);
        sentence(self.ground, spelling(relation).into(), args, &spelling)
    }

    fn atom(&self, atom: AtomId) -> String {
        atom_text(self.ground, atom, &|symbol| self.ground.symbols.spelling(symbol))
    }
}
