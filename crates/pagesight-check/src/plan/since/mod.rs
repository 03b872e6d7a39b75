//! Chooses the pages that the changes since a commit can touch, by `[[route_map]]`. Where that
//! cannot be known, all pages are checked, with a note that says why.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::plan::error::PlanError;
use crate::plan::glob::{self, Glob};
use crate::plan::{Plan, baseline_folder};

/// Which pages are checked.
#[derive(Debug, PartialEq)]
pub enum Touched {
    /// All, for this reason.
    All(String),
    /// Those with these names.
    Pages(HashSet<String>),
}

/// Why it cannot be known which pages changes touch.
#[derive(Debug, thiserror::Error)]
enum NotKnown {
    #[error("{0} changed")]
    PlanChanged(String),
    #[error("no entry of [[route_map]] has the changed file {0:?}")]
    Unmapped(String),
    #[error("this is not a git repository ({0})")]
    NoRepository(String),
    #[error("this is a shallow clone; fetch the whole history (fetch-depth: 0)")]
    Shallow,
    #[error("git does not know {0:?}")]
    Commit(String),
    #[error("{0:?} and HEAD have no common commit")]
    NoCommonCommit(String),
    #[error("git cannot be run: {0}")]
    NotRun(String),
    /// The first line that git printed.
    #[error("{0}")]
    Git(String),
}

/// Finds the pages that the changes since a commit can touch.
pub fn touched(plan: &Plan, reference: &str) -> Result<Touched, PlanError> {
    if plan.route_map.is_empty() {
        return Err(PlanError::NoRouteMap { path: plan.path.display().to_string() });
    }
    if reference.trim().is_empty() {
        return Err(PlanError::NoCommit);
    }
    let folder = plan.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let git = Git { folder: folder.unwrap_or(Path::new(".")).to_owned() };
    let all = |why: NotKnown| Ok(Touched::All(format!("all pages are checked: {why}")));
    let root = match git.root() {
        Ok(root) => root,
        Err(why) => return all(why),
    };
    match git.changed(reference) {
        Err(why) => all(why),
        Ok(files) => {
            let own = OwnFiles::of(plan, &root);
            match chosen(plan, &own, &files) {
                Ok(names) => Ok(Touched::Pages(names)),
                Err(why) => all(why),
            }
        }
    }
}

/// The files of the check itself, from the root of the repository.
struct OwnFiles {
    plan: Option<String>,
    baselines: Option<String>,
}

impl OwnFiles {
    fn of(plan: &Plan, root: &Path) -> OwnFiles {
        let whole = std::fs::canonicalize(&plan.path).unwrap_or_else(|_| plan.path.clone());
        let from_root = |path: &Path| -> Option<String> {
            let path = path.strip_prefix(root).ok()?;
            let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
            Some(parts.collect::<Vec<_>>().join("/"))
        };
        OwnFiles { plan: from_root(&whole), baselines: from_root(&baseline_folder(&whole)) }
    }
}

/// Returns the names of the pages that these files touch, or why that cannot be known.
fn chosen(plan: &Plan, own: &OwnFiles, files: &[String]) -> Result<HashSet<String>, NotKnown> {
    let map: Vec<(Vec<Glob>, Vec<Glob>)> = plan
        .route_map
        .iter()
        .map(|entry| (glob::all(&entry.files), glob::all(&entry.pages)))
        .collect();
    let mut pages: Vec<&Glob> = Vec::new();
    let mut used: Vec<bool> = vec![false; map.len()];
    let mut names: HashSet<String> = HashSet::new();
    for file in files {
        if own.plan.as_ref() == Some(file) {
            return Err(NotKnown::PlanChanged(file.clone()));
        }
        // A baseline belongs to the page that it is named after.
        let baseline = own.baselines.as_ref().and_then(|folder| file.strip_prefix(folder.as_str()));
        if let Some(rest) = baseline.and_then(|rest| rest.strip_prefix('/')) {
            let name = rest.split('@').next().unwrap_or_default();
            names.insert(name.replace("%2F", "/").replacen("%2E", ".", 1));
            continue;
        }
        let mut is_known = false;
        for ((globs, _), used) in map.iter().zip(&mut used) {
            if globs.iter().any(|glob| glob.matches(file)) {
                (is_known, *used) = (true, true);
            }
        }
        if !is_known {
            return Err(NotKnown::Unmapped(file.clone()));
        }
    }
    for ((_, globs), _) in map.iter().zip(&used).filter(|(_, used)| **used) {
        pages.extend(globs);
    }
    let mut touched = HashSet::new();
    for job in &plan.jobs {
        let known = touched.contains(&job.name);
        let is_touched =
            || names.contains(&job.name) || pages.iter().any(|glob| glob.matches(&job.name));
        if !known && is_touched() {
            touched.insert(job.name.clone());
        }
    }
    Ok(touched)
}

/// Git, in the folder of the file.
struct Git {
    folder: PathBuf,
}

impl Git {
    /// Returns the root of the repository.
    fn root(&self) -> Result<PathBuf, NotKnown> {
        let root = self.run(&["rev-parse", "--show-toplevel"]);
        let root = root.map_err(|why| NotKnown::NoRepository(why.to_string()))?;
        let root = PathBuf::from(root.trim_end_matches(['\n', '\r']));
        Ok(std::fs::canonicalize(&root).unwrap_or(root))
    }

    /// Returns the files that changed since the common ancestor of a commit and HEAD, with those
    /// that are not committed yet.
    fn changed(&self, reference: &str) -> Result<Vec<String>, NotKnown> {
        let shallow = self.run(&["rev-parse", "--is-shallow-repository"])?;
        if shallow.trim() == "true" {
            return Err(NotKnown::Shallow);
        }
        let commit = format!("{reference}^{{commit}}");
        let known = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
        let known = known.map_err(|_| NotKnown::Commit(reference.to_owned()))?;
        let base = self.run(&["merge-base", known.trim(), "HEAD"]);
        let base = base.map_err(|_| NotKnown::NoCommonCommit(reference.to_owned()))?;
        let names =
            ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", base.trim(), "--"];
        let mut files = self.run(&names)?;
        let new = ["ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/"];
        files.push_str(&self.run(&new)?);
        Ok(files.split('\0').filter(|file| !file.is_empty()).map(str::to_owned).collect())
    }

    fn run(&self, arguments: &[&str]) -> Result<String, NotKnown> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).args(arguments).stdin(Stdio::null());
        let output = command.output().map_err(|error| NotKnown::NotRun(error.to_string()))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text.lines().next().unwrap_or("git failed");
            return Err(NotKnown::Git(line.to_owned()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

#[cfg(test)]
mod tests;
