//! Finds the files of a project: the nearest `.pagesight` folder or settings file from the current
//! folder upwards, within the repository or the user's home. Baselines of no project are in the
//! user's data folder. A file of a different user is refused, because it decides which changes are
//! reported.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::model::{BaselineError, Result};

/// The folder of a project.
pub const FOLDER: &str = ".pagesight";
/// A file in a folder that `check` made for its runs. Such a folder does not hold the baselines of
/// the project, unless the user deletes the file.
pub const ONLY_RUNS: &str = "only-runs";
/// The folder of named baselines in it.
const BASELINES: &str = "baselines";
/// The database that pagesight 0.2.0 kept them in.
pub(super) const OLD_STORE: &str = "baselines.db";
/// Is in the root folder of a repository: a folder, or in a work tree a file.
const REPOSITORY: &str = ".git";

/// A file or folder that is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectEntry {
    /// A file with this name.
    File(&'static str),
    /// A folder with this name.
    Folder(&'static str),
}

/// Finds the nearest file or folder of a project from `from` upwards. `environment` looks up a
/// variable.
pub fn project_entry(
    from: &Path,
    entry: ProjectEntry,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Option<PathBuf>> {
    let home = home(&environment);
    let mut found = searched(from, home.as_deref()).into_iter().map(|folder| match entry {
        ProjectEntry::File(name) | ProjectEntry::Folder(name) => folder.join(name),
    });
    let found = found.find(|path| match entry {
        ProjectEntry::File(_) => path.is_file(),
        ProjectEntry::Folder(_) => path.is_dir() && !path.join(ONLY_RUNS).exists(),
    });
    found.map(|path| trusted(&path, from).map(|()| path)).transpose()
}

/// Returns the folder of the baselines for a caller who works in `from`. `environment` looks up a
/// variable.
pub fn store_path(from: &Path, environment: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    if let Some(folder) = project_entry(from, ProjectEntry::Folder(FOLDER), &environment)? {
        let baselines = folder.join(BASELINES);
        if baselines.exists() {
            trusted(&baselines, from)?;
        }
        return Ok(baselines);
    }
    let data = if cfg!(windows) {
        given(&environment, "LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home(&environment).map(|home| home.join("Library/Application Support"))
    } else {
        given(&environment, "XDG_DATA_HOME")
            .or_else(|| home(&environment).map(|home| home.join(".local/share")))
    };
    data.map(|folder| folder.join("pagesight").join(BASELINES)).ok_or(BaselineError::Nowhere)
}

fn given(environment: &impl Fn(&str) -> Option<OsString>, name: &str) -> Option<PathBuf> {
    environment(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn home(environment: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    given(environment, "HOME").or_else(|| given(environment, "USERPROFILE"))
}

/// Returns the folders that are searched: from the current one up to the root of its repository or
/// to the user's home, whichever is nearer. Outside of both it is only the current one, because the
/// folders above may be writable for everybody, as `/tmp` is.
fn searched<'a>(from: &'a Path, home: Option<&Path>) -> Vec<&'a Path> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let home = home.map(real).filter(|home| home.parent().is_some());
    let is_last = |folder: &&Path| {
        folder.join(REPOSITORY).exists() || home.as_ref().is_some_and(|home| *home == real(folder))
    };
    let last = from.ancestors().position(|folder| is_last(&folder)).unwrap_or_default();
    from.ancestors().take(last + 1).collect()
}

/// Refuses a file that belongs neither to the user nor to root nor to the owner of the current
/// folder. A link has to be theirs, and what it leads to.
#[cfg(unix)]
fn trusted(path: &Path, from: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let folder = std::fs::metadata(from).ok().map(|data| data.uid());
    let me = rustix::process::geteuid().as_raw();
    for data in [std::fs::symlink_metadata(path), std::fs::metadata(path)].into_iter().flatten() {
        let owner = data.uid();
        if owner != me && owner != 0 && Some(owner) != folder {
            return Err(BaselineError::NotTrusted { path: path.display().to_string(), owner });
        }
    }
    Ok(())
}

/// On other systems, folders of projects are not shared between users by default.
#[cfg(not(unix))]
fn trusted(_: &Path, _: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_project_folder_is_taken() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("a/b/c");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(root.path().join(".git")).unwrap();
        let data = root.path().join("data");
        let given = |_: &str| Some(data.clone().into_os_string());
        // Without a project folder, baselines are kept with the user's data.
        let users = store_path(&deep, given).unwrap();
        assert!(
            users.starts_with(&data) && users.ends_with(Path::new("pagesight").join(BASELINES)),
            "{users:?}"
        );
        for project in ["a", "a/b"] {
            std::fs::create_dir(root.path().join(project).join(FOLDER)).unwrap();
            assert_eq!(
                store_path(&deep, given).unwrap(),
                root.path().join(project).join(FOLDER).join(BASELINES)
            );
        }
        std::fs::write(deep.join(FOLDER), "a file is no folder").unwrap();
        assert_eq!(
            store_path(&deep, given).unwrap(),
            root.path().join("a/b").join(FOLDER).join(BASELINES)
        );
        assert_eq!(store_path(Path::new("/"), |_| None), Err(BaselineError::Nowhere));
        // A folder that a check made for its runs does not hide the baselines.
        std::fs::write(root.path().join("a/b").join(FOLDER).join(ONLY_RUNS), "").unwrap();
        assert_eq!(
            store_path(&deep, given).unwrap(),
            root.path().join("a").join(FOLDER).join(BASELINES)
        );
    }

    #[test]
    fn folders_above_the_repository_or_home_are_not_searched() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for folder in ["work/repo/.git", "work/repo/deep", "work/plain/deep", FOLDER] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        // A home that is the root of all folders bounds nothing.
        for home in [at("work"), at("data"), PathBuf::from("/")] {
            let data = at("data");
            let given = |name: &str| {
                Some(if name == "HOME" { &home } else { &data }.clone().into_os_string())
            };
            for from in ["work/repo/deep", "work/plain/deep"] {
                let found = store_path(&at(from), given).unwrap();
                assert!(found.ends_with("pagesight/baselines"), "{from} in {home:?}: {found:?}");
            }
        }
        // Home itself is searched, and so is the current folder, wherever it is.
        std::fs::create_dir(at("work").join(FOLDER)).unwrap();
        let given = |_: &str| Some(at("work").into_os_string());
        let found = |from: &str| store_path(&at(from), given).unwrap();
        assert_eq!(found("work/plain/deep"), at("work").join(FOLDER).join(BASELINES));
        assert!(found("work/repo/deep").ends_with("pagesight/baselines"));
        assert_eq!(found(""), at(FOLDER).join(BASELINES));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_a_different_user_is_refused() {
        use std::os::unix::fs::{MetadataExt, chown};
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(folder.join(BASELINES)).unwrap();
        if std::fs::metadata(&folder).unwrap().uid() != 0 {
            // Only root can give a file away.
            return;
        }
        let refused = || store_path(root.path(), |_| None).unwrap_err().to_string();
        for path in [folder.clone(), folder.join(BASELINES)] {
            chown(&path, Some(4711), None).unwrap();
            assert_eq!(
                refused(),
                format!(
                    "{} belongs to a different user (uid 4711) and is not used; remove it, or make it yours",
                    path.display()
                )
            );
            chown(&path, Some(0), None).unwrap();
        }
        // A file of the owner of the current folder is used.
        for path in [root.path(), &folder] {
            chown(path, Some(4711), None).unwrap();
        }
        assert!(store_path(root.path(), |_| None).is_ok());
    }
}
