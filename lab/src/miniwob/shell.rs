//! Solves tasks with the commands of a session in the shell: each call is one run of the program.
//! The lab itself starts the process, because it needs `browser_evaluate` to begin episodes.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

use crate::serve_process::ServeProcess;

/// The name of the session.
const SESSION: &str = "miniwob";

/// A session in the shell.
pub struct ShellSession {
    program: PathBuf,
    process: ServeProcess,
    folder: TempDir,
}

impl ShellSession {
    pub async fn start(program: &Path) -> anyhow::Result<ShellSession> {
        let folder = tempfile::tempdir()?;
        let process = ServeProcess::start(program, folder.path(), &["--allow-evaluate"]).await?;
        Ok(ShellSession { program: program.to_owned(), process, folder })
    }

    /// Runs the command that does the same as a tool, and returns what it prints.
    pub async fn call(&self, tool: &str, arguments: &Value) -> anyhow::Result<String> {
        let words = command(tool, arguments)?;
        let output = Command::new(&self.program)
            .args(&words)
            .args(["-s", SESSION])
            .env("XDG_RUNTIME_DIR", self.folder.path())
            .current_dir(self.folder.path())
            .stdin(std::process::Stdio::null())
            .output()
            .await?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let messages = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "{words:?}: {printed}{messages}");
        Ok(printed)
    }

    /// Evaluates a script in the page, over HTTP.
    pub async fn evaluate(&self, expression: &str) -> anyhow::Result<String> {
        let arguments = json!({ "expression": expression });
        self.process.call(&format!("/mcp/{SESSION}"), "browser_evaluate", arguments).await
    }
}

/// Returns the command for a call.
fn command(tool: &str, arguments: &Value) -> anyhow::Result<Vec<String>> {
    let text = |key: &str| arguments[key].as_str().unwrap_or_default().to_owned();
    Ok(match tool {
        "browser_navigate" => vec!["open".to_owned(), text("url")],
        "inspect_tab" if arguments["fold"] == false => {
            ["look", "--fold", "false"].map(str::to_owned).to_vec()
        }
        "inspect_tab" => vec!["look".to_owned()],
        "expand_dom_selector" => {
            let element = arguments["elementId"].to_string();
            ["element", &element, "--output", "json"].map(str::to_owned).to_vec()
        }
        "browser_interact" => {
            let actions = arguments["actions"].as_array().context("actions")?;
            let words = actions.iter().map(|action| written(action).context("an action"));
            let mut all = vec!["act".to_owned()];
            all.extend(words.collect::<anyhow::Result<Vec<_>>>()?);
            all
        }
        other => anyhow::bail!("there is no command for {other}"),
    })
}

/// Returns an action as a person writes it in the shell.
fn written(action: &Value) -> Option<String> {
    let kind = action["type"].as_str()?;
    let point = |place: &Value| Some(format!("{},{}", place["x"].as_f64()?, place["y"].as_f64()?));
    let quoted = |text: &Value| {
        let escaped = text.as_str()?.replace('\\', "\\\\").replace('"', "\\\"");
        Some(format!("\"{}\"", escaped.replace('\n', "\\n").replace('\t', "\\t")))
    };
    let element = action["element"].as_u64().map(|number| number.to_string());
    let place = |place: &Value| place.as_u64().map(|number| number.to_string());
    Some(match kind {
        "click" | "hover" => format!("{kind} {}", element.or_else(|| point(action))?),
        "fill" => format!("fill {} {}", element?, quoted(&action["text"])?),
        "type" => format!("type {} {}", element.unwrap_or_default(), quoted(&action["text"])?),
        "press" => {
            format!("press {} {}", action["key"].as_str()?, element.unwrap_or_default())
        }
        "select" => {
            let values = action["values"].as_array()?.iter().map(quoted);
            format!("select {} {}", element?, values.collect::<Option<Vec<_>>>()?.join(" "))
        }
        "scroll" if action["dy"].is_null() => format!("scroll {}", element?),
        "scroll" => format!("scroll {} 0 {}", element.unwrap_or_default(), action["dy"]),
        "drag" => {
            let [from, to] =
                ["from", "to"].map(|end| place(&action[end]).or_else(|| point(&action[end])));
            format!("drag {} {}", from?, to?)
        }
        "wait" => format!("wait {}", action["ms"].as_u64()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_written_in_words() {
        for (action, words) in [
            (json!({"type": "click", "element": 12}), "click 12"),
            (json!({"type": "click", "x": 1.5, "y": 2}), "click 1.5,2"),
            (json!({"type": "fill", "element": 3, "text": "a \"b\" \\"}), r#"fill 3 "a \"b\" \\""#),
            (json!({"type": "press", "key": "Enter"}), "press Enter "),
            (
                json!({"type": "select", "element": 4, "values": ["a b", "c"]}),
                r#"select 4 "a b" "c""#,
            ),
            (json!({"type": "scroll", "element": 4, "dy": 100}), "scroll 4 0 100"),
            (json!({"type": "drag", "from": 1, "to": {"x": 5, "y": 6}}), "drag 1 5,6"),
        ] {
            assert_eq!(written(&action).as_deref(), Some(words));
        }
        assert_eq!(written(&json!({"type": "jump"})), None);
    }
}
