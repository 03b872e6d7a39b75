//! Describes a run for the first line of its output: command, date, seed, revision, machine and
//! browsers. A table means little without them, so they are kept with it.

use std::process::Command;

use crate::options::repository;
use crate::product::{Engine, find_browser};

/// Returns one line that says what was run, when and where.
pub fn describe_run() -> String {
    let mut parts = vec![first_line(Command::new("date").args(["-u", "+%Y-%m-%d"]))];
    let revision = Command::new("git")
        .args(["rev-parse", "--short", "HEAD"])
        .current_dir(repository())
        .output();
    if let Ok(output) = revision {
        parts.push(format!("revision {}", String::from_utf8_lossy(&output.stdout).trim()));
    }
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    parts.push(format!("{cores} cores"));
    parts.extend(memory());
    parts.extend(load());
    parts.extend(system());
    for engine in [Engine::Chromium, Engine::Firefox] {
        if let Ok(browser) = find_browser(engine) {
            parts.push(first_line(Command::new(browser).arg("--version")));
        }
    }
    format!("`{}`: {}.", command_line(), parts.join(", "))
}

/// The command line, without the path of the program that is driven.
fn command_line() -> String {
    let mut words = vec!["cargo lab".to_owned()];
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--program" {
            arguments.next();
        } else if !argument.starts_with("--program=") {
            words.push(argument);
        }
    }
    words.join(" ")
}

fn first_line(command: &mut Command) -> String {
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).lines().next().unwrap_or_default().trim().to_owned()
}

fn memory() -> Option<String> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: f64 = kilobytes.trim().trim_end_matches(" kB").parse().ok()?;
    Some(format!("{:.0} GiB", kilobytes / 1024.0 / 1024.0))
}

fn load() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    Some(format!("load {}", text.split(' ').next()?))
}

fn system() -> Option<String> {
    let text = std::fs::read_to_string("/etc/os-release").ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}
