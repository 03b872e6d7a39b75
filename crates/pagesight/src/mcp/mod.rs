//! The MCP server: on standard input and output for one client, or for one of many clients of a
//! process.

mod first_line;
pub(crate) mod host;
pub(crate) mod result;
pub(crate) mod server;

use std::io::IsTerminal;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::cli::{print, signals};
use crate::tools::evaluate_permission::EvaluatePermission;
use crate::tools::workspace::Workspace;
use host::ToolHost;
use server::Server;

/// The longest message that is read. The transport drops longer ones without an answer, so the
/// limit is far above the longest input that any tool accepts.
const LONGEST_MESSAGE: usize = 512 * 1024 * 1024;

/// Serves until the client disconnects or a signal arrives.
pub(crate) async fn serve(workspace: Workspace) -> anyhow::Result<()> {
    let workspace = Arc::new(workspace);
    let secrets = workspace.session.secrets().list();
    let left = CancellationToken::new();
    let server = Server::new(workspace.clone(), workspace.evaluate, &secrets, &left);
    let result = until_the_client_leaves(server, &left).await;
    workspace.session.close().await;
    result
}

/// Serves tools that run in a process which other clients use, too. That process knows the secrets
/// and closes the workspace.
pub(crate) async fn serve_shared(
    host: impl ToolHost + 'static,
    evaluate: EvaluatePermission,
) -> anyhow::Result<()> {
    let left = CancellationToken::new();
    let server = Server::new(Arc::new(host), evaluate, "", &left);
    until_the_client_leaves(server, &left).await
}

async fn until_the_client_leaves(server: Server, left: &CancellationToken) -> anyhow::Result<()> {
    if std::io::stdin().is_terminal() {
        print::note(
            "waiting for an agent on standard input; add pagesight to your agent with: pagesight install (Ctrl-C ends)",
        );
    }
    let ended = async {
        let (input, output) = rmcp::transport::io::stdio_pipes();
        let input = first_line::checked(input).await?;
        let input = WatchedInput { input, ended: left.clone() };
        let transport =
            AsyncRwTransport::new_server(input, output).with_max_line_length(LONGEST_MESSAGE);
        let running = server.serve(transport).await?;
        running.waiting().await?;
        anyhow::Ok(())
    };
    let result = tokio::select! {
        result = ended => result,
        () = signals::ended_by_signal() => Ok(()),
    };
    left.cancel();
    result
}

/// The input of the server. Its end means that the client has left: running calls must end, too.
struct WatchedInput<R> {
    input: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for WatchedInput<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.input).poll_read(context, buffer);
        let nothing = buffer.filled().len() == before && buffer.remaining() > 0;
        if matches!(read, Poll::Ready(Err(_))) || (read.is_ready() && nothing) {
            self.ended.cancel();
        }
        read
    }
}
