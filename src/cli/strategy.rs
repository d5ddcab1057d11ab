//! The arguments that choose a strategy, and the settings that they become.

use std::fs::File;
use std::io::Read;

use anyhow::{Context, Result};
use ludens::agent::AgentSettings;
use ludens::strategy::{self, Pair, StrategyError};

/// How moves are chosen. `--set` overrides `--strategy`, which overrides the file.
#[derive(clap::Args, Clone, Default)]
pub(crate) struct StrategyArgs {
    /// How moves are chosen; `ludens strategies` lists the strategies [default: auto]
    #[arg(long, value_name = "NAME", help_heading = STRATEGY)]
    strategy: Option<String>,
    /// Set a parameter of the strategy, such as c=60; may be repeated
    #[arg(long, value_name = "NAME=VALUE", help_heading = STRATEGY, value_parser = pair)]
    set: Vec<Pair>,
    /// A file with the strategy and its parameters, in TOML or JSON
    #[arg(long, value_name = "FILE", help_heading = STRATEGY)]
    config: Option<String>,
}

const STRATEGY: &str = "Strategy";

/// The largest file of settings, in bytes; a sensible one is smaller.
const MAX_BYTES: u64 = 1 << 20;

impl StrategyArgs {
    /// Whether any of the arguments was given.
    pub(crate) fn is_given(&self) -> bool {
        self.strategy.is_some() || !self.set.is_empty() || self.config.is_some()
    }

    /// The settings, read and checked.
    pub(crate) fn settings(&self) -> Result<AgentSettings> {
        let mut pairs = match &self.config {
            Some(file) => read(file)?,
            None => Vec::new(),
        };
        // An error in the file names it; errors in arguments do not.
        if let Some(file) = &self.config {
            strategy::settings(&pairs).with_context(|| file.clone())?;
        }
        pairs.extend(self.strategy.iter().map(|name| ("strategy".to_string(), name.clone())));
        pairs.extend(self.set.iter().cloned());
        Ok(strategy::settings(&pairs)?)
    }
}

fn read(file: &str) -> Result<Vec<Pair>> {
    let mut text = String::new();
    let read = File::open(file).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
    read.with_context(|| format!("cannot read {file}"))?;
    strategy::read_config(&text).with_context(|| file.to_string())
}

fn pair(text: &str) -> Result<Pair, StrategyError> {
    strategy::pair(text)
}
