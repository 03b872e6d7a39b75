//! `--secret` and `--secret-file`: which values an agent may type by name, where they come from,
//! and which origins may get them. No message contains a value.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;
use pagesight_session::private_files::is_open_to_others;
use pagesight_session::{SecretError, Secrets, WebOrigin, WebOriginError, check_secret_name};
use serde::{Deserialize, Serialize};

/// The largest file of secrets.
const LARGEST_FILE: u64 = 64 * 1024;

/// The secrets that an agent may type.
#[derive(Debug, Default, Args)]
pub(crate) struct SecretArguments {
    /// A secret that is typed by its name, ${NAME}, into pages of these origins only, such as
    /// PASSWORD=https://shop.example. Its value is that of the environment variable NAME, or comes
    /// from --secret-file; no answer shows it. May be given several times
    #[allow(rustdoc::bare_urls, reason = "plain text")]
    #[arg(long, value_name = "NAME=ORIGIN[,ORIGIN…]")]
    secret: Vec<String>,
    /// Read the values of --secret from this file of lines NAME=value, before the environment
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

/// A secret as it was given. The `Debug` form has no value.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GivenSecret {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) origins: Vec<String>,
}

impl std::fmt::Debug for GivenSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GivenSecret({} for {})", self.name, self.origins.join(", "))
    }
}

/// Why the secrets cannot be used. No message contains a value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretArgumentError {
    #[error(
        "--secret-file: {} is not used; add --secret NAME=ORIGIN for each of its names",
        .0.display()
    )]
    UnusedFile(PathBuf),
    #[error("--secret-file: {0}")]
    File(SecretFileError),
    #[error("--secret: {0}")]
    Secret(SecretError),
    #[error("--secret: {0}")]
    Origin(WebOriginError),
    #[error(
        "--secret: there is no value for {name}; set the environment variable {name}, or give --secret-file FILE with a line {name}=value"
    )]
    NoValue { name: String },
}

/// Why a file of secrets cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretFileError {
    #[error("cannot read {}: {error}", .file.display())]
    Read { file: PathBuf, error: std::io::Error },
    #[error("{} is not a file", .0.display())]
    NotAFile(PathBuf),
    #[error("{shown} can be read by others; run chmod 600 {shown}", shown = .0.display())]
    OthersCanRead(PathBuf),
    #[error("{} is larger than {LARGEST_FILE} bytes; keep only secrets in it", .0.display())]
    TooLarge(PathBuf),
    #[error(
        "line {line} of {} is not NAME=value; fix it, or begin it with # to skip it",
        .file.display()
    )]
    Line { line: usize, file: PathBuf },
}

impl SecretArguments {
    /// Whether any secret was given.
    pub(crate) fn is_given(&self) -> bool {
        !self.secret.is_empty() || self.secret_file.is_some()
    }

    /// Reads the file of `--secret-file` for values of other flags. `None` if there is none.
    pub(crate) fn values(&self) -> Result<Option<HashMap<String, String>>, SecretArgumentError> {
        let file = self.secret_file.as_deref();
        file.map(read_file).transpose().map_err(SecretArgumentError::File)
    }

    /// Notes that other flags use values of the file, so that it need not have secrets.
    pub(crate) fn is_used_elsewhere(&self) -> SecretArguments {
        let secret_file = self.secret_file.clone().filter(|_| !self.secret.is_empty());
        SecretArguments { secret: self.secret.clone(), secret_file }
    }

    /// Reads the secrets.
    pub(crate) fn read(
        &self,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Secrets, SecretArgumentError> {
        let mut secrets = Secrets::default();
        add_secrets(&mut secrets, &self.given(environment)?)?;
        Ok(secrets)
    }

    /// Reads the values of the secrets.
    pub(crate) fn given(
        &self,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Vec<GivenSecret>, SecretArgumentError> {
        let file = match &self.secret_file {
            Some(file) if self.secret.is_empty() => {
                return Err(SecretArgumentError::UnusedFile(file.clone()));
            }
            Some(file) => read_file(file).map_err(SecretArgumentError::File)?,
            None => HashMap::new(),
        };
        let mut secrets = Vec::new();
        for given in &self.secret {
            let (name, origins) = given.split_once('=').unwrap_or((given, ""));
            check_secret_name(name).map_err(SecretArgumentError::Secret)?;
            let origins: Vec<String> =
                origins.split(',').filter(|_| !origins.is_empty()).map(str::to_owned).collect();
            let value = file.get(name).cloned().or_else(|| environment(name));
            // Without an origin the value does not matter: the secret is refused.
            let value = match origins.is_empty() {
                true => String::new(),
                false => {
                    value.ok_or_else(|| SecretArgumentError::NoValue { name: name.to_owned() })?
                }
            };
            secrets.push(GivenSecret { name: name.to_owned(), value, origins });
        }
        Ok(secrets)
    }
}

/// Adds secrets as they were given, and checks them.
pub(crate) fn add_secrets(
    secrets: &mut Secrets,
    given: &[GivenSecret],
) -> Result<(), SecretArgumentError> {
    for GivenSecret { name, value, origins } in given {
        let origins = origins.iter().map(|origin| origin.parse::<WebOrigin>());
        let origins = origins.collect::<Result<_, _>>().map_err(SecretArgumentError::Origin)?;
        secrets.add(name, value, origins).map_err(SecretArgumentError::Secret)?;
    }
    Ok(())
}

/// Reads a file of secrets, which only its owner may read.
fn read_file(file: &Path) -> Result<HashMap<String, String>, SecretFileError> {
    let cannot = |error| SecretFileError::Read { file: file.to_owned(), error };
    let facts = std::fs::metadata(file).map_err(cannot)?;
    if !facts.is_file() {
        return Err(SecretFileError::NotAFile(file.to_owned()));
    }
    if is_open_to_others(&facts) {
        return Err(SecretFileError::OthersCanRead(file.to_owned()));
    }
    if facts.len() > LARGEST_FILE {
        return Err(SecretFileError::TooLarge(file.to_owned()));
    }
    let text = std::fs::read_to_string(file).map_err(cannot)?;
    lines(&text).map_err(|line| SecretFileError::Line { line, file: file.to_owned() })
}

/// Reads lines `NAME=value`; quotation marks around a value are left out. An error is the number of
/// the line.
fn lines(text: &str) -> Result<HashMap<String, String>, usize> {
    let mut values = HashMap::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=').ok_or(at + 1)?;
        let (name, value) = (name.trim(), value.trim());
        check_secret_name(name).map_err(|_| at + 1)?;
        let quoted =
            ['"', '\''].into_iter().find_map(|mark| value.strip_prefix(mark)?.strip_suffix(mark));
        if values.insert(name.to_owned(), quoted.unwrap_or(value).to_owned()).is_some() {
            return Err(at + 1);
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(secret: &[&str], file: Option<&Path>) -> Result<String, String> {
        let arguments = SecretArguments {
            secret: secret.iter().map(|given| (*given).to_owned()).collect(),
            secret_file: file.map(Path::to_owned),
        };
        let environment = |name: &str| match name {
            "PASSWORD" => Some("hunter22".to_owned()),
            "TINY" => Some("hunt3".to_owned()),
            _ => None,
        };
        arguments
            .read(&environment)
            .map(|secrets| secrets.list())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn values_come_from_the_environment() {
        assert_eq!(read(&[], None).unwrap(), "");
        assert_eq!(
            read(&["PASSWORD=https://A.example,http://localhost:3000"], None).unwrap(),
            "${PASSWORD} (https://a.example, http://localhost:3000)"
        );
    }

    #[test]
    fn every_wrong_value_is_one_sentence_without_the_secret() {
        for (given, says) in [
            (&["PASSWORD"][..], "the secret PASSWORD has no origin"),
            (&["PASSWORD="], "the secret PASSWORD has no origin"),
            (&["PASSWORD=*"], "\"*\" is not an origin"),
            (&["PASSWORD=https://a,"], "\"\" is not an origin"),
            (&["PASSWORD=https://a/login"], "is not an origin"),
            (&["=https://a"], "\"\" is not a name"),
            (&["PASS WORD=https://a"], "is not a name"),
            (&["NONE=https://a"], "there is no value for NONE; set the environment variable NONE"),
            (&["TINY=https://a"], "fewer than 6 characters"),
            (&["PASSWORD=https://a", "PASSWORD=https://b"], "is given twice"),
        ] {
            let error = read(given, None).unwrap_err();
            assert!(error.starts_with("--secret: ") && error.contains(says), "{given:?}: {error}");
            assert!(!error.contains("hunt") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn values_come_from_a_file_that_only_its_owner_can_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secrets");
        let here = ["PASSWORD=https://a", "OTHER=https://a"];
        let write = |text: &str| pagesight_session::private_files::write(&file, text.as_bytes());
        write("# a comment\n\nexport OTHER = \"two words\"\nUNUSED='x'\n").unwrap();
        assert!(read(&here, Some(&file)).unwrap().contains("${OTHER}"));
        assert!(read(&[], Some(&file)).unwrap_err().contains("is not used; add --secret"));
        for wrong in ["OTHER=secret-1\nhunter22\n", "A=1\nA=hunter22\n", "1=a\nhunter22"] {
            write(wrong).unwrap();
            let error = read(&here, Some(&file)).unwrap_err();
            assert!(error.contains("line ") && !error.contains("hunter22"), "{error}");
        }
        write(&"#".repeat(70_000)).unwrap();
        assert!(read(&here, Some(&file)).unwrap_err().contains("larger than"));
        let missing = read(&here, Some(&folder.path().join("none"))).unwrap_err();
        assert!(missing.contains("cannot read"), "{missing}");
        assert!(read(&here, Some(folder.path())).unwrap_err().contains("not a file"));
        #[cfg(unix)]
        {
            let shared = std::os::unix::fs::PermissionsExt::from_mode(0o640);
            std::fs::set_permissions(&file, shared).unwrap();
            let error = read(&here, Some(&file)).unwrap_err();
            assert!(error.contains("can be read by others; run chmod 600"), "{error}");
        }
    }

    #[test]
    fn a_line_is_a_name_and_a_value() {
        let read = lines("A=1 2\nB=\"x=y\"\nC='it''s'\nD=\"half\n").unwrap();
        let of = |name: &str| read[name].as_str();
        assert_eq!((of("A"), of("B"), of("C"), of("D")), ("1 2", "x=y", "it''s", "\"half"));
    }
}
