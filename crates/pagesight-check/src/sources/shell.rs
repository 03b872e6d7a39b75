//! Runs the command of a source and reads the pages that it prints: one URL or route per line, and
//! a name after a tab.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

use super::error::SourceError;
use super::listed::{CheckedSite, ListedPage, Listing, path_of};

/// How long the command may take.
const LIMIT: Duration = Duration::from_secs(300);
/// The most bytes that it may print.
const MOST_BYTES: u64 = 64 << 20;

/// Runs a command in a folder and reads its pages.
pub(super) async fn list(
    line: &str,
    folder: &Path,
    base: Option<&str>,
    wanted: impl Fn(&str) -> bool,
) -> Result<Listing, SourceError> {
    let named = |reason: SourceError| SourceError::Command {
        line: line.to_owned(),
        reason: Box::new(reason),
    };
    let text = tokio::time::timeout(LIMIT, output(line, folder)).await;
    let late = || format!("took longer than {} s", LIMIT.as_secs());
    let text = text.unwrap_or_else(|_| Err(late().into())).map_err(named)?;
    read(&text, base, wanted).map_err(named)
}

async fn output(line: &str, folder: &Path) -> Result<String, SourceError> {
    let started = start(line, folder).map_err(|error| format!("did not start: {error}"))?;
    let mut group = CommandGroup::new(started);
    let Some(stdout) = group.child.stdout.take() else { return Err("has no output".into()) };
    let mut bytes = Vec::new();
    let read = stdout.take(MOST_BYTES + 1).read_to_end(&mut bytes).await;
    read.map_err(|error| format!("could not be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("printed more than {} MiB", MOST_BYTES >> 20).into());
    }
    let status = group.child.wait().await.map_err(|error| format!("was lost: {error}"))?;
    if !status.success() {
        return Err(format!("failed ({status})").into());
    }
    String::from_utf8(bytes).map_err(|_| "printed text that is not UTF-8".into())
}

fn start(line: &str, folder: &Path) -> std::io::Result<Child> {
    #[cfg(windows)]
    let mut command = {
        let mut command = Command::new("cmd");
        // With /S, cmd takes everything between the outer quotation marks as it is. Escapes of
        // other programs, such as a backslash before a quotation mark, mean nothing to it.
        command.raw_arg(format!("/S /C \"{line}\""));
        command
    };
    #[cfg(not(windows))]
    let mut command = {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]);
        command
    };
    if !folder.as_os_str().is_empty() {
        command.current_dir(folder);
    }
    #[cfg(unix)]
    command.process_group(0);
    // Its errors are for the user to read.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn()
}

/// A command and everything that it started, which end together.
struct CommandGroup {
    child: Child,
    /// Its process group, which has its number.
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
}

impl CommandGroup {
    fn new(child: Child) -> CommandGroup {
        #[cfg(unix)]
        let group = child.id().and_then(|id| rustix::process::Pid::from_raw(id.try_into().ok()?));
        CommandGroup {
            child,
            #[cfg(unix)]
            group,
        }
    }
}

impl Drop for CommandGroup {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

fn read(
    text: &str,
    base: Option<&str>,
    wanted: impl Fn(&str) -> bool,
) -> Result<Listing, SourceError> {
    let mut listing = Listing::default();
    for (at, row) in text.lines().enumerate() {
        let wrong = |why: &str| format!("printed a wrong line {}: {why}", at + 1);
        let (address, name) = match row.split_once('\t') {
            Some((address, name)) => (address.trim(), Some(name.trim())),
            None => (row.trim(), None),
        };
        if address.is_empty() && name.is_none() || address.starts_with('#') {
            continue;
        }
        let url = match address.starts_with('/') {
            true => {
                let base = base.ok_or_else(|| wrong("a route needs a base_url"))?;
                format!("{}{address}", base.trim_end_matches('/'))
            }
            false => address.to_owned(),
        };
        if CheckedSite::of(&url).is_none() {
            return Err(wrong("give a URL such as http://localhost:3000/, or a route").into());
        }
        if name.is_some_and(|name| name.is_empty() || name.contains('\t')) {
            return Err(wrong("give one name after the tab").into());
        }
        if wanted(path_of(&url)) {
            listing.pages.push(ListedPage { url, name: name.map(str::to_owned) });
        }
    }
    Ok(listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<(String, Option<String>)>, SourceError> {
        let listing = read(text, Some("http://a/"), |path| path != "/no")?;
        Ok(listing.pages.into_iter().map(|page| (page.url, page.name)).collect())
    }

    #[test]
    fn a_line_is_an_address_and_perhaps_a_name() {
        let pages = parsed("/x\n\n# note\r\nhttp://b/y\tyes\n/no\n").unwrap();
        assert_eq!(
            pages,
            [("http://a/x".into(), None), ("http://b/y".into(), Some("yes".to_owned()))]
        );
        for bad in ["x", "ftp://a", "/x\t", "/x\ta\tb", "\tname", "http:///"] {
            assert!(parsed(bad).unwrap_err().to_string().contains("line 1"), "{bad}");
        }
        assert!(read("/x", None, |_| true).unwrap_err().to_string().contains("base_url"));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_command_that_fails_is_an_error_and_leaves_nothing_running() {
        let run = async |line: &str| list(line, Path::new(""), Some("http://a"), |_| true).await;
        assert_eq!(run("printf '/x\\n/y\\ty\\n'").await.unwrap().pages.len(), 2);
        assert!(
            run("echo /x; exit 3")
                .await
                .unwrap_err()
                .to_string()
                .contains("failed (exit status: 3)")
        );
        assert!(run("printf '\\377\\n'").await.unwrap_err().to_string().contains("UTF-8"));
        assert!(run("yes /x").await.unwrap_err().to_string().contains("printed more than 64 MiB"));
        // A child of the shell ends with it.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let line = format!("(sleep 60 & echo $! > {}; yes /x)", file.display());
        assert!(run(&line).await.is_err());
        let pid = std::fs::read_to_string(&file).unwrap();
        let status = format!("/proc/{}/stat", pid.trim());
        for _ in 0..200 {
            let state = std::fs::read_to_string(&status).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("process {pid} still runs");
    }
}
