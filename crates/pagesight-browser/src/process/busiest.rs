//! Finds and ends the process of a group that uses the processor most, on Linux.

use std::collections::HashMap;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

/// How long the use of the processor is measured.
const MEASURED: Duration = Duration::from_millis(200);
/// A process that used less than this, of some 20 clock ticks, keeps nothing busy. The page itself
/// may use little, because its messages wait for the browser.
const LEAST_TICKS: u64 = 2;

/// The entry of a process in `/proc`.
#[derive(Debug, PartialEq)]
struct ProcessStat {
    name: String,
    group: u32,
    /// Clock ticks on the processor since its start.
    ticks: u64,
}

/// Kills the busiest process of a group that is wanted by its name and command line.
pub(super) async fn kill(group: u32, is_wanted: fn(&str, &str) -> bool) -> bool {
    let before = ticks(group, is_wanted);
    tokio::time::sleep(MEASURED).await;
    let used = ticks(group, is_wanted).into_iter().filter_map(|(process, ticks)| {
        let used = ticks.saturating_sub(*before.get(&process)?);
        Some((used, ticks, process))
    });
    let busiest = used.max().filter(|(used, ..)| *used >= LEAST_TICKS);
    let Some((_, _, busiest)) = busiest else { return false };
    tracing::warn!(process = busiest, "ended the page process that used the processor most");
    let mut kill = Command::new("/bin/sh");
    kill.args(["-c", &format!("kill -KILL {busiest}")]).stderr(Stdio::null());
    kill.status().await.is_ok_and(|status| status.success())
}

/// Returns the wanted processes of a group, with their use of the processor.
fn ticks(group: u32, is_wanted: fn(&str, &str) -> bool) -> HashMap<u32, u64> {
    let Ok(folders) = std::fs::read_dir("/proc") else { return HashMap::new() };
    let of = |folder: std::fs::DirEntry| {
        let process: u32 = folder.file_name().to_str()?.parse().ok()?;
        let stat = parse(&std::fs::read_to_string(folder.path().join("stat")).ok()?)?;
        let command = std::fs::read(folder.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let wanted = stat.group == group && is_wanted(&stat.name, command.trim_end());
        wanted.then_some((process, stat.ticks))
    };
    folders.flatten().filter_map(of).collect()
}

/// Parses `/proc/N/stat`. The name is in parentheses and may contain any character.
fn parse(stat: &str) -> Option<ProcessStat> {
    let (head, rest) = stat.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    let field = |at: usize| rest.split_ascii_whitespace().nth(at)?.parse::<u64>().ok();
    let group = u32::try_from(field(2)?).ok()?;
    Some(ProcessStat { name: name.to_owned(), group, ticks: field(11)?.saturating_add(field(12)?) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_proc_is_parsed() {
        let line = "28542 (a) (b)) R 28379 28351 28351 0 -1 4194560 9 0 0 0 250 51 0 0 20 0";
        let parsed = ProcessStat { name: "a) (b)".to_owned(), group: 28351, ticks: 301 };
        assert_eq!(parse(line), Some(parsed));
        assert_eq!(parse("1 (x) R 1"), None);
        assert_eq!(parse(""), None);
    }

    #[tokio::test]
    async fn the_busiest_process_of_the_group_is_ended() {
        let start = |script: &str| {
            Command::new("/bin/sh").args(["-c", script]).process_group(0).spawn().unwrap()
        };
        let mut group = start("while :; do :; done & sleep 60; wait");
        let mut other = start("while :; do :; done");
        let id = group.id().unwrap();
        assert!(!kill(id, |_, _| false).await, "none is wanted");
        tokio::time::sleep(MEASURED).await;
        assert!(kill(id, |name, _| name == "sh").await);
        tokio::time::sleep(MEASURED).await;
        let left = ticks(id, |name, command| name == "sh" && !command.is_empty());
        assert_eq!(
            left.keys().collect::<Vec<_>>(),
            [&id],
            "the loop has ended, its parent has not"
        );
        assert!(other.try_wait().unwrap().is_none(), "a different group");
        let all = Command::new("/bin/sh").args(["-c", &format!("kill -KILL -{id}")]).status().await;
        assert!(all.unwrap().success());
        other.kill().await.unwrap();
        group.wait().await.unwrap();
    }
}
