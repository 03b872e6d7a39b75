//! Checks the MCP server as an agent does: starts `pagesight mcp`, says hello, asks for the tools,
//! and ends it.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdout, Command};

/// How long the server may take for everything.
const LIMIT: Duration = Duration::from_secs(15);

/// The result of a handshake.
pub(super) struct Handshake {
    pub(super) tools: Result<usize, String>,
    pub(super) milliseconds: u64,
}

/// Carries out the handshake with this program.
pub(super) async fn examine() -> Handshake {
    let begun = Instant::now();
    let tried = async {
        let program = std::env::current_exe().context("the path of this program is not known")?;
        within(LIMIT, Command::new(program).arg("mcp")).await
    };
    let tools = tried.await.map_err(|error: anyhow::Error| format!("{error:#}"));
    Handshake { tools, milliseconds: begun.elapsed().as_millis() as u64 }
}

/// Returns the number of tools. A server that takes longer is ended.
async fn within(limit: Duration, command: &mut Command) -> anyhow::Result<usize> {
    tokio::time::timeout(limit, shake_hands(command))
        .await
        .unwrap_or_else(|_| bail!("no answer within {} s", limit.as_secs()))
}

/// Returns the number of tools.
async fn shake_hands(command: &mut Command) -> anyhow::Result<usize> {
    let mut server = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("it does not start")?;
    let (Some(mut input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
        bail!("it has no standard input and output");
    };
    let mut lines = BufReader::new(output).lines();
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "pagesight-doctor", "version": env!("CARGO_PKG_VERSION") },
    });
    let requests = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
    ];
    let mut tools = 0;
    for request in requests {
        input.write_all(format!("{request}\n").as_bytes()).await.context("it ended")?;
        let Some(id) = request["id"].as_u64() else { continue };
        let result = result_of(&mut lines, id).await?;
        match id {
            1 => {
                let name = &result["serverInfo"]["name"];
                ensure!(name == "pagesight", "a different server answered: {name}");
            }
            _ => tools = result["tools"].as_array().map_or(0, Vec::len),
        }
    }
    ensure!(tools > 0, "it has no tools");
    drop(input);
    let status = server.wait().await.context("it does not end")?;
    ensure!(status.success(), "it ended with {status}");
    Ok(tools)
}

/// Reads lines until the answer to a request.
async fn result_of(lines: &mut Lines<BufReader<ChildStdout>>, id: u64) -> anyhow::Result<Value> {
    while let Some(line) = lines.next_line().await.context("its answer cannot be read")? {
        let answer: Value =
            serde_json::from_str(&line).context("it prints text that is not JSON")?;
        if answer["id"] != id {
            continue;
        }
        ensure!(answer["error"].is_null(), "it answered with {}", answer["error"]);
        return Ok(answer["result"].clone());
    }
    bail!("it ended without an answer")
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::*;

    #[cfg(unix)]
    async fn of_script(script: &str) -> String {
        let mut command = Command::new("sh");
        let tried = shake_hands(command.args(["-c", script])).await;
        tried.map_or_else(|error| format!("{error:#}"), |tools| format!("{tools} tools"))
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_server_that_hangs_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        // One does not answer; the other one answers and does not end.
        let answers = r#"read x; echo '{"id":1,"result":{"serverInfo":{"name":"pagesight"}}}'; read x; read x; echo '{"id":2,"result":{"tools":[{}]}}'; "#;
        for answers in ["", answers] {
            let script = format!("echo $$ > {}; {answers}exec sleep 60", file.display());
            let mut command = Command::new("sh");
            let tried = within(Duration::from_secs(2), command.args(["-c", &script])).await;
            assert_eq!(tried.unwrap_err().to_string(), "no answer within 2 s");
            let pid = std::fs::read_to_string(&file).unwrap();
            let stat = format!("/proc/{}/stat", pid.trim());
            let begun = Instant::now();
            // What is killed may not be waited for yet.
            while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
                assert!(begun.elapsed() < Duration::from_secs(5), "it is still running");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn servers_that_do_not_work_are_recognised() {
        let hello = r#"read x; echo '{"id":1,"result":{"serverInfo":{"name":"pagesight"}}}'"#;
        let tools = r#"read x; read x; echo '{"id":2,"result":{"tools":[{}]}}'; cat >/dev/null"#;
        assert_eq!(of_script(&format!("{hello}; {tools}")).await, "1 tools");
        for (script, says) in [
            ("read x; exit 0", "it ended without an answer"),
            ("read x; echo hello; cat >/dev/null", "it prints text that is not JSON"),
            (
                "read x; echo '{\"id\":1,\"result\":{}}'; cat >/dev/null",
                "a different server answered",
            ),
            (
                "read x; echo '{\"id\":1,\"error\":{\"code\":1}}'; cat",
                "it answered with {\"code\":1}",
            ),
        ] {
            let said = of_script(script).await;
            assert!(said.starts_with(says), "{script}: {said}");
        }
        let said = of_script(&format!("{hello}; {tools}; exit 3")).await;
        assert!(said.contains("exit status: 3"), "{said}");
    }
}
