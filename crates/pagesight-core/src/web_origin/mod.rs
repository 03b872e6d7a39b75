//! Origins: scheme, host and port of a document. Every question about them is answered here.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// The longest name of a host.
const LONGEST_HOST: usize = 253;

/// The origin of a document, as browsers write it: `https://host` or `https://host:8443`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WebOrigin {
    text: String,
    /// The host, without the brackets of an IPv6 address.
    host: String,
}

/// The given text is not an origin.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[error(
    "{given:?} is not an origin; give scheme, host and port only, such as https://shop.example or http://localhost:3000"
)]
pub struct WebOriginError {
    /// The given text, cut.
    pub given: String,
}

impl WebOrigin {
    /// Returns the origin of an `http:` or `https:` address; none of any other.
    pub fn of_address(address: &str) -> Option<WebOrigin> {
        let url =
            Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let host = match url.host()? {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(number) => number.to_string(),
            Host::Ipv6(number) => number.to_string(),
        };
        Some(WebOrigin { text: url.origin().ascii_serialization(), host })
    }

    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a host belongs to a different site. Other ports, sub-domains of this host and its
    /// parent domains belong to the same site.
    pub fn is_other_site(&self, host: &str) -> bool {
        let plain = |host: &str| {
            let host = host.to_ascii_lowercase();
            host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
        };
        let is_local = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1");
        let (own, host) = (plain(&self.host), plain(host));
        let below = |inner: &str, outer: &str| {
            outer.contains('.') && inner.strip_suffix(outer).is_some_and(|rest| rest.ends_with('.'))
        };
        let same = own == host
            || (is_local(&own) && (is_local(&host) || host.ends_with(".localhost")))
            || below(&host, &own)
            || below(&own, &host);
        !same
    }
}

impl fmt::Display for WebOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reads what people write. `url` corrects much of it, such as `https://127.1`; an origin that may
/// get a secret is not guessed.
impl FromStr for WebOrigin {
    type Err = WebOriginError;

    fn from_str(given: &str) -> Result<WebOrigin, WebOriginError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        let is_web =
            |scheme: &str| ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str());
        let written = given.split_once("://").filter(|(scheme, authority)| {
            is_web(scheme) && authority.chars().all(plain) && !authority.ends_with(':')
        });
        let origin = written.and_then(|(_, authority)| {
            let origin = WebOrigin::of_address(given)?;
            let is_written = authority.starts_with('[') || {
                let host = authority.split(':').next().unwrap_or_default();
                host.eq_ignore_ascii_case(&origin.host)
                    && host.len() <= LONGEST_HOST
                    && host.split('.').all(|label| !label.is_empty())
            };
            (is_written && !origin.text.ends_with(":0")).then_some(origin)
        });
        origin.ok_or_else(|| WebOriginError { given: given.chars().take(100).collect() })
    }
}

#[cfg(test)]
mod tests;
