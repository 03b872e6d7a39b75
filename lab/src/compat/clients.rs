//! The official Python and TypeScript MCP clients drive the server, as users' agents do: over the
//! standard streams, and over HTTP.

use tokio::process::Command;

use super::CompatArgs;
use crate::install::pinned;
use crate::pages;
use crate::serve_process::ServeProcess;

pub const ITEMS: [&str; 2] = ["stdio", "http"];

/// Installs both clients and runs them.
pub async fn run(args: &CompatArgs, chosen: &[&str]) -> anyhow::Result<Vec<String>> {
    let program = args.program()?;
    let site = pages::fixtures().await?;
    let folder = pinned::install("clients").await?;
    let mut misses = Vec::new();
    for (interpreter, name) in [
        (folder.join("venv/bin/python"), "python_client.py"),
        ("node".into(), "typescript_client.mjs"),
    ] {
        for way in chosen {
            let mut command = Command::new(&interpreter);
            command.arg(folder.join(name));
            let settings = tempfile::tempdir()?;
            let server = match *way {
                "http" => Some(ServeProcess::start(&program, settings.path(), &[]).await?),
                _ => None,
            };
            match &server {
                Some(server) => {
                    command.arg(format!("http://{}/mcp", server.address));
                    command.env("PAGESIGHT_TOKEN", &server.token);
                }
                None => drop(command.arg(&program)),
            }
            let ended = command.arg(format!("{site}/dashboard.html")).output().await?;
            let said = String::from_utf8_lossy(&ended.stdout);
            println!("{name} over {way}: {}", said.lines().last().unwrap_or_default());
            if !ended.status.success() {
                misses.push(format!("{name} over {way}: {said}"));
            }
        }
    }
    Ok(misses)
}
