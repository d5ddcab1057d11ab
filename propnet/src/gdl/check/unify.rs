//! Whether two atoms can mean the same sentence.

use rustc_hash::FxHashMap;

use crate::gdl::rules::{Term, TermKind};
use crate::gdl::symbols::Symbol;

/// Steps after which the answer is "perhaps", which counts as yes: with shared variables, terms
/// of a few lines can stand for terms of exponential size.
const MAX_STEPS: usize = 2_000;

/// Whether the rows of terms have a common instance, variables of the two sides taken as
/// different even where their names agree. The steps this takes are subtracted from `budget`.
pub(crate) fn may_unify(left: &[Term], right: &[Term], budget: &mut usize) -> bool {
    let mut unifier = Unifier { bindings: FxHashMap::default(), steps: 1 };
    let answer = unifier.unify(left, right);
    *budget = budget.saturating_sub(unifier.steps);
    answer
}

/// A term and the side it is from.
type Side<'a> = (bool, &'a Term);

struct Unifier<'a> {
    bindings: FxHashMap<(bool, Symbol), Side<'a>>,
    steps: usize,
}

impl<'a> Unifier<'a> {
    fn unify(&mut self, left: &'a [Term], right: &'a [Term]) -> bool {
        if left.len() != right.len() {
            return false;
        }
        for (a, b) in left.iter().zip(right) {
            let mut todo: Vec<(Side<'a>, Side<'a>)> = vec![((false, a), (true, b))];
            while let Some((a, b)) = todo.pop() {
                if self.steps > MAX_STEPS {
                    return true;
                }
                if !self.step(a, b, &mut todo) {
                    return false;
                }
            }
        }
        true
    }

    /// Makes two terms equal, leaving their parts for later.
    fn step(&mut self, a: Side<'a>, b: Side<'a>, todo: &mut Vec<(Side<'a>, Side<'a>)>) -> bool {
        self.steps += 1;
        let (a, b) = (self.walk(a), self.walk(b));
        match (&a.1.kind, &b.1.kind) {
            (TermKind::Variable(x), TermKind::Variable(y)) if a.0 == b.0 && x == y => true,
            (TermKind::Variable(x), _) => self.bind((a.0, *x), b),
            (_, TermKind::Variable(y)) => self.bind((b.0, *y), a),
            (TermKind::Constant(x), TermKind::Constant(y)) => x == y,
            (TermKind::Function(f, xs), TermKind::Function(g, ys)) => {
                if f != g || xs.len() != ys.len() {
                    return false;
                }
                todo.extend(xs.iter().map(|x| (a.0, x)).zip(ys.iter().map(|y| (b.0, y))));
                true
            }
            _ => false,
        }
    }

    /// Follows bindings to a term that is no bound variable.
    fn walk(&mut self, mut side: Side<'a>) -> Side<'a> {
        while let TermKind::Variable(name) = side.1.kind {
            match self.bindings.get(&(side.0, name)) {
                Some(&bound) => side = bound,
                None => break,
            }
            self.steps += 1;
        }
        side
    }

    fn bind(&mut self, variable: (bool, Symbol), value: Side<'a>) -> bool {
        if self.occurs(variable, value) {
            return false;
        }
        self.bindings.insert(variable, value);
        true
    }

    /// Whether a variable occurs in what a term stands for; then no finite term fits.
    fn occurs(&mut self, variable: (bool, Symbol), value: Side<'a>) -> bool {
        let mut todo = vec![value];
        while let Some(side) = todo.pop() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return false;
            }
            let side = self.walk(side);
            match &side.1.kind {
                TermKind::Variable(name) if (side.0, *name) == variable => return true,
                TermKind::Function(_, args) => todo.extend(args.iter().map(|arg| (side.0, arg))),
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::{Source, parse};

    /// Whether the heads of the two facts in the text unify.
    fn unify(text: &str) -> bool {
        let (rules, findings) = parse(Source::from_text("s", text));
        assert!(findings.is_empty(), "{findings:?}");
        let mut budget = 1_000_000;
        may_unify(&rules.rules[0].head.args, &rules.rules[1].head.args, &mut budget)
    }

    #[test]
    fn variables_of_the_two_sides_are_apart() {
        assert!(unify("(p ?x a) (p b ?x)"));
        assert!(!unify("(p ?x ?x) (p a b)"));
        assert!(unify("(p ?x ?y) (p (f ?x) ?x)"));
        assert!(!unify("(p ?x ?x) (p ?y (f ?y))"));
        assert!(!unify("(p (f ?x)) (p (g ?x))"));
        assert!(!unify("(p ?x) (p ?x ?y)"));
    }

    #[test]
    fn exponential_terms_end_in_perhaps() {
        let mut left = String::new();
        let mut right = String::new();
        for index in 0..60 {
            left.push_str(&format!(" ?a{} ", index + 1));
            right.push_str(&format!(" (f ?a{index} ?a{index})"));
        }
        // Each variable is bound to a pair of the one before: the last has 2^60 leaves.
        let text = format!("(p {left} {left}) (p {right} {right})");
        assert!(unify(&text));
    }
}
