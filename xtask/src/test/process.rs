//! Runs a command with a time limit, and collects its output. The output can also be printed while
//! it comes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for more output after a command ended.
const LINGERING: Duration = Duration::from_secs(10);

/// The result of a command.
pub struct Finished {
    /// Its standard output and standard error, in the order they came.
    pub output: String,
    /// Its exit status; none if it could not be started or was stopped.
    pub status: Option<ExitStatus>,
    /// Why it could not be started, or why it was stopped.
    pub error: Option<String>,
}

impl Finished {
    /// Whether it ended with exit code 0.
    pub fn success(&self) -> bool {
        self.error.is_none() && self.status.is_some_and(|status| status.success())
    }

    /// Returns how it ended, in words.
    pub fn status_words(&self) -> String {
        match (&self.error, self.status) {
            (Some(error), _) => error.clone(),
            (None, Some(status)) => status.to_string(),
            (None, None) => "unknown".to_owned(),
        }
    }
}

/// Runs a command to its end, or until `limit` is over.
pub fn run(command: &mut Command, limit: Duration, echo: bool) -> Finished {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed =
        |error: String| Finished { output: String::new(), status: None, error: Some(error) };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return failed(format!("{program} could not be started: {error}")),
    };
    let (sender, lines) = mpsc::channel();
    let streams: Vec<Box<dyn Read + Send>> = [
        child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
    ]
    .into_iter()
    .flatten()
    .collect();
    for stream in streams {
        let sender = sender.clone();
        thread::spawn(move || forward(stream, &sender));
    }
    drop(sender);
    let mut output = String::new();
    let deadline = Instant::now() + limit;
    // Processes that the command started may keep its streams open after it ended.
    let mut ended: Option<Instant> = None;
    let error = loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => {
                if echo {
                    print(&line);
                }
                output.push_str(&line);
            }
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {
                if ended.is_none() && matches!(child.try_wait(), Ok(Some(_))) {
                    ended = Some(Instant::now());
                }
            }
        }
        if ended.is_some_and(|ended| ended.elapsed() > LINGERING) {
            break Some(format!("{program} left a process behind that holds its output open"));
        }
        if Instant::now() > deadline {
            // This fails only if the command has just ended.
            let _ = child.kill();
            break Some(format!("stopped after {} s", limit.as_secs()));
        }
    };
    match child.wait() {
        Ok(status) => Finished { output, status: Some(status), error },
        Err(wait) => Finished { output, status: None, error: Some(wait.to_string()) },
    }
}

fn print(line: &str) {
    let mut out = std::io::stdout().lock();
    // If nobody reads the output any more, the run continues.
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

/// Sends each line of a stream; bytes that are not UTF-8 are replaced.
fn forward(stream: Box<dyn Read + Send>, lines: &mpsc::Sender<String>) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        if lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Finished {
        run(Command::new("sh").args(["-c", script]), limit, false)
    }

    #[test]
    fn a_command_ends_with_its_output_and_status() {
        let finished = shell("echo out; echo err >&2; exit 3", Duration::from_secs(30));
        assert!(finished.output.contains("out\n") && finished.output.contains("err\n"));
        assert_eq!(finished.status.and_then(|status| status.code()), Some(3));
        assert!(!finished.success());
    }

    #[test]
    fn a_command_that_does_not_end_is_stopped() {
        let finished = shell("echo begun; exec sleep 60", Duration::from_secs(1));
        assert_eq!(finished.output, "begun\n");
        assert_eq!(finished.error.as_deref(), Some("stopped after 1 s"));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let finished = run(&mut Command::new("no-such-program"), Duration::from_secs(1), false);
        assert!(finished.error.is_some_and(|error| error.contains("no-such-program")));
    }
}
