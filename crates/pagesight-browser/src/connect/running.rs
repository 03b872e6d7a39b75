//! Finds running browsers whose user has switched remote debugging on. The file with the port
//! outlives its browser, so a browser counts as running only if its port accepts a connection.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::listener::is_foreign;
use super::profiles::{
    ActivePort, BrowserChannel, is_running_name, people_call, profile_folders, settings_page,
};
use crate::discover::HostEnvironment;
use crate::error::{BrowserError, Result};

/// The file that names the port.
const PORT_FILE: &str = "DevToolsActivePort";
/// The longest file that is read; a browser writes less than 70 bytes.
const LONGEST_FILE: u64 = 256;
/// How long a port on this machine may take to accept a connection.
const PROBE_LIMIT: Duration = Duration::from_millis(500);

/// A running browser that can be connected to, if its user allows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningBrowser {
    /// Product and release channel, such as Chrome Beta.
    pub channel: &'static BrowserChannel,
    /// The folder of the profile that it uses.
    pub folder: PathBuf,
    /// The port on 127.0.0.1 that it listens on.
    pub port: u16,
    /// The path of its WebSocket.
    pub(super) path: String,
}

/// Returns the running browsers of the user that have remote debugging switched on.
pub async fn running_browsers() -> Vec<RunningBrowser> {
    listening(candidates(), is_foreign).await.0
}

/// Finds the running browser that a name stands for.
pub(super) async fn find(wanted: &str) -> Result<RunningBrowser> {
    let (running, foreign) = listening(candidates(), is_foreign).await;
    choose_own(wanted, running, foreign)
}

/// Returns the browsers whose files name a port.
fn candidates() -> Vec<RunningBrowser> {
    let mut found = Vec::new();
    for (channel, folder) in HostEnvironment::here(profile_folders) {
        let folder = PathBuf::from(folder);
        if let Some((ActivePort { port, path }, written)) = read_port_file(&folder) {
            found.push((RunningBrowser { channel, folder, port, path }, written));
        }
    }
    newest_of_each_port(found)
}

/// Returns the browsers whose ports accept connections: those of the user, and those whose port a
/// different user has now.
async fn listening(
    candidates: Vec<RunningBrowser>,
    is_foreign: impl Fn(u16) -> bool,
) -> (Vec<RunningBrowser>, Vec<RunningBrowser>) {
    let mut running = Vec::new();
    for candidate in candidates {
        let probe = tokio::net::TcpStream::connect(("127.0.0.1", candidate.port));
        if matches!(tokio::time::timeout(PROBE_LIMIT, probe).await, Ok(Ok(_))) {
            running.push(candidate);
        }
    }
    running.into_iter().partition(|one| !is_foreign(one.port))
}

/// Reads the port file of a profile folder, and when it was written.
fn read_port_file(folder: &Path) -> Option<(ActivePort, SystemTime)> {
    let path = folder.join(PORT_FILE);
    // Opening something else, such as a pipe, could block.
    let about = std::fs::metadata(&path).ok().filter(|about| about.is_file())?;
    let mut text = String::new();
    let file = std::fs::File::open(&path).ok()?;
    file.take(LONGEST_FILE + 1).read_to_string(&mut text).ok()?;
    let short = text.len() as u64 <= LONGEST_FILE;
    let written = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    ActivePort::parse(&text).filter(|_| short).map(|port| (port, written))
}

/// Of the files that name the same port, only the newest can be true: browsers use the same port
/// by default, and leave their files behind.
fn newest_of_each_port(found: Vec<(RunningBrowser, SystemTime)>) -> Vec<RunningBrowser> {
    let newer = |(one, written): &(RunningBrowser, SystemTime)| {
        found.iter().any(|(other, later)| other.port == one.port && later > written)
    };
    found.iter().filter(|one| !newer(one)).map(|(one, _)| one.clone()).collect()
}

/// Chooses a browser of the user. If there is none, says whether a different user has its port.
fn choose_own(
    wanted: &str,
    running: Vec<RunningBrowser>,
    foreign: Vec<RunningBrowser>,
) -> Result<RunningBrowser> {
    choose(wanted, running).map_err(|error| match (error, choose(wanted, foreign)) {
        (BrowserError::NoneRunning { .. }, Ok(RunningBrowser { channel, port, .. })) => {
            BrowserError::ForeignPort { browser: channel.name, port }
        }
        (error, _) => error,
    })
}

/// Chooses the browser that a name stands for. A browser's own name means its stable channel if
/// that is running, else any other channel.
fn choose(wanted: &str, running: Vec<RunningBrowser>) -> Result<RunningBrowser> {
    debug_assert!(is_running_name(wanted));
    let exact = |one: &&RunningBrowser| wanted == "auto" || one.channel.id == wanted;
    let mut fitting: Vec<&RunningBrowser> = running.iter().filter(exact).collect();
    if fitting.is_empty() {
        fitting = running.iter().filter(|one| one.channel.family == wanted).collect();
    }
    match fitting.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(BrowserError::NoneRunning {
            wanted: people_call(wanted),
            page: settings_page(wanted),
        }),
        several => Err(BrowserError::SeveralRunning {
            found: several.iter().map(|one| one.described()).collect::<Vec<_>>().join("; "),
        }),
    }
}

impl RunningBrowser {
    /// Returns its name in options, its profile folder and its port.
    pub fn described(&self) -> String {
        let RunningBrowser { channel, folder, port, .. } = self;
        format!("{} ({}, port {port})", channel.id, folder.display())
    }
}

#[cfg(test)]
mod tests {
    use super::super::profiles::CHANNELS;
    use super::*;

    fn running(id: &str, port: u16) -> RunningBrowser {
        let channel = CHANNELS.iter().find(|channel| channel.id == id).unwrap();
        let folder = PathBuf::from(format!("/cfg/{id}"));
        RunningBrowser { channel, folder, port, path: "/devtools/browser/a".to_owned() }
    }

    #[test]
    fn one_browser_is_chosen_and_several_are_listed() {
        let chosen = |wanted: &str, ids: &[&str]| {
            let all = ids.iter().zip(9000..).map(|(id, port)| running(id, port)).collect();
            choose(wanted, all).map(|one| one.channel.id).map_err(|error| error.to_string())
        };
        assert_eq!(chosen("auto", &["edge"]), Ok("edge"));
        assert_eq!(chosen("chrome", &["chrome", "chrome-beta", "edge"]), Ok("chrome"));
        assert_eq!(chosen("chrome", &["chrome-beta", "edge"]), Ok("chrome-beta"));
        assert_eq!(chosen("chrome-beta", &["chrome", "chrome-beta"]), Ok("chrome-beta"));
        let two = chosen("auto", &["chrome", "edge"]).unwrap_err();
        assert!(
            two.contains("chrome (/cfg/chrome, port 9000); edge (/cfg/edge, port 9001)"),
            "{two}"
        );
        let none = chosen("edge", &["chrome"]).unwrap_err();
        assert!(none.contains("edge://inspect/#remote-debugging"), "{none}");
        let none = chosen("auto", &[]).unwrap_err();
        assert!(none.contains("chrome://inspect/#remote-debugging"), "{none}");
    }

    #[tokio::test]
    async fn a_port_of_a_different_user_is_not_a_browser() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let here = || vec![running("chrome", port), running("edge", 1)];
        let (own, foreign) = listening(here(), |_| false).await;
        assert_eq!((own.len(), foreign.len()), (1, 0), "nothing listens on the other port");
        let (own, foreign) = listening(here(), |_| true).await;
        assert_eq!((own.len(), foreign.len()), (0, 1));
        let refused = choose_own("auto", own, foreign.clone()).unwrap_err();
        assert_eq!(refused, BrowserError::ForeignPort { browser: "Chrome", port });
        // A browser of the user counts more.
        let own = vec![running("edge", 2)];
        assert_eq!(choose_own("auto", own, foreign.clone()).unwrap().channel.id, "edge");
        let none = choose_own("edge", Vec::new(), foreign).unwrap_err();
        assert!(matches!(none, BrowserError::NoneRunning { .. }), "{none}");
    }

    #[test]
    fn a_port_belongs_to_the_browser_that_named_it_last() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let found = vec![
            (running("chrome", 9222), at(1)),
            (running("chromium", 9222), at(2)),
            (running("edge", 9333), at(0)),
        ];
        let left: Vec<&str> = newest_of_each_port(found).iter().map(|one| one.channel.id).collect();
        assert_eq!(left, ["chromium", "edge"]);
    }

    #[test]
    fn a_port_file_has_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(PORT_FILE);
        assert_eq!(read_port_file(folder.path()), None);
        std::fs::write(&file, "9222\n/devtools/browser/a-1").unwrap();
        assert_eq!(read_port_file(folder.path()).unwrap().0.port, 9222);
        std::fs::write(&file, format!("9222\n/devtools/browser/a-1{}", "\n".repeat(4096))).unwrap();
        assert_eq!(read_port_file(folder.path()), None);
        std::fs::write(&file, [0xff, 0xfe]).unwrap();
        assert_eq!(read_port_file(folder.path()), None);
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert_eq!(read_port_file(folder.path()), None);
    }
}
