//! A folder in which the blocks of one page run: empty, with the program on the path, a home of its
//! own, and the demo app at http://localhost:3000. Blocks may start servers at the ports 4000 and
//! 4001. The real ports are free ones; they are replaced in commands and in what is printed.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::blocks::{Mark, MarkedBlock};
use super::expected::agree;

/// How long one command may take.
const LIMIT: Duration = Duration::from_secs(90);
/// How often a command that runs is asked whether it has ended.
const STEP: Duration = Duration::from_millis(5);
/// The ports of the documentation. The demo app is at the first.
const PORTS: [&str; 3] = ["3000", "4000", "4001"];

/// Runs the blocks of a page.
pub struct PageShell {
    folder: tempfile::TempDir,
    ports: Vec<(&'static str, String)>,
    /// Commands that go on while others run.
    background: Vec<Child>,
}

impl PageShell {
    /// Creates the folder and starts the demo app.
    pub fn new() -> PageShell {
        let listeners = PORTS.map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let real = |listener: &TcpListener| listener.local_addr().unwrap().port().to_string();
        let ports = PORTS.into_iter().zip(listeners.iter().map(real)).collect();
        drop(listeners);
        let folder = tempfile::Builder::new().prefix("docs").tempdir().unwrap();
        for name in ["work", "home", "run"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let mut shell = PageShell { folder, ports, background: Vec::new() };
        shell
            .start("pagesight demo --serve --port 3000", "…\n…\n")
            .unwrap_or_else(|problem| panic!("the demo app: {problem}"));
        shell
    }

    /// Runs a block; returns a sentence about what went wrong.
    pub fn run(&mut self, block: &MarkedBlock) -> Result<(), String> {
        if let Mark::Run { append_to: Some(file) } = &block.mark {
            let path = self.work().join(file);
            let before = std::fs::read_to_string(&path).unwrap_or_default();
            return std::fs::write(path, before + &self.with_real_ports(&block.text))
                .map_err(|error| format!("{file}: {error}"));
        }
        match block.language.as_str() {
            "sh" => self.finish(&format!("set -e\n{}", block.text)).map(|_| ()),
            _ => self.run_console(&block.text),
        }
    }

    /// Runs lines that begin with `$ `, and compares what each prints with the lines after it.
    fn run_console(&mut self, text: &str) -> Result<(), String> {
        let mut steps: Vec<(&str, String)> = Vec::new();
        for line in text.lines() {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push((command, String::new())),
                (None, Some((_, shown))) => {
                    shown.push_str(line);
                    shown.push('\n');
                }
                (None, None) => return Err(format!("{line:?} comes before a command")),
            }
        }
        for (command, shown) in steps {
            if let Some(command) = command.strip_suffix(" &") {
                self.start(command, &shown)?;
                continue;
            }
            let printed = self.finish(command)?;
            if !agree(&shown, &printed) {
                return Err(format!("$ {command}\nmust print\n{shown}\nand printed\n{printed}"));
            }
        }
        Ok(())
    }

    /// Runs a script to its end and returns what it printed, in the order it was printed.
    fn finish(&self, script: &str) -> Result<String, String> {
        let (mut child, file) = self.spawn(script);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > LIMIT {
                end_group(&mut child);
                let printed = self.printed(&file);
                return Err(format!("{script}\ndid not end; it printed\n{printed}"));
            }
            std::thread::sleep(STEP);
        };
        let printed = self.printed(&file);
        match status.success() {
            true => Ok(printed),
            false => Err(format!("{script}\nended with {status}; it printed\n{printed}")),
        }
    }

    /// Starts a command that goes on, and waits until it has printed what is shown.
    fn start(&mut self, command: &str, shown: &str) -> Result<(), String> {
        let (child, file) = self.spawn(&format!("exec {command}"));
        self.background.push(child);
        let begun = Instant::now();
        while !agree(shown, &self.printed(&file)) || self.printed(&file).is_empty() {
            if begun.elapsed() > LIMIT / 3 {
                let printed = self.printed(&file);
                return Err(format!("$ {command} &\nmust print\n{shown}\nand printed\n{printed}"));
            }
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    /// Starts a script in a process group of its own; it prints to the returned file.
    fn spawn(&self, script: &str) -> (Child, PathBuf) {
        let program = Path::new(env!("CARGO_BIN_EXE_pagesight")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let printed = tempfile::NamedTempFile::new_in(self.folder.path()).unwrap();
        let (file, path_of_file) = printed.keep().unwrap();
        let child = Command::new("bash")
            .args(["-c", &self.with_real_ports(script)])
            .current_dir(self.work())
            .env("PATH", format!("{}:{path}", program.display()))
            .env("HOME", self.folder.path().join("home"))
            .env("XDG_RUNTIME_DIR", self.folder.path().join("run"))
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("PAGESIGHT_SESSION")
            .env_remove("CI")
            .env_remove("GITHUB_ACTIONS")
            .stdin(Stdio::null())
            .stdout(File::try_clone(&file).unwrap())
            .stderr(file)
            .process_group(0)
            .spawn()
            .unwrap();
        (child, path_of_file)
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn printed(&self, file: &Path) -> String {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        // Readers are not root.
        let seen = |line: &&str| !line.starts_with("Chromium runs without its sandbox");
        let mut text: String = text.split_inclusive('\n').filter(seen).collect();
        for (shown, real) in &self.ports {
            text = text.replace(&format!(":{real}"), &format!(":{shown}"));
        }
        text
    }

    fn with_real_ports(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (shown, real) in &self.ports {
            for before in ["localhost:", "127.0.0.1:", "--port "] {
                text = text.replace(&format!("{before}{shown}"), &format!("{before}{real}"));
            }
        }
        text
    }
}

impl Drop for PageShell {
    fn drop(&mut self) {
        // Ends the browser of a session that a block opened.
        let _ = self.finish("pagesight close --all");
        for child in &mut self.background {
            end_group(child);
        }
    }
}

/// Ends a command and what it started.
fn end_group(child: &mut Child) {
    let _ = Command::new("kill").args(["--", &format!("-{}", child.id())]).status();
    let _ = child.wait();
}
