//! Names of workspaces.

use std::path::Path;

const LONGEST: usize = 60;

/// A text that is not the name of a workspace, which users of commands call a session.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{given:?} is not a valid name; use 1 to {LONGEST} letters, digits, '.', '_' and '-', beginning with a letter or digit"
)]
pub(crate) struct NameError {
    given: String,
}

/// Checks a name that a caller gave: in a URL, on the command line, in the environment.
pub(crate) fn check(name: &str) -> Result<(), NameError> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let good = !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(fine)
        && !name.starts_with(['.', '-']);
    if good {
        return Ok(());
    }
    Err(NameError { given: name.chars().take(LONGEST).collect() })
}

/// Returns the name of the workspace of a folder: the repository that it is in, or the folder. It
/// begins with a character that no given name begins with.
pub(crate) fn of_folder(folder: &Path) -> String {
    let repository = folder.ancestors().find(|parent| parent.join(".git").exists());
    format!("/{}", repository.unwrap_or(folder).display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for good in ["a", "main", "agent-1", "a.b_c", &"x".repeat(60)] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["", ".", "..", "-a", "a/b", "a b", "ü", "a\n", &"x".repeat(61)] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_folder_in_a_repository_belongs_to_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(of_folder(&inner), format!("/{}", inner.display()));
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        assert_eq!(of_folder(&inner), format!("/{}", folder.path().display()));
        assert!(check(&of_folder(&inner)).is_err(), "no caller can give this name");
    }
}
