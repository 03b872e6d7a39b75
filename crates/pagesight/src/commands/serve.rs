//! `pagesight serve`: one process for many agents, over HTTP and over the socket of shell commands.

use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use pagesight_session::Session;
use tokio::net::TcpListener;

use super::agent_options::agent_options;
use crate::cli::arguments::ServeArguments;
use crate::cli::shell_arguments::ServeCommand;
use crate::cli::{log, print, signals};
use crate::serve::call_log::CallLog;
use crate::serve::host::WorkspaceHost;
use crate::serve::http::HttpServer;
use crate::serve::local_socket::LocalListener;
use crate::serve::options;
use crate::serve::port_owner::{PortFlag, in_use};
use crate::serve::runtime_folder::runtime_folder;
use crate::serve::settings::{ServeSettings, settings_path, token_of_file};
use crate::serve::socket::{SocketServer, bind, socket_path};
use crate::tools::evaluate_permission::EvaluatePermission;

/// How long a process that a shell command started waits for its first workspace.
const FIRST_LIMIT: Duration = Duration::from_secs(60);
/// How long it stays after the last client, so that the next command finds it.
const LINGER: Duration = Duration::from_secs(2);

/// Serves until a signal arrives or, if a shell command started the process, nobody needs it.
pub(crate) async fn run(mut arguments: ServeArguments) -> anyhow::Result<()> {
    if let Some(ServeCommand::Token) = arguments.command {
        return print_token();
    }
    if arguments.connect_stdin {
        let mut address = String::new();
        std::io::stdin().read_to_string(&mut address).context("--connect-stdin")?;
        arguments.browser.connect = Some(address);
    }
    let (upload_roots, output_root) =
        (arguments.upload_root.clone(), arguments.output_root.as_deref());
    let (options, output_root) =
        agent_options(&arguments.browser, &arguments.secrets, upload_roots, output_root)?;
    let running = options::running(&arguments.browser);
    let idle = arguments.idle;
    log::hide(Session::new(options.clone()).hidden_values());
    let evaluate = EvaluatePermission::new(arguments.allow_evaluate, &options)?;
    let log = if arguments.log { CallLog::On } else { CallLog::Off };
    let host = WorkspaceHost::new(options, evaluate, output_root, idle, log);
    let folder = runtime_folder()?;
    let path = socket_path(&folder);
    let listener = bind(&path)?;
    let socket = SocketServer::new(host.clone(), running, arguments.socket_only);
    let http = match arguments.socket_only {
        true => {
            // It must not end with the terminal of the command that started it.
            #[cfg(unix)]
            let _ = rustix::process::setsid();
            None
        }
        false => match listen(&arguments, host.clone()).await {
            Ok(http) => Some(http),
            Err(error) => {
                // A socket that nobody listens on would look like a process that was killed.
                let _ = std::fs::remove_file(&path);
                return Err(error);
            }
        },
    };
    let ended = serve(&host, socket, listener, http, arguments.socket_only).await;
    let _ = std::fs::remove_file(&path);
    host.close().await;
    ended
}

/// Prints the token. The first time, it is made and kept.
fn print_token() -> anyhow::Result<()> {
    let path = settings_path(|name| std::env::var_os(name))?;
    let settings = ServeSettings::read(&path)?;
    if !path.exists() {
        settings.write(&path)?;
    }
    print::result(&settings.token);
    Ok(())
}

/// Listens for HTTP, and prints how to connect.
async fn listen(
    arguments: &ServeArguments,
    host: Arc<WorkspaceHost>,
) -> anyhow::Result<(Arc<HttpServer>, TcpListener)> {
    let public = arguments.listen.is_some_and(|address| !address.ip().is_loopback());
    let path = settings_path(|name| std::env::var_os(name))?;
    let mut settings = ServeSettings::read(&path)?;
    let token = match &arguments.token_file {
        Some(file) => token_of_file(file)?,
        None if public => bail!(
            "--listen: an address that other machines can reach needs --token-file, and a proxy with TLS in front"
        ),
        None => settings.token.clone(),
    };
    let loopback = IpAddr::from([127, 0, 0, 1]);
    let wanted = arguments.listen.unwrap_or(SocketAddr::new(loopback, settings.port));
    let listener = TcpListener::bind(wanted).await;
    let listener = listener.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => anyhow::anyhow!("{}", in_use(wanted, PortFlag::Listen)),
        _ => anyhow::anyhow!("--listen: cannot listen on {wanted}: {error}"),
    })?;
    let address = listener.local_addr().context("the address of the server")?;
    // `install --http` hands out what is in the settings; a token of the user is not in them.
    if arguments.token_file.is_none() {
        settings.port = address.port();
        settings.write(&path)?;
    }
    print::note(&format!("listening on http://{address}/mcp"));
    match &arguments.token_file {
        Some(file) => print::note(&format!("the token is in {}", file.display())),
        None => print::note(&format!("the token is in {}", path.display())),
    }
    Ok((HttpServer::new(host, token, address), listener))
}

async fn serve(
    host: &Arc<WorkspaceHost>,
    socket: Arc<SocketServer>,
    listener: LocalListener,
    http: Option<(Arc<HttpServer>, TcpListener)>,
    ends_alone: bool,
) -> anyhow::Result<()> {
    let over_http = async {
        match http {
            Some((server, listener)) => server.accept(listener).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = socket.clone().accept(listener) => {}
        () = over_http => {}
        () = host.end_idle_workspaces() => {}
        () = socket.stop.notified() => {}
        () = unused(host, &socket), if ends_alone => {}
        () = signals::ended_by_signal() => {}
    }
    Ok(())
}

/// Waits until no workspace is left and nobody is connected.
async fn unused(host: &WorkspaceHost, socket: &SocketServer) {
    let mut limit = FIRST_LIMIT;
    loop {
        let changed = async {
            tokio::select! {
                () = host.ended.notified() => {}
                () = socket.client_left.notified() => {}
            }
        };
        let quiet = tokio::time::timeout(limit, changed).await.is_err();
        if quiet && host.is_empty() && socket.is_alone() {
            return;
        }
        limit = LINGER;
    }
}
