//! The machine of a reader: a home, the demo app at http://localhost:3000, and the process of
//! sessions. Pages with examples share one, so that they share its browser, too.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::expected::agree;
use super::shell::LIMIT;

/// How often it is looked at what a command has printed.
const STEP: Duration = Duration::from_millis(5);
/// The ports of the documentation. The demo app is at the first.
const PORTS: [&str; 3] = ["3000", "4000", "4001"];
/// The page that keeps a browser open while no page of the documentation has a session.
const KEPT: &str = "pagesight open about:blank -s kept";

/// The file that a command prints to.
pub struct Printed(PathBuf);

/// A home, the demo app and the process of sessions.
pub struct Machine {
    folder: tempfile::TempDir,
    ports: Vec<(&'static str, String)>,
    demo: Option<Child>,
}

impl Machine {
    /// Creates the home and starts the demo app.
    pub fn new() -> Machine {
        let listeners = PORTS.map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let real = |listener: &TcpListener| listener.local_addr().unwrap().port().to_string();
        let ports = PORTS.into_iter().zip(listeners.iter().map(real)).collect();
        drop(listeners);
        let folder = tempfile::Builder::new().prefix("docs").tempdir().unwrap();
        for name in ["home", "run"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let mut machine = Machine { folder, ports, demo: None };
        let command = "pagesight demo --serve --port 3000";
        let (demo, printed) = machine.spawn(machine.folder.path(), &format!("exec {command}"));
        machine.demo = Some(demo);
        machine
            .wait_for(command, "…\n…\n", &printed)
            .unwrap_or_else(|problem| panic!("the demo app: {problem}"));
        machine
    }

    /// Opens the browser of sessions, which stays open until the machine is dropped.
    pub fn keep_browser(&self) {
        let (mut child, printed) = self.spawn(self.folder.path(), KEPT);
        let status = child.wait().unwrap();
        assert!(status.success(), "{KEPT}: {}", self.printed(&printed));
    }

    /// Creates an empty folder for a page. It is no repository, so its session is its own.
    pub fn new_folder(&self) -> tempfile::TempDir {
        tempfile::Builder::new().prefix("shop").tempdir_in(self.folder.path()).unwrap()
    }

    /// Returns a command of this machine.
    pub fn command(&self, program: &str, folder: &Path) -> Command {
        let programs = Path::new(env!("CARGO_BIN_EXE_pagesight")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("HOME", self.folder.path().join("home"))
            .env("XDG_RUNTIME_DIR", self.folder.path().join("run"))
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("PAGESIGHT_SESSION")
            .env_remove("CI")
            .env_remove("GITHUB_ACTIONS")
            .process_group(0);
        command
    }

    /// Starts a script in a process group of its own; it prints to the returned file.
    pub fn spawn(&self, folder: &Path, script: &str) -> (Child, Printed) {
        let printed = tempfile::NamedTempFile::new_in(self.folder.path()).unwrap();
        let (file, path_of_file) = printed.keep().unwrap();
        let mut command = self.command("bash", folder);
        // The window of a login needs a display, and there may be none.
        if script.starts_with("pagesight login") {
            command.env("DISPLAY", ":0").env("PAGESIGHT_BROWSER_ARGS", "--headless=new");
        }
        let child = command
            .args(["-c", &self.with_real_ports(script)])
            .stdin(Stdio::null())
            .stdout(File::try_clone(&file).unwrap())
            .stderr(file)
            .spawn()
            .unwrap();
        (child, Printed(path_of_file))
    }

    /// Waits until a command has printed what is shown.
    pub fn wait_for(&self, command: &str, shown: &str, printed: &Printed) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            let printed = self.printed(printed);
            if !printed.is_empty() && agree(shown, &printed) {
                return Ok(());
            }
            if begun.elapsed() > LIMIT / 3 {
                return Err(format!("$ {command} &\nmust print\n{shown}\nand printed\n{printed}"));
            }
            std::thread::sleep(STEP);
        }
    }

    /// Returns what a command has printed, with the ports of the documentation.
    pub fn printed(&self, printed: &Printed) -> String {
        let text = String::from_utf8_lossy(&std::fs::read(&printed.0).unwrap()).into_owned();
        // Readers are not root.
        let seen = |line: &&str| !line.starts_with("Chromium runs without its sandbox");
        self.with_shown_ports(text.split_inclusive('\n').filter(seen).collect())
    }

    /// Replaces the real ports by those of the documentation.
    pub fn with_shown_ports(&self, mut text: String) -> String {
        for (shown, real) in &self.ports {
            text = text.replace(&format!(":{real}"), &format!(":{shown}"));
        }
        text
    }

    /// Replaces the ports of the documentation by the real ones.
    pub fn with_real_ports(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (shown, real) in &self.ports {
            for before in ["localhost:", "127.0.0.1:", "--port "] {
                text = text.replace(&format!("{before}{shown}"), &format!("{before}{real}"));
            }
        }
        text
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let (mut closing, _) = self.spawn(self.folder.path(), "pagesight close --all");
        let _ = closing.wait();
        if let Some(demo) = &mut self.demo {
            end_group(demo);
        }
    }
}

/// Ends a command and what it started.
pub fn end_group(child: &mut Child) {
    let _ = Command::new("kill").args(["--", &format!("-{}", child.id())]).status();
    let _ = child.wait();
}
