//! Finds out which branch is checked, what it is based on, and who does it: from variables of CI
//! services, else from git and the machine.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::model::{BaselineError, Result};

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
pub fn current(folder: &Path, base: &str, environment: Environment<'_>) -> Result<String> {
    if let Some(MergeRequest { branch, own, is_fork }) = request(environment) {
        // A fork's branch may have the name of one of this repository, whose baselines it must not
        // replace.
        return match own.filter(|own| own != base) {
            _ if !is_fork && branch != base => Ok(branch),
            Some(own) => Ok(own),
            None => Err(BaselineError::Request { branch }),
        };
    }
    let is_tag = environment("GITHUB_REF_TYPE").is_some_and(|kind| kind == "tag");
    Ok(first(&["CI_COMMIT_BRANCH", "BRANCH_NAME"], environment)
        .or_else(|| first(&["GITHUB_REF_NAME"], environment).filter(|_| !is_tag))
        .or_else(|| referred(&git_folder(folder)?.join("HEAD"), "refs/heads/"))
        .unwrap_or_else(|| base.to_owned()))
}

/// A request to merge a branch, as a CI service describes it.
struct MergeRequest {
    /// The name of the branch, which its author chose.
    branch: String,
    /// A name that only this request has.
    own: Option<String>,
    /// Whether the branch is known to be in a different repository.
    is_fork: bool,
}

/// Returns the request that a CI service runs for.
fn request(environment: Environment<'_>) -> Option<MergeRequest> {
    let given = |name: &str| first(&[name], environment);
    if let Some(branch) = given("GITHUB_HEAD_REF") {
        let event = given("GITHUB_EVENT_PATH").and_then(|file| std::fs::read(file).ok());
        let event = event.and_then(|text| serde_json::from_slice(&text).ok());
        let request = &event.unwrap_or(Value::Null)["pull_request"];
        // For `pull_request_target` it is the base branch.
        let number = given("GITHUB_REF").and_then(|name| {
            name.strip_prefix("refs/pull/")?.split('/').next()?.parse::<u64>().ok()
        });
        let number = number.or_else(|| request["number"].as_u64());
        let [head, base] = ["head", "base"].map(|side| &request[side]["repo"]["full_name"]);
        // A fork that was deleted has no name.
        let (own, is_fork) = (number.map(|number| format!("pr/{number}")), head != base);
        return Some(MergeRequest { branch, own, is_fork });
    }
    if let Some(branch) = given("CHANGE_BRANCH") {
        let (own, is_fork) = (given("BRANCH_NAME"), given("CHANGE_FORK").is_some());
        return Some(MergeRequest { branch, own, is_fork });
    }
    let branch = given("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME")?;
    let own = given("CI_MERGE_REQUEST_REF_PATH");
    let source = given("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH");
    let is_fork = source.is_some() && source != given("CI_MERGE_REQUEST_PROJECT_PATH");
    Some(MergeRequest { branch, own, is_fork })
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

    fn with(pairs: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
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
        assert_eq!(current(none, "develop", &pull).unwrap(), "topic");
        assert_eq!(user(&pull), "ann");
        let branch = with(&[("CI_COMMIT_BRANCH", "topic"), ("CI_DEFAULT_BRANCH", "main")]);
        assert_eq!(current(none, "main", &branch).unwrap(), "topic");
        let tag = with(&[("GITHUB_REF_TYPE", "tag"), ("GITHUB_REF_NAME", "v1")]);
        assert_eq!(current(none, "main", &tag).unwrap(), "main");
        assert!(user(&with(&[("USER", "bob")])).starts_with("bob@"));
    }

    #[test]
    fn a_fork_does_not_own_the_branches_of_the_repository() {
        let none = Path::new("/nowhere");
        let pull = [("GITHUB_HEAD_REF", "main"), ("GITHUB_REF", "refs/pull/12/merge")];
        assert_eq!(current(none, "main", &with(&pull)).unwrap(), "pr/12");
        let jenkins = [("CHANGE_BRANCH", "main"), ("BRANCH_NAME", "PR-12")];
        assert_eq!(current(none, "main", &with(&jenkins)).unwrap(), "PR-12");
        let jenkins =
            [("CHANGE_BRANCH", "release"), ("BRANCH_NAME", "PR-12"), ("CHANGE_FORK", "x")];
        assert_eq!(current(none, "main", &with(&jenkins)).unwrap(), "PR-12");
        let gitlab = [
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "main"),
            ("CI_MERGE_REQUEST_REF_PATH", "refs/merge-requests/12/head"),
        ];
        let own = "refs/merge-requests/12/head";
        assert_eq!(current(none, "main", &with(&gitlab)).unwrap(), own);
        let paths = [
            ("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", "them/shop"),
            ("CI_MERGE_REQUEST_PROJECT_PATH", "we/shop"),
        ];
        let gitlab = [gitlab.as_slice(), &paths].concat();
        assert_eq!(current(none, "release", &with(&gitlab)).unwrap(), own);
        // Without a name of its own, such a request is nobody's.
        for head in ["GITHUB_HEAD_REF", "CHANGE_BRANCH", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"] {
            let named = [(head, "main"), ("GITHUB_REF_NAME", "main"), ("BRANCH_NAME", "main")];
            let refused = current(none, "main", &with(&named)).unwrap_err();
            assert!(refused.to_string().contains("--branch"), "{refused}");
        }
    }

    #[test]
    fn the_event_of_github_says_whether_a_branch_is_of_a_fork() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.json");
        let of = |head: &str, branch: &str| {
            let event = format!(
                r#"{{"pull_request":{{"number":12,"head":{{"repo":{head}}},
                    "base":{{"repo":{{"full_name":"we/shop"}}}}}}}}"#
            );
            std::fs::write(&file, event).unwrap();
            // As pull_request_target sets them.
            let variables = [
                ("GITHUB_EVENT_PATH", file.to_str().unwrap()),
                ("GITHUB_HEAD_REF", branch),
                ("GITHUB_BASE_REF", "main"),
                ("GITHUB_REF", "refs/heads/main"),
                ("GITHUB_REF_NAME", "main"),
            ];
            let environment = with(&variables);
            current(folder.path(), "main", &environment).unwrap()
        };
        let (ours, theirs) = (r#"{"full_name":"we/shop"}"#, r#"{"full_name":"them/shop"}"#);
        assert_eq!(of(theirs, "main"), "pr/12");
        assert_eq!(of(theirs, "release"), "pr/12", "a branch of this repository may be called so");
        assert_eq!(of("null", "release"), "pr/12", "a fork that was deleted");
        assert_eq!(of(ours, "main"), "pr/12");
        assert_eq!(of(ours, "topic"), "topic");
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
        assert_eq!(current(&inner, "main", &none).unwrap(), "feature/x");
        assert_eq!(base(&inner, &none), "main");
        let head = git.join("refs/remotes/origin/HEAD");
        std::fs::write(head, "ref: refs/remotes/origin/trunk\n").unwrap();
        assert_eq!(base(&inner, &none), "trunk");
        std::fs::write(git.join("HEAD"), "0123456789abcdef\n").unwrap();
        assert_eq!(current(&inner, "trunk", &none).unwrap(), "trunk", "a detached head");
    }
}
