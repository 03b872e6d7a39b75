//! The processor's time of a process, and processes that keep all cores busy.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};

/// Returns how long the threads of a process have computed so far. `utime` and `stime` are the same
/// with a resolution of 10 ms, which is longer than a look.
pub fn time(pid: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}

/// One spinning process per core; they end with this value.
pub struct Spinners {
    _processes: Vec<Child>,
}

impl Spinners {
    pub fn start() -> anyhow::Result<Spinners> {
        let cores = std::thread::available_parallelism()?.get();
        let spin = |_| {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null()).kill_on_drop(true);
            shell.spawn()
        };
        Ok(Spinners { _processes: (0..cores).map(spin).collect::<Result<_, _>>()? })
    }
}
