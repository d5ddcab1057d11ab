//! A sheet as a list of rules, so that parts of it can be left out.

use std::fmt::Write;

/// A rule: its head, and its literals as text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule {
    pub(crate) head: String,
    pub(crate) body: Vec<String>,
}

/// A sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet(pub(crate) Vec<Rule>);

impl Sheet {
    pub(crate) fn fact(&mut self, head: impl Into<String>) {
        self.rule(head, Vec::new());
    }

    pub(crate) fn rule(&mut self, head: impl Into<String>, body: Vec<String>) {
        self.0.push(Rule { head: head.into(), body });
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for Rule { head, body } in &self.0 {
            match body.is_empty() {
                true => writeln!(text, "{head}").expect("text"),
                false => writeln!(text, "(<= {head} {})", body.join(" ")).expect("text"),
            }
        }
        text
    }

    /// The sheet without all rules and literals that are not needed for `is_wrong` to hold. A
    /// smaller sheet that is refused counts as right.
    pub(crate) fn reduced(&self, is_wrong: &dyn Fn(&Sheet) -> bool) -> Sheet {
        let mut sheet = self.clone();
        let mut chunk = sheet.0.len();
        while chunk > 0 {
            let mut at = 0;
            while at < sheet.0.len() {
                let end = (at + chunk).min(sheet.0.len());
                let mut smaller = sheet.clone();
                smaller.0.drain(at..end);
                match is_wrong(&smaller) {
                    true => sheet = smaller,
                    false => at += chunk,
                }
            }
            chunk /= 2;
        }
        for rule in 0..sheet.0.len() {
            let mut at = 0;
            while at < sheet.0[rule].body.len() {
                let mut smaller = sheet.clone();
                smaller.0[rule].body.remove(at);
                match is_wrong(&smaller) {
                    true => sheet = smaller,
                    false => at += 1,
                }
            }
        }
        sheet
    }
}
