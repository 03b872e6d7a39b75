//! Parses URLs and decides which may be opened. Only an [`Address`] can be navigated to.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use pagesight_core::hint::Hint;
use pagesight_core::text::address::{parts, without_values};

/// A URL that may be opened: `http`, `https`, `about:blank`, `data:`, and `file:` if that is
/// allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    text: String,
}

/// Why a URL cannot be opened.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[error("{given:?} cannot be opened: {problem}")]
pub struct AddressError {
    /// The beginning of the given text.
    pub given: String,
    /// The reason.
    pub problem: AddressProblem,
}

/// The reason why a URL cannot be opened.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum AddressProblem {
    #[error("the URL is empty; give one such as http://localhost:3000/")]
    Empty,
    #[error("the URL is longer than 2,000,000 bytes; serve the page over http instead")]
    TooLong,
    #[error("it holds control characters; give a URL such as http://localhost:3000/")]
    ControlCharacters,
    #[error("it names no host; give a URL such as http://localhost:3000/")]
    NoHost,
    #[error("file: is off")]
    FileUrl,
    #[error("only http, https, about:blank and data: can be")]
    Scheme,
    #[error("it has no scheme; did you mean {meant}?")]
    NoScheme { meant: String },
    #[error("it has no scheme; give a URL such as http://localhost:3000/")]
    NotAUrl,
}

impl AddressError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        (self.problem == AddressProblem::FileUrl).then_some(Hint::AllowFileUrls)
    }
}

/// Whether `file:` URLs may be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileUrls {
    /// An address error.
    #[default]
    Refused,
    /// They are opened like others.
    Allowed,
}

impl Address {
    /// Returns the URL as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Parses a URL that may be opened.
    pub fn parse(given: &str, file_urls: FileUrls) -> Result<Address, AddressError> {
        let text = given.trim();
        let shown: String = without_login(text).chars().take(100).collect();
        let wrong = |problem| Err(AddressError { given: shown.clone(), problem });
        if text.is_empty() {
            return wrong(AddressProblem::Empty);
        }
        if text.len() > 2_000_000 {
            return wrong(AddressProblem::TooLong);
        }
        if text.chars().any(|c| c.is_control()) {
            return wrong(AddressProblem::ControlCharacters);
        }
        let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let has_scheme = text.contains(':')
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        match scheme.as_str() {
            "http" | "https" if has_scheme => {
                let host = parts(text).map_or("", |(_, authority, _)| authority);
                if host.is_empty() || host.contains(' ') {
                    return wrong(AddressProblem::NoHost);
                }
            }
            "about" if text.eq_ignore_ascii_case("about:blank") => {}
            "data" if has_scheme => {}
            "file" if has_scheme && file_urls == FileUrls::Allowed => {}
            "file" if has_scheme => return wrong(AddressProblem::FileUrl),
            // After a host, the colon is followed by a port.
            _ if has_scheme
                && !text[scheme.len() + 1..].starts_with(|c: char| c.is_ascii_digit()) =>
            {
                return wrong(AddressProblem::Scheme);
            }
            _ => {
                return wrong(match completed_url(&shown) {
                    Some(meant) => AddressProblem::NoScheme { meant },
                    None => AddressProblem::NotAUrl,
                });
            }
        }
        Ok(Address { text: text.to_owned() })
    }
}

/// Returns the URL that a text without a scheme stands for: `localhost:3000`, `example.com/a`.
/// Local
/// hosts and IP addresses are reached over `http`, other hosts over `https`. `None`: it does not
/// begin with a host.
pub fn completed_url(given: &str) -> Option<String> {
    let given = given.trim();
    let authority = given.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return None;
    }
    let address = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_ip = host.parse::<Ipv4Addr>().is_ok()
        || address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    let name = host.to_ascii_lowercase();
    let is_local = is_ip || name == "localhost" || name.ends_with(".localhost");
    let labels: Vec<&str> = name.trim_end_matches('.').split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    };
    // A number at the end is neither a top-level domain nor, here, an IP address.
    let has_domain = labels.len() > 1
        && labels
            .last()
            .is_some_and(|last| last.chars().all(char::is_alphabetic) || last.starts_with("xn--"));
    let is_host = labels.iter().all(is_label) && (has_domain || name == "localhost");
    (is_ip || is_host).then(|| format!("{}://{given}", if is_local { "http" } else { "https" }))
}

/// Returns an address for an error: without values, user name and password, also if the scheme is
/// missing.
fn without_login(text: &str) -> String {
    let shown = without_values(text);
    let host = shown.split(['/', '?', '#']).next().unwrap_or_default();
    match host.rfind('@') {
        Some(at) => shown[at + 1..].to_owned(),
        None => shown,
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        Address::parse(given, FileUrls::Refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_and_data_addresses_can_be_opened() {
        for good in [
            "http://localhost:3000/",
            "HTTPS://example.com",
            "about:blank",
            "data:text/html,<p>x",
            " http://a/ ",
        ] {
            assert!(Address::parse(good, FileUrls::Refused).is_ok(), "{good}");
        }
        assert!(Address::parse("file:///etc/hosts", FileUrls::Allowed).is_ok());
    }

    #[test]
    fn a_refused_address_has_a_reason() {
        for (bad, why) in [
            ("", "empty"),
            ("localhost:3000", "did you mean http://localhost:3000"),
            ("example.com", "did you mean https://example.com"),
            ("/orders", "no scheme; give a URL"),
            ("./index.html", "no scheme; give"),
            ("//x", "no scheme; give"),
            ("javascript:alert(1)", "only http"),
            ("chrome://settings", "only http"),
            ("about:config", "only http"),
            ("mailto:x@y.z", "only http"),
            ("chrome-extension://abc/x", "only http"),
            ("file:///etc/passwd", "file: is off"),
            ("http://", "names no host"),
            ("http:///x", "names no host"),
            ("not a url", "no scheme"),
            ("http://a\u{0}b/", "control"),
        ] {
            let error = Address::parse(bad, FileUrls::Refused).unwrap_err().to_string();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }

    #[test]
    fn a_host_gets_a_scheme() {
        for (given, whole) in [
            ("localhost", "http://localhost"),
            ("localhost:4000/a?b#c", "http://localhost:4000/a?b#c"),
            ("app.localhost:80", "http://app.localhost:80"),
            (" 127.0.0.1:3000 ", "http://127.0.0.1:3000"),
            ("[::1]:3000/", "http://[::1]:3000/"),
            ("[::1]", "http://[::1]"),
            ("example.com", "https://example.com"),
            ("www.Example.co.uk:8443/a b", "https://www.Example.co.uk:8443/a b"),
            ("bücher.de/", "https://bücher.de/"),
        ] {
            assert_eq!(completed_url(given).as_deref(), Some(whole), "{given}");
        }
        for other in [
            "",
            "x",
            "/orders",
            "./a.html",
            "..",
            ".",
            "//x",
            "a b.de",
            "1.2",
            "1.2.3.400",
            "localhost:port",
            "localhost:99999",
            "::1",
            "[x]",
            "ci:word@host.de",
            "web:3000",
            "-",
            "a..b",
        ] {
            assert_eq!(completed_url(other), None, "{other}");
        }
    }

    #[test]
    fn errors_do_not_contain_secrets() {
        for bad in [
            "ftp://ci:PASS@host/?token=PASS",
            "ci:PASS@host/",
            "host/?token=PASS",
            "https://ci:PASS@ho st/",
            &format!("ftp://{}:PASS@host/", "x".repeat(95)),
        ] {
            let error = Address::parse(bad, FileUrls::Refused).unwrap_err().to_string();
            assert!(error.contains("host") || error.contains("ho st"), "{bad}: {error}");
            assert!(!error.contains("PAS"), "{bad}: {error}");
        }
    }
}
