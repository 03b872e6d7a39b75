//! Where baselines lie: in the nearest `.pagesight` folder from here upwards, so that a project has its own; else in the user's data folder.

use std::path::{Path, PathBuf};

use super::{BaselineError, Result};

/// The folder of a project.
pub const FOLDER: &str = ".pagesight";
const FILE: &str = "baselines.db";

/// The nearest project folder from `from` upwards.
pub fn project_folder(from: &Path) -> Option<PathBuf> {
    from.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.is_dir())
}

/// The file that baselines are kept in for somebody who works in `from`. `environment` looks up a variable.
pub fn store_path(from: &Path, environment: impl Fn(&str) -> Option<std::ffi::OsString>) -> Result<PathBuf> {
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
        let none = |_: &str| Some("/data".into());
        assert_ne!(store_path(&deep, none).unwrap().parent().unwrap(), root.path().join("a").join(FOLDER));
        std::fs::create_dir(root.path().join("a").join(FOLDER)).unwrap();
        assert_eq!(store_path(&deep, none).unwrap(), root.path().join("a").join(FOLDER).join(FILE));
        assert_eq!(store_path(Path::new("/"), |_| None), Err(BaselineError::Nowhere));
    }
}
