//! Finds out which branch is checked, what it is based on, and who does it: from variables of CI
//! services, else from git and the machine.

use std::path::{Path, PathBuf};

/// The branch that others are based on, if nothing says otherwise.
const DEFAULT: &str = "main";

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns the branch that the current one is based on.
pub fn base(folder: &Path, environment: Environment<'_>) -> String {
    let variables = [
        "GITHUB_BASE_REF",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
        "CHANGE_TARGET",
        "CI_DEFAULT_BRANCH",
    ];
    first(&variables, environment)
        .or_else(|| {
            let head = common_folder(folder)?.join("refs/remotes/origin/HEAD");
            referred(&head, "refs/remotes/origin/")
        })
        .unwrap_or_else(|| DEFAULT.to_owned())
}

/// Returns the current branch; its base if there is none.
pub fn current(folder: &Path, base: &str, environment: Environment<'_>) -> String {
    // A fork's branch may have the name of the base; it must not replace its baselines. The name of
    // the request itself comes next.
    let requested = ["GITHUB_HEAD_REF", "CHANGE_BRANCH", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"];
    let is_tag = environment("GITHUB_REF_TYPE").is_some_and(|kind| kind == "tag");
    first(&requested, environment)
        .filter(|head| head != base)
        .or_else(|| {
            let names = ["CI_MERGE_REQUEST_REF_PATH", "CI_COMMIT_BRANCH", "BRANCH_NAME"];
            first(&names, environment)
        })
        .or_else(|| first(&["GITHUB_REF_NAME"], environment).filter(|_| !is_tag))
        .or_else(|| referred(&git_folder(folder)?.join("HEAD"), "refs/heads/"))
        .unwrap_or_else(|| base.to_owned())
}

/// Returns who runs pagesight.
pub fn user(environment: Environment<'_>) -> String {
    if let Some(actor) = first(&["GITHUB_ACTOR", "GITLAB_USER_LOGIN"], environment) {
        return actor;
    }
    let user = first(&["USER", "USERNAME", "LOGNAME"], environment);
    format!("{}@{}", user.as_deref().unwrap_or("unknown"), host(environment))
}

/// Returns the name of this machine.
pub fn host(environment: Environment<'_>) -> String {
    let read = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let known = read.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    known
        .or_else(|| first(&["HOSTNAME", "COMPUTERNAME"], environment))
        .unwrap_or_else(|| "localhost".to_owned())
}

fn first(variables: &[&str], environment: Environment<'_>) -> Option<String> {
    variables.iter().find_map(|name| environment(name).filter(|value| !value.is_empty()))
}

/// Returns the name that a file such as HEAD refers to.
fn referred(file: &Path, prefix: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.trim().strip_prefix("ref: ")?.strip_prefix(prefix)?.to_owned())
}

/// Returns git's folder of the work tree that a folder is in.
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let at = folder.ancestors().map(|above| above.join(".git")).find(|path| path.exists())?;
    if at.is_dir() {
        return Some(at);
    }
    // In a further work tree it is a file that names the folder.
    let text = std::fs::read_to_string(&at).ok()?;
    Some(at.parent()?.join(text.trim().strip_prefix("gitdir: ")?))
}

/// Returns the folder that all work trees of a repository share.
fn common_folder(folder: &Path) -> Option<PathBuf> {
    let git = git_folder(folder)?;
    match std::fs::read_to_string(git.join("commondir")) {
        Ok(common) => Some(git.join(common.trim())),
        Err(_) => Some(git),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        move |name| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn variables_of_ci_come_first() {
        let none = Path::new("/nowhere");
        let pull = with(&[
            ("GITHUB_BASE_REF", "develop"),
            ("GITHUB_HEAD_REF", "topic"),
            ("GITHUB_REF_NAME", "12/merge"),
            ("GITHUB_ACTOR", "ann"),
        ]);
        assert_eq!(base(none, &pull), "develop");
        assert_eq!(current(none, "develop", &pull), "topic");
        assert_eq!(user(&pull), "ann");
        let fork = with(&[("GITHUB_HEAD_REF", "main"), ("GITHUB_REF_NAME", "12/merge")]);
        assert_eq!(current(none, "main", &fork), "12/merge", "not the base of this repository");
        let fork = with(&[("CHANGE_BRANCH", "main"), ("BRANCH_NAME", "PR-12")]);
        assert_eq!(current(none, "main", &fork), "PR-12");
        let fork = with(&[
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "main"),
            ("CI_MERGE_REQUEST_REF_PATH", "refs/merge-requests/12/head"),
        ]);
        assert_eq!(current(none, "main", &fork), "refs/merge-requests/12/head");
        let branch = with(&[("CI_COMMIT_BRANCH", "topic"), ("CI_DEFAULT_BRANCH", "main")]);
        assert_eq!(current(none, "main", &branch), "topic");
        let tag = with(&[("GITHUB_REF_TYPE", "tag"), ("GITHUB_REF_NAME", "v1")]);
        assert_eq!(current(none, "main", &tag), "main");
        assert!(user(&with(&[("USER", "bob")])).starts_with("bob@"));
    }

    #[test]
    fn git_is_read_without_git() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        let git = folder.path().join(".git");
        std::fs::create_dir_all(git.join("refs/remotes/origin")).unwrap();
        std::fs::write(git.join("HEAD"), "ref: refs/heads/feature/x\n").unwrap();
        let none = with(&[]);
        assert_eq!((base(&inner, &none), current(&inner, "main", &none)).1, "feature/x");
        assert_eq!(base(&inner, &none), "main");
        let head = git.join("refs/remotes/origin/HEAD");
        std::fs::write(head, "ref: refs/remotes/origin/trunk\n").unwrap();
        assert_eq!(base(&inner, &none), "trunk");
        std::fs::write(git.join("HEAD"), "0123456789abcdef\n").unwrap();
        assert_eq!(current(&inner, "trunk", &none), "trunk", "a detached head");
    }
}
