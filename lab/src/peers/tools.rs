//! The compared tools: how each is started, which calls show a page and the effect of a click, and
//! where its answers have the reference of an element. Settings are those that users get by
//! default, except: no window, the system's browser, no sandbox, no usage statistics.

use std::path::Path;

use serde_json::{Value, json};
use tokio::process::Command;

use super::install::PeerFiles;
use super::processes::MARK;
use crate::product::Engine;

/// The name of the button that changes one line of the page.
pub const BUTTON: &str = "Count";

/// One call of a tool of an MCP server.
#[derive(Clone)]
pub struct ToolCall {
    pub tool: &'static str,
    pub arguments: Value,
}

fn call(tool: &'static str, arguments: Value) -> ToolCall {
    ToolCall { tool, arguments }
}

/// A tool that is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Peer {
    Pagesight(Engine),
    Playwright,
    /// The same program, with a caller that reads the file which an answer names.
    PlaywrightFile,
    ChromeDevtools,
    AgentBrowser,
    /// The same program, asked for what changed since the snapshot before.
    AgentBrowserDelta,
    BrowserUse,
    Stagehand,
    FirefoxDevtools,
}

/// All tools, in the order of the tables.
pub const PEERS: [Peer; 10] = [
    Peer::Pagesight(Engine::Chromium),
    Peer::Playwright,
    Peer::PlaywrightFile,
    Peer::ChromeDevtools,
    Peer::AgentBrowser,
    Peer::AgentBrowserDelta,
    Peer::BrowserUse,
    Peer::Stagehand,
    Peer::Pagesight(Engine::Firefox),
    Peer::FirefoxDevtools,
];

impl Peer {
    /// Returns its name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Peer::Pagesight(Engine::Chromium) => "pagesight",
            Peer::Pagesight(Engine::Firefox) => "pagesight, Firefox",
            Peer::Playwright => "@playwright/mcp",
            Peer::PlaywrightFile => "@playwright/mcp, file",
            Peer::ChromeDevtools => "chrome-devtools-mcp",
            Peer::AgentBrowser => "agent-browser",
            Peer::AgentBrowserDelta => "agent-browser, `delta`",
            Peer::BrowserUse => "browser-use",
            Peer::Stagehand => "stagehand",
            Peer::FirefoxDevtools => "firefox-devtools-mcp, Firefox",
        }
    }

    /// Returns the browser that it drives.
    pub fn engine(self) -> Engine {
        match self {
            Peer::Pagesight(engine) => engine,
            Peer::FirefoxDevtools => Engine::Firefox,
            _ => Engine::Chromium,
        }
    }

    /// Returns whether this is pagesight.
    pub fn is_own(self) -> bool {
        matches!(self, Peer::Pagesight(_))
    }

    /// Returns the pinned version; pagesight's is that of the revision.
    pub fn version(self, files: &PeerFiles) -> anyhow::Result<Option<String>> {
        let version = match self {
            Peer::Pagesight(_) => return Ok(None),
            Peer::Playwright | Peer::PlaywrightFile => files.npm_version("@playwright/mcp"),
            Peer::ChromeDevtools => files.npm_version("chrome-devtools-mcp"),
            Peer::AgentBrowser | Peer::AgentBrowserDelta => files.npm_version("agent-browser"),
            Peer::BrowserUse => files.python_version("browser-use"),
            Peer::Stagehand => files.npm_version("@browserbasehq/stagehand"),
            Peer::FirefoxDevtools => files.npm_version("@mozilla/firefox-devtools-mcp"),
        };
        version.map(Some)
    }

    /// Returns the command that serves MCP. `home` is an empty home directory: profiles, caches and
    /// sockets go there.
    pub fn command(self, files: &PeerFiles, home: &Path) -> anyhow::Result<Command> {
        let modules = files.folder.join("node_modules");
        let node = |script: &str| {
            let mut command = Command::new(files.node());
            command.arg(modules.join(script));
            command
        };
        let mut command = match self {
            Peer::Pagesight(engine) => {
                let mut command = Command::new(&files.pagesight);
                let browser = if engine == Engine::Firefox { "firefox" } else { "chromium" };
                // Its browser is found by the mark, too.
                command.args(["mcp", "--browser", browser, "--browser-env", MARK]);
                command
            }
            Peer::Playwright | Peer::PlaywrightFile => {
                let mut command = node("@playwright/mcp/cli.js");
                command.args(["--headless", "--no-sandbox", "--executable-path"]);
                command.arg(&files.chromium);
                command
            }
            Peer::ChromeDevtools => {
                let mut command = node("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js");
                command.args(["--headless", "--chromeArg=--no-sandbox", "--executablePath"]);
                command.arg(&files.chromium);
                command.env("CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS", "1");
                command
            }
            Peer::AgentBrowser | Peer::AgentBrowserDelta => {
                let mut command =
                    Command::new(modules.join("agent-browser/bin/agent-browser-linux-x64"));
                command
                    .arg("mcp")
                    .env("AGENT_BROWSER_EXECUTABLE_PATH", &files.chromium)
                    .env("AGENT_BROWSER_ARGS", "--no-sandbox");
                command
            }
            Peer::BrowserUse => {
                let config = home.join("browser-use.json");
                let profile = json!({
                    "id": "lab", "default": true, "created_at": "2026-01-01T00:00:00",
                    "headless": true, "executable_path": files.chromium, "chromium_sandbox": false,
                });
                let text = json!({ "browser_profile": { "lab": profile }, "llm": {}, "agent": {} });
                std::fs::write(&config, text.to_string())?;
                let mut command = Command::new(files.folder.join("venv/bin/python"));
                command
                    .args(["-m", "browser_use.mcp"])
                    .env("BROWSER_USE_CONFIG_PATH", config)
                    // It would download extensions from the web store, which the lab cannot pin.
                    .env("BROWSER_USE_DISABLE_EXTENSIONS", "true")
                    .env("ANONYMIZED_TELEMETRY", "false");
                command
            }
            Peer::Stagehand => {
                let mut command = Command::new(files.node());
                command.arg(files.folder.join("stagehand_server.mjs"));
                command.env("CHROMIUM", &files.chromium);
                command
            }
            Peer::FirefoxDevtools => {
                let mut command = node("@mozilla/firefox-devtools-mcp/dist/index.js");
                command.args(["--headless", "--firefoxPath"]).arg(&files.firefox);
                let path = std::env::var_os("PATH").unwrap_or_default();
                let paths = files.drivers.iter().cloned().chain(std::env::split_paths(&path));
                command.env("PATH", std::env::join_paths(paths)?);
                command
            }
        };
        command.env("HOME", home).current_dir(home).kill_on_drop(true);
        Ok(command)
    }

    /// Returns the calls that go to a page and show it.
    pub fn visit(self, url: &str) -> Vec<ToolCall> {
        let to = json!({ "url": url });
        match self {
            Peer::Pagesight(_) | Peer::PlaywrightFile => vec![call("browser_navigate", to)],
            Peer::Playwright => {
                vec![call("browser_navigate", to), call("browser_snapshot", json!({}))]
            }
            Peer::ChromeDevtools => vec![
                call("navigate_page", json!({ "pageId": 1, "url": url })),
                call("take_snapshot", json!({ "pageId": 1 })),
            ],
            Peer::AgentBrowser => {
                vec![call("agent_browser_open", to), call("agent_browser_snapshot", json!({}))]
            }
            Peer::AgentBrowserDelta => vec![
                call("agent_browser_open", to),
                call("agent_browser_snapshot", json!({ "interactive": false, "delta": true })),
            ],
            Peer::BrowserUse => {
                vec![call("browser_navigate", to), call("browser_get_state", json!({}))]
            }
            Peer::Stagehand => vec![call("goto", to), call("snapshot", json!({}))],
            Peer::FirefoxDevtools => {
                vec![call("navigate_page", to), call("take_snapshot", json!({}))]
            }
        }
    }

    /// Returns the call that shows the whole page, where the answer of `visit` is only an outline.
    pub fn full_look(self) -> Option<ToolCall> {
        self.is_own().then(|| call("inspect_tab", json!({})))
    }

    /// Returns the call that shows the whole page again, for tools that have one.
    pub fn look(self) -> Option<ToolCall> {
        // Those whose navigation does not show the page are asked for it with the second call.
        self.full_look().or_else(|| self.visit("").into_iter().nth(1))
    }

    /// Returns the calls that leave a page, for tools in which the lab uses it. Each may fail.
    pub fn leave(self) -> Vec<ToolCall> {
        let mut calls: Vec<_> = self.visit("about:blank").into_iter().take(1).collect();
        if self == Peer::Playwright {
            // Its caller answers for it when the page asks whether it may be left.
            calls.push(call("browser_handle_dialog", json!({ "accept": true })));
        }
        calls
    }

    /// Returns the calls that press a key and show what that changed, for tools in which the lab
    /// uses it.
    pub fn press(self, key: &str) -> Vec<ToolCall> {
        match self {
            Peer::Pagesight(_) => {
                let actions = json!([{ "type": "press", "key": key }]);
                vec![call("browser_interact", json!({ "actions": actions }))]
            }
            Peer::Playwright => vec![
                call("browser_press_key", json!({ "key": key })),
                call("browser_snapshot", json!({})),
            ],
            Peer::ChromeDevtools => {
                let arguments = json!({ "pageId": 1, "key": key, "includeSnapshot": true });
                vec![call("press_key", arguments)]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the call that runs a function in the page, for tools in which the lab uses it.
    pub fn evaluate(self, function: &str) -> Option<ToolCall> {
        match self {
            Peer::Pagesight(_) => {
                let expression = json!({ "expression": format!("({function})()") });
                Some(call("browser_evaluate", expression))
            }
            Peer::Playwright => Some(call("browser_evaluate", json!({ "function": function }))),
            Peer::ChromeDevtools => {
                let arguments = json!({ "pageId": 1, "function": function });
                Some(call("evaluate_script", arguments))
            }
            _ => None,
        }
    }

    /// Returns the calls that click an element and show what that changed, wherever on the page it
    /// is.
    pub fn click(self, element: &str) -> Vec<ToolCall> {
        match self {
            Peer::Pagesight(_) => {
                let actions = json!([{ "type": "click", "element": element }]);
                vec![call("browser_interact", json!({ "actions": actions }))]
            }
            Peer::Playwright => vec![
                call("browser_click", json!({ "target": element })),
                call("browser_snapshot", json!({})),
            ],
            Peer::PlaywrightFile => vec![call("browser_click", json!({ "target": element }))],
            Peer::ChromeDevtools => {
                let arguments = json!({ "pageId": 1, "uid": element, "includeSnapshot": true });
                vec![call("click", arguments)]
            }
            Peer::AgentBrowser | Peer::AgentBrowserDelta => {
                let selector = json!({ "selector": format!("@{element}") });
                // Without this the snapshot has only what can be used, and not the changed line.
                let mut look = json!({ "interactive": false });
                if self == Peer::AgentBrowserDelta {
                    look["delta"] = json!(true);
                }
                vec![call("agent_browser_click", selector), call("agent_browser_snapshot", look)]
            }
            Peer::BrowserUse => {
                let index = element.parse::<u64>().unwrap_or_default();
                // The state has only what can be used, and not the changed line.
                vec![
                    call("browser_click", json!({ "index": index })),
                    call("browser_get_html", json!({})),
                ]
            }
            Peer::Stagehand => {
                vec![call("click", json!({ "id": element })), call("snapshot", json!({}))]
            }
            Peer::FirefoxDevtools => vec![
                call("click_by_uid", json!({ "uid": element })),
                call("take_snapshot", json!({})),
            ],
        }
    }

    /// Returns the path of the file that has the rest of an answer. Playwright writes the snapshot
    /// that follows a navigation or a click to a file, in its working directory.
    pub fn file(self, answer: &str) -> Option<&str> {
        if self != Peer::PlaywrightFile {
            return None;
        }
        Some(answer.split_once("[Snapshot](")?.1.split_once(')')?.0)
    }

    /// Returns the call that ends its browser, where that does not end with the server.
    pub fn close(self) -> Option<ToolCall> {
        match self {
            Peer::AgentBrowser | Peer::AgentBrowserDelta => {
                Some(call("agent_browser_close", json!({})))
            }
            _ => None,
        }
    }

    /// Returns the reference of the first control with a name in an answer that shows the page.
    pub fn control(self, answer: &str, name: &str) -> Option<String> {
        match self {
            Peer::Pagesight(_) | Peer::Stagehand => bracketed(answer, name),
            Peer::Playwright
            | Peer::PlaywrightFile
            | Peer::AgentBrowser
            | Peer::AgentBrowserDelta => after(answer, name, "ref="),
            Peer::ChromeDevtools | Peer::FirefoxDevtools => before(answer, name, "uid="),
            Peer::BrowserUse => {
                let state: Value = serde_json::from_str(answer).ok()?;
                let elements = state["interactive_elements"].as_array()?;
                let control = elements.iter().find(|element| element["text"] == name)?;
                Some(control["index"].to_string())
            }
        }
    }
}

/// Returns the reference that follows a quoted name and a sign. Answers in JSON have the name in
/// other places, too, so the sign must be near; states such as `[active]` may be between.
fn after(answer: &str, name: &str, sign: &str) -> Option<String> {
    const NEAR: usize = 18;
    answer.match_indices(&format!("\"{name}")).find_map(|(start, quoted)| {
        let rest = &answer[start + quoted.len()..];
        let at = rest.find(sign).filter(|at| *at <= NEAR)?;
        let is_whole = rest.starts_with(['"', '\\']);
        reference(&rest[at + sign.len()..]).filter(|_| is_whole)
    })
}

/// Returns the reference that follows `sign` in the line with a quoted name. Texts are not meant;
/// they have no role between the two.
fn before(answer: &str, name: &str, sign: &str) -> Option<String> {
    let quoted = format!("\"{name}\"");
    answer.lines().find_map(|line| {
        let (start, _) = line.split_once(&quoted)?;
        let (found, role) = start.split_once(sign)?.1.split_once(' ')?;
        let is_text = role.is_empty() || role.starts_with("StaticText");
        (!is_text).then(|| reference(found)).flatten()
    })
}

/// Returns the reference in brackets at the start of the line with a name, which may be a line of a
/// diff.
fn bracketed(answer: &str, name: &str) -> Option<String> {
    answer.lines().find_map(|line| {
        let line = line.trim_start_matches([' ', '+', '~']);
        let (reference, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let shown = rest.split_once(": ")?.1.split(" — ").next()?;
        (shown == name).then(|| reference.to_owned())
    })
}

/// Returns the word at the start of a text.
fn reference(text: &str) -> Option<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_is_found_in_each_kind_of_answer() {
        let own = Peer::Pagesight(Engine::Chromium);
        assert_eq!(own.control("main\n  [4] button: Count\n", BUTTON).as_deref(), Some("4"));
        let answer = "+ [7] button: Counts\n+ [8] button: Count — focused";
        assert_eq!(own.control(answer, BUTTON).as_deref(), Some("8"));
        let answer = "- link \"Home\" [ref=e4]\n- button \"Count\" [ref=e9] [cursor=pointer]";
        assert_eq!(Peer::Playwright.control(answer, BUTTON).as_deref(), Some("e9"));
        let answer = "- button \"Counts\" [ref=e8]\n- button \"Count\" [active] [ref=e9]";
        assert_eq!(Peer::Playwright.control(answer, BUTTON).as_deref(), Some("e9"));
        let answer = r#"{"refs": {"e2": {"name": "Count"}}, "tree": "- link [ref=e1]\n- button \"Count\" [ref=e2]"}"#;
        assert_eq!(Peer::AgentBrowser.control(answer, BUTTON).as_deref(), Some("e2"));
        let answer = "uid=1_4 link \"Home\"\nuid=1_9 button \"Count\"\nuid=1_10 status";
        assert_eq!(Peer::ChromeDevtools.control(answer, BUTTON).as_deref(), Some("1_9"));
        let answer = "uid=1_3 \"Count\"\nuid=1_9 tab \"Count\" selectable";
        assert_eq!(Peer::ChromeDevtools.control(answer, BUTTON).as_deref(), Some("1_9"));
        let answer = "[0-3] link: Home\n  [0-12] button: Count";
        assert_eq!(Peer::Stagehand.control(answer, BUTTON).as_deref(), Some("0-12"));
        let answer = r#"{"interactive_elements": [{"index": 7, "text": "Count"}]}"#;
        assert_eq!(Peer::BrowserUse.control(answer, BUTTON).as_deref(), Some("7"));
        assert_eq!(Peer::Playwright.control("- button \"Other\" [ref=e9]", BUTTON), None);
    }

    #[test]
    fn the_file_of_an_answer_is_found() {
        let answer = "### Snapshot\n- [Snapshot](.playwright-mcp/page-1.yml)\n";
        assert_eq!(Peer::PlaywrightFile.file(answer), Some(".playwright-mcp/page-1.yml"));
        assert_eq!(Peer::Playwright.file(answer), None);
    }
}
