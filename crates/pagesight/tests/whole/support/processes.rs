//! Finds the processes below the program under test in /proc.

use std::path::PathBuf;

use super::is_firefox;

/// Returns the processes whose command line contains `words`.
pub fn processes(words: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).replace('\0', " ").contains(words) {
            found.push(pid);
        }
    }
    found
}

fn command_line(pid: u32) -> String {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).into_owned()
}

/// Returns the environment that a process was started with, one variable per line.
pub fn environment(pid: u32) -> String {
    let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    String::from_utf8_lossy(&variables).replace('\0', "\n")
}

/// Returns the main process of the browser that a program started, not the guard process above it.
pub fn browser_of(pid: u32) -> u32 {
    let first = |pid: &u32| {
        let line = command_line(*pid);
        let (port, inner) = if is_firefox() {
            ("--remote-debugging-port", "-contentproc")
        } else {
            ("--remote-debugging-pipe", "--type=")
        };
        line.contains(port) && !line.contains(inner) && !line.starts_with("/bin/sh")
    };
    descendants(pid).into_iter().find(first).expect("a browser runs below it")
}

/// Returns the processes that render pages.
pub fn page_processes(pid: u32) -> Vec<u32> {
    let is_one = |pid: &u32| {
        let line = command_line(*pid);
        if is_firefox() {
            line.contains("-contentproc") && line.trim_end_matches('\0').ends_with("tab")
        } else {
            line.contains("--type=renderer")
        }
    };
    descendants(pid).into_iter().filter(is_one).collect()
}

/// Returns the profile folder of the browser below a process.
pub fn profile_of(pid: u32) -> PathBuf {
    let line = command_line(browser_of(pid));
    let mut words = line.split('\0');
    let named = |word: &str| word.strip_prefix("--user-data-dir=").map(Into::into);
    let folder = if is_firefox() {
        words.skip_while(|word| *word != "--profile").nth(1).map(Into::into)
    } else {
        words.find_map(named)
    };
    folder.expect("it has a profile")
}

pub fn kill(pid: u32) {
    std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
}

/// Reports whether a process runs. A zombie does not.
pub fn alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    })
}

/// Returns all processes that descend from `pid`.
pub fn descendants(pid: u32) -> Vec<u32> {
    let parent_of = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let mut all = Vec::new();
    for candidate in processes("") {
        let mut at = candidate;
        while let Some(parent) = parent_of(at) {
            if parent == pid {
                all.push(candidate);
                break;
            }
            if parent <= 1 {
                break;
            }
            at = parent;
        }
    }
    all
}
