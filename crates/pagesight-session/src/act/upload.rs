//! Sets the files of a file field. Only files under the upload roots are allowed, because a page
//! could make an agent upload anything that it can read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::actor::Actor;
use super::error::ActionError;
use crate::error::Result;
use crate::page_script::FileField;
use crate::wait::settle::Checkpoint;

/// How long the browser may take to set the files.
const LIMIT: Duration = Duration::from_secs(5);
/// The most files in one action.
const MOST: usize = 100;
/// The most files in a folder.
const MOST_IN_FOLDER: usize = 100_000;

impl Actor<'_> {
    pub(super) async fn upload(&mut self, element: &str, paths: &[String]) -> Result<String> {
        let files = allowed(&self.session.options.upload_roots, paths)?;
        let found = self.find(element).await?;
        let words = &found.words;
        let target = || words.clone();
        let frame = found.path.frame.as_deref();
        let field: FileField = self.script(frame).find_file_input(found.local).await?;
        if field.reason == "inert" {
            let document = &found.reference.document;
            return Err(self.inert(words, document, found.local).await.into());
        }
        if !field.ok {
            return Err(match field.reason.as_str() {
                "gone" => ActionError::Gone { target: target() },
                "disabled" => ActionError::Disabled { target: target() },
                _ => ActionError::NotAFileField { target: target() },
            }
            .into());
        }
        if files.len() > 1 && !field.multiple && !field.folder {
            return Err(ActionError::OneFileOnly { target: target() }.into());
        }
        if let Some(file) = files.iter().find(|file| file.is_dir() != field.folder) {
            let path = file.display().to_string();
            return Err(match field.folder {
                true => ActionError::NotAFolder { path },
                false => ActionError::NotAFile { path },
            }
            .into());
        }
        self.look = None;
        let checkpoint = Checkpoint::now(self.tab, &self.session.shared);
        self.tab.tab.set_files(frame, field.field, &files, LIMIT).await?;
        let outcome = self.settle(&checkpoint).await?;
        let names: Vec<String> = files.iter().map(|file| name_of(file)).collect();
        if outcome.stayed() {
            // Some pages take the files and empty the field at once, so only different names are a
            // failure.
            let arrived = self.script(frame).file_names(field.field).await?.unwrap_or_default();
            if !field.folder && !arrived.is_empty() && arrived != names {
                return Err(ActionError::OtherFiles { target: target() }.into());
            }
        }
        let names: Vec<String> =
            names.iter().map(|name| pagesight_core::text::escape::value(name, 80)).collect();
        self.report_outcome(
            &format!("uploaded {} to {words}", names.join(", ")),
            &outcome,
            &checkpoint,
            None,
            false,
        )
        .await
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the resolved paths, if every file is under one of the upload roots.
pub(super) fn allowed(roots: &[PathBuf], paths: &[String]) -> Result<Vec<PathBuf>> {
    if roots.is_empty() {
        return Err(ActionError::UploadsOff.into());
    }
    if paths.is_empty() || paths.len() > MOST {
        return Err(ActionError::UploadCount { count: paths.len(), limit: MOST }.into());
    }
    let roots: Vec<PathBuf> = roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
    paths.iter().map(|path| allowed_file(&roots, path)).collect()
}

/// Resolves one file, following links. A relative path is searched in each upload root.
fn allowed_file(roots: &[PathBuf], path: &str) -> Result<PathBuf> {
    let given: String = path.chars().take(200).collect();
    let tried: Vec<PathBuf> = match Path::new(path).is_absolute() {
        true => vec![PathBuf::from(path)],
        false => roots.iter().map(|root| root.join(path)).collect(),
    };
    let inside = |file: &PathBuf| roots.iter().any(|root| file.starts_with(root) && file != root);
    let real: Vec<PathBuf> = tried.iter().filter_map(|file| file.canonicalize().ok()).collect();
    if let Some(file) = real.iter().find(|file| inside(file)) {
        check_links(roots, file)?;
        return Ok(file.clone());
    }
    // The error must not reveal whether a file outside exists.
    Err(ActionError::OutsideUploadRoots { path: given, roots: listed(roots) }.into())
}

/// Returns the upload roots for an error.
fn listed(roots: &[PathBuf]) -> String {
    let folders: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
    match folders.as_slice() {
        [] => "a folder that exists".to_owned(),
        folders => folders.join(" or "),
    }
}

/// Refuses a folder with a link that leads out of the upload roots: the browser follows it.
fn check_links(roots: &[PathBuf], folder: &Path) -> Result<()> {
    let shown = |path: &Path| path.display().to_string();
    let unusable =
        |path: &Path| ActionError::UploadFolder { path: shown(path), limit: MOST_IN_FOLDER };
    let (mut open, mut known) = (vec![folder.to_owned()], HashSet::new());
    let mut count = 0;
    while let Some(folder) = open.pop().filter(|path| path.is_dir()) {
        if !known.insert(folder.clone()) {
            continue;
        }
        for entry in folder.read_dir().map_err(|_| unusable(&folder))? {
            let path = entry.map_err(|_| unusable(&folder))?.path();
            count += 1;
            if count > MOST_IN_FOLDER {
                return Err(unusable(&folder).into());
            }
            let is_link = path.is_symlink();
            let real = if is_link { path.canonicalize().ok() } else { Some(path.clone()) };
            let inside = |real: &PathBuf| roots.iter().any(|root| real.starts_with(root));
            let Some(real) = real.filter(inside) else {
                let (path, roots) = (shown(&path), listed(roots));
                return Err(ActionError::LinkOutsideUploadRoots { path, roots }.into());
            };
            if real.is_dir() {
                open.push(real);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_under_the_folders() {
        let base = std::env::temp_dir().join(format!("pagesight-upload-{}", std::process::id()));
        let (inside, outside) = (base.join("in"), base.join("out"));
        std::fs::create_dir_all(inside.join("deep")).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(inside.join("deep/a.txt"), "a").unwrap();
        std::fs::write(outside.join("secret.txt"), "s").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.join("secret.txt"), inside.join("link.txt")).unwrap();
        let roots = [inside.clone()];
        let check = |path: &str, fine: bool| {
            let answer = allowed(&roots, &[path.to_owned()]);
            assert_eq!(answer.is_ok(), fine, "{path}: {answer:?}");
        };
        check("deep/a.txt", true);
        check(inside.join("deep/a.txt").to_str().unwrap(), true);
        check("deep/../deep/a.txt", true);
        check("../out/secret.txt", false);
        check(outside.join("secret.txt").to_str().unwrap(), false);
        check("link.txt", false);
        check("missing.txt", false);
        check(inside.to_str().unwrap(), false);
        let none = allowed(&[], &["a".to_owned()]).unwrap_err();
        assert_eq!(none.hint(), Some(pagesight_core::hint::Hint::AllowUploads));
        std::fs::remove_dir_all(base).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_with_links_that_lead_outside_is_refused() {
        use std::os::unix::fs::symlink;
        let base = tempfile::tempdir().unwrap();
        let at = |path: &str| base.path().join(path);
        std::fs::create_dir_all(at("in/sent/deep")).unwrap();
        std::fs::create_dir_all(at("in/shared")).unwrap();
        std::fs::create_dir_all(at("out")).unwrap();
        for file in ["in/sent/deep/a.txt", "in/shared/b.txt", "out/secret.txt"] {
            std::fs::write(at(file), file).unwrap();
        }
        let roots = [at("in")];
        let check = || allowed(&roots, &["sent".to_owned()]).map_err(|error| error.to_string());
        // A link within the roots, also one that leads in a circle, is fine.
        symlink(at("in/shared"), at("in/sent/shared")).unwrap();
        symlink(at("in/sent"), at("in/shared/circle")).unwrap();
        assert!(check().is_ok(), "{:?}", check());
        for target in [at("out/secret.txt"), at("out"), at("out/missing")] {
            for link in ["in/sent/deep/link", "in/shared/link"] {
                symlink(&target, at(link)).unwrap();
                let error = check().unwrap_err();
                assert!(error.contains("link") && !error.contains("secret"), "{error}");
                std::fs::remove_file(at(link)).unwrap();
            }
        }
        assert!(check().is_ok());
    }
}
