//! Who plays a role, as people write it: `uct:c=60`, `random`, `human`, `http://localhost:9147`.

use std::fmt;
use std::str::FromStr;

use ureq::http::Uri;

use crate::agent::AgentSettings;
use crate::search::{STRATEGY, preset_names};
use crate::strategy::{self, Pair, StrategyError};

/// A player.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// Its name in records: the text that was given.
    pub name: String,
    /// What it is.
    pub kind: PlayerKind,
}

/// The kinds of players.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// A random legal move.
    Random,
    /// The first legal move in the order of their texts.
    First,
    /// A person at the terminal.
    Human,
    /// A search.
    Strategy(Box<AgentSettings>),
    /// A player at this HTTP address.
    Http(String),
}

/// Why a text does not describe a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The name is unknown.
    #[error(
        "there is no player {text}; a player is human, random, first, http://HOST:PORT, or a strategy \
         with its parameters, such as uct:c=60: {known}"
    )]
    Unknown {
        /// What was written.
        text: String,
        /// The strategies.
        known: String,
    },
    /// The address is invalid.
    #[error("{text} is not the address of a player: {reason}")]
    Address {
        /// What was written.
        text: String,
        /// Why.
        reason: String,
    },
    /// Its parameters name a second strategy.
    #[error("a player begins with its strategy: write {instead} instead of {text}")]
    SecondStrategy {
        /// What was written.
        text: String,
        /// What was probably meant.
        instead: String,
    },
    /// Invalid strategy parameters.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
}

impl Player {
    /// A player that searches with these settings.
    pub fn strategy(settings: AgentSettings) -> Self {
        let name = settings.search.scheme.name().to_string();
        Player { name, kind: PlayerKind::Strategy(Box::new(settings)) }
    }

    /// A person at the terminal.
    pub fn human() -> Self {
        Player { name: "human".to_string(), kind: PlayerKind::Human }
    }

    /// A player that makes random legal moves.
    pub fn random() -> Self {
        Player { name: "random".to_string(), kind: PlayerKind::Random }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        // Lists may have spaces after their commas.
        let text = text.trim();
        let kind = match text.to_lowercase().as_str() {
            "random" => PlayerKind::Random,
            "first" => PlayerKind::First,
            "human" => PlayerKind::Human,
            _ if text.contains("://") => PlayerKind::Http(address(text)?),
            _ => PlayerKind::Strategy(Box::new(searching(text)?)),
        };
        Ok(Player { name: text.to_string(), kind })
    }
}

/// `uct:c=60:threads=1`.
fn searching(text: &str) -> Result<AgentSettings, PlayerError> {
    let mut parts = text.split(':');
    let name = parts.next().unwrap_or_default();
    if strategy::named(name).is_err() {
        let known = preset_names().join(", ");
        return Err(PlayerError::Unknown { text: name.to_string(), known });
    }
    let mut pairs: Vec<Pair> = parts.map(strategy::pair).collect::<Result<_, _>>()?;
    if let Some((_, second)) = pairs.iter().rev().find(|(name, _)| name == STRATEGY) {
        strategy::named(second)?;
        let others = pairs.iter().filter(|(name, _)| name != STRATEGY);
        let others = others.map(|(name, value)| format!(":{name}={value}"));
        let instead = format!("{second}{}", others.collect::<String>());
        return Err(PlayerError::SecondStrategy { text: text.to_string(), instead });
    }
    pairs.push((STRATEGY.to_string(), name.to_string()));
    Ok(strategy::settings(&pairs)?)
}

/// The address in the form in which messages are sent to it.
fn address(text: &str) -> Result<String, PlayerError> {
    let refuse =
        |reason: &str| PlayerError::Address { text: text.to_string(), reason: reason.to_string() };
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("http") {
        return Err(refuse("the protocol of players is http"));
    }
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') {
        return Err(refuse("there is no host"));
    }
    let address = format!("http://{rest}");
    let uri = Uri::try_from(&address).map_err(|error| refuse(&error.to_string()))?;
    if !has_sound_port(&uri) {
        return Err(refuse("a port is a number from 1 to 65535"));
    }
    Ok(address)
}

/// Whether the port of an address, if it has one, can be one. The reader of addresses takes any
/// digits for a port.
fn has_sound_port(uri: &Uri) -> bool {
    let Some(authority) = uri.authority() else { return true };
    let slot = authority.as_str().rsplit('@').next().unwrap_or_default();
    match slot.strip_prefix(authority.host()).and_then(|rest| rest.strip_prefix(':')) {
        Some(port) => port.parse::<u16>().is_ok_and(|port| port > 0),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let read = |text: &str| text.parse::<Player>().expect("a player");
        assert_eq!(read("random"), Player::random());
        assert_eq!(read("human").kind, PlayerKind::Human);
        assert_eq!(read("first").kind, PlayerKind::First);
        let at = "http://localhost:9147";
        assert_eq!(read(at).kind, PlayerKind::Http(at.to_string()));
        let loud = read("HTTP://Localhost:9147");
        assert_eq!(loud.name, "HTTP://Localhost:9147");
        assert_eq!(loud.kind, PlayerKind::Http("http://Localhost:9147".to_string()));
        for at in ["http://[::1]:65535", "http://me@a:1/path", "http://a", "http://[::1]"] {
            assert_eq!(read(at).kind, PlayerKind::Http(at.to_string()));
        }
        let PlayerKind::Strategy(settings) = read("mast:c=60:threads=1").kind else {
            panic!("a strategy");
        };
        let search = &settings.search;
        assert_eq!((search.scheme.name(), search.threads()), ("mast", Some(1)));
        assert_eq!(search.get("c").as_deref(), Some("60"));
        assert_eq!(read("uct:c=60").to_string(), "uct:c=60");
        assert_eq!(read("uct"), Player::strategy(AgentSettings::default()));
        assert_eq!(read(" uct "), read("uct"));
        assert_eq!(read("UCT:c=60").kind, read("uct:c=60").kind);
        assert_eq!(read(" Random").kind, PlayerKind::Random);
    }

    #[test]
    fn complaints_say_what_there_is() {
        let complaint = |text: &str| text.parse::<Player>().expect_err("no player").to_string();
        let unknown = complaint("genius");
        assert!(unknown.starts_with("there is no player genius; a player is human"), "{unknown}");
        assert!(unknown.ends_with(&format!(": {}", preset_names().join(", "))), "{unknown}");
        assert!(complaint("uct:c").contains("write name=value"));
        assert!(complaint("uct:d=1").starts_with("there is no parameter d"));
        assert_eq!(
            complaint("uct:c=60:strategy=mast:tau=5"),
            "a player begins with its strategy: write mast:c=60:tau=5 instead of \
             uct:c=60:strategy=mast:tau=5"
        );
        assert!(complaint("uct:strategy=uct").contains(": write uct instead of "));
        assert!(complaint("uct:strategy=masst").contains("did you mean mast?"));
        assert!(complaint("https://x").ends_with("the protocol of players is http"));
        assert!(complaint("http://:80").ends_with("there is no host"));
        assert!(complaint("http://a b").contains("is not the address of a player"));
        for at in ["http://a:99999", "http://[::1]:65536/path", "HTTP://a:0", "http://a:"] {
            let complaint = complaint(at);
            assert!(complaint.ends_with(": a port is a number from 1 to 65535"), "{complaint}");
        }
    }
}
