//! Which requests are allowed: from web pages of named origins, to host names of this server.
//!
//! A browser says which page sends a request (`Origin`), and which host name it was sent to
//! (`Host`). The first keeps out pages from anywhere. The second keeps out pages that have let
//! their own name point to this machine (DNS rebinding): such a request has a name that is not
//! ours. An address in numbers cannot be rebound, and game managers are not browsers and send no
//! origin.

use std::net::IpAddr;

use propnet::gdl::visible;
use warp::http::header::{HOST, ORIGIN};
use warp::http::{HeaderMap, HeaderValue};

use crate::text::shortened;

/// Origins and host names that are allowed besides those that always are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Origins of web pages, such as `http://example.org:8080`; `*` is any. None by default.
    pub origins: Vec<String>,
    /// Host names besides addresses, `localhost` and the name of this machine; `*` is any.
    pub hosts: Vec<String>,
}

/// The longest name that a complaint repeats, in letters.
const SHOWN: usize = 80;

/// Stands for all origins, or all hosts.
const ANY: &str = "*";

/// What a page may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Permission {
    /// The origin that may read the reply; none where no page asked.
    pub(super) origin: Option<HeaderValue>,
}

impl Access {
    /// Also allows the name that the server listens on, and the name of this machine.
    pub(crate) fn with_own_names(mut self, host: &str) -> Self {
        let machine = gethostname::gethostname().to_string_lossy().into_owned();
        // The second is how other machines in a local network find it.
        self.hosts.extend([host.to_string(), format!("{machine}.local"), machine]);
        self
    }

    /// Whether the host that a request is for is one of ours, or why not.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), String> {
        if let Some(host) = headers.get(HOST) {
            let host = host.to_str().unwrap_or_default();
            if !self.is_ours(host) {
                let name = shown(host_name(host));
                return Err(format!(
                    "the host name {name} is not known here; use an address, or start the \
                     server with --allow-host {name}"
                ));
            }
        }
        Ok(())
    }

    /// Whether a request is allowed, or why not.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<Permission, String> {
        self.check_host(headers)?;
        let Some(origin) = headers.get(ORIGIN) else { return Ok(Permission::default()) };
        let named = origin.to_str().unwrap_or_default();
        if self.origins.iter().any(|known| known == ANY) {
            return Ok(Permission { origin: Some(HeaderValue::from_static(ANY)) });
        }
        if self.origins.iter().any(|known| is_same_origin(known, named)) {
            return Ok(Permission { origin: Some(origin.clone()) });
        }
        let origin = shown(named);
        Err(format!(
            "web pages of {origin} may not use this player; to allow them, start it with \
             --allow-origin {origin}"
        ))
    }

    fn is_ours(&self, host: &str) -> bool {
        let name = host_name(host);
        is_address(name)
            || is_localhost(name)
            || self.hosts.iter().any(|known| known == ANY || same_name(known, name))
    }
}

/// The name of a host without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        // Colons within brackets are those of an address.
        Some((name, port)) if !port.contains(']') => name,
        _ => host,
    }
}

fn is_address(name: &str) -> bool {
    let inside = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    inside.unwrap_or(name).parse::<IpAddr>().is_ok()
}

fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

fn same_name(a: &str, b: &str) -> bool {
    a.trim_end_matches('.').eq_ignore_ascii_case(b.trim_end_matches('.'))
}

fn is_same_origin(a: &str, b: &str) -> bool {
    a.trim_end_matches('/').eq_ignore_ascii_case(b)
}

fn shown(name: &str) -> String {
    visible(&shortened(name, SHOWN)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(access: &Access, host: &str, origin: &str) -> Result<Permission, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in [(HOST, host), (ORIGIN, origin)] {
            if !value.is_empty() {
                headers.insert(name, HeaderValue::from_str(value).expect("a value"));
            }
        }
        access.check(&headers)
    }

    #[test]
    fn hosts_are_addresses_and_names_of_ours() {
        let access = Access { hosts: vec!["Player.example.org".to_string()], ..Access::default() };
        let access = access.with_own_names("games");
        let own = gethostname::gethostname().to_string_lossy().into_owned();
        for host in [
            "",
            "localhost",
            "LOCALHOST:9147",
            "a.localhost",
            "127.0.0.1:9147",
            "10.1.2.3",
            "[::1]:9147",
            "[fe80::1]",
            "player.example.org:9147",
            "games:1",
            &format!("{own}:9147"),
            &format!("{own}.local"),
        ] {
            assert!(check(&access, host, "").is_ok(), "{host}");
        }
        for host in ["evil.org", "evil.org:9147", "localhost.evil.org", "127.0.0.1.evil.org", ":1"]
        {
            let why = check(&access, host, "").expect_err(host);
            assert!(why.contains("--allow-host"), "{why}");
        }
        let any = Access { hosts: vec!["*".to_string()], ..Access::default() };
        assert!(check(&any, "evil.org", "").is_ok());
    }

    #[test]
    fn pages_are_let_in_by_origin() {
        let none = Access::default();
        assert_eq!(check(&none, "localhost", ""), Ok(Permission::default()));
        for origin in ["http://example.org", "null", "http://localhost:9147"] {
            let why = check(&none, "localhost", origin).expect_err(origin);
            assert!(why.contains(&format!("--allow-origin {origin}")), "{why}");
        }
        let origins = vec!["http://example.org/".to_string()];
        let one = Access { origins, ..Access::default() };
        let allowed = check(&one, "", "http://example.org").expect("it is allowed");
        assert_eq!(allowed.origin, Some(HeaderValue::from_static("http://example.org")));
        assert!(check(&one, "", "http://example.org.evil.org").is_err());
        assert!(check(&one, "", "https://example.org").is_err());
        let all = Access { origins: vec!["*".to_string()], ..Access::default() };
        let allowed = check(&all, "", "null").expect("all are allowed");
        assert_eq!(allowed.origin, Some(HeaderValue::from_static("*")));
    }
}
