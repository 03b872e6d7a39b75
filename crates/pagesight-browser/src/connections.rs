//! The connections of a browser that we start: which certificates it trusts, through which proxy it
//! goes, and what it sends to some origins only.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;

use url::Url;

use crate::sync::lock;

/// The entry among the exceptions of a proxy that takes this machine out of them.
const LOOPBACK: &str = "<-loopback>";

/// The connections of a browser that we start.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    /// Whether certificates are not checked.
    pub ignore_https_errors: bool,
    /// A file with the certificate of an authority that is trusted, too.
    pub authority: Option<PathBuf>,
    /// The proxy that requests go through.
    pub proxy: Option<Proxy>,
    /// Names and passwords for servers that ask for them.
    pub logins: Vec<OriginLogin>,
    /// Headers that are added to the requests for an origin.
    pub headers: Vec<OriginHeader>,
}

/// A proxy.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// Its address, such as `http://proxy:3128`.
    pub server: String,
    /// The hosts that are not reached through it, in the browser's own form.
    pub bypass: Vec<String>,
    /// The name and password that it gets.
    pub login: Option<Login>,
}

/// A name and a password. The `Debug` form has no password.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// The name.
    pub name: String,
    /// The password.
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Login({})", self.name)
    }
}

/// The login for the servers of an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginLogin {
    /// The origin, such as `https://staging.example`.
    pub origin: String,
    /// The login for them.
    pub login: Login,
}

/// A header for the servers of an origin. The `Debug` form has no value.
#[derive(Clone, PartialEq, Eq)]
pub struct OriginHeader {
    /// The origin, such as `https://staging.example`.
    pub origin: String,
    /// The name of the header.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The secrets in its value, each with a name for it.
    pub secrets: Vec<(String, String)>,
}

impl fmt::Debug for OriginHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OriginHeader({} for {})", self.name, self.origin)
    }
}

impl Proxy {
    /// Whether it is a SOCKS proxy.
    pub(crate) fn is_socks(&self) -> bool {
        self.server.starts_with("socks")
    }

    /// Returns its host and port.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        let url = Url::parse(&self.server).ok();
        let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or_default().to_owned();
        let port = url.as_ref().and_then(|url| url.port_or_known_default()).unwrap_or(80);
        (host, port)
    }

    /// Whether addresses of this machine are reached through it.
    pub(crate) fn takes_loopback(&self) -> bool {
        self.bypass.iter().any(|host| host == LOOPBACK)
    }

    /// Returns the hosts that are not reached through it.
    pub(crate) fn exceptions(&self) -> Vec<&str> {
        self.bypass.iter().map(String::as_str).filter(|host| *host != LOOPBACK).collect()
    }
}

impl Connections {
    /// Whether nothing of the user's goes over them: no password, no header.
    pub fn hold_nothing_of_the_user(&self) -> bool {
        self.logins.is_empty() && self.headers.is_empty() && self.proxy_login().is_none()
    }

    /// Returns the passwords and the secrets in headers, each with a name for it.
    pub fn secrets(&self) -> impl Iterator<Item = (&str, &str)> {
        let proxy =
            self.proxy_login().map(|login| ("PAGESIGHT_PROXY_PASSWORD", login.password.as_str()));
        let logins =
            self.logins.iter().map(|it| ("PAGESIGHT_HTTP_PASSWORD", it.login.password.as_str()));
        let headers = self.headers.iter().flat_map(|header| &header.secrets);
        let headers = headers.map(|(name, value)| (name.as_str(), value.as_str()));
        proxy.into_iter().chain(logins).chain(headers)
    }

    /// Returns the name and password for the proxy.
    pub(crate) fn proxy_login(&self) -> Option<&Login> {
        self.proxy.as_ref()?.login.as_ref()
    }

    /// Returns the login for the server of an address or origin.
    pub(crate) fn login_for(&self, address: &str) -> Option<&Login> {
        let origin = origin_of(address)?;
        self.logins.iter().find(|login| login.origin == origin).map(|login| &login.login)
    }

    /// Whether a server or the proxy may get a password.
    pub(crate) fn has_logins(&self) -> bool {
        !self.logins.is_empty() || self.proxy_login().is_some()
    }

    /// Returns the headers of a request with those that its origin gets, and without those of other
    /// origins, which the request that was redirected may have had. `None` if that changes nothing.
    pub(crate) fn with_headers(
        &self,
        address: &str,
        sent: &[(String, String)],
    ) -> Option<Vec<(String, String)>> {
        let origin = origin_of(address).unwrap_or_default();
        let (ours, others): (Vec<&OriginHeader>, Vec<&OriginHeader>) =
            self.headers.iter().partition(|header| header.origin == origin);
        let is_replaced =
            |name: &str| ours.iter().any(|header| header.name.eq_ignore_ascii_case(name));
        let is_foreign = |name: &str, value: &str| {
            let mut others = others.iter();
            others.any(|header| header.name.eq_ignore_ascii_case(name) && header.value == value)
        };
        let kept =
            sent.iter().filter(|(name, value)| !is_replaced(name) && !is_foreign(name, value));
        let mut headers: Vec<(String, String)> = kept.cloned().collect();
        if ours.is_empty() && headers.len() == sent.len() {
            return None;
        }
        headers.extend(ours.iter().map(|header| (header.name.clone(), header.value.clone())));
        Some(headers)
    }
}

/// How many requests that were given a login are remembered.
const MOST_ANSWERED: usize = 1_000;

/// The requests whose server or proxy got a login. One that asks again refused it.
#[derive(Default)]
pub(crate) struct AnsweredLogins(Mutex<HashSet<String>>);

impl AnsweredLogins {
    /// Notes a request. Returns whether it was not known.
    pub(crate) fn note(&self, request: String) -> bool {
        let mut known = lock(&self.0);
        if known.len() >= MOST_ANSWERED {
            known.clear();
        }
        known.insert(request)
    }
}

/// Returns the origin of an address, in the form of the options.
fn origin_of(address: &str) -> Option<String> {
    Url::parse(address).ok().map(|url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(origin: &str, name: &str, value: &str) -> OriginHeader {
        let text = |text: &str| text.to_owned();
        OriginHeader {
            origin: text(origin),
            name: text(name),
            value: text(value),
            secrets: Vec::new(),
        }
    }

    #[test]
    fn a_header_goes_to_its_origin_only() {
        let connections = Connections {
            headers: vec![header("https://a.example", "X-Key", "hunter22")],
            ..Connections::default()
        };
        let sent =
            [("Accept".to_owned(), "*/*".to_owned()), ("x-key".to_owned(), "old".to_owned())];
        let names = |address: &str, sent: &[(String, String)]| {
            let headers = connections.with_headers(address, sent)?;
            Some(
                headers
                    .into_iter()
                    .map(|(name, value)| format!("{name}: {value}"))
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            names("https://a.example/b?c", &sent).unwrap(),
            ["Accept: */*", "X-Key: hunter22"]
        );
        for other in
            ["http://a.example/", "https://a.example:8443/", "https://b.a.example/", "data:,"]
        {
            assert_eq!(names(other, &sent), None, "{other}");
        }
        // It does not go over a redirect.
        let leaked = [("X-KEY".to_owned(), "hunter22".to_owned())];
        assert_eq!(names("https://b.example/", &leaked).unwrap(), Vec::<String>::new());
        assert!(!format!("{connections:?}").contains("hunter22"));
    }

    #[test]
    fn a_login_is_for_its_origin_only() {
        let login = Login { name: "ci".to_owned(), password: "hunter22".to_owned() };
        let origin = "http://127.0.0.1:8080".to_owned();
        let connections =
            Connections { logins: vec![OriginLogin { origin, login }], ..Connections::default() };
        assert!(connections.login_for("http://127.0.0.1:8080/a").is_some());
        assert!(connections.login_for("http://127.0.0.1:8080").is_some());
        assert!(connections.login_for("http://localhost:8080/").is_none());
        assert!(!connections.hold_nothing_of_the_user());
        assert!(!format!("{connections:?}").contains("hunter22"));
    }

    #[test]
    fn a_login_is_given_once_per_request() {
        let answered = AnsweredLogins::default();
        assert!(answered.note("Server 1".to_owned()));
        assert!(answered.note("Proxy 1".to_owned()));
        assert!(!answered.note("Server 1".to_owned()));
    }
}
