//! What can be chosen about a search: a scheme, and values of parameters by name.

use std::str::FromStr;

use propnet::program::StepOptions;

use super::memory::machine_bytes;
use super::policy::LEARNING;
use super::scheme::{PLAYING, PRESETS, Parameter, Scheme, SchemeError, Values, parts, step_needs};
use super::solver::{ONE_ROLE, PORTFOLIO};
use super::strategies::{CHOICE_BY, StrategyMix};

/// The name under which the scheme itself is set.
pub const STRATEGY: &str = "strategy";

/// What can be chosen about a search. Each part uses the parameters that concern it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The parts that the search is made of.
    pub scheme: Scheme,
    pub(super) values: Values,
}

/// Parameters of one subject.
pub struct ParameterGroup {
    /// The part that they belong to, or what they are about.
    pub name: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// There is no `=`.
    #[error("{text} is not a setting; write name=value, such as c=40")]
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
    /// The parameter cannot have this value.
    #[error("{name}={value}: expected {expected}")]
    Value {
        /// The name.
        name: &'static str,
        /// The value.
        value: String,
        /// What is expected.
        expected: String,
    },
    /// The parts of a strategy do not fit together.
    #[error("{0}; there are {known}", known = preset_names().join(", "))]
    Scheme(#[from] SchemeError),
}

impl Parameter {
    /// The value that a text stands for.
    pub(crate) fn read(&self, text: &str) -> Result<f64, SettingError> {
        self.form.read(text).map_err(|expected| SettingError::Value {
            name: self.name,
            value: text.to_string(),
            expected,
        })
    }
}

impl Settings {
    /// What a step of playouts must be able to do for such searches, in a game with `roles` roles.
    pub fn step_options(&self, roles: usize) -> StepOptions {
        step_needs(&self.scheme, &self.values, roles)
    }

    /// The default settings of a scheme.
    pub fn new(scheme: Scheme) -> Self {
        Settings { scheme, values: Values::default() }
    }

    /// The default settings of the scheme with this name, such as `mast`.
    pub fn named(name: &str) -> Result<Self, SchemeError> {
        Scheme::named(name).map(Settings::new)
    }

    /// Changes one setting, written as `name=value`.
    pub fn set(&mut self, text: &str) -> Result<(), SettingError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| SettingError::NoValue { text: text.to_string() })?;
        self.set_value(name.trim(), value.trim())
    }

    /// Changes the setting of that name.
    pub fn set_value(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        if name == STRATEGY {
            self.scheme = Scheme::named(value)?;
            return Ok(());
        }
        let all = parameters();
        let Some(parameter) = all.iter().find(|parameter| parameter.name == name) else {
            let names = all.iter().map(|parameter| parameter.name);
            let known: Vec<&str> = std::iter::once(STRATEGY).chain(names).collect();
            return Err(SettingError::UnknownName {
                name: name.to_string(),
                known: known.join(", "),
            });
        };
        self.values.put(parameter, parameter.read(value)?);
        Ok(())
    }

    /// The same settings with one changed, written as `name=value`.
    pub fn with(mut self, text: &str) -> Result<Self, SettingError> {
        self.set(text)?;
        Ok(self)
    }

    /// The value of a parameter as it is written; none if there is no such parameter.
    pub fn get(&self, name: &str) -> Option<String> {
        let all = self.list();
        all.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The scheme and all parameters with their values, as they are written.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        let values = parameters().into_iter().map(|one| (one.name, self.values.show(&one)));
        std::iter::once((STRATEGY, self.scheme.name().to_string())).chain(values).collect()
    }

    /// The bytes that all trees may take; none for a share of the machine's memory.
    pub fn memory(&self) -> Option<u64> {
        self.values.count_or_auto(&MEMORY).map(|megabytes| megabytes << 20)
    }

    /// Bounds the bytes that all trees may take, in whole megabytes, unless that was done before.
    pub fn limit_memory(&mut self, bytes: u64) {
        if self.memory().is_none() {
            self.values.put(&MEMORY, (bytes >> 20).max(1) as f64);
        }
    }

    /// Leaves the trees half of their memory. The bytes of the other half.
    pub fn halve_memory(&mut self) -> u64 {
        let half = self.memory().unwrap_or_else(|| machine_bytes() / 4) / 2;
        self.values.put(&MEMORY, (half >> 20).max(1) as f64);
        half
    }

    /// The same for a search in one thread, with a tree of so many bytes.
    pub(super) fn alone(&self, bytes: u64) -> Self {
        let mut alone = self.clone();
        alone.values.put(&THREADS, 1.0);
        alone.values.put(&MEMORY, (bytes >> 20).max(1) as f64);
        alone
    }

    /// The settings that play as long as no scheme was chosen for the game.
    pub fn base(&self) -> Self {
        Settings { scheme: self.scheme.base(), values: self.values.clone() }
    }

    /// Whether a player under a clock searches by the methods for puzzles as well.
    pub fn uses_portfolio(&self, roles: usize) -> bool {
        let is_on = self.values.is_on(&ONE_ROLE) && self.values.is_on(&PORTFOLIO);
        roles == 1 && is_on && self.scheme.needs_search()
    }

    /// What playouts choose by, if they look ahead.
    pub(super) fn strategy_mix(&self, roles: usize) -> Option<StrategyMix> {
        StrategyMix::new(&self.scheme.strategies, &self.values, roles)
    }

    /// The threads that search; none for one on each core.
    pub fn threads(&self) -> Option<usize> {
        self.values.count_or_auto(&THREADS).map(|count| count as usize)
    }

    /// Sets the number of threads, unless it was chosen before.
    pub fn limit_threads(&mut self, count: usize) {
        if self.threads().is_none() {
            self.values.put(&THREADS, count as f64);
        }
    }
}

impl FromStr for Settings {
    type Err = SettingError;

    /// A scheme with parameters, written as `mast:c=60:threads=1`.
    fn from_str(text: &str) -> Result<Self, SettingError> {
        let mut parts = text.split(':');
        let mut settings = Settings::named(parts.next().unwrap_or_default())?;
        parts.try_for_each(|part| settings.set(part))?;
        Ok(settings)
    }
}

/// Whether equal states share a node.
pub(super) const TRANSPOSITIONS: Parameter =
    Parameter::switch("transpositions", "whether a state is one node however it was reached", true);

/// The memory of all trees.
const MEMORY: Parameter = Parameter::count_or_auto(
    "memory",
    "megabytes that the trees may hold; auto: a quarter of the machine's memory",
    1,
    1 << 24,
);

/// Simulations at once.
pub(super) const IN_FLIGHT: Parameter = Parameter::count_or_auto(
    "in_flight",
    "simulations in flight at once; auto: growing with the visits of the root",
    1,
    1 << 16,
);

/// How many of them `auto` allows. The quality of selection suffers from virtual losses, so their
/// number grows with what is known.
pub(super) const VISITS_PER_FLIGHT: Parameter = Parameter::count(
    "visits_per_flight",
    "in_flight=auto: one simulation in flight for n visits of the root",
    64,
    1,
    1 << 20,
);

/// Leaf parallelisation.
pub(super) const LANES_PER_LEAF: Parameter = Parameter::count_or_auto(
    "lanes_per_leaf",
    "playouts from one leaf; auto: one, or by time up to 64 to keep lanes busy and tree work low",
    1,
    4096,
);

/// Worker threads.
const THREADS: Parameter =
    Parameter::count_or_auto("threads", "threads that search; auto: one for each core", 1, 1024);

/// Root or tree parallelisation. With root parallelisation no thread waits for another, so in games
/// with small circuits two threads make twice the simulations, and play better than with one tree.
pub(super) const PARALLEL: Parameter = Parameter::word(
    "parallel",
    "how threads search: each with its own tree, merged at the root, or all in one tree",
    &["root", "tree"],
);

/// Parameters that belong to no part.
const GENERAL: &[ParameterGroup] = &[
    ParameterGroup { name: "learning", parameters: LEARNING },
    ParameterGroup { name: "simulation strategies", parameters: &[CHOICE_BY] },
    ParameterGroup { name: "playouts", parameters: PLAYING },
    ParameterGroup { name: "tree", parameters: &[TRANSPOSITIONS, MEMORY] },
    ParameterGroup {
        name: "simulations in flight",
        parameters: &[IN_FLIGHT, VISITS_PER_FLIGHT, LANES_PER_LEAF],
    },
    ParameterGroup { name: "threads", parameters: &[THREADS, PARALLEL] },
];

/// All parameters: those of each part, then the general ones.
pub fn parameter_groups() -> Vec<ParameterGroup> {
    let of_parts = parts().into_iter().filter(|part| !part.parameters.is_empty());
    let of_parts =
        of_parts.map(|part| ParameterGroup { name: part.name, parameters: part.parameters });
    let general = GENERAL
        .iter()
        .map(|group| ParameterGroup { name: group.name, parameters: group.parameters });
    of_parts.chain(general).collect()
}

/// All parameters, each once.
pub fn parameters() -> Vec<Parameter> {
    let mut all: Vec<Parameter> = Vec::new();
    for parameter in parameter_groups().iter().flat_map(|group| group.parameters) {
        if all.iter().all(|known| known.name != parameter.name) {
            all.push(*parameter);
        }
    }
    all
}

/// The names of the presets.
pub fn preset_names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::scheme::Form;

    /// A value that is not the usual one.
    fn another_value(parameter: &Parameter) -> String {
        let candidates = match parameter.form {
            Form::Number { least, most } => vec![least.to_string(), most.to_string()],
            Form::Count { least, most } | Form::CountOrAuto { least, most } => {
                vec![least.to_string(), most.to_string()]
            }
            Form::Switch => vec!["on".to_string(), "off".to_string()],
            Form::Word(words) => words.iter().map(|word| word.to_string()).collect(),
        };
        let usual = parameter.default_text();
        candidates.into_iter().find(|value| *value != usual).expect("it has several values")
    }

    #[test]
    fn what_settings_show_is_read_as_the_same_settings() {
        let mut unusual = Settings::default();
        unusual.set("strategy=mast").expect("a strategy");
        for parameter in parameters() {
            unusual.set_value(parameter.name, &another_value(&parameter)).expect("a value");
        }
        let (usual, unusual) = (Settings::default(), unusual);
        for (ours, theirs) in usual.list().iter().zip(unusual.list()) {
            assert_ne!(*ours, theirs, "every setting is changed");
        }
        for settings in [usual, unusual] {
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
            Settings::default().set(text).expect_err("a setting that is invalid").to_string()
        };
        assert_eq!(complaint("c"), "c is not a setting; write name=value, such as c=40");
        assert_eq!(complaint("c=-1"), "c=-1: expected a number from 0 to 1000000");
        assert_eq!(complaint("c=NaN"), "c=NaN: expected a number from 0 to 1000000");
        assert_eq!(
            complaint("in_flight=0"),
            "in_flight=0: expected a whole number from 1 to 65536, or auto"
        );
        assert_eq!(complaint("transpositions=yes"), "transpositions=yes: expected on or off");
        assert!(
            complaint("strategy=best").starts_with("there is no strategy best; there are uct, ")
        );
        assert!(complaint("d=1").starts_with("there is no parameter d; there are strategy, c, "));
    }

    #[test]
    fn a_scheme_is_written_with_its_parameters() {
        let settings: Settings = "mast:c=60:threads=1".parse().expect("settings");
        assert_eq!((settings.scheme.name(), settings.threads()), ("mast", Some(1)));
        assert_eq!(settings.get("c").as_deref(), Some("60"));
        assert!("mast:c".parse::<Settings>().is_err() && "best".parse::<Settings>().is_err());
    }

    #[test]
    fn bounds_of_others_keep_what_was_chosen() {
        let mut settings = Settings::default();
        settings.limit_memory(64 << 20);
        settings.limit_threads(2);
        settings.limit_memory(1 << 20);
        settings.limit_threads(1);
        assert_eq!(
            (settings.clone().halve_memory(), settings.uses_portfolio(2)),
            (32 << 20, false)
        );
        assert!(settings.uses_portfolio(1));
        assert_eq!((settings.memory(), settings.threads()), (Some(64 << 20), Some(2)));
    }
}
