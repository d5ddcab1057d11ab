//! Sheets that multiply out: grounding ends soon, with an error that says what grew and where.

use std::fmt::Write;
use std::time::{Duration, Instant};

use propnet::gdl::Source;
use propnet::ground::{GroundError, Limits, NoWatch, Options, Stage, StageSizes, Watch, ground};
use propnet::reference::load;

const FRAME: &str =
    "(role a) (legal a m) (legal a n) (<= terminal (true (s 2))) (init (s 1)) (goal a 1)\n";

fn try_ground(text: &str, options: Options, limits: Limits, watch: &mut dyn Watch) -> String {
    let rules = load(Source::from_text("s", text)).expect("a sheet");
    match ground(&rules, &options, limits, watch) {
        Ok(grounding) => format!("{} rules", grounding.rules.rules.len()),
        Err(error) => error.to_string(),
    }
}

/// Numbers and every pair of them as a fluent, by rules.
fn numbers(count: usize) -> String {
    let mut text = FRAME.to_string();
    for at in 0..count {
        writeln!(text, "(num {at})").expect("text");
    }
    text + "(<= (next (s ?x)) (num ?x) (does a m))\n"
}

#[test]
fn messages() {
    let text = numbers(20)
        + "(<= (pair ?x ?y) (num ?x) (num ?y))\n(<= (next (p ?x ?y)) (pair ?x ?y) (true (s ?x)))";
    let check = |limits: Limits, expected: &str| {
        assert_eq!(try_ground(&text, Options::default(), limits, &mut NoWatch), expected);
    };
    let usual = Limits::default();
    check(
        Limits { facts: 100, ..usual },
        "grounding needs more than the limit of 100 facts; line 23, column 1: the rule for pair, \
         which had made 81 instances by then grew most",
    );
    check(
        Limits { rules: 200, ..usual },
        "grounding needs more than the limit of 200 rule instances; line 24, column 1: the rule \
         for next p, which had made 177 instances by then grew most",
    );
    let message = try_ground(
        &(numbers(60) + "(<= (next (t ?x ?y ?z)) (num ?x) (num ?y) (num ?z) (true (s ?x)))"),
        Options::default(),
        Limits { bytes: 1_000_000, ..usual },
        &mut NoWatch,
    );
    let (start, rest) = message.split_once("which had made ").expect("a count");
    assert_eq!(
        start,
        "grounding needs more than the limit of 1000000 bytes; line 63, column 1: the rule for \
         next t, "
    );
    let count: u64 = rest.split(' ').next().and_then(|count| count.parse().ok()).expect("a number");
    assert!((5_000..40_000).contains(&count), "{count}");
}

#[test]
fn terms_without_end() {
    let check = |rules: &str, expected: &str| {
        let text = format!("{FRAME}{rules}");
        let options =
            [Options::default(), Options { demand: false, split: false, ..Options::default() }];
        for options in options {
            assert_eq!(try_ground(&text, options, Limits::default(), &mut NoWatch), expected);
        }
    };
    check(
        "(<= (next (s (f ?x))) (true (s ?x)))",
        "line 2, column 1: the rule for next s builds terms without end",
    );
    check(
        "(h a)\n(<= (h (f ?x)) (h ?x)) (<= (next ?x) (h ?x))",
        "line 3, column 1: the rule for h builds terms without end",
    );
    // Within a fluent the depth is reached one step earlier.
    let mut text =
        String::from("(init (s c 0)) (<= (next (s (f ?x) ?m)) (true (s ?x ?n)) (succ ?n ?m))");
    for at in 0..500 {
        write!(text, " (succ {at} {})", at + 1).expect("text");
    }
    check(&text, "line 2, column 16: the rule for next s builds terms without end");
}

/// Says stop after so many questions, and notes where it was asked.
#[derive(Default)]
struct Patience {
    left: u64,
    asked: u64,
    asked_after_no: u64,
    by_stage: Vec<(Stage, u64)>,
}

impl Watch for Patience {
    fn proceed(&mut self) -> bool {
        if self.asked >= self.left {
            self.asked_after_no += u64::from(self.asked > self.left);
            self.asked += 1;
            return false;
        }
        self.asked += 1;
        true
    }

    fn finished(&mut self, stage: Stage, _: StageSizes) {
        self.by_stage.push((stage, self.asked));
    }
}

/// Large in every stage: many rules, static facts, instances, ground rules.
fn large_everywhere() -> String {
    let mut text = numbers(25);
    for at in 0..3_000 {
        writeln!(text, "(<= (q ?x) (num ?x) (true (s {at})) (true (t {at})))").expect("text");
    }
    text + "(<= (pair ?x ?y ?z) (num ?x) (num ?y) (num ?z) (distinct ?x ?z))
        (<= (next (p ?x ?y ?z)) (pair ?x ?y ?z) (true (s ?x)) (not (true (p ?y ?z ?x))))
        (<= (next (p ?x ?y ?z)) (true (p ?x ?z ?y)) (q ?x) (does a n))
        (<= (next (t ?x)) (true (p ?x ?y ?z)) (true (p ?z ?z ?y)) (does a n))"
}

#[test]
fn the_watch_is_asked_in_every_stage() {
    let text = large_everywhere();
    let mut watch = Patience { left: u64::MAX, ..Patience::default() };
    let options = Options { wide: u64::MAX, wide_static: u64::MAX, ..Options::default() };
    let done = try_ground(&text, options, Limits::default(), &mut watch);
    assert!(done.ends_with("rules"), "{done}");
    let mut before = 0;
    for &(stage, asked) in &watch.by_stage {
        assert!(asked > before, "not asked in {}: {:?}", stage.name(), watch.by_stage);
        before = asked;
    }
    assert_eq!(watch.by_stage.len(), 6);
}

#[test]
fn a_watch_that_says_stop_is_obeyed() {
    let text = large_everywhere();
    let mut all = Patience { left: u64::MAX, ..Patience::default() };
    try_ground(&text, Options::default(), Limits::default(), &mut all);
    for left in (0..all.asked).step_by(all.asked as usize / 40 + 1) {
        let mut watch = Patience { left, ..Patience::default() };
        let message = try_ground(&text, Options::default(), Limits::default(), &mut watch);
        assert!(message.starts_with("grounding was stopped; line "), "{message}");
        assert_eq!(watch.asked_after_no, 0, "after {left}");
    }
}

/// Stops soon.
struct Clock(Instant);

impl Watch for Clock {
    fn proceed(&mut self) -> bool {
        self.0.elapsed() < Duration::from_millis(200)
    }
}

#[test]
fn explosions_end_soon() {
    let variables: String = (0..8).map(|at| format!(" (num ?x{at})")).collect();
    let names: String = (0..8).map(|at| format!(" ?x{at}")).collect();
    let arms: String =
        (0..100).map(|at| format!(" (distinct ?x{} ?x{})", at % 8, (at + 3) % 8)).collect();
    let kinds: String = (0..30)
        .map(|at| format!("(init (f{at} 1)) (<= (next (f{at} ?x)) (true (f{at} ?x)) (does a m))\n"))
        .collect();
    let sheets = [
        // A static relation, a dynamic one, one that only moves read, one in a guard.
        format!("(<= (h{names}){variables}) (<= (next k) (h{names}))"),
        format!("(<= (h{names}){variables} (true (s ?x0))) (<= (next k) (h{names}) (does a m))"),
        format!("(<= (next (k{names})){variables} (true (s ?x0)))"),
        format!("(<= (legal a (k{names})){variables})"),
        format!(
            "(<= (h{names}){variables} (true (s ?x0)))
             (<= (next k) (h{names}) (not (true (g{names}))) (num ?y) (true (s ?z)) (distinct ?y ?z) (distinct ?x1 ?y))"
        ),
        format!("(<= (next k){variables} (or{arms}) (or (true (s ?x1)) (true (s ?x2)))  (or (not (true (s ?x3))) (not (true (s ?x7)))))"),
        format!("(<= (h{names}){variables} (or (and{arms}) (distinct ?x0 ?x1))) (<= (next (k ?x3)) (h{names}))"),
        // Many readings of one rule.
        format!("{kinds} (<= (next k) (true ?a) (true ?b) (true ?c) (true ?d) (true ?e) (true ?f) (true ?g))"),
    ];
    for sheet in sheets {
        let text = numbers(60) + &sheet;
        let rules = load(Source::from_text("s", &text)).expect("a sheet");
        for split in [true, false] {
            for demand in [true, false] {
                let start = Instant::now();
                let options = Options { split, demand, ..Options::default() };
                let limits = Limits { bytes: 1 << 28, ..Limits::default() };
                let result = ground(&rules, &options, limits, &mut Clock(start));
                assert!(start.elapsed() < Duration::from_secs(5), "{:?}: {sheet}", start.elapsed());
                if let Err(error) = result {
                    let expected =
                        matches!(error, GroundError::Limit { .. } | GroundError::Stopped { .. });
                    assert!(expected, "{error}");
                }
            }
        }
    }
}

/// Sheets that are large but simple: no step may look at all rules for each rule.
#[test]
fn many_rules_and_relations() {
    let mut sheets = Vec::new();
    for source in ["(q ?x)", "(true ?x)"] {
        let mut chain = format!("{FRAME}(q 1) (<= (p20000 ?x) {source}) (<= (next ?x) (p0 ?x))\n");
        for at in 0..20_000 {
            writeln!(chain, "(<= (p{at} ?x) (p{} ?x))", at + 1).expect("text");
        }
        sheets.push(chain);
    }
    let mut kinds = FRAME.to_string();
    for at in 0..20_000 {
        writeln!(kinds, "(init (f{at} 1)) (<= (next (f{at} ?x)) (true (f{at} ?x)))").expect("text");
    }
    sheets.push(kinds);
    let mut facts = format!("{FRAME}(<= (next (s ?y)) (true (s ?x)) (edge ?x ?y c))\n");
    let mut negations = FRAME.to_string();
    for at in 0..100_000 {
        writeln!(facts, "(edge {at} {} c)", at + 1).expect("text");
    }
    for at in 0..4_000 {
        writeln!(
            negations,
            "(e{at} 1) (<= (e{at} 2) (not (e{at} 1))) (<= (next (k ?x)) (e{at} ?x))"
        )
        .expect("text");
    }
    sheets.extend([facts, negations]);
    let mut long = format!("{FRAME}(<= (next (f ?x)) (true (s ?x))");
    for at in 0..2_000 {
        write!(long, " (or (distinct ?x {at}) (not (true (s ?x)))) (p{at} ?x)").expect("text");
    }
    long.push(')');
    for at in 0..2_000 {
        write!(long, "(p{at} 1)").expect("text");
    }
    sheets.push(long);
    let mut tangled = format!("{FRAME}(<= (next k)");
    for at in 0..1_000 {
        write!(tangled, " (e ?x{} ?x{})", at % 250, (at * 7 + at / 250) % 250).expect("text");
    }
    tangled.push_str(") (e 1 2) (e 2 3)");
    sheets.push(tangled);
    for text in sheets {
        let rules = load(Source::from_text("s", &text)).expect("a sheet");
        let start = Instant::now();
        ground(&rules, &Options::default(), Limits::default(), &mut NoWatch).expect("ground rules");
        let (took, sheet) = (start.elapsed(), &text[..200]);
        assert!(took < Duration::from_secs(30), "{took:?}: {sheet}");
    }
}

#[test]
fn a_helper_over_many_variables_is_not_multiplied_out() {
    let mut text = String::from(
        "(role r) (legal r m) (<= terminal row) (<= (next (c ?x ?p)) (true (c ?x ?p)) (does r m))
         (<= row (true (c 0 ?p)) (true (c 1 ?q)) (true (c 2 ?r))
           (true (c 3 ?s)) (same ?p ?q ?r ?s)) (goal r 1)
         (<= (same ?p ?q ?r ?s) (bit ?n ?p ?b) (bit ?n ?q ?b) (bit ?n ?r ?b) (bit ?n ?s ?b))\n",
    );
    for piece in 0..16 {
        for place in 0..4 {
            write!(text, "(init (c {place} {piece})) ").expect("text");
        }
        for bit in 0..4 {
            write!(text, "(bit {bit} {piece} {}) ", piece >> bit & 1).expect("text");
        }
    }
    let instances = |split: bool| -> u64 {
        let rules = load(Source::from_text("s", &text)).expect("a sheet");
        let options = Options { split, ..Options::default() };
        let grounding = ground(&rules, &options, Limits::default(), &mut NoWatch);
        grounding.expect("grounds").weights.iter().map(|weight| weight.instances).sum()
    };
    let (whole, split) = (instances(false), instances(true));
    assert!(whole > 20_000 && split < 700, "{whole} and {split}: pieces in fours, or bits of each");
}
