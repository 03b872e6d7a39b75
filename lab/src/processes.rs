//! Processes that the lab starts: their ports, their memory, their children and their end.

use std::time::{Duration, Instant};

/// Returns a port that was free a moment ago.
pub fn free_port() -> anyhow::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Waits until something holds.
pub async fn wait_for(
    limit: Duration,
    what: &str,
    mut holds: impl FnMut() -> bool,
) -> anyhow::Result<()> {
    let begun = Instant::now();
    while !holds() {
        anyhow::ensure!(begun.elapsed() < limit, "waited {limit:?} until {what}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// Waits until none of the processes runs; returns those that still do.
pub async fn left_running(processes: &[u32], limit: Duration) -> Vec<u32> {
    let _ = wait_for(limit, "they end", || !processes.iter().any(|pid| is_running(*pid))).await;
    processes.iter().copied().filter(|pid| is_running(*pid)).collect()
}

/// Reports whether a process runs. A zombie does not.
pub fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Sends a signal to a process, or to a group if the number is negative.
pub fn signal(name: &str, pid: i64) {
    let mut kill = std::process::Command::new("kill");
    let _ = kill.args([name, "--", &pid.to_string()]).stderr(std::process::Stdio::null()).status();
}

/// Ends a process that leads a group, and the group.
pub async fn end_group(process: &mut tokio::process::Child) {
    for name in ["-TERM", "-KILL"] {
        if let Some(id) = process.id() {
            signal(name, -i64::from(id));
        }
        if tokio::time::timeout(Duration::from_secs(5), process.wait()).await.is_ok() {
            break;
        }
    }
}

/// Returns the resident memory in MiB.
pub fn resident(pid: u32) -> f64 {
    mebibytes(&format!("/proc/{pid}/status"), "VmRSS:")
}

/// Returns the most resident memory that a process had, in MiB.
pub fn peak(pid: u32) -> f64 {
    mebibytes(&format!("/proc/{pid}/status"), "VmHWM:")
}

/// Returns the memory in MiB, with shared parts divided among the processes that share them.
pub fn proportional(pid: u32) -> f64 {
    mebibytes(&format!("/proc/{pid}/smaps_rollup"), "Pss:")
}

fn mebibytes(path: &str, name: &str) -> f64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let kilobytes = line.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// Returns all processes below one.
pub fn family_of(ancestor: u32) -> Vec<u32> {
    let parents = parents();
    let below = |mut pid: u32| {
        while let Some((_, parent)) = parents.iter().find(|(child, _)| *child == pid) {
            if *parent == ancestor {
                return true;
            }
            pid = *parent;
        }
        false
    };
    parents.iter().map(|(pid, _)| *pid).filter(|pid| below(*pid)).collect()
}

/// Returns all running processes with their parents.
pub fn parents() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let (state, parent) = stat.rsplit_once(") ")?.1.split_once(' ')?;
            (state != "Z").then_some((pid, parent.split(' ').next()?.parse().ok()?))
        })
        .collect()
}
