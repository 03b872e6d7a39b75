//! A display without a screen (Xvfb), and key strokes on it (xdotool). Both come with the system's
//! packages.

use std::process::Stdio;
use std::time::Duration;

use anyhow::Context;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long the display may take to start.
const START: Duration = Duration::from_secs(20);

/// A running display; it ends with this value.
pub struct Display {
    _process: Child,
    /// Its name for `DISPLAY`.
    pub name: String,
}

impl Display {
    /// Starts a display with a number that is free. Installs what is missing with apt.
    pub async fn start() -> anyhow::Result<Display> {
        super::system("Xvfb", "xvfb").await?;
        super::system("xdotool", "xdotool").await?;
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let printed = process.stdout.take().context("Xvfb has no output")?;
        let mut line = String::new();
        let mut printed = BufReader::new(printed);
        tokio::time::timeout(START, printed.read_line(&mut line))
            .await
            .context("Xvfb does not start")??;
        anyhow::ensure!(!line.trim().is_empty(), "Xvfb did not start");
        Ok(Display { _process: process, name: format!(":{}", line.trim()) })
    }

    /// Presses keys in the visible window of this class.
    pub async fn press(&self, class: &str, keys: &[&str]) -> anyhow::Result<()> {
        // Without a window manager nobody gives a window the focus.
        let mut command = Command::new("xdotool");
        command
            .args(["search", "--onlyvisible", "--class", class, "windowfocus", "key"])
            .args(keys)
            .env("DISPLAY", &self.name);
        super::run(&mut command).await
    }
}
