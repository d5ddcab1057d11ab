//! Parameters by name: what people write as `name=value`, checked against what a parameter allows.

use std::collections::BTreeMap;

use crate::count::count_within;

/// A setting that has a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// What it means, in one line.
    pub help: &'static str,
    /// The values that it may have.
    pub form: Form,
    /// The default value; NaN stands for `auto`.
    default: f64,
}

/// The values that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A number in a range.
    Number {
        /// The lowest.
        least: f64,
        /// The highest.
        most: f64,
    },
    /// A whole number in a range.
    Count {
        /// The lowest.
        least: u64,
        /// The highest.
        most: u64,
    },
    /// A whole number in a range, or `auto`.
    CountOrAuto {
        /// The lowest.
        least: u64,
        /// The highest.
        most: u64,
    },
    /// `on` or `off`.
    Switch,
    /// One of several words.
    Word(&'static [&'static str]),
}

impl Parameter {
    /// A parameter that is a number.
    pub(crate) const fn number(
        name: &'static str,
        help: &'static str,
        default: f64,
        least: f64,
        most: f64,
    ) -> Self {
        Parameter { name, help, form: Form::Number { least, most }, default }
    }

    /// A parameter that is a whole number.
    pub(crate) const fn count(
        name: &'static str,
        help: &'static str,
        default: u64,
        least: u64,
        most: u64,
    ) -> Self {
        Parameter { name, help, form: Form::Count { least, most }, default: default as f64 }
    }

    /// A parameter that is a whole number, by default `auto`.
    pub(crate) const fn count_or_auto(
        name: &'static str,
        help: &'static str,
        least: u64,
        most: u64,
    ) -> Self {
        Parameter { name, help, form: Form::CountOrAuto { least, most }, default: f64::NAN }
    }

    /// A parameter that is `on` or `off`.
    pub(crate) const fn switch(name: &'static str, help: &'static str, default: bool) -> Self {
        Parameter { name, help, form: Form::Switch, default: default as u8 as f64 }
    }

    /// A parameter that is one of several words, by default the first.
    pub(crate) const fn word(
        name: &'static str,
        help: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Parameter { name, help, form: Form::Word(words), default: 0.0 }
    }

    /// The default value as it is written.
    pub fn default_text(&self) -> String {
        self.form.show(self.default)
    }
}

impl Form {
    /// The value that a text stands for, or what is expected instead.
    pub(crate) fn read(&self, text: &str) -> Result<f64, String> {
        let found = match *self {
            Form::Number { least, most } => {
                text.parse().ok().filter(|number| (least..=most).contains(number))
            }
            Form::CountOrAuto { .. } if text == "auto" => Some(f64::NAN),
            Form::Count { least, most } | Form::CountOrAuto { least, most } => {
                count_within(least, most)(text).ok().map(|count| count as f64)
            }
            Form::Switch => match text {
                "on" => Some(1.0),
                "off" => Some(0.0),
                _ => None,
            },
            Form::Word(words) => words.iter().position(|word| *word == text).map(|at| at as f64),
        };
        found.ok_or_else(|| self.expected())
    }

    /// A value as it is written.
    fn show(&self, value: f64) -> String {
        match *self {
            Form::CountOrAuto { .. } if value.is_nan() => "auto".to_string(),
            Form::Switch => if value != 0.0 { "on" } else { "off" }.to_string(),
            Form::Word(words) => words[value as usize].to_string(),
            _ => value.to_string(),
        }
    }

    /// The values in words.
    pub fn expected(&self) -> String {
        match *self {
            Form::Number { least, most } => format!("a number from {least} to {most}"),
            Form::Count { least, most } => format!("a whole number from {least} to {most}"),
            Form::CountOrAuto { least, most } => {
                format!("a whole number from {least} to {most}, or auto")
            }
            Form::Switch => "on or off".to_string(),
            Form::Word(words) => words.join(" or "),
        }
    }
}

/// Values that differ from the defaults, by the name of their parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values(BTreeMap<&'static str, f64>);

impl Values {
    /// Sets a parameter to a value that it may have.
    pub(crate) fn put(&mut self, parameter: &Parameter, value: f64) {
        if value == parameter.default || value.is_nan() {
            self.0.remove(parameter.name);
        } else {
            self.0.insert(parameter.name, value);
        }
    }

    /// The value of a parameter.
    pub(crate) fn get(&self, parameter: &Parameter) -> f64 {
        self.0.get(parameter.name).copied().unwrap_or(parameter.default)
    }

    /// The value of a parameter that is a whole number.
    pub(crate) fn count(&self, parameter: &Parameter) -> u64 {
        self.get(parameter) as u64
    }

    /// The value of a parameter that is a whole number, or none for `auto`.
    pub(crate) fn count_or_auto(&self, parameter: &Parameter) -> Option<u64> {
        let value = self.get(parameter);
        (!value.is_nan()).then_some(value as u64)
    }

    /// The value of a switch.
    pub(crate) fn is_on(&self, parameter: &Parameter) -> bool {
        self.get(parameter) != 0.0
    }

    /// The value of a parameter as it is written.
    pub(crate) fn show(&self, parameter: &Parameter) -> String {
        parameter.form.show(self.get(parameter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: Parameter = Parameter::number("c", "", 40.0, 0.0, 100.0);
    const N: Parameter = Parameter::count("n", "", 7, 1, 1 << 40);
    const AUTO: Parameter = Parameter::count_or_auto("auto", "", 1, 64);
    const ON: Parameter = Parameter::switch("on", "", true);
    const WAY: Parameter = Parameter::word("way", "", &["root", "tree"]);

    #[test]
    fn values_are_shown_as_they_are_written() {
        let mut values = Values::default();
        let usual = ["40", "7", "auto", "on", "root"];
        let written = ["0.5", "1099511627776", "64", "off", "tree"];
        for (parameter, (usual, text)) in
            [C, N, AUTO, ON, WAY].iter().zip(usual.into_iter().zip(written))
        {
            assert_eq!(values.show(parameter), usual);
            assert_eq!(parameter.default_text(), usual);
            values.put(parameter, parameter.read(text).expect("a value"));
            assert_eq!(values.show(parameter), text);
            values.put(parameter, parameter.read(usual).expect("a value"));
            assert_eq!(values.show(parameter), usual);
        }
        assert_eq!(values, Values::default(), "only what differs is kept");
        assert_eq!(values.count_or_auto(&AUTO), None);
        assert!(values.is_on(&ON) && values.count(&N) == 7);
    }

    #[test]
    fn other_values_are_refused_with_what_is_expected() {
        for (parameter, texts, expected) in [
            (C, &["", "x", "-1", "100.5", "NaN", "inf"][..], "a number from 0 to 100"),
            (N, &["0", "1.5", "-1", "1e30", "auto"], "a whole number from 1 to 1099511627776"),
            (AUTO, &["0", "65", ""], "a whole number from 1 to 64, or auto"),
            (ON, &["", "1", "ON"], "on or off"),
            (WAY, &["", "Root", "leaf"], "root or tree"),
        ] {
            for text in texts {
                let refused = parameter.form.read(text);
                assert_eq!(refused, Err(expected.to_string()), "{}={text}", parameter.name);
            }
        }
    }
}
