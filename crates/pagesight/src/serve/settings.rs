//! The port and the token of `pagesight serve`, which stay the same between starts so that the
//! configurations of agents stay valid. Kept in a file that only the user can read.

use std::path::{Path, PathBuf};

use pagesight_session::private_files::{self, is_open_to_others};
use serde::{Deserialize, Serialize};

/// The version of the file's format.
const VERSION: u32 = 1;
/// The shortest token that a user may give.
const SHORTEST_TOKEN: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServeSettings {
    version: u32,
    /// The port of the last start.
    pub(crate) port: u16,
    pub(crate) token: String,
}

/// Why the settings or a token cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeSettingsError {
    #[error("neither XDG_STATE_HOME nor HOME is set; set one of them")]
    NoFolder,
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("{} cannot be read; remove it to get a new token", .0.display())]
    Broken(PathBuf),
    #[error(
        "{} was written by a newer pagesight; update this one, or remove the file to get a new token",
        .0.display()
    )]
    Newer(PathBuf),
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: std::io::Error },
    #[error("--token-file: cannot read {}: {error}", .file.display())]
    TokenFile { file: PathBuf, error: std::io::Error },
    #[error("--token-file: {shown} can be read by others; run chmod 600 {shown}", shown = .0.display())]
    OthersCanRead(PathBuf),
    #[error("--token-file: {}: {error}", .file.display())]
    Token { file: PathBuf, error: TokenError },
    #[error("no random numbers: {0}")]
    NoRandomNumbers(getrandom::Error),
}

/// A text that is not a token.
#[derive(Debug, thiserror::Error)]
#[error("a token is {SHORTEST_TOKEN} to 1000 ASCII characters in one line, without spaces")]
pub(crate) struct TokenError;

/// Only the version, which is read first.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Returns the path of the file: `$XDG_STATE_HOME/pagesight/serve.json`.
pub(crate) fn settings_path(
    variable: impl Fn(&str) -> Option<std::ffi::OsString>,
) -> Result<PathBuf, ServeSettingsError> {
    let given = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = given("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(given("HOME")?.join(".local/state")));
    let state = state.ok_or(ServeSettingsError::NoFolder)?;
    Ok(state.join("pagesight").join("serve.json"))
}

impl ServeSettings {
    /// Reads the file, or makes new settings with a random token.
    pub(crate) fn read(path: &Path) -> Result<ServeSettings, ServeSettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(ServeSettings { version: VERSION, port: 0, token: random_token()? });
            }
            Err(error) => return Err(ServeSettingsError::Read { path: path.to_owned(), error }),
        };
        let broken = || ServeSettingsError::Broken(path.to_owned());
        let Versioned { version } = serde_json::from_str(&text).map_err(|_| broken())?;
        if version > VERSION {
            return Err(ServeSettingsError::Newer(path.to_owned()));
        }
        let read: ServeSettings = serde_json::from_str(&text).map_err(|_| broken())?;
        check_token(&read.token).map_err(|_| broken())?;
        Ok(read)
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), ServeSettingsError> {
        let failed = |error| ServeSettingsError::Write { path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            private_files::create_folders(folder).map_err(failed)?;
        }
        // Numbers and a string can always be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        private_files::replace_private(path, text.as_bytes()).map_err(failed)
    }
}

/// Reads the token of `--token-file`.
pub(crate) fn token_of_file(file: &Path) -> Result<String, ServeSettingsError> {
    let cannot = |error| ServeSettingsError::TokenFile { file: file.to_owned(), error };
    if is_open_to_others(&std::fs::metadata(file).map_err(cannot)?) {
        return Err(ServeSettingsError::OthersCanRead(file.to_owned()));
    }
    let text = std::fs::read_to_string(file).map_err(cannot)?;
    let token = text.trim();
    check_token(token)
        .map_err(|error| ServeSettingsError::Token { file: file.to_owned(), error })?;
    Ok(token.to_owned())
}

fn check_token(token: &str) -> Result<(), TokenError> {
    let is_fine = token.bytes().all(|byte| byte.is_ascii_graphic());
    match (SHORTEST_TOKEN..=1000).contains(&token.len()) && is_fine {
        true => Ok(()),
        false => Err(TokenError),
    }
}

fn random_token() -> Result<String, ServeSettingsError> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(ServeSettingsError::NoRandomNumbers)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares a token in a time that does not depend on how much of it is right.
pub(crate) fn is_token(given: &[u8], token: &str) -> bool {
    let token = token.as_bytes();
    let mut differences = given.len() ^ token.len();
    for at in 0..given.len() {
        // The index is always inside: a token is never empty.
        differences |= usize::from(given[at] ^ token[at % token.len()]);
    }
    differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/pagesight/serve.json");
        let mut first = ServeSettings::read(&path).unwrap();
        first.port = 4711;
        first.write(&path).unwrap();
        assert_eq!(ServeSettings::read(&path).unwrap(), first);
        assert_ne!(random_token().unwrap(), random_token().unwrap());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn files_that_cannot_be_used_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("serve.json");
        for (text, says) in [
            ("{\"version\": 2, \"ports\": []}", "newer"),
            ("{\"version\": 1}", "cannot be read"),
            ("{\"version\": 1, \"port\": 1, \"token\": \"short\"}", "cannot be read"),
            ("", "cannot be read"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = ServeSettings::read(&path).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        private_files::write(&file, b"0123456789abcdef\n").unwrap();
        assert_eq!(token_of_file(&file).unwrap(), "0123456789abcdef");
        for open in [0o640, 0o604, 0o620] {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(open);
            std::fs::set_permissions(&file, mode).unwrap();
            let error = token_of_file(&file).unwrap_err().to_string();
            assert!(
                error.starts_with("--token-file: ") && error.contains("run chmod 600"),
                "{error}"
            );
        }
        let missing = token_of_file(&folder.path().join("none")).unwrap_err().to_string();
        assert!(missing.contains("cannot read"), "{missing}");
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_token(b"abc", "abc"));
        for wrong in ["", "ab", "abd", "abcabc", "abca"] {
            assert!(!is_token(wrong.as_bytes(), "abc"), "{wrong}");
        }
    }

    #[test]
    fn paths() {
        let of = |pairs: &[(&str, &str)]| {
            settings_path(|name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
            })
        };
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(
            of(&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")]).ok(),
            path("/s/pagesight/serve.json")
        );
        assert_eq!(of(&[("HOME", "/h")]).ok(), path("/h/.local/state/pagesight/serve.json"));
        assert_eq!(
            of(&[("XDG_STATE_HOME", "relative"), ("HOME", "/h")]).ok(),
            path("/h/.local/state/pagesight/serve.json")
        );
        assert!(of(&[]).is_err());
    }
}
