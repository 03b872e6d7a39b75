//! `cargo xtask clients`: the official Python and TypeScript MCP clients drive the server, as
//! users' agents do.

use std::path::Path;
use std::process::Command;

use axum::Router;
use axum::response::Html;
use axum::routing::get;

/// Installs both clients into target/clients and runs them.
pub async fn run() -> anyhow::Result<()> {
    let program = crate::release_program()?;
    let folder = crate::root().join("target/clients");
    let scripts = crate::root().join("lab/clients");
    std::fs::create_dir_all(&folder)?;
    let page = std::fs::read_to_string(crate::root().join("tests/fixtures/dashboard.html"))?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/dashboard.html", listener.local_addr()?);
    let app = Router::new().route("/dashboard.html", get(move || async move { Html(page) }));
    tokio::spawn(async move { axum::serve(listener, app).await });

    let python = folder.join("venv/bin/python");
    if !python.exists() {
        must(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
        must(
            Command::new(folder.join("venv/bin/pip"))
                .args(["install", "--quiet", "-r"])
                .arg(scripts.join("requirements.txt")),
        )?;
    }
    let drive = async |runner: &Path, script: &str, place: &Path| -> anyhow::Result<()> {
        let ended = tokio::process::Command::new(runner)
            .arg(place.join(script))
            .arg(&program)
            .arg(&url)
            .status()
            .await?;
        anyhow::ensure!(ended.success(), "{script} failed");
        Ok(())
    };
    drive(&python, "python_client.py", &scripts).await?;
    for file in ["package.json", "package-lock.json", ".npmrc", "typescript_client.mjs"] {
        std::fs::copy(scripts.join(file), folder.join(file))?;
    }
    must(
        Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--silent"])
            .current_dir(&folder),
    )?;
    drive(Path::new("node"), "typescript_client.mjs", &folder).await
}

fn must(command: &mut Command) -> anyhow::Result<()> {
    anyhow::ensure!(command.status()?.success(), "{command:?} failed");
    Ok(())
}
