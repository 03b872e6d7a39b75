//! Connects to a running browser, or to a driver that starts one for us. `ws://…` is a browser's
//! socket; `http://host:port` may be either. The engines get only sockets and do not know about
//! drivers.

use std::time::Duration;

use hyper::Method;

use crate::api::traits::Connected;
use crate::chromium::browser::ChromiumOrigin;
use crate::engine::launch::START_LIMIT;
use crate::error::{BrowserError, Result};
use crate::firefox::browser::Origin;
use crate::options::{Engine, LaunchOptions};
use crate::wire::websocket::{SocketIn, SocketOut, shake_hands};
use crate::{chromium, firefox};
use address::{EndpointAddress, dial};

mod address;
pub(crate) mod consent;
mod http;
mod listener;
pub(crate) mod profiles;
pub(crate) mod running;
mod webdriver;

/// How long a running browser may take to answer.
const CONNECT_LIMIT: Duration = Duration::from_millis(4500);

/// How long a driver may take to answer after the caller stopped waiting: a grid queues its
/// callers.
const LATEST_ANSWER: Duration = Duration::from_secs(300);

type Reason<T> = std::result::Result<T, String>;

/// Connects to a running browser, or to one that a driver starts.
pub(crate) async fn connect(options: &LaunchOptions, url: &str) -> Result<Connected> {
    let engine = options.engine;
    let outcome = async {
        let address = EndpointAddress::parse(url)?;
        let there = match address.web_socket {
            true => Endpoint::Socket(address),
            false => in_time(CONNECT_LIMIT, look(engine, address)).await?,
        };
        match there {
            Endpoint::Socket(socket) => talk(engine, &socket, None).await,
            Endpoint::Driver(address) => {
                let limit = options.driver_limit.unwrap_or(START_LIMIT);
                in_time(limit, driven(options.clone(), address)).await
            }
        }
    };
    outcome.await.map_err(|reason| BrowserError::NotConnected { url: url.to_owned(), reason })
}

/// The kind of endpoint at an address.
enum Endpoint {
    /// The socket of a browser.
    Socket(EndpointAddress),
    Driver(EndpointAddress),
}

async fn in_time<T>(limit: Duration, call: impl Future<Output = Reason<T>>) -> Reason<T> {
    tokio::time::timeout(limit, call).await.unwrap_or_else(|_| Err("it does not answer".to_owned()))
}

/// Finds out which kind of endpoint is at an `http://` address.
async fn look(engine: Engine, address: EndpointAddress) -> Reason<Endpoint> {
    if engine == Engine::Chromium
        && let Some(path) = devtools(&address.authority).await?
    {
        return Ok(Endpoint::Socket(EndpointAddress { web_socket: true, path, ..address }));
    }
    if webdriver::is_there(&address).await? {
        return Ok(Endpoint::Driver(address));
    }
    match engine {
        // A Firefox that was started with --remote-debugging-port answers sockets and nothing else.
        Engine::Firefox => Ok(Endpoint::Socket(EndpointAddress { web_socket: true, ..address })),
        Engine::Chromium => Err("it is neither a browser nor a driver".to_owned()),
    }
}

/// Returns the path of a Chromium's socket, `None` if it is not a Chromium. The socket is always at
/// the given address, whatever host the reply names.
async fn devtools(authority: &str) -> Reason<Option<String>> {
    let answer = http::ask(Method::GET, authority, "/json/version", None).await?;
    let answer = answer.json();
    let Some(socket) = answer["webSocketDebuggerUrl"].as_str() else { return Ok(None) };
    Ok(Some(EndpointAddress::parse(socket)?.path))
}

/// Gets a browser from a driver. If the caller stops waiting, no session is left behind: the
/// driver's answer is still awaited, and its browser is ended.
async fn driven(options: LaunchOptions, address: EndpointAddress) -> Reason<Connected> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        let outcome = in_time(LATEST_ANSWER, drive(&options, &address)).await;
        if let Err(Ok(unwanted)) = sender.send(outcome) {
            unwanted.browser.close().await;
        }
    });
    receiver.await.unwrap_or_else(|_| Err("it does not answer".to_owned()))
}

/// Requests a browser from a driver and connects to it.
async fn drive(options: &LaunchOptions, address: &EndpointAddress) -> Reason<Connected> {
    let session = webdriver::start(address, options).await?;
    let talking = async {
        let socket = match (options.engine, session.socket.web_socket) {
            (Engine::Chromium, false) => {
                let authority = session.socket.authority.clone();
                let path = in_time(CONNECT_LIMIT, devtools(&authority))
                    .await?
                    .ok_or("the driver's browser does not answer")?;
                EndpointAddress { web_socket: true, authority, path }
            }
            _ => session.socket.clone(),
        };
        talk(options.engine, &socket, Some(&session.capabilities)).await
    };
    match talking.await {
        Ok(connected) => Ok(webdriver::DrivenBrowser::wrap(connected, session)),
        Err(reason) => {
            session.end().await;
            Err(reason)
        }
    }
}

/// Connects to a browser over its socket. `given`: the capabilities of a session that is open there
/// already.
async fn talk(
    engine: Engine,
    address: &EndpointAddress,
    given: Option<&serde_json::Value>,
) -> Reason<Connected> {
    let greeted = match engine {
        Engine::Chromium => {
            if address.path.contains("/devtools/page/") {
                return Err("this is the address of a page, not of the browser".to_owned());
            }
            let (incoming, outgoing) = socket(address, &address.path).await?;
            let origin = given.map_or(ChromiumOrigin::Running, |_| ChromiumOrigin::Driven);
            chromium::browser::greet(incoming, outgoing, origin, CONNECT_LIMIT).await
        }
        Engine::Firefox => {
            // A Firefox that has just been started listens long before it answers.
            let path = if address.path.is_empty() { "/session" } else { &address.path };
            let (incoming, outgoing) = socket(address, path).await?;
            let origin = given.map_or(Origin::Running, Origin::Driven);
            firefox::browser::greet(incoming, outgoing, origin, START_LIMIT).await
        }
    };
    greeted.map_err(|error| match error {
        BrowserError::Disconnected => "it closed the connection".to_owned(),
        BrowserError::Refused { message, .. } => message,
        other => format!("it does not speak the protocol of {}: {other}", engine.name()),
    })
}

/// Performs the WebSocket handshake. A browser refuses every `Host` except an IP address or
/// localhost.
async fn socket(address: &EndpointAddress, path: &str) -> Reason<(SocketIn, SocketOut)> {
    in_time(CONNECT_LIMIT, async {
        let (stream, place) = dial(&address.authority).await?;
        let hands = shake_hands(&format!("ws://{place}{path}"), stream).await;
        hands.map_err(|error| format!("the WebSocket handshake failed: {error}"))
    })
    .await
}
