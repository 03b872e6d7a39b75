//! Child processes that end with this process, and temporary profiles that are removed with them.
//! Handles processes, their log and the profile folder; does not know the protocol.
//!
//! Unix: a guard, a few lines of `sh` in their own process group, starts the browser. The guard
//! holds one end of a socket pair, the life line. When our end closes (we close it, end, or are
//! killed with SIGKILL) the guard ends the browser, removes the profile and then kills what is left
//! of its group. If the guard itself is killed, we end the browser at once in its place. The
//! protocol uses a second socket pair, which the browser gets as file descriptors 3 and 4.
//!
//! Windows: the browser is started directly and killed on drop. This is best effort: if pagesight
//! itself is killed by force, the browser keeps running.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::sync::lock;

#[cfg(target_os = "linux")]
mod busiest;

/// How many lines of the browser's log are kept.
const LOG_LINES: usize = 20;
/// How long to wait for the last processes of a killed group.
const LAST_ONES: Duration = Duration::from_secs(1);
/// Longest part of a line of the log that is kept.
const LOG_LINE: usize = 400;

/// How often and how soon a profile is removed again if that fails: processes that were killed may
/// still write to it.
#[cfg(unix)]
const PROFILE_TRIES: u32 = 30;
#[cfg(unix)]
const PROFILE_PAUSE: Duration = Duration::from_millis(50);

/// The guard's script. $1 is the temporary profile (empty: none to remove), the rest is the browser
/// and its arguments. Standard input is the protocol's socket, standard output the life line. A
/// background command of `sh` has no standard input, so the socket is passed as 3 and 4. A number
/// on the life line is how many times 50 ms the browser has to end without a signal. Every loop is
/// bounded: that time, 2 s for the browser to end, 1.5 s for the profile.
#[cfg(unix)]
const GUARD: &str = r#"
profile=$1
shift
exec 3<&0 4>&0 0</dev/null
"$@" >/dev/null &
browser=$!
exec 3<&- 4>&-
trap '' INT TERM HUP
read -r patience <&1
exec 2>/dev/null
n=0
while [ $n -lt "${patience:-0}" ] && kill -0 "$browser"; do sleep 0.05 || sleep 1; n=$((n + 1)); done
kill -TERM "$browser"
n=0
while kill -0 "$browser" && [ $n -lt 40 ]; do sleep 0.05 || sleep 1; n=$((n + 1)); done
kill -KILL "$browser"
n=0
while [ -n "$profile" ] && [ -e "$profile" ] && [ $n -lt 30 ]; do
  rm -rf -- "$profile" || sleep 0.05 || sleep 1
  n=$((n + 1))
done
kill -KILL 0
"#;

/// A browser's process, or the guard over it. Dropping it ends the browser.
pub(crate) struct GuardedProcess {
    child: tokio::sync::Mutex<Child>,
    #[cfg(unix)]
    life_line: Mutex<Option<std::os::unix::net::UnixStream>>,
    /// Whether the guard was asked to end the browser.
    #[cfg(unix)]
    released: Arc<AtomicBool>,
    /// Removed when this is dropped, which happens after the child is dropped.
    #[cfg(not(unix))]
    profile: Mutex<Option<TempDir>>,
    log: Log,
    progress: watch::Receiver<LogProgress>,
}

/// The progress of the log.
#[derive(Clone, Copy, Default)]
struct LogProgress {
    lines: u64,
    ended: bool,
}

/// Starts `program` under a guard; returns our end of the protocol's socket. `environment` is all
/// that both get. `profile` is removed with the browser.
#[cfg(unix)]
pub(crate) fn spawn(
    program: &Path,
    arguments: &[OsString],
    environment: &[(OsString, OsString)],
    profile: Option<TempDir>,
) -> io::Result<(GuardedProcess, tokio::net::UnixStream)> {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let (ours, theirs) = UnixStream::pair()?;
    let (our_line, their_line) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let ours = tokio::net::UnixStream::from_std(ours)?;
    let mut command = Command::new("/bin/sh");
    command
        .arg("-c")
        .arg(GUARD)
        .arg("pagesight-guard")
        .arg(profile.as_ref().map(|profile| profile.path().as_os_str()).unwrap_or_default())
        .arg(program)
        .args(arguments)
        .env_clear()
        .envs(environment.iter().cloned())
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(their_line)))
        .stderr(Stdio::piped())
        .process_group(0);
    let mut child = command.spawn()?;
    // From here on the guard removes it.
    let profile = profile.map(TempDir::keep);
    let watched = our_line.try_clone().and_then(|line| {
        line.set_nonblocking(true)?;
        tokio::net::UnixStream::from_std(line)
    });
    let released = Arc::new(AtomicBool::new(false));
    match (watched, child.id()) {
        (Ok(line), Some(guard)) => {
            tokio::spawn(replace_guard(line, guard, released.clone(), profile));
        }
        (Err(error), _) => tracing::warn!(%error, "the guard is not watched"),
        (Ok(_), None) => {}
    }
    let (log, progress) = keep_log(child.stderr.take());
    let child = tokio::sync::Mutex::new(child);
    let life_line = Mutex::new(Some(our_line));
    Ok((GuardedProcess { child, life_line, released, log, progress }, ours))
}

/// Waits for the end of the guard. If it was killed, ends its group in its place. The group cannot
/// be a different one by then: its id stays in use until we have waited for the guard.
#[cfg(unix)]
async fn replace_guard(
    mut line: tokio::net::UnixStream,
    guard: u32,
    released: Arc<AtomicBool>,
    profile: Option<std::path::PathBuf>,
) {
    // Nothing is ever written there.
    let _ = line.read(&mut [0]).await;
    if released.load(Ordering::SeqCst) {
        return;
    }
    tracing::warn!("the guard of the browser was killed; the browser is ended");
    let kill = format!("kill -KILL -{guard}");
    let _ = Command::new("/bin/sh").args(["-c", &kill]).stderr(Stdio::null()).status().await;
    let Some(profile) = profile else { return };
    for _ in 0..PROFILE_TRIES {
        if std::fs::remove_dir_all(&profile).is_ok() || !profile.exists() {
            return;
        }
        tokio::time::sleep(PROFILE_PAUSE).await;
    }
}

#[cfg(not(unix))]
pub(crate) fn spawn(
    program: &Path,
    arguments: &[OsString],
    environment: &[(OsString, OsString)],
    profile: Option<TempDir>,
) -> io::Result<GuardedProcess> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment.iter().cloned())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let mut child = command.spawn()?;
    let (log, progress) = keep_log(child.stderr.take());
    Ok(GuardedProcess {
        child: tokio::sync::Mutex::new(child),
        profile: Mutex::new(profile),
        log,
        progress,
    })
}

impl GuardedProcess {
    /// Releases the browser: it ends and its temporary profile is removed. Does not wait for that.
    pub(crate) fn release(&self) {
        #[cfg(unix)]
        if let Some(line) = lock(&self.life_line).take() {
            self.released.store(true, Ordering::SeqCst);
            // The task that watches the guard holds the line, too.
            let _ = line.shutdown(std::net::Shutdown::Write);
        }
        #[cfg(not(unix))]
        if let Ok(mut child) = self.child.try_lock() {
            let _ = child.start_kill();
        }
    }

    /// Waits, `patience` at most, until the browser ends as `ask` asks for. It gets no signal
    /// meanwhile, although it is released when it closes its connection.
    pub(crate) async fn ends_asked(&self, patience: Duration, ask: impl Future<Output = ()>) {
        // Where there is no guard, a child that is locked is not killed.
        let mut child = self.child.lock().await;
        #[cfg(unix)]
        self.release_in(patience);
        let ended = async { tokio::join!(ask, child.wait()) };
        let _ = tokio::time::timeout(patience, ended).await;
    }

    /// Releases the browser, which has this long to end before it gets a signal. To be called
    /// before it is asked to end: when it closes its connection, it is released in any case.
    #[cfg(unix)]
    fn release_in(&self, patience: Duration) {
        use std::io::Write;
        if let Some(mut line) = lock(&self.life_line).as_ref() {
            self.released.store(true, Ordering::SeqCst);
            // Nothing was written before, so this does not block.
            let _ = writeln!(line, "{}", patience.as_millis() / 50);
        }
    }

    /// Releases the browser and waits, `limit` at most, until it and its temporary profile are
    /// gone. Returns whether they are.
    pub(crate) async fn end(&self, limit: Duration) -> bool {
        self.release();
        let gone = tokio::time::timeout(limit, async { self.child.lock().await.wait().await })
            .await
            .is_ok();
        // The guard ends as soon as it has killed its group; the other processes end when the
        // system has removed them. Each of them keeps the log open until then. A process that left
        // the group may keep it open for longer, hence the limit.
        let mut progress = self.progress.clone();
        let _ = tokio::time::timeout(limit.min(LAST_ONES), progress.wait_for(|at| at.ended)).await;
        #[cfg(not(unix))]
        drop(lock(&self.profile).take());
        gone
    }

    /// Kills the process of the browser that uses the processor most, of those that `is_wanted`
    /// accepts by name and command line. Returns whether there was one. Only on Linux.
    pub(crate) async fn kill_busiest(&self, is_wanted: fn(&str, &str) -> bool) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(group) = self.child.lock().await.id() {
            return busiest::kill(group, is_wanted).await;
        }
        let _ = is_wanted;
        false
    }

    /// Returns the last lines of the browser's log. Waits up to 500 ms for the log to end, so that
    /// the last lines of a browser that has exited are not missed.
    pub(crate) async fn log(&self) -> Vec<String> {
        let mut progress = self.progress.clone();
        let _ = tokio::time::timeout(Duration::from_millis(500), progress.wait_for(|at| at.ended))
            .await;
        lock(&self.log).iter().cloned().collect()
    }

    /// Waits for a line of the log that contains `words`; `None` if the log ends before.
    pub(crate) async fn says(&self, words: &str) -> Option<String> {
        let mut progress = self.progress.clone();
        loop {
            let ended = progress.borrow_and_update().ended;
            let line = {
                let log = lock(&self.log);
                log.iter().find(|line| line.contains(words)).cloned()
            };
            if line.is_some() || ended || progress.changed().await.is_err() {
                return line;
            }
        }
    }
}

#[cfg(unix)]
impl Drop for GuardedProcess {
    fn drop(&mut self) {
        self.release();
    }
}

type Log = Arc<Mutex<VecDeque<String>>>;

/// Reads the log to its end (a browser stops if its log is not read), and keeps its last lines.
fn keep_log(
    stream: Option<impl AsyncRead + Unpin + Send + 'static>,
) -> (Log, watch::Receiver<LogProgress>) {
    let log = Log::default();
    let (sender, progress) = watch::channel(LogProgress::default());
    let kept = log.clone();
    tokio::spawn(async move {
        if let Some(stream) = stream {
            drain(stream, |line| {
                keep(line, &kept);
                sender.send_modify(|at| at.lines += 1);
            })
            .await;
        }
        sender.send_modify(|at| at.ended = true);
    });
    (log, progress)
}

async fn drain(mut stream: impl AsyncRead + Unpin, mut take: impl FnMut(&mut Vec<u8>)) {
    let mut piece = [0; 4096];
    let mut line = Vec::new();
    loop {
        let length = stream.read(&mut piece).await.unwrap_or(0);
        for byte in &piece[..length] {
            match byte {
                b'\n' => take(&mut line),
                _ if line.len() < LOG_LINE => line.push(*byte),
                _ => {}
            }
        }
        if length == 0 {
            return take(&mut line);
        }
    }
}

fn keep(line: &mut Vec<u8>, log: &Mutex<VecDeque<String>>) {
    let text = String::from_utf8_lossy(line).trim().to_owned();
    line.clear();
    if !text.is_empty() {
        tracing::debug!(target: "pagesight_browser::log", "{text}");
        let mut log = lock(log);
        log.push_back(text);
        if log.len() > LOG_LINES {
            log.pop_front();
        }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests;
