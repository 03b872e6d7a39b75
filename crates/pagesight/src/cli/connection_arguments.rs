//! The flags for the connections of browsers: certificates, a proxy, logins of servers and headers.
//! Passwords come from the environment or from `--secret-file`, never from the command line.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;
use pagesight_session::{Connections, Login, OriginHeader, OriginLogin, Proxy, WebOrigin};
use url::Url;

use super::absolute_path::absolute;

/// Looks up a value by its name.
pub(crate) type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The variables with the name and the password for the proxy, and for servers.
const PROXY_LOGIN: [&str; 2] = ["PAGESIGHT_PROXY_USER", "PAGESIGHT_PROXY_PASSWORD"];
const HTTP_LOGIN: [&str; 2] = ["PAGESIGHT_HTTP_USER", "PAGESIGHT_HTTP_PASSWORD"];

/// Headers that the browser or the connection decides on.
const OWN_HEADERS: [&str; 8] = [
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "cookie",
    "upgrade",
    "te",
    "trailer",
];

/// Arguments of the browser that pagesight gives itself.
const OWN_ARGUMENTS: [&str; 4] =
    ["--user-data-dir", "--remote-debugging-", "--profile", "--headless"];

/// The connections of a browser that is started.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Connections")]
pub(crate) struct ConnectionArguments {
    /// Do not check the certificates of any server
    #[arg(long)]
    ignore_https_errors: bool,
    /// Trust the certificate authority in this file, too (Chromium on Linux)
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Use this proxy, such as http://proxy:3128; PAGESIGHT_PROXY_USER and PAGESIGHT_PROXY_PASSWORD
    /// in the environment are its name and password
    #[allow(rustdoc::bare_urls, reason = "plain text")]
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// Do not use the proxy for these hosts, such as *.internal; <-loopback> uses it for this
    /// machine too
    #[arg(long, value_name = "HOST[,HOST…]", requires = "proxy", value_delimiter = ',')]
    proxy_bypass: Vec<String>,
    /// Log in at servers of this origin that ask for it (basic and digest), with
    /// PAGESIGHT_HTTP_USER and PAGESIGHT_HTTP_PASSWORD in the environment or in --secret-file; may
    /// be given several times
    #[arg(long, value_name = "ORIGIN")]
    http_credentials: Vec<WebOrigin>,
    /// Send a header with the requests for an origin and no other, such as
    /// https://staging.example=X-Key:${KEY}, where KEY is in the environment or in --secret-file;
    /// may be given several times (Chromium)
    #[allow(rustdoc::bare_urls, reason = "plain text")]
    #[arg(long, value_name = "ORIGIN=NAME:VALUE")]
    header: Vec<String>,
    /// Start the browser with this argument; may be given several times
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    browser_arg: Vec<String>,
}

impl ConnectionArguments {
    /// Returns the flags that were given, with their values. A flag with several values has one per
    /// line.
    pub(crate) fn given(&self) -> Vec<(&'static str, String)> {
        let lines = |values: Vec<String>| (!values.is_empty()).then(|| values.join("\n"));
        let origins = self.http_credentials.iter().map(ToString::to_string).collect();
        let given = [
            ("--ignore-https-errors", self.ignore_https_errors.then(String::new)),
            ("--ca", self.ca.as_ref().map(|file| absolute(file).display().to_string())),
            ("--proxy", self.proxy.clone()),
            (
                "--proxy-bypass",
                (!self.proxy_bypass.is_empty()).then(|| self.proxy_bypass.join(",")),
            ),
            ("--http-credentials", lines(origins)),
            ("--header", lines(self.header.clone())),
            ("--browser-arg", lines(self.browser_arg.clone())),
        ];
        given.into_iter().filter_map(|(flag, value)| Some((flag, value?))).collect()
    }

    /// Returns the names of the values that come from the environment or `--secret-file`.
    pub(crate) fn needs_values(&self) -> bool {
        !self.http_credentials.is_empty() || self.header.iter().any(|header| header.contains("${"))
    }

    /// Returns the additional arguments of the browser.
    pub(crate) fn browser_arguments(&self) -> anyhow::Result<Vec<String>> {
        for (at, given) in self.browser_arg.iter().enumerate() {
            if !given.starts_with('-') || given.contains(['\n', '\0']) {
                bail!(
                    "--browser-arg: {given:?} is not an argument of a browser; give one such as --disable-gpu"
                );
            }
            if OWN_ARGUMENTS.iter().any(|own| given.starts_with(own)) {
                bail!(
                    "--browser-arg: pagesight chooses {given} itself; leave it out, or use the flag of pagesight for it"
                );
            }
            if self.browser_arg[at + 1..].contains(given) {
                bail!("--browser-arg: {given} is given twice; leave one of them out");
            }
        }
        Ok(self.browser_arg.clone())
    }

    /// Returns the connections, with values that `lookup` finds.
    pub(crate) fn connections(&self, lookup: Lookup<'_>) -> anyhow::Result<Connections> {
        if let Some(file) = &self.ca
            && !file.is_file()
        {
            bail!("--ca: {} is not a file; give the certificate of the authority", file.display());
        }
        let mut logins = Vec::new();
        for (at, origin) in self.http_credentials.iter().enumerate() {
            if self.http_credentials[at + 1..].contains(origin) {
                bail!("--http-credentials: {origin} is given twice; leave one of them out");
            }
            let login = login(HTTP_LOGIN, lookup)?.ok_or_else(|| {
                let [user, password] = HTTP_LOGIN;
                anyhow!("--http-credentials: there is no login for {origin}; set the environment variables {user} and {password}")
            })?;
            logins.push(OriginLogin { origin: origin.to_string(), login });
        }
        let mut headers: Vec<OriginHeader> = Vec::new();
        for given in &self.header {
            let header = header(given, lookup)?;
            let same = |other: &OriginHeader| {
                other.origin == header.origin && other.name.eq_ignore_ascii_case(&header.name)
            };
            if headers.iter().any(same) {
                bail!(
                    "--header: {} for {} is given twice; leave one of them out",
                    header.name,
                    header.origin
                );
            }
            headers.push(header);
        }
        Ok(Connections {
            ignore_https_errors: self.ignore_https_errors,
            authority: self.ca.clone(),
            proxy: self.proxy(lookup)?,
            logins,
            headers,
        })
    }

    fn proxy(&self, lookup: Lookup<'_>) -> anyhow::Result<Option<Proxy>> {
        let Some(given) = &self.proxy else { return Ok(None) };
        let wrong = || {
            anyhow!(
                "--proxy: {:?} is not the address of a proxy; give one such as http://proxy:3128 or socks5://proxy:1080",
                shown(given)
            )
        };
        let url = Url::parse(given).map_err(|_| wrong())?;
        let known = ["http", "https", "socks4", "socks5"].contains(&url.scheme());
        if !url.username().is_empty() || url.password().is_some() {
            let [user, password] = PROXY_LOGIN;
            bail!(
                "--proxy: every program on this machine can read a password in an address; give it in the environment variables {user} and {password}"
            );
        }
        let is_bare = matches!(url.path(), "" | "/") && url.query().is_none();
        let host = url.host_str().filter(|host| !host.is_empty());
        let (true, Some(host)) = (known && is_bare, host) else { return Err(wrong()) };
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let server = format!("{}://{host}{port}", url.scheme());
        let fine = |host: &&String| {
            host.is_empty()
                || host.contains(|c: char| c.is_whitespace() || c == ';' || c.is_control())
        };
        if let Some(wrong) = self.proxy_bypass.iter().find(fine) {
            bail!(
                "--proxy-bypass: {wrong:?} is not a host; give hosts such as localhost,*.internal"
            );
        }
        let bypass = self.proxy_bypass.clone();
        Ok(Some(Proxy { server, bypass, login: login(PROXY_LOGIN, lookup)? }))
    }
}

/// Returns an address without what may be a password in it.
fn shown(address: &str) -> String {
    let rest = address.rsplit('@').next().unwrap_or_default();
    rest.chars().take(60).collect()
}

/// Returns the name and password in two variables; `None` if neither is set.
fn login([user, word]: [&str; 2], lookup: Lookup<'_>) -> anyhow::Result<Option<Login>> {
    match (lookup(user), lookup(word)) {
        (Some(name), Some(password)) => Ok(Some(Login { name, password })),
        (None, None) => Ok(None),
        (Some(_), None) => bail!("{user} is set, but {word} is not; set both or none"),
        (None, Some(_)) => bail!("{word} is set, but {user} is not; set both or none"),
    }
}

/// Reads a header of an origin.
fn header(given: &str, lookup: Lookup<'_>) -> anyhow::Result<OriginHeader> {
    let form = "give ORIGIN=NAME:VALUE, such as https://staging.example=X-Key:${KEY}";
    let (origin, rest) =
        given.split_once('=').ok_or_else(|| anyhow!("--header: a value has no origin; {form}"))?;
    let origin: WebOrigin = origin.parse().map_err(|error| anyhow!("--header: {error}"))?;
    let (name, value) = rest
        .split_once(':')
        .ok_or_else(|| anyhow!("--header: the header for {origin} has no value; {form}"))?;
    let (name, value) = (name.trim(), value.trim());
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || name.len() > 100 || !name.bytes().all(is_token) {
        bail!(
            "--header: {:?} is not the name of a header; {form}",
            name.chars().take(60).collect::<String>()
        );
    }
    if OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
        bail!("--header: the browser itself decides on {name}; leave it out");
    }
    let (value, secrets) = filled(value, lookup).map_err(|missing| {
        anyhow!("--header: there is no value for {missing}; set the environment variable {missing}")
    })?;
    // No message contains the value: it may be a secret.
    if value.is_empty()
        || value.len() > 8_000
        || value.chars().any(|c| c.is_control() || !c.is_ascii())
    {
        bail!(
            "--header: the value of {name} for {origin} cannot be sent; give 1 to 8000 printable ASCII characters"
        );
    }
    Ok(OriginHeader { origin: origin.to_string(), name: name.to_owned(), value, secrets })
}

/// Replaces `${NAME}` by values, and returns these, too; the error is the first name without one.
fn filled(text: &str, lookup: Lookup<'_>) -> Result<(String, Vec<(String, String)>), String> {
    let (mut filled, mut values) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, left)) = after.split_once('}') else { break };
        filled.push_str(before);
        let value = lookup(name).ok_or_else(|| name.chars().take(60).collect::<String>())?;
        filled.push_str(&value);
        values.push((name.to_owned(), value));
        rest = left;
    }
    filled.push_str(rest);
    Ok((filled, values))
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;
    use crate::cli::usage_error::sentence;

    fn lookup(name: &str) -> Option<String> {
        match name {
            "KEY" => Some("hunter22".to_owned()),
            "PAGESIGHT_HTTP_USER" | "PAGESIGHT_PROXY_USER" => Some("ci".to_owned()),
            "PAGESIGHT_HTTP_PASSWORD" | "PAGESIGHT_PROXY_PASSWORD" => Some("hunter22".to_owned()),
            _ => None,
        }
    }

    fn read(line: &[&str], lookup: Lookup<'_>) -> Result<Connections, String> {
        let words = ["x"].iter().chain(line);
        let command = ConnectionArguments::augment_args(Command::new("x"));
        let matches = command.try_get_matches_from(words);
        let matches = matches.map_err(|error| sentence(&error).unwrap_or_default())?;
        let arguments = ConnectionArguments::from_arg_matches(&matches).unwrap();
        arguments.browser_arguments().map_err(|error| error.to_string())?;
        arguments.connections(lookup).map_err(|error| error.to_string())
    }

    #[test]
    fn values_come_from_the_environment() {
        let all = read(
            &[
                "--ignore-https-errors",
                "--proxy",
                "http://proxy:3128/",
                "--proxy-bypass",
                "a,<-loopback>",
                "--http-credentials",
                "https://A.example",
                "--header",
                "https://a.example=X-Key:Bearer ${KEY}",
                "--header",
                "http://b:8080=X-Time: 10:00",
                "--browser-arg",
                "--disable-gpu",
            ],
            &lookup,
        )
        .unwrap();
        let proxy = all.proxy.as_ref().unwrap();
        assert_eq!((proxy.server.as_str(), proxy.bypass.len()), ("http://proxy:3128", 2));
        assert_eq!(proxy.login.as_ref().unwrap().password, "hunter22");
        assert_eq!(all.logins[0].origin, "https://a.example");
        assert_eq!(
            (all.headers[0].value.as_str(), all.headers[1].value.as_str()),
            ("Bearer hunter22", "10:00")
        );
        assert!(all.secrets().any(|secret| secret == ("KEY", "hunter22")));
        assert!(!format!("{all:?}").contains("hunter22"), "{all:?}");
        assert!(read(&[], &|_| None).unwrap().proxy.is_none());
    }

    #[test]
    fn every_wrong_value_is_one_sentence_without_a_secret() {
        for (line, says) in [
            (&["--ca", "/none"][..], "--ca: /none is not a file"),
            (&["--proxy", "proxy"], "--proxy: \"proxy\" is not the address of a proxy"),
            (&["--proxy", "ftp://proxy:1"], "--proxy: \"ftp://proxy:1\" is not the address"),
            (&["--proxy", "http://p:1/path"], "--proxy: \"http://p:1/path\" is not the address"),
            (
                &["--proxy", "http://ci:hunter22@p:1"],
                "--proxy: every program on this machine can read",
            ),
            (&["--proxy-bypass", "a"], "--proxy <URL> is missing"),
            (
                &["--proxy", "http://p:1", "--proxy-bypass", "a b"],
                "--proxy-bypass: \"a b\" is not a host",
            ),
            (&["--http-credentials", "a"], "--http-credentials: \"a\" cannot be used"),
            (
                &["--http-credentials", "http://a", "--http-credentials", "http://a"],
                "--http-credentials: http://a is given twice",
            ),
            (
                &["--header", "X-Key:hunter22"],
                "--header: a value has no origin; give ORIGIN=NAME:VALUE",
            ),
            (&["--header", "a=X-Key:hunter22"], "--header: \"a\" is not an origin"),
            (&["--header", "http://a=X-Key"], "--header: the header for http://a has no value"),
            (
                &["--header", "http://a=X Key:hunter22"],
                "--header: \"X Key\" is not the name of a header",
            ),
            (
                &["--header", "http://a=Host:hunter22"],
                "--header: the browser itself decides on Host",
            ),
            (
                &["--header", "http://a=X-Key:${NONE}"],
                "--header: there is no value for NONE; set the environment",
            ),
            (
                &["--header", "http://a=X-Key:"],
                "--header: the value of X-Key for http://a cannot be sent",
            ),
            (
                &["--header", "http://a=X-Key:1", "--header", "http://a=x-key:2"],
                "--header: x-key for http://a is given twice",
            ),
            (&["--browser-arg", "x"], "--browser-arg: \"x\" is not an argument of a browser"),
            (
                &["--browser-arg", "--user-data-dir=/x"],
                "--browser-arg: pagesight chooses --user-data-dir=/x itself",
            ),
            (&["--browser-arg", "-a", "--browser-arg", "-a"], "--browser-arg: -a is given twice"),
        ] {
            let error = read(line, &lookup).unwrap_err();
            assert!(error.starts_with(says) && !error.contains('\n'), "{line:?}: {error}");
            assert!(!error.contains("hunter22"), "{error}");
        }
        let none = read(&["--http-credentials", "http://a"], &|_| None).unwrap_err();
        assert!(
            none.contains(
                "there is no login for http://a; set the environment variables PAGESIGHT_HTTP_USER"
            ),
            "{none}"
        );
        let half = |name: &str| (name == "PAGESIGHT_PROXY_USER").then(|| "ci".to_owned());
        let error = read(&["--proxy", "http://p:1"], &half).unwrap_err();
        assert_eq!(
            error,
            "PAGESIGHT_PROXY_USER is set, but PAGESIGHT_PROXY_PASSWORD is not; set both or none"
        );
    }
}
