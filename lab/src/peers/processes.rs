//! Finds the processes of a tool by a mark in their environment, also those that left its process
//! tree. Measures their memory, and ends those that a tool leaves running.

use std::collections::HashSet;
use std::time::Duration;

use crate::processes;

/// The variable that marks the processes of a tool.
pub const MARK: &str = "PAGESIGHT_LAB_PEER";

/// How long a tool may take to end its processes after its client is gone.
const LIMIT: Duration = Duration::from_secs(5);

/// The memory of a tool's processes in MiB, with shared parts divided among all that share them.
#[derive(Clone, Copy)]
pub struct Memory {
    /// The server and everything else that is not the browser.
    pub server: f64,
    pub browser: f64,
}

/// Returns the memory of the processes with a mark that starts like this.
pub fn memory(mark: &str) -> Memory {
    let mut memory = Memory { server: 0.0, browser: 0.0 };
    for pid in marked(mark) {
        let part = if is_browser(pid) { &mut memory.browser } else { &mut memory.server };
        *part += processes::proportional(pid);
    }
    memory
}

/// Waits until the processes with a mark that starts like this have ended. Kills those that still
/// run after the limit, and returns how many these were.
pub async fn end(mark: &str) -> usize {
    let _ = processes::wait_for(LIMIT, "they end", || marked(mark).is_empty()).await;
    let left = marked(mark);
    left.iter().for_each(|pid| processes::signal("-KILL", i64::from(*pid)));
    left.len()
}

/// Returns the running processes that have the mark, and their descendants. A browser may overwrite
/// the environment of its processes, so descendants count without a mark.
fn marked(mark: &str) -> Vec<u32> {
    let wanted = format!("{MARK}={mark}").into_bytes();
    let own = std::process::id();
    let mut found = HashSet::new();
    let mut others = Vec::new();
    for (pid, parent) in processes::parents() {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let is_marked = environment.split(|byte| *byte == 0).any(|part| part.starts_with(&wanted));
        if is_marked && pid != own {
            found.insert(pid);
        } else {
            others.push((pid, parent));
        }
    }
    loop {
        let before = found.len();
        others.retain(|(pid, parent)| {
            let is_child = found.contains(parent);
            if is_child {
                found.insert(*pid);
            }
            !is_child
        });
        if found.len() == before {
            return found.into_iter().collect();
        }
    }
}

/// Returns whether the process belongs to a browser, by the path of its program. The path has the
/// browser's name also for its helpers, such as those that report crashes.
fn is_browser(pid: u32) -> bool {
    let program = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    let path = program.to_string_lossy();
    path.contains("/chromium") || path.contains("/firefox")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn marked_processes_are_found_and_ended() {
        let mark = format!("test-{}.", std::process::id());
        let mut child = tokio::process::Command::new("sh")
            .args(["-c", "env -i sleep 60 & wait"])
            .env(MARK, format!("{mark}1"))
            .spawn()
            .expect("sh is there");
        let _ = processes::wait_for(LIMIT, "both run", || marked(&mark).len() == 2).await;
        assert_eq!(marked(&mark).len(), 2);
        assert!(memory(&mark).server > 0.0 && memory(&mark).browser == 0.0);
        assert!(marked(&format!("{mark}2")).is_empty());
        assert_eq!(end(&mark).await, 2);
        child.wait().await.expect("the child was started here");
        assert!(marked(&mark).is_empty());
    }
}
