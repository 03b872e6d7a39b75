//! A browser that the lab starts, and a DevTools connection to it. What pagesight sees must not be
//! judged through pagesight's own connection. Starts one process and ends it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::options::run_file;
use crate::product::{Engine, find_browser};

/// How long one answer may take: a large page's accessibility tree takes its time.
const LIMIT: Duration = Duration::from_secs(120);

/// Makes requests of saved pages to other machines fail at once.
pub const OFFLINE: &str =
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost";

pub struct LabBrowser {
    process: Child,
    profile: PathBuf,
    /// The address to connect to.
    pub url: String,
}

impl LabBrowser {
    /// Starts a browser that reaches nothing but this machine.
    pub async fn start() -> anyhow::Result<LabBrowser> {
        let profile = run_file(&format!("profile-{}", std::process::id()))?;
        std::fs::create_dir_all(&profile)?;
        let mut command = Command::new(find_browser(Engine::Chromium)?);
        command
            .args([
                "--headless=new",
                "--remote-debugging-port=0",
                "--no-first-run",
                "--no-startup-window",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args([
                "--disable-extensions",
                "--mute-audio",
                "--window-size=1280,720",
                "--no-sandbox",
            ])
            .arg(OFFLINE)
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .kill_on_drop(true);
        let process = command.spawn()?;
        let file = profile.join("DevToolsActivePort");
        for _ in 0..400 {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.trim().split_once('\n') {
                let url = format!("ws://127.0.0.1:{}{}", port.trim(), path.trim());
                return Ok(LabBrowser { process, profile, url });
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::bail!("the browser did not open its port within 20 s");
    }

    /// Ends it and removes its profile.
    pub async fn close(mut self, tools: &DevTools) {
        let _ = tools.call(None, "Browser.close", json!({})).await;
        if tokio::time::timeout(Duration::from_secs(5), self.process.wait()).await.is_err() {
            let _ = self.process.kill().await;
        }
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// A world of a document.
#[derive(Clone, Debug)]
pub struct ScriptWorld {
    /// The protocol's number of it.
    pub id: i64,
    /// The frame it belongs to.
    pub frame: String,
    /// Its name; empty for the page's own.
    pub name: String,
    /// Whether it is the page's own.
    pub own: bool,
}

#[derive(Default)]
struct ConnectionState {
    waiting: HashMap<u64, oneshot::Sender<Result<Value, String>>>,
    worlds: HashMap<String, Vec<ScriptWorld>>,
    /// Sessions of frames that live in another process, with the session they were found from.
    children: Vec<(String, String)>,
}

/// A connection to the browser.
pub struct DevTools {
    out: mpsc::UnboundedSender<Message>,
    known: Arc<Mutex<ConnectionState>>,
    next: Arc<AtomicU64>,
}

fn lock(known: &Mutex<ConnectionState>) -> MutexGuard<'_, ConnectionState> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DevTools {
    pub async fn connect(url: &str) -> anyhow::Result<DevTools> {
        let settings = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let (socket, _) = tokio_tungstenite::connect_async_with_config(url, Some(settings), true)
            .await
            .context("no DevTools")?;
        let (mut sink, mut stream) = socket.split();
        let (out, mut messages) = mpsc::unbounded_channel::<Message>();
        tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                if sink.send(message).await.is_err() {
                    break;
                }
            }
        });
        let known: Arc<Mutex<ConnectionState>> = Arc::default();
        let next = Arc::new(AtomicU64::new(1));
        let tools = DevTools { out: out.clone(), known: known.clone(), next: next.clone() };
        tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                let Message::Text(text) = message else { continue };
                let Ok(message) = serde_json::from_str::<Value>(&text) else { continue };
                if let Some(id) = message["id"].as_u64() {
                    let waiting = lock(&known).waiting.remove(&id);
                    let answer = match message.get("error") {
                        Some(error) => {
                            Err(error["message"].as_str().unwrap_or("refused").to_owned())
                        }
                        None => Ok(message["result"].clone()),
                    };
                    let _ = waiting.map(|waiting| waiting.send(answer));
                } else if let Some(reply) = note(&mut lock(&known), &message) {
                    let id = next.fetch_add(1, Ordering::Relaxed);
                    let text = json!({ "id": id, "method": reply, "params": { "accept": true }, "sessionId": message["sessionId"] });
                    let _ = out.send(Message::text(text.to_string()));
                }
            }
            lock(&known).waiting.clear();
        });
        Ok(tools)
    }

    /// Calls a method, of a session or of the browser.
    pub async fn call(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> anyhow::Result<Value> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        lock(&self.known).waiting.insert(id, answer);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        self.out.send(Message::text(message.to_string()))?;
        let answer = tokio::time::timeout(LIMIT, answered).await;
        let answer = answer.with_context(|| format!("{method} did not answer"))?;
        let answer = answer.with_context(|| format!("the browser ended during {method}"))?;
        answer.map_err(|reason| anyhow::anyhow!("{method}: {reason}"))
    }

    /// Calls a method once for each of the parameters, many at a time; what fails is null.
    pub async fn each(&self, session: &str, method: &str, params: Vec<Value>) -> Vec<Value> {
        let mut answers = Vec::with_capacity(params.len());
        for some in params.chunks(200) {
            let calls = some.iter().map(|params| self.call(Some(session), method, params.clone()));
            answers.extend(
                futures_util::future::join_all(calls)
                    .await
                    .into_iter()
                    .map(Result::unwrap_or_default),
            );
        }
        answers
    }

    /// Returns the known script worlds of a session.
    pub fn worlds(&self, session: &str) -> Vec<ScriptWorld> {
        lock(&self.known).worlds.get(session).cloned().unwrap_or_default()
    }

    /// The session and those of the frames in it that live in other processes.
    pub fn family(&self, session: &str) -> Vec<String> {
        let known = lock(&self.known);
        let mut family = vec![session.to_owned()];
        let mut at = 0;
        while at < family.len() {
            let parent = family[at].clone();
            family.extend(
                known
                    .children
                    .iter()
                    .filter(|(above, _)| *above == parent)
                    .map(|(_, child)| child.clone()),
            );
            at += 1;
        }
        family
    }
}

/// Takes note of an event; answers with the method to reply with, if it asks for one.
fn note(known: &mut ConnectionState, message: &Value) -> Option<&'static str> {
    let session = message["sessionId"].as_str().unwrap_or_default().to_owned();
    let params = &message["params"];
    match message["method"].as_str().unwrap_or_default() {
        "Runtime.executionContextCreated" => {
            let context = &params["context"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            known.worlds.entry(session).or_default().push(ScriptWorld {
                id: context["id"].as_i64().unwrap_or_default(),
                frame: text(&context["auxData"]["frameId"]),
                name: text(&context["name"]),
                own: context["auxData"]["isDefault"].as_bool().unwrap_or_default(),
            });
        }
        "Runtime.executionContextDestroyed" => {
            let gone = params["executionContextId"].as_i64();
            known.worlds.entry(session).or_default().retain(|world| Some(world.id) != gone);
        }
        "Runtime.executionContextsCleared" => known.worlds.entry(session).or_default().clear(),
        "Target.attachedToTarget" if params["targetInfo"]["type"] == "iframe" => {
            let child = params["sessionId"].as_str().unwrap_or_default().to_owned();
            known.children.push((session, child));
        }
        "Target.detachedFromTarget" => {
            known.children.retain(|(_, child)| params["sessionId"] != child.as_str())
        }
        "Page.javascriptDialogOpening" => return Some("Page.handleJavaScriptDialog"),
        _ => {}
    }
    None
}
