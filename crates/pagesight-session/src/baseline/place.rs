//! Finds the place of the baselines: the nearest `.pagesight` folder from the current folder
//! upwards, otherwise the user's data folder.

use std::path::{Path, PathBuf};

use super::model::{BaselineError, Result};

/// The folder of a project.
pub const FOLDER: &str = ".pagesight";
const FILE: &str = "baselines.db";

/// Returns the nearest project folder from `from` upwards.
pub fn project_folder(from: &Path) -> Option<PathBuf> {
    from.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.is_dir())
}

/// Returns the file of the baselines for a caller who works in `from`. `environment` looks up a
/// variable.
pub fn store_path(
    from: &Path,
    environment: impl Fn(&str) -> Option<std::ffi::OsString>,
) -> Result<PathBuf> {
    if let Some(folder) = project_folder(from) {
        return Ok(folder.join(FILE));
    }
    let given = |name: &str| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || given("HOME").or_else(|| given("USERPROFILE"));
    let data = if cfg!(windows) {
        given("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        given("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local/share")))
    };
    data.map(|folder| folder.join("pagesight").join(FILE)).ok_or(BaselineError::Nowhere)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_project_folder_is_taken() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("a/b/c");
        std::fs::create_dir_all(&deep).unwrap();
        let data = root.path().join("data");
        let given = |_: &str| Some(data.clone().into_os_string());
        // Without a project folder, baselines are kept with the user's data.
        let users = store_path(&deep, given).unwrap();
        assert!(
            users.starts_with(&data) && users.ends_with(Path::new("pagesight").join(FILE)),
            "{users:?}"
        );
        for project in ["a", "a/b"] {
            std::fs::create_dir(root.path().join(project).join(FOLDER)).unwrap();
            assert_eq!(
                store_path(&deep, given).unwrap(),
                root.path().join(project).join(FOLDER).join(FILE)
            );
        }
        std::fs::write(deep.join(FOLDER), "a file is no folder").unwrap();
        assert_eq!(
            store_path(&deep, given).unwrap(),
            root.path().join("a/b").join(FOLDER).join(FILE)
        );
        assert_eq!(store_path(Path::new("/"), |_| None), Err(BaselineError::Nowhere));
    }
}
