//! The address of a store, `postgres://user@host:port/database?sslmode=…&schema=…`, and the
//! password for it, which is never part of the address.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use pagesight_core::text::hidden_values::HiddenValues;
use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::error::PostgresError;

/// The schema that is used unless the address names one.
const SCHEMA: &str = "pagesight";
/// The longest name of a schema in PostgreSQL.
const LONGEST_SCHEMA: usize = 63;
/// How long connecting may take, unless the address says otherwise.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// A connection whose peer is gone is noticed after about this long.
const KEEPALIVE: Duration = Duration::from_secs(20);
const SOCKET_FOLDER: &str = "/var/run/postgresql";

/// How the certificate of the server is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verification {
    /// Not at all, like libpq with `prefer` and `require`.
    None,
    /// Its chain and its name, with the certificates of this file or of the system.
    Full(Option<PathBuf>),
}

/// The address of a PostgreSQL store.
#[derive(Clone, Debug)]
pub struct StoreAddress {
    pub(crate) config: Config,
    pub(crate) schema: String,
    pub(crate) verification: Verification,
    shown: String,
}

impl StoreAddress {
    /// Reads an address. `environment` looks up a variable. The password comes from `PGPASSWORD`
    /// or the pass file.
    pub fn parse(
        given: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<StoreAddress, PostgresError> {
        let wrong = |reason: &str| PostgresError::Address(reason.to_owned());
        let rest = given
            .strip_prefix("postgres://")
            .or_else(|| given.strip_prefix("postgresql://"))
            .ok_or_else(|| wrong("it does not begin with postgres://"))?;
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let authority = place.split('/').next().unwrap_or_default();
        if authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':')) {
            return Err(PostgresError::PasswordInAddress);
        }
        let (mut schema, mut mode, mut roots) = (SCHEMA.to_owned(), "prefer".to_owned(), None);
        let mut passed = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            match key {
                "password" => return Err(PostgresError::PasswordInAddress),
                "schema" => schema = value.to_owned(),
                "sslmode" => mode = value.to_owned(),
                "sslrootcert" => {
                    let file = percent_decode_str(value).decode_utf8_lossy();
                    roots = Some(file.into_owned());
                }
                _ => passed.push(pair),
            }
        }
        if !is_schema(&schema) {
            return Err(wrong(
                "schema must be 1 to 63 lower-case letters, digits and '_', beginning with a letter",
            ));
        }
        let (ssl, verification) = match (mode.as_str(), roots) {
            ("disable", None) => (SslMode::Disable, Verification::None),
            ("prefer", None) => (SslMode::Prefer, Verification::None),
            ("require", None) => (SslMode::Require, Verification::None),
            ("verify-full", roots) => {
                let file = roots.filter(|file| file != "system").map(PathBuf::from);
                (SslMode::Require, Verification::Full(file))
            }
            ("disable" | "prefer" | "require", Some(_)) => {
                return Err(wrong("sslrootcert needs sslmode=verify-full"));
            }
            _ => {
                return Err(wrong("sslmode must be disable, prefer, require or verify-full"));
            }
        };
        let address = format!("postgres://{place}?{}", passed.join("&"));
        let mut config = Config::from_str(&address).map_err(|error| {
            let why =
                std::error::Error::source(&error).map_or(error.to_string(), |why| why.to_string());
            wrong(&why)
        })?;
        if config.get_hosts().is_empty() {
            match environment("PGHOST").filter(|host| !host.is_empty()) {
                Some(host) => drop(config.host(host)),
                None if Path::new(SOCKET_FOLDER).is_dir() => drop(config.host(SOCKET_FOLDER)),
                None => drop(config.host("localhost")),
            }
        }
        config.ssl_mode(match (reach(&config), ssl) {
            (Reach::Socket, _) => SslMode::Disable,
            // The password and the baselines would cross the network in plain text.
            (Reach::Network, SslMode::Prefer) => SslMode::Require,
            (_, ssl) => ssl,
        });
        if config.get_user().is_none() {
            let user = environment("PGUSER").or_else(|| environment("USER"));
            config.user(user.ok_or_else(|| wrong("it names no user"))?);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_LIMIT);
        }
        if config.get_application_name().is_none() {
            config.application_name("pagesight");
        }
        config.keepalives_idle(KEEPALIVE).tcp_user_timeout(KEEPALIVE);
        if let Some(password) = password(&config, environment)? {
            config.password(password);
        }
        let shown = shown(&config);
        Ok(StoreAddress { config, schema, verification, shown })
    }

    /// Returns the address for messages: user, host, port and database.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the schema that has the tables.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// Returns a text of the server without the password, which the server may know and repeat.
    pub(crate) fn without_password(&self, text: &str) -> String {
        let password = self.password().filter(|password| !password.is_empty());
        let Some(password) = password else { return text.to_owned() };
        let mut hidden = HiddenValues::default();
        hidden.add("PGPASSWORD", &password);
        hidden.hide(text.replace(&password, "${PGPASSWORD}"))
    }

    /// Returns the password, which must not be printed.
    pub fn password(&self) -> Option<String> {
        self.config.get_password().map(|word| String::from_utf8_lossy(word).into_owned())
    }
}

/// How far away a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Socket,
    /// This machine, over TCP.
    Machine,
    Network,
}

/// Returns how far away the farthest server of an address is.
fn reach(config: &Config) -> Reach {
    let hosts = config.get_hosts();
    if hosts.iter().all(|host| !matches!(host, Host::Tcp(_))) {
        return Reach::Socket;
    }
    let is_here = |host: &Host| match host {
        Host::Tcp(name) => {
            let number = name.parse::<IpAddr>();
            number.map_or(name.eq_ignore_ascii_case("localhost"), |number| number.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    // `hostaddr` is what is connected to; the host is only a name then.
    let numbers = config.get_hostaddrs();
    let all_here = match numbers.is_empty() {
        true => hosts.iter().all(is_here),
        false => numbers.iter().all(IpAddr::is_loopback),
    };
    if all_here { Reach::Machine } else { Reach::Network }
}

fn is_schema(name: &str) -> bool {
    name.len() <= LONGEST_SCHEMA
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && !name.starts_with("pg_")
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn host_name(config: &Config) -> String {
    match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => folder.display().to_string(),
        _ => "localhost".to_owned(),
    }
}

fn database_name(config: &Config) -> &str {
    config.get_dbname().or(config.get_user()).unwrap_or_default()
}

fn port(config: &Config) -> u16 {
    config.get_ports().first().copied().unwrap_or(5432)
}

fn shown(config: &Config) -> String {
    let (host, port) = (host_name(config), port(config));
    let user = config.get_user().unwrap_or_default();
    format!("postgres://{user}@{host}:{port}/{}", database_name(config))
}

/// Finds the password: `PGPASSWORD`, else the first line of the pass file that fits.
fn password(
    config: &Config,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, PostgresError> {
    if let Some(password) = environment("PGPASSWORD").filter(|password| !password.is_empty()) {
        return Ok(Some(password));
    }
    let given = environment("PGPASSFILE").filter(|file| !file.is_empty()).map(PathBuf::from);
    let usual = environment("HOME").map(|home| Path::new(&home).join(".pgpass"));
    let Some(file) = given.clone().or(usual) else { return Ok(None) };
    let unusable =
        |reason: String| PostgresError::PassFile { path: file.display().to_string(), reason };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && given.is_none() => {
            return Ok(None);
        }
        Err(error) => return Err(unusable(error.to_string())),
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file).map_or(0, |data| data.permissions().mode());
        if mode & 0o077 != 0 {
            return Err(unusable("others can read it; run chmod 0600 on it".to_owned()));
        }
    }
    let host = host_name(config);
    // A socket in the usual folder is written as localhost, like in libpq.
    let host = if host == SOCKET_FOLDER { "localhost".to_owned() } else { host };
    let port = port(config).to_string();
    let user = config.get_user().unwrap_or_default();
    let wanted = [host.as_str(), &port, database_name(config), user];
    Ok(text.lines().find_map(|line| password_in(line, &wanted)))
}

/// Returns the password of a line of the pass file if its fields fit.
fn password_in(line: &str, wanted: &[&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            // The password is the rest; its colons need no escape.
            ':' if fields.len() < 5 => fields.push(String::new()),
            letter => {
                let letter = if letter == '\\' { letters.next().unwrap_or('\\') } else { letter };
                fields.last_mut()?.push(letter);
            }
        }
    }
    let [head @ .., password] = fields.as_slice() else { return None };
    let fits = head.len() == 4
        && head.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
    fits.then(|| password.clone())
}

#[cfg(test)]
mod tests;
