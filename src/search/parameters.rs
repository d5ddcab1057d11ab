//! The settings by name: what people write as `name=value`, and what they are told about it.

use super::settings::{Parallel, Settings, Strategy};
use crate::count::count_within;

/// A setting that has a name.
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// What it means, in a line.
    pub help: &'static str,
    /// The value that settings have, as it is written.
    pub show: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// There is no `=`.
    #[error("{text} is no setting; write name=value, such as c=40")]
    NoValue {
        /// What was written.
        text: String,
    },
    /// There is no such parameter.
    #[error("there is no parameter {name}; there are {known}")]
    UnknownName {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The value cannot be.
    #[error("{name}={value}: {expected}")]
    Value {
        /// The name.
        name: &'static str,
        /// The value.
        value: String,
        /// What is expected.
        expected: String,
    },
}

impl Settings {
    /// Changes one setting, written as `name=value`.
    pub fn set(&mut self, text: &str) -> Result<(), SettingError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| SettingError::NoValue { text: text.to_string() })?;
        self.set_value(name.trim(), value.trim())
    }

    /// Changes the setting of that name.
    pub fn set_value(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == name) else {
            let known: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
            return Err(SettingError::UnknownName {
                name: name.to_string(),
                known: known.join(", "),
            });
        };
        (parameter.set)(self, value).map_err(|expected| SettingError::Value {
            name: parameter.name,
            value: value.to_string(),
            expected,
        })
    }

    /// All settings with their values, as they are written.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        PARAMETERS.iter().map(|parameter| (parameter.name, (parameter.show)(self))).collect()
    }
}

/// All parameters.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "strategy",
        help: "how moves are chosen: uct, mast, mc, mc_mem or random",
        show: |settings| settings.strategy.to_string(),
        set: |settings, value| {
            let names: Vec<&str> = Strategy::ALL.iter().map(|strategy| strategy.name()).collect();
            let expected = || format!("expected one of {}", names.join(", "));
            settings.strategy = Strategy::named(value).ok_or_else(expected)?;
            Ok(())
        },
    },
    Parameter {
        name: "c",
        help: "how much little known moves are favoured in the tree, on the scale of goals",
        show: |settings| settings.c.to_string(),
        set: |settings, value| number(value, 0.0, 1e6).map(|number| settings.c = number),
    },
    Parameter {
        name: "discount",
        help: "what is left of a score one ply earlier; games for one role have no discount",
        show: |settings| settings.discount.to_string(),
        set: |settings, value| number(value, 0.5, 1.0).map(|number| settings.discount = number),
    },
    Parameter {
        name: "tau",
        help: "mast: the temperature of Gibbs sampling, on the scale of goals",
        show: |settings| settings.tau.to_string(),
        set: |settings, value| number(value, 0.1, 1e6).map(|number| settings.tau = number),
    },
    Parameter {
        name: "transpositions",
        help: "whether a state is one node however it was reached",
        show: |settings| switch_text(settings.transpositions),
        set: |settings, value| switch(value).map(|on| settings.transpositions = on),
    },
    Parameter {
        name: "one_role",
        help: "whether a game for one role is searched for its best line",
        show: |settings| switch_text(settings.one_role),
        set: |settings, value| switch(value).map(|on| settings.one_role = on),
    },
    Parameter {
        name: "in_flight",
        help: "simulations under way at once; auto: growing with the visits of the root",
        show: |settings| auto_text(settings.in_flight),
        set: |settings, value| {
            automatic(value, 1, 1 << 16).map(|count| settings.in_flight = count.map(|n| n as usize))
        },
    },
    Parameter {
        name: "visits_per_flight",
        help: "in_flight=auto: one simulation under way for so many visits of the root",
        show: |settings| settings.visits_per_flight.to_string(),
        set: |settings, value| {
            count(value, 1, 1 << 20).map(|count| settings.visits_per_flight = count as usize)
        },
    },
    Parameter {
        name: "lanes_per_leaf",
        help: "playouts from one leaf; auto: one, by time as many as keep lanes busy and tree work low (to 64)",
        show: |settings| auto_text(settings.lanes_per_leaf),
        set: |settings, value| {
            let set = |count: Option<u64>| settings.lanes_per_leaf = count.map(|n| n as usize);
            automatic(value, 1, 4096).map(set)
        },
    },
    Parameter {
        name: "memory",
        help: "megabytes that the trees may hold; auto: a quarter of the machine's memory",
        show: |settings| auto_text(settings.memory.map(|bytes| bytes >> 20)),
        set: |settings, value| {
            let set = |count: Option<u64>| settings.memory = count.map(|megabytes| megabytes << 20);
            automatic(value, 1, 1 << 24).map(set)
        },
    },
    Parameter {
        name: "threads",
        help: "threads that search; auto: one for each core",
        show: |settings| auto_text(settings.threads),
        set: |settings, value| {
            automatic(value, 1, 1024).map(|count| settings.threads = count.map(|n| n as usize))
        },
    },
    Parameter {
        name: "parallel",
        help: "how threads search: each with a tree of its own, merged at the root, or all one tree",
        show: |settings| settings.parallel.name().to_string(),
        set: |settings, value| {
            let found = Parallel::ALL.iter().find(|way| way.name() == value);
            settings.parallel = *found.ok_or("expected root or tree")?;
            Ok(())
        },
    },
    Parameter {
        name: "weight_bits",
        help: "mast: the bits of a move's weight in playouts on lanes",
        show: |settings| settings.weight_bits.to_string(),
        set: |settings, value| {
            count(value, 1, 16).map(|count| settings.weight_bits = count as usize)
        },
    },
    Parameter {
        name: "credit_first",
        help: "mast: so many playouts of a turn that come first are all credited",
        show: |settings| settings.credit_first.to_string(),
        set: |settings, value| count(value, 0, 1 << 40).map(|count| settings.credit_first = count),
    },
    Parameter {
        name: "credit_one_of",
        help: "mast: of so many playouts behind those, the moves of one are credited",
        show: |settings| settings.credit_one_of.to_string(),
        set: |settings, value| count(value, 1, 1 << 20).map(|count| settings.credit_one_of = count),
    },
    Parameter {
        name: "playout_limit",
        help: "joint moves after which a playout is given up",
        show: |settings| settings.playout_limit.to_string(),
        set: |settings, value| {
            count(value, 1, Settings::HIGHEST_PLAYOUT_LIMIT)
                .map(|count| settings.playout_limit = count)
        },
    },
    Parameter {
        name: "margin",
        help: "milliseconds kept in reserve before a deadline",
        show: |settings| settings.margin.to_string(),
        set: |settings, value| count(value, 0, 60_000).map(|count| settings.margin = count),
    },
];

fn number(value: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}

fn count(value: &str, least: u64, most: u64) -> Result<u64, String> {
    count_within(least, most)(value)
        .map_err(|_| format!("expected a whole number from {least} to {most}"))
}

fn automatic(value: &str, least: u64, most: u64) -> Result<Option<u64>, String> {
    if value == "auto" {
        return Ok(None);
    }
    count(value, least, most).map(Some).map_err(|expected| format!("{expected}, or auto"))
}

fn auto_text(value: Option<impl ToString>) -> String {
    value.map_or("auto".to_string(), |value| value.to_string())
}

fn switch(value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected on or off".to_string()),
    }
}

fn switch_text(on: bool) -> String {
    if on { "on" } else { "off" }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_settings_show_is_read_as_the_same_settings() {
        let mut unusual = Settings::default();
        for text in [
            "strategy=mast",
            "c=12.5",
            "discount=0.99",
            "tau=3",
            "transpositions=off",
            "one_role=off",
            "in_flight=17",
            "visits_per_flight=4",
            "lanes_per_leaf=3",
            "memory=64",
            "threads=3",
            "parallel=tree",
            "weight_bits=6",
            "credit_first=99",
            "credit_one_of=5",
            "playout_limit=99",
            "margin=1000",
        ] {
            unusual.set(text).unwrap_or_else(|error| panic!("{error}"));
        }
        for settings in [Settings::default(), unusual] {
            let mut read = Settings::default();
            for (name, value) in settings.list() {
                read.set_value(name, &value).expect("what was shown can be read");
            }
            assert_eq!(read, settings);
        }
    }

    #[test]
    fn complaints_say_what_is_expected() {
        let complaint = |text: &str| {
            Settings::default().set(text).expect_err("a setting that cannot be").to_string()
        };
        assert_eq!(complaint("c"), "c is no setting; write name=value, such as c=40");
        assert_eq!(complaint("c=-1"), "c=-1: expected a number from 0 to 1000000");
        assert_eq!(complaint("c=NaN"), "c=NaN: expected a number from 0 to 1000000");
        assert_eq!(
            complaint("in_flight=0"),
            "in_flight=0: expected a whole number from 1 to 65536, or auto"
        );
        assert_eq!(complaint("transpositions=yes"), "transpositions=yes: expected on or off");
        assert_eq!(
            complaint("strategy=best"),
            "strategy=best: expected one of uct, mast, mc, mc_mem, random"
        );
        assert!(complaint("d=1").starts_with("there is no parameter d; there are strategy, c, "));
    }
}
