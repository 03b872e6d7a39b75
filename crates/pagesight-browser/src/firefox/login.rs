//! Answers servers and proxies that ask for a name and a password.

use serde_json::{Value, json};

use crate::bidi::protocol::AuthRequired;
use crate::connections::{AnsweredLogins, Login};
use crate::engine::launch::OwnBrowser;

/// The status of a proxy that asks for a login.
const PROXY_ASKS: u16 = 407;

/// Returns the answer to a server or proxy that asks.
pub(super) fn answer(
    known: &AnsweredLogins,
    own: Option<&OwnBrowser>,
    asked: &AuthRequired,
) -> Value {
    let id = &asked.request.id;
    let by_proxy = asked.response.status == PROXY_ASKS;
    let login = own.and_then(|own| match by_proxy {
        true => own.connections.proxy_login(),
        false => own.connections.login_for(&asked.request.url),
    });
    match login {
        Some(Login { name, password }) if known.note(format!("{by_proxy} {id}")) => json!({
            "request": id, "action": "provideCredentials",
            "credentials": {"type": "password", "username": name, "password": password},
        }),
        // Nobody is there to answer a prompt.
        _ => json!({"request": id, "action": "cancel"}),
    }
}
