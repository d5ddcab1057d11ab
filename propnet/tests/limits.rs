//! tmp
use std::fmt::Write;
use std::time::Instant;
use propnet::gdl::Source;
use propnet::ground::*;
use propnet::reference::load;

fn time(name: &str, text: &str) {
    let t = Instant::now();
    let rules = load(Source::from_text("s", text)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let l = t.elapsed();
    let t = Instant::now();
    let mut w = Log(t, String::new());
    let r = ground(&rules, &Options::default(), Limits::default(), &mut w);
    println!("{name}: load {l:?} ground {:?} {:?} {}", t.elapsed(), r.map(|g| g.rules.rules.len()).map_err(|e| e.to_string()), w.1);
}
struct Log(Instant, String);
impl Watch for Log {
    fn proceed(&mut self) -> bool { self.0.elapsed().as_secs() < 60 }
    fn finished(&mut self, s: Stage, _: StageSizes) { write!(self.1, " {} {:?}", s.name(), self.0.elapsed()).unwrap(); }
}
const FRAME: &str = "(role a) (init (s 1)) (legal a m) (legal a n) (goal a 100) (<= terminal (true (s 2)))\n";

#[test]
fn facts() {
    let mut text = FRAME.to_string();
    let mut count = 0;
    while text.len() < 10_000_000 { writeln!(text, "(edge {count} {} c)", count + 1).unwrap(); count += 1; }
    text.push_str("(<= (next (s ?y)) (true (s ?x)) (edge ?x ?y c))");
    time("facts", &text);
}
#[test]
fn chain() {
    for dynamic in [false, true] {
    let mut text = FRAME.to_string();
    let n = 100_000;
    for at in 0..n { writeln!(text, "(<= (p{at} ?x) (p{} ?x))", at + 1).unwrap(); }
    writeln!(text, "(<= (p{n} ?x) ({} ?x))", if dynamic { "true" } else { "q" }).unwrap();
    writeln!(text, "(q 1) (<= (next ?x) (p0 ?x))").unwrap();
    time(&format!("chain {dynamic}"), &text);
    }
}
#[test]
fn large_rule() {
    for (vars, lits) in [(250, 1000), (250, 10_000), (1, 10_000)] {
    let mut text = FRAME.to_string();
    write!(text, "(<= (next k)").unwrap();
    for at in 0..lits { write!(text, " (p{} ?x{} ?x{})", at % 7, at % vars, (at * 7 + at / vars) % vars).unwrap(); }
    text.push(')');
    for p in 0..7 { writeln!(text, "(p{p} 1 1) (p{p} 1 2)").unwrap(); writeln!(text, "(<= (p{p} ?x ?x) (true (s ?x)))").unwrap(); }
    time(&format!("large rule {vars} {lits}"), &text);
    }
}
#[test]
fn kinds() {
    let mut text = FRAME.to_string();
    for at in 0..100_000 { writeln!(text, "(init (f{at} 1)) (<= (next (f{at} ?x)) (true (f{at} ?x)))").unwrap(); }
    time("kinds", &text);
    let mut text = FRAME.to_string();
    for at in 0..30 { writeln!(text, "(init (f{at} 1)) (<= (next (f{at} ?x)) (true (f{at} ?x)) (does a m))").unwrap(); }
    writeln!(text, "(<= (next k) (true ?a) (true ?b) (true ?c) (true ?d) (true ?e) (true ?f) (true ?g))").unwrap();
    time("readings", &text);
    let mut text = FRAME.to_string();
    writeln!(text, "(<= (next k)").unwrap();
    for at in 0..5000 { writeln!(text, "(or (true (s {at})) (not (true (s {}))))", at + 7).unwrap(); }
    text.push(')');
    time("ors", &text);
    let mut text = FRAME.to_string();
    writeln!(text, "(<= (next (f ?x)) (true (s ?x))").unwrap();
    for at in 0..4000 { writeln!(text, "(or (distinct ?x {at}) (not (true (s ?x))))").unwrap(); }
    text.push(')');
    time("open ors", &text);
}
