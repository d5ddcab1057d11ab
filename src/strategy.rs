//! Names and values -> settings of a search: from arguments, players' descriptions and files.
//!
//! All of them are lists of `name=value`. The strategy is determined first, whichever of them names
//! it, because it sets the default values of the other parameters.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;

use crate::agent::AgentSettings;
use crate::search::{
    Parameter, STRATEGY, Scheme, SchemeError, SettingError, Settings, parameters, preset_names,
};
use crate::suggest::close_names;

/// The strategy where none is named.
pub const DEFAULT: &str = "auto";

/// A parameter and a value, as they were written.
pub type Pair = (String, String);

/// What is wrong with a choice of settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// There is no such strategy.
    #[error("there is no strategy {name}; {hint}")]
    UnknownStrategy {
        /// The name.
        name: String,
        /// The names that are close to it, or all names.
        hint: String,
    },
    /// There is no such parameter.
    #[error("there is no parameter {name}; {hint}")]
    UnknownParameter {
        /// The name.
        name: String,
        /// The names that are close to it, or all names.
        hint: String,
    },
    /// The parts of a strategy do not fit together.
    #[error(transparent)]
    Scheme(SchemeError),
    /// A parameter cannot have its value.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A file of settings cannot be understood.
    #[error("{0}")]
    Config(String),
}

/// The settings that a list of pairs asks for; a later pair overrules an earlier one.
pub fn settings(pairs: &[Pair]) -> Result<AgentSettings, StrategyError> {
    let chosen = pairs.iter().rev().find(|(name, _)| name == STRATEGY);
    let scheme = named(chosen.map_or(DEFAULT, |(_, value)| value))?;
    let mut settings = AgentSettings::from(Settings::new(scheme));
    for (name, value) in pairs.iter().filter(|(name, _)| name != STRATEGY) {
        settings.set_value(name, value).map_err(|error| match error {
            SettingError::UnknownName { name, .. } => {
                let all = all_parameters();
                let names: Vec<&str> = all.iter().map(|parameter| parameter.name).collect();
                StrategyError::UnknownParameter { hint: hint(&name, &names), name }
            }
            error => StrategyError::Setting(error),
        })?;
    }
    Ok(settings)
}

/// All parameters of a player: those of its search, and its own.
pub fn all_parameters() -> Vec<Parameter> {
    let mut all = parameters();
    all.extend([AgentSettings::MARGIN, AgentSettings::EARLY]);
    all
}

/// The strategy of that name, in any letter case.
pub fn named(name: &str) -> Result<Scheme, StrategyError> {
    Scheme::named(name).map_err(|error| match error {
        SchemeError::Unknown { name } => {
            StrategyError::UnknownStrategy { hint: hint(&name, &preset_names()), name }
        }
        error => StrategyError::Scheme(error),
    })
}

/// A pair written as `name=value`.
pub fn pair(text: &str) -> Result<Pair, StrategyError> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| SettingError::NoValue { text: text.to_string() })?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// The pairs of a file: a JSON object, or else a TOML document, with a value for each name.
/// Switches may be written as `true` and `false`.
pub fn read_config(text: &str) -> Result<Vec<Pair>, StrategyError> {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_json = text.trim_start().starts_with('{');
    let Entries(entries) = if is_json {
        serde_json::from_str(text).map_err(|error| refused("JSON", &error.to_string()))?
    } else {
        toml::from_str(text).map_err(|error| refused("TOML", &located(text, &error)))?
    };
    let pair = |(name, value): (String, Value)| {
        let value = config_value(&name, value)?;
        Ok((name, value))
    };
    entries.into_iter().map(pair).collect()
}

fn refused(format: &str, why: &str) -> StrategyError {
    StrategyError::Config(format!("not settings in {format}: {why}"))
}

/// What is wrong with a TOML document, after the place where it is wrong.
fn located(text: &str, error: &toml::de::Error) -> String {
    let message = error.message();
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return message.to_string();
    };
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("line {line}, column {column}: {message}")
}

fn config_value(name: &str, value: Value) -> Result<String, StrategyError> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(on) => Ok(if on { "on" } else { "off" }.to_string()),
        _ => {
            Err(StrategyError::Config(format!("{name} needs one value: a number, text, or switch")))
        }
    }
}

/// The names and values of a file, in its order. In TOML each name is unique; if a JSON object
/// repeats a name, a map would silently keep the last value.
struct Entries(IndexMap<String, Value>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("names with their values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = IndexMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if entries.contains_key(&name) {
                return Err(A::Error::custom(format!("{name} is given twice")));
            }
            entries.insert(name, map.next_value()?);
        }
        Ok(Entries(entries))
    }
}

/// The name that was probably meant, and all known names.
fn hint(name: &str, names: &[&str]) -> String {
    match close_names(name, names.iter().copied(), 1).first() {
        Some(close) => format!("did you mean {close}? There are {}", names.join(", ")),
        None => format!("there are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Result<AgentSettings, String> {
        let pairs: Result<Vec<Pair>, _> = texts.iter().map(|text| pair(text)).collect();
        pairs.and_then(|pairs| settings(&pairs)).map_err(|error| error.to_string())
    }

    #[test]
    fn later_pairs_overrule_earlier_ones() {
        let read = of(&["strategy=mc", "c=1", "strategy=mast", "c = 60"]).expect("settings");
        assert_eq!(read.search.scheme.name(), "mast");
        assert_eq!(read.search.get("c").as_deref(), Some("60"));
        assert_eq!(of(&["strategy=MaSt"]).expect("settings").search.scheme.name(), "mast");
        assert_eq!(of(&[]).expect("settings").search.scheme.name(), DEFAULT);
        assert!(!of(&["early=off"]).expect("settings").ends_early);
        let patient = of(&["margin=1000"]).expect("settings");
        assert_eq!(patient.margin.as_millis(), 1000);
    }

    #[test]
    fn complaints_name_what_there_is() {
        let all = format!("There are {}", preset_names().join(", "));
        assert_eq!(
            of(&["strategy=masst"]).expect_err("none"),
            format!("there is no strategy masst; did you mean mast? {all}")
        );
        let lost = of(&["strategy=xyz"]).expect_err("none");
        assert!(lost.starts_with("there is no strategy xyz; there are uct, auto, mast"), "{lost}");
        let lost = of(&["discuont=1"]).expect_err("none");
        assert!(lost.starts_with("there is no parameter discuont; did you mean discount? "));
        assert!(of(&["c"]).expect_err("none").contains("write name=value"));
        assert!(of(&["c=x"]).expect_err("none").contains("expected a number"));
    }

    #[test]
    fn files_are_toml_or_json() {
        let wanted = of(&["strategy=mast", "c=12.5", "threads=2", "transpositions=off"]);
        let toml = "# ours\nstrategy = \"mast\"\nc = 12.5\nthreads = 2\ntranspositions = false\n";
        let json = r#" {"strategy": "mast", "c": 12.5, "threads": 2, "transpositions": "off"}"#;
        for text in [toml, json] {
            let pairs = read_config(text).expect("a file of settings");
            assert_eq!(settings(&pairs).map_err(|error| error.to_string()), wanted);
        }
        let complaint = |text| read_config(text).expect_err("no settings").to_string();
        assert!(complaint("c = ").starts_with("not settings in TOML: "));
        assert!(complaint("{\"c\": 1").starts_with("not settings in JSON: "));
        assert_eq!(complaint("c = [1]"), "c needs one value: a number, text, or switch");
    }

    #[test]
    fn complaints_about_files_name_the_place() {
        let complaint = |text| read_config(text).expect_err("no settings").to_string();
        for (text, place) in [
            ("c =", "line 1, column 4: "),
            ("# größer\r\nc = 1\r\n  ä = 2\r\n", "line 3, column 3: "),
            ("c = 1\ntau = \"ä\" 5\n", "line 2, column 11: "),
            ("c = 1\nc = 2\n", "line 2, column 1: "),
        ] {
            let complaint = complaint(text);
            let begin = format!("not settings in TOML: {place}");
            assert!(complaint.starts_with(&begin), "{text:?}: {complaint}");
        }
        assert!(complaint("{\"c\": 1,\n \"tau\" 5}").contains(" at line 2 column 8"));
    }

    #[test]
    fn a_mark_of_the_encoding_is_no_text() {
        for text in ["\u{feff}{\"c\": 60}", "\u{feff}c = 60\n"] {
            let pairs = read_config(text).expect("a file of settings");
            assert_eq!(pairs, [("c".to_string(), "60".to_string())]);
        }
        let complaint = |text| read_config(text).expect_err("no settings").to_string();
        assert!(complaint("\u{feff}{\"c\"}").starts_with("not settings in JSON: "));
        assert!(complaint("\u{feff}c =").contains(": line 1, column 4: "));
    }

    #[test]
    fn a_name_is_given_once() {
        let complaint = |text| read_config(text).expect_err("no settings").to_string();
        assert_eq!(
            complaint("{\"c\": 60,\n \"tau\": 5,\n \"c\": 40}"),
            "not settings in JSON: c is given twice at line 3 column 4"
        );
        assert!(complaint("c = 60\nc = 40\n").contains(": line 2, column 1: duplicate key"));
    }

    #[test]
    fn every_parameter_says_what_it_may_be() {
        let expected = |name: &str| {
            let all = all_parameters();
            let found = all.iter().find(|parameter| parameter.name == name);
            found.expect("a parameter").form.expected()
        };
        assert_eq!(expected("c"), "a number from 0 to 1000000");
        assert_eq!(expected("threads"), "a whole number from 1 to 1024, or auto");
        assert_eq!(expected("margin"), "a whole number from 0 to 60000");
    }
}
