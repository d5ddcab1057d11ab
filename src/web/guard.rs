//! Who may ask: this machine alone, or whoever knows the token.
//!
//! A page of another origin may neither read nor change anything: a browser names the page that asks
//! (`Origin`, `Sec-Fetch-Site`) and the host that is asked (`Host`), and both must be ours.

use rand::RngExt;
use warp::http::HeaderMap;
use warp::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};

use super::error::ApiError;
use crate::protocol::Access;

/// The checks of all requests.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    access: Access,
    /// What the address contains when others than this machine can reach the server.
    token: Option<String>,
}

/// The name of the cookie that keeps the token.
const KEPT: &str = "ludens-token";

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Admission {
    /// A cookie for the browser, where the token came in the address.
    pub(super) cookie: Option<String>,
}

impl Guard {
    /// The checks of a server that listens on this name; with a token if others can reach it.
    pub(super) fn new(access: Access, host: &str, needs_token: bool) -> Self {
        let digits = || {
            let mut random = rand::rng();
            (0..32).map(|_| format!("{:x}", random.random_range(0..16_u8))).collect()
        };
        Guard { access: access.with_own_names(host), token: needs_token.then(digits) }
    }

    /// The token of the address.
    pub(super) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether a request is allowed, or why not.
    pub(super) fn check(&self, headers: &HeaderMap, query: &str) -> Result<Admission, ApiError> {
        self.access.check_host(headers).map_err(ApiError::forbidden)?;
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        let own = text(HOST).map(|host| format!("http://{host}"));
        let is_own =
            |origin: &str| own.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(origin));
        let has_foreign_origin = headers.contains_key(ORIGIN) && !text(ORIGIN).is_some_and(is_own);
        if has_foreign_origin || matches!(site, Some("cross-site" | "same-site")) {
            return Err(ApiError::forbidden("pages of other origins may not use this server"));
        }
        let Some(token) = &self.token else { return Ok(Admission::default()) };
        let in_address = value_of(query.split('&'), "token");
        if in_address.is_some_and(|given| same(given, token)) {
            let cookie = format!("{KEPT}={token}; Path=/; HttpOnly; SameSite=Strict");
            return Ok(Admission { cookie: Some(cookie) });
        }
        let kept = text(COOKIE).and_then(|all| value_of(all.split(';').map(str::trim), KEPT));
        let bearer = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        match [kept, bearer].into_iter().flatten().any(|given| same(given, token)) {
            true => Ok(Admission::default()),
            false => Err(ApiError::forbidden(
                "open the address that `ludens web` has printed: it contains the token",
            )),
        }
    }
}

fn value_of<'t>(mut pairs: impl Iterator<Item = &'t str>, name: &str) -> Option<&'t str> {
    pairs
        .find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name))
        .map(|(_, value)| value)
}

/// Compares all bytes, so that the time taken says nothing about how many are right.
fn same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use warp::http::HeaderValue;

    use super::*;

    fn check(
        guard: &Guard,
        headers: &[(&'static str, &str)],
        query: &str,
    ) -> Result<Admission, u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, HeaderValue::from_str(value).expect("a value"));
        }
        guard.check(&map, query).map_err(|error| error.status.as_u16())
    }

    #[test]
    fn pages_of_other_origins_are_refused() {
        let guard = Guard::new(Access::default(), "127.0.0.1", false);
        let host = ("host", "127.0.0.1:9180");
        for ok in [
            &[host][..],
            &[host, ("origin", "http://127.0.0.1:9180")],
            &[host, ("sec-fetch-site", "same-origin")],
            &[host, ("sec-fetch-site", "none")],
            &[("host", "localhost:9180"), ("origin", "http://localhost:9180")],
        ] {
            assert_eq!(check(&guard, ok, ""), Ok(Admission::default()), "{ok:?}");
        }
        for bad in [
            &[host, ("origin", "http://evil.org")][..],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://127.0.0.1:9181")],
            &[host, ("origin", "https://127.0.0.1:9180")],
            &[host, ("sec-fetch-site", "cross-site")],
            &[("host", "evil.org:9180")],
            &[("origin", "http://127.0.0.1:9180")],
        ] {
            assert_eq!(check(&guard, bad, ""), Err(403), "{bad:?}");
        }
    }

    #[test]
    fn a_token_is_needed_where_others_can_ask() {
        let guard = Guard::new(Access::default(), "0.0.0.0", true);
        let token = guard.token().expect("a token").to_string();
        assert_eq!(token.len(), 32);
        assert_ne!(Guard::new(Access::default(), "0.0.0.0", true).token(), Some(token.as_str()));
        let host = ("host", "10.0.0.1:9180");
        let kept = format!("a=b; {KEPT}={token}");
        let bearer = format!("Bearer {token}");
        let by_address = check(&guard, &[host], &format!("x=1&token={token}")).expect("allowed");
        assert!(
            by_address.cookie.is_some_and(|cookie| cookie.contains("HttpOnly; SameSite=Strict"))
        );
        assert_eq!(check(&guard, &[host, ("cookie", &kept)], ""), Ok(Admission::default()));
        assert_eq!(
            check(&guard, &[host, ("authorization", &bearer)], ""),
            Ok(Admission::default())
        );
        for query in ["", "token=", "token=0", &format!("token={token}0")] {
            assert_eq!(check(&guard, &[host], query), Err(403), "{query}");
        }
    }
}
