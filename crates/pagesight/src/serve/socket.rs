//! Serves shell commands and `mcp --shared` over a Unix socket that only the user can open.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use super::host::{Lease, LeaseError, WorkspaceHost};
use super::local_socket::{
    LocalListener, LocalStream, OwnedReadHalf, OwnedWriteHalf, is_listening, listen,
};
use super::options::{self, OptionConflict};
use super::protocol::{Ask, LONGEST_REQUEST, PROTOCOL, Reply, Request, RequestVersion};
use crate::hints;
use crate::mcp::result::{Called, call, stop_when};
use crate::page_call::{self, PageCall};
use crate::tools::evaluate_permission::EvaluatePermission;
use crate::tools::registry::{self, Tool, UnknownTool, find};

/// How many connections may be open.
const MOST_CONNECTIONS: usize = 256;
/// How long a client may take to send its request.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);

pub(crate) struct SocketServer {
    host: Arc<WorkspaceHost>,
    tools: Vec<Tool>,
    /// The options of the browser, by flag.
    options: BTreeMap<String, String>,
    connections: Arc<Semaphore>,
    connected: AtomicUsize,
    /// Whether a command of a different version may replace the process.
    replaceable: bool,
    /// Notified when a client has left.
    pub(crate) client_left: Notify,
    /// Notified when a client asked the process to end.
    pub(crate) stop: Notify,
}

/// Why the socket cannot be listened on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SocketError {
    #[error("cannot listen on {}: {error}", .path.display())]
    Listen { path: PathBuf, error: std::io::Error },
    #[error(
        "a pagesight process listens on {} already; end it with pagesight close --all",
        .0.display()
    )]
    InUse(PathBuf),
}

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
enum RefusedRequest {
    #[error("the request is longer than 16 MiB")]
    TooLong,
    #[error("the request cannot be read: {0}")]
    Unreadable(serde_json::Error),
    #[error(transparent)]
    Options(#[from] OptionConflict),
    #[error(transparent)]
    Tool(#[from] UnknownTool),
    #[error(transparent)]
    Workspace(#[from] LeaseError),
}

/// The path of the socket in its folder.
pub(crate) fn socket_path(folder: &Path) -> PathBuf {
    folder.join("pagesight.sock")
}

/// Binds the socket. A file that nobody listens on is replaced.
pub(crate) fn bind(path: &Path) -> Result<LocalListener, SocketError> {
    let failed = |error| SocketError::Listen { path: path.to_owned(), error };
    match listen(path) {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            if is_listening(path) {
                return Err(SocketError::InUse(path.to_owned()));
            }
            std::fs::remove_file(path).map_err(failed)?;
            listen(path).map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

impl SocketServer {
    pub(crate) fn new(
        host: Arc<WorkspaceHost>,
        options: BTreeMap<String, String>,
        replaceable: bool,
    ) -> Arc<SocketServer> {
        Arc::new(SocketServer {
            // A client with other options lists it; the workspace refuses it where it is off.
            tools: registry::all(EvaluatePermission::All),
            host,
            options,
            connections: Arc::new(Semaphore::new(MOST_CONNECTIONS)),
            connected: AtomicUsize::new(0),
            replaceable,
            client_left: Notify::new(),
            stop: Notify::new(),
        })
    }

    /// Whether no client is connected.
    pub(crate) fn is_alone(&self) -> bool {
        self.connected.load(Ordering::SeqCst) == 0
    }

    /// Accepts clients, for as long as the process runs.
    pub(crate) async fn accept(self: Arc<SocketServer>, listener: LocalListener) {
        loop {
            // The semaphore is never closed.
            let Ok(permit) = self.connections.clone().acquire_owned().await else { return };
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            self.connected.fetch_add(1, Ordering::SeqCst);
            let server = self.clone();
            tokio::spawn(async move {
                server.serve(stream).await;
                drop(permit);
                server.connected.fetch_sub(1, Ordering::SeqCst);
                server.client_left.notify_waiters();
            });
        }
    }

    async fn serve(&self, stream: LocalStream) {
        let (input, mut output) = stream.into_split();
        let mut input = BufReader::new(input);
        let Ok(Some(request)) = tokio::time::timeout(REQUEST_LIMIT, read(&mut input)).await else {
            return;
        };
        let reply = match request {
            Ok(line) => self.answer(&line, &mut input, &mut output).await,
            Err(refused) => Err(refused),
        };
        match reply {
            Ok(Some(reply)) => send(&mut output, &reply).await,
            Ok(None) => {}
            Err(refused) => send(&mut output, &Reply::Refused(refused.to_string())).await,
        }
    }

    /// Answers the line of a request. `None`: the answer is sent already, or nobody waits for it.
    async fn answer(
        &self,
        line: &[u8],
        input: &mut BufReader<OwnedReadHalf>,
        output: &mut OwnedWriteHalf,
    ) -> Result<Option<Reply>, RefusedRequest> {
        let version = env!("CARGO_PKG_VERSION");
        let given: RequestVersion =
            serde_json::from_slice(line).map_err(RefusedRequest::Unreadable)?;
        if given.version != version || given.protocol != PROTOCOL {
            // A newer or older program replaces this one if nobody needs it.
            let idle = self.replaceable
                && self.host.is_empty()
                && self.connected.load(Ordering::SeqCst) <= 1;
            send(output, &Reply::Version { version: version.to_owned(), idle }).await;
            if idle {
                self.stop.notify_one();
            }
            return Ok(None);
        }
        let request: Request = serde_json::from_slice(line).map_err(RefusedRequest::Unreadable)?;
        options::check(&request.options, &self.options)?;
        let setup = &request.setup;
        Ok(Some(match request.ask {
            Ask::List => Reply::Workspaces(self.host.list()),
            Ask::End { workspace } => Reply::Done(self.host.end(&workspace).await),
            Ask::Stop => {
                send(output, &Reply::Done(true)).await;
                self.stop.notify_one();
                // The connection closes with the process, so that the client knows when it ended.
                return std::future::pending().await;
            }
            Ask::Hold { workspace, folder } => {
                let lease = self.host.lease(&workspace, Some(folder), setup)?;
                self.hold(&workspace, lease, input, output).await;
                return Ok(None);
            }
            Ask::Run { workspace, folder, call } => {
                let lease = self.host.lease(&workspace, Some(folder), setup)?;
                let (log, name) = (self.host.log, call.name());
                // Calls are large futures.
                let run = Box::pin(self.run(lease, call, input));
                log.call(&workspace, "shell", name, run).await
            }
            Ask::Call { workspace, folder, tool, arguments } => {
                let tool = find(&self.tools, &tool)?;
                let lease = self.host.lease(&workspace, Some(folder), setup)?;
                let stop = CancellationToken::new();
                let called = Box::pin(call(lease.workspace(), tool, arguments, &stop));
                let called = self.host.log.call(&workspace, "mcp --shared", tool.name, called);
                let Called { result, impossible } =
                    stop_when(until_closed(input), &stop, called).await;
                Reply::Result { result, found: lease.found, impossible }
            }
        }))
    }

    /// Runs a command on a page. It is stopped if the client leaves.
    async fn run(
        &self,
        lease: Lease,
        call: PageCall,
        input: &mut BufReader<OwnedReadHalf>,
    ) -> Reply {
        let stop = CancellationToken::new();
        let call = Box::pin(page_call::run(lease.workspace(), call, &stop));
        let answer = stop_when(until_closed(input), &stop, hints::in_shell(call)).await;
        Reply::Ran { answer, found: lease.found }
    }

    /// Keeps a workspace until the client leaves, and ends it then.
    async fn hold(
        &self,
        name: &str,
        lease: Lease,
        input: &mut BufReader<OwnedReadHalf>,
        output: &mut OwnedWriteHalf,
    ) {
        send(output, &Reply::Held).await;
        until_closed(input).await;
        drop(lease);
        self.host.end(name).await;
    }
}

/// Reads the line of a request. `None`: the client left.
async fn read(input: &mut BufReader<OwnedReadHalf>) -> Option<Result<Vec<u8>, RefusedRequest>> {
    let mut line = Vec::new();
    let limit = LONGEST_REQUEST as u64 + 1;
    let count = input.take(limit).read_until(b'\n', &mut line).await.ok()?;
    if count == 0 {
        return None;
    }
    if line.last() != Some(&b'\n') {
        return Some(Err(RefusedRequest::TooLong));
    }
    Some(Ok(line))
}

/// Waits until the client closes the connection.
async fn until_closed(input: &mut BufReader<OwnedReadHalf>) {
    let mut ignored = [0; 256];
    while input.read(&mut ignored).await.is_ok_and(|count| count > 0) {}
}

async fn send(output: &mut OwnedWriteHalf, reply: &Reply) {
    // Strings, numbers and maps with string keys can always be written.
    let mut line = serde_json::to_vec(reply).unwrap_or_default();
    line.push(b'\n');
    // A client that left needs no answer.
    let _ = output.write_all(&line).await;
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use pagesight_session::Options;
    use serde_json::json;

    use super::*;
    use crate::serve::call_log::CallLog;
    use crate::serve::session_setup::SessionSetup;

    fn server(replaceable: bool) -> Arc<SocketServer> {
        let host = WorkspaceHost::new(
            Options::default(),
            EvaluatePermission::Off,
            None,
            Duration::from_secs(60),
            CallLog::Off,
        );
        let options = BTreeMap::from([("--browser".to_owned(), "firefox".to_owned())]);
        SocketServer::new(host, options, replaceable)
    }

    fn request(ask: Ask) -> Request {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let (options, setup) = (BTreeMap::new(), SessionSetup::default());
        Request { protocol: PROTOCOL, version, options, setup, ask }
    }

    /// Sends a line over a connection of its own and returns the reply.
    async fn sent(server: &SocketServer, line: &str) -> Reply {
        let (mut client, stream) = LocalStream::pair().unwrap();
        client.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        server.serve(stream).await;
        let mut reply = Vec::new();
        client.read_to_end(&mut reply).await.unwrap();
        serde_json::from_slice(&reply).unwrap()
    }

    async fn asked(server: &SocketServer, request: &Request) -> Reply {
        sent(server, &serde_json::to_string(request).unwrap()).await
    }

    #[tokio::test]
    async fn requests_are_answered_or_refused() {
        let server = server(false);
        let listed = asked(&server, &request(Ask::List)).await;
        assert!(matches!(listed, Reply::Workspaces(all) if all.is_empty()));
        drop(server.host.lease("a", None, &SessionSetup::default()).unwrap());
        let listed = asked(&server, &request(Ask::List)).await;
        assert!(matches!(listed, Reply::Workspaces(all) if all[0].name == "a"));
        for there in [true, false] {
            let ended = asked(&server, &request(Ask::End { workspace: "a".to_owned() })).await;
            assert!(matches!(ended, Reply::Done(done) if done == there));
        }
        let (workspace, folder) = ("a".to_owned(), PathBuf::from("/"));
        let (tool, arguments) = ("no_such_tool".to_owned(), Default::default());
        let unknown = request(Ask::Call { workspace, folder, tool, arguments });
        let mut other_browser = request(Ask::List);
        other_browser.options.insert("--browser".to_owned(), "chromium".to_owned());
        for (line, says) in [
            (serde_json::to_string(&unknown).unwrap(), "no_such_tool"),
            (serde_json::to_string(&other_browser).unwrap(), "with --browser firefox"),
            ("{".to_owned(), "cannot be read"),
        ] {
            let Reply::Refused(why) = sent(&server, &line).await else { panic!("{line}") };
            assert!(why.contains(says), "{why}");
        }
    }

    #[tokio::test]
    async fn only_an_idle_process_is_replaced() {
        for (replaceable, used) in [(true, false), (true, true), (false, false)] {
            let server = server(replaceable);
            if used {
                drop(server.host.lease("a", None, &SessionSetup::default()).unwrap());
            }
            let other = Request { version: "0.0.1".to_owned(), ..request(Ask::List) };
            let Reply::Version { version, idle } = asked(&server, &other).await else {
                panic!("the version is not compared")
            };
            assert_eq!(version, env!("CARGO_PKG_VERSION"));
            assert_eq!(idle, replaceable && !used);
        }
    }

    #[tokio::test]
    async fn a_request_of_a_different_version_may_have_any_shape() {
        let server = server(false);
        let own = env!("CARGO_PKG_VERSION");
        for (protocol, version) in [(PROTOCOL, "99.0.0"), (PROTOCOL + 1, own)] {
            let ask = json!({ "dance": {} });
            let other =
                json!({ "protocol": protocol, "version": version, "options": [], "ask": ask });
            let reply = sent(&server, &other.to_string()).await;
            assert!(matches!(reply, Reply::Version { .. }), "{reply:?}");
        }
        let same = json!({ "protocol": PROTOCOL, "version": own, "ask": "dance" });
        let reply = sent(&server, &same.to_string()).await;
        assert!(matches!(&reply, Reply::Refused(why) if why.contains("dance")), "{reply:?}");
    }

    #[tokio::test]
    async fn only_a_socket_that_nobody_listens_on_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = socket_path(folder.path());
        let listener = bind(&path).unwrap();
        assert!(matches!(bind(&path).unwrap_err(), SocketError::InUse(_)));
        drop(listener);
        assert!(path.exists(), "as a killed process leaves it");
        bind(&path).unwrap();
    }
}
