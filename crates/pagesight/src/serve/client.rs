//! The client side of the socket: finds the process, starts it if there is none, and asks it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use pagesight_browser::{Engine, LaunchOptions, no_sandbox};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use super::local_socket::{LocalStream, connect};
use super::options::{CONNECT, as_arguments};
use super::protocol::{Ask, PROTOCOL, Reply, Request};
use super::runtime_folder::{RuntimeFolderError, runtime_folder};
use super::session_setup::SessionSetup;
use super::socket::socket_path;
use crate::cli::browser_environment::report_no_sandbox;

/// How long a process may take to listen.
const START_LIMIT: Duration = Duration::from_secs(10);
/// How often a client looks whether it does.
pub(super) const START_STEP: Duration = Duration::from_millis(10);
/// How long a process of a different version may take to end.
const REPLACE_LIMIT: Duration = Duration::from_secs(10);

/// Why the process cannot be asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    #[error(transparent)]
    Folder(#[from] RuntimeFolderError),
    #[error("cannot lock the start of the process: {0}")]
    Lock(std::io::Error),
    #[error("cannot start the pagesight process: {0}")]
    Start(std::io::Error),
    #[error("the pagesight process did not start: {log}")]
    Failed { log: String },
    #[error("the pagesight process did not start within 10 s")]
    SlowStart,
    #[error(
        "a pagesight {version} is running and in use; end it with that version's pagesight close --all, or stop its pagesight serve"
    )]
    InUse { version: String },
    #[error("the pagesight process of a different version does not end")]
    NotReplaced,
    #[error("the pagesight process does not end")]
    NotStopped,
    /// It ended before it answered.
    #[error("the pagesight process ended during the call; its tabs and references are gone")]
    Ended,
    #[error("the pagesight process answered oddly: {0}")]
    Unreadable(serde_json::Error),
    #[error("the pagesight process answered oddly")]
    Odd,
    /// It refused the request with this sentence.
    #[error("{0}")]
    Refused(String),
    #[error("the call was cancelled")]
    Cancelled,
}

/// How a missing process is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfNotRunning {
    Start,
    Report,
}

/// A client of the process.
pub(crate) struct Client {
    folder: PathBuf,
    /// The browser options that the user gave, by flag.
    options: BTreeMap<String, String>,
    /// The browser options to start a process with.
    to_start: BTreeMap<String, String>,
    /// The options of the session.
    setup: SessionSetup,
}

impl Client {
    /// Creates a client. Nothing is started yet.
    pub(crate) fn new(
        options: BTreeMap<String, String>,
        to_start: BTreeMap<String, String>,
        setup: SessionSetup,
    ) -> Result<Client, ClientError> {
        Ok(Client { folder: runtime_folder()?, options, to_start, setup })
    }

    /// Asks the process. `None`: none runs, and none was to be started.
    pub(crate) async fn ask(
        &self,
        ask: Ask,
        missing: IfNotRunning,
    ) -> Result<Option<Reply>, ClientError> {
        let request = self.request(ask);
        let mut replaced = false;
        loop {
            let Some(stream) = self.connect(missing).await? else { return Ok(None) };
            let (reply, _) = exchange(stream, &request).await?;
            match reply {
                Reply::Version { version, idle } => {
                    if !idle || replaced {
                        return Err(ClientError::InUse { version });
                    }
                    replaced = true;
                    self.until_gone().await?;
                }
                Reply::Refused(sentence) => return Err(ClientError::Refused(sentence)),
                reply => return Ok(Some(reply)),
            }
        }
    }

    /// Whether a process was killed: it left its socket, and nobody listens there.
    pub(crate) async fn was_killed(&self) -> bool {
        let path = socket_path(&self.folder);
        path.exists() && connect(&path).await.is_err()
    }

    /// Ends the process, and waits until it has ended. Reports whether there was one.
    pub(crate) async fn stop(&self) -> Result<bool, ClientError> {
        let Some(stream) = self.connect(IfNotRunning::Report).await? else { return Ok(false) };
        let (reply, mut stream) = exchange(stream, &self.request(Ask::Stop)).await?;
        match reply {
            Reply::Done(_) => {}
            Reply::Version { version, idle: false } => return Err(ClientError::InUse { version }),
            Reply::Version { .. } => {}
            Reply::Refused(sentence) => return Err(ClientError::Refused(sentence)),
            _ => return Err(ClientError::Odd),
        }
        let ended = async { while stream.read(&mut [0; 64]).await.is_ok_and(|count| count > 0) {} };
        let stopped = tokio::time::timeout(REPLACE_LIMIT, ended).await;
        stopped.map(|()| true).map_err(|_| ClientError::NotStopped)
    }

    pub(super) fn request(&self, ask: Ask) -> Request {
        Request {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            options: self.options.clone(),
            setup: self.setup.clone(),
            ask,
        }
    }

    /// Connects to the process, and starts it if that is wanted.
    async fn connect(&self, missing: IfNotRunning) -> Result<Option<LocalStream>, ClientError> {
        match missing {
            IfNotRunning::Start => self.connect_or_start().await.map(Some),
            IfNotRunning::Report => Ok(connect(&socket_path(&self.folder)).await.ok()),
        }
    }

    /// Connects to the process, and starts it if there is none.
    pub(super) async fn connect_or_start(&self) -> Result<LocalStream, ClientError> {
        let path = socket_path(&self.folder);
        if let Ok(stream) = connect(&path).await {
            return Ok(stream);
        }
        // Two commands at once start one process: the second waits for the lock, and connects.
        let _lock = start_lock(&self.folder).await?;
        if let Ok(stream) = connect(&path).await {
            return Ok(stream);
        }
        let mut process = start(&self.folder, &self.to_start)?;
        self.report_sandbox();
        let began = tokio::time::Instant::now();
        loop {
            if let Ok(stream) = connect(&path).await {
                return Ok(stream);
            }
            let ended = process.try_wait().ok().flatten();
            if ended.is_some() || began.elapsed() > START_LIMIT {
                return Err(match ended {
                    Some(_) => ClientError::Failed { log: last_line(&self.folder.join(LOG)) },
                    None => ClientError::SlowStart,
                });
            }
            tokio::time::sleep(START_STEP).await;
        }
    }

    /// Reports that the process starts its browser without a sandbox: it has no terminal itself.
    fn report_sandbox(&self) {
        let engine = self.to_start.get("--browser").map_or(Engine::default().id(), String::as_str);
        let engine = Engine::ALL.into_iter().find(|one| one.id() == engine).unwrap_or_default();
        let starts = !self.to_start.contains_key(CONNECT);
        let launch = LaunchOptions { engine, ..LaunchOptions::default() };
        if let Some(why) = no_sandbox(&launch).filter(|_| starts) {
            report_no_sandbox(why);
        }
    }

    /// Waits until a process that is being replaced has left its socket.
    async fn until_gone(&self) -> Result<(), ClientError> {
        let began = tokio::time::Instant::now();
        while connect(&socket_path(&self.folder)).await.is_ok() {
            if began.elapsed() > REPLACE_LIMIT {
                return Err(ClientError::NotReplaced);
            }
            tokio::time::sleep(START_STEP * 5).await;
        }
        Ok(())
    }
}

/// The log of the process, which has only what went wrong when it started.
const LOG: &str = "start.log";

/// Starts the process, which outlives this one.
fn start(
    folder: &Path,
    options: &BTreeMap<String, String>,
) -> Result<std::process::Child, ClientError> {
    let program = std::env::current_exe().map_err(ClientError::Start)?;
    let log = File::create(folder.join(LOG)).map_err(ClientError::Start)?;
    // Other users can read the arguments of a process, and the address may have a token.
    let mut options = options.clone();
    let address = options.remove(CONNECT);
    let mut process = std::process::Command::new(program);
    // A Ctrl-C of the shell is not for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    process
        .args(["serve", "--socket-only"])
        .args(address.as_ref().map(|_| "--connect-stdin"))
        .args(as_arguments(&options))
        .current_dir("/")
        .stdin(if address.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::null())
        .stderr(log);
    let mut process = process.spawn().map_err(ClientError::Start)?;
    if let (Some(address), Some(mut input)) = (address, process.stdin.take()) {
        // A process that ended at once says why in its log.
        let _ = input.write_all(address.as_bytes());
    }
    Ok(process)
}

async fn start_lock(folder: &Path) -> Result<File, ClientError> {
    let path = folder.join("start.lock");
    let locked = tokio::task::spawn_blocking(move || {
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        file.lock()?;
        Ok::<File, std::io::Error>(file)
    });
    locked.await.map_err(std::io::Error::from).flatten().map_err(ClientError::Lock)
}

fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let line = text.lines().rev().find(|line| !line.trim().is_empty());
    line.unwrap_or("it ended without a message").trim_start_matches("error: ").to_owned()
}

/// Sends a request and reads the reply. The connection stays open as long as the second value.
pub(super) async fn exchange(
    stream: LocalStream,
    request: &Request,
) -> Result<(Reply, LocalStream), ClientError> {
    let mut stream = BufReader::new(stream);
    // Strings, numbers and maps with string keys can always be written.
    let mut line = serde_json::to_vec(request).unwrap_or_default();
    line.push(b'\n');
    stream.write_all(&line).await.map_err(|_| ClientError::Ended)?;
    let mut reply = Vec::new();
    stream.read_until(b'\n', &mut reply).await.map_err(|_| ClientError::Ended)?;
    if reply.is_empty() {
        return Err(ClientError::Ended);
    }
    let reply = serde_json::from_slice(&reply).map_err(ClientError::Unreadable)?;
    Ok((reply, stream.into_inner()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    impl Client {
        fn of(folder: PathBuf) -> Client {
            let (options, setup) = (BTreeMap::new(), SessionSetup::default());
            Client { folder, to_start: options.clone(), options, setup }
        }
    }

    /// Sends a request to a process that answers with this text.
    async fn asked(answer: &str) -> Result<Reply, ClientError> {
        let folder = PathBuf::new();
        let client = Client::of(folder);
        let (stream, mut process) = LocalStream::pair().unwrap();
        process.write_all(answer.as_bytes()).await.unwrap();
        process.shutdown().await.unwrap();
        exchange(stream, &client.request(Ask::List)).await.map(|(reply, _)| reply)
    }

    #[tokio::test]
    async fn a_process_that_ends_or_answers_oddly_is_an_error() {
        assert!(matches!(asked("{\"done\":true}\n").await, Ok(Reply::Done(true))));
        assert!(matches!(asked("").await.unwrap_err(), ClientError::Ended));
        for odd in ["{\n", "{\"fine\":1}\n", "{\"done\":"] {
            let error = asked(odd).await.unwrap_err();
            assert!(matches!(error, ClientError::Unreadable(_)), "{error}");
        }
    }

    #[test]
    fn the_log_says_why_a_process_did_not_start() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join(LOG);
        assert_eq!(last_line(&log), "it ended without a message");
        std::fs::write(&log, "a note\nerror: no port is free\n\n").unwrap();
        assert_eq!(last_line(&log), "no port is free");
    }

    #[tokio::test]
    async fn a_socket_without_a_process_was_left_by_a_killed_one() {
        let folder = tempfile::tempdir().unwrap();
        let client = Client::of(folder.path().to_owned());
        assert!(!client.was_killed().await, "there is no socket");
        assert!(client.ask(Ask::List, IfNotRunning::Report).await.unwrap().is_none());
        let listener = super::super::socket::bind(&socket_path(&client.folder)).unwrap();
        assert!(!client.was_killed().await, "it listens");
        drop(listener);
        assert!(client.was_killed().await);
        assert!(!client.stop().await.unwrap(), "there is nothing to stop");
    }
}
