//! Intercepts requests, while a header or a login for some origins is set: adds the headers, and
//! answers servers and proxies that ask for a name and a password.

use serde::Deserialize;
use serde_json::{Value, json};

use super::log_protocol::Headers;
use super::state::ChromiumTabState;
use crate::connections::{Connections, Login};
use crate::wire::connection::ProtocolEvent;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PausedRequest {
    request_id: String,
    request: SentRequest,
}

#[derive(Deserialize)]
struct SentRequest {
    #[serde(default)]
    url: String,
    #[serde(default)]
    headers: Headers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LoginRequest {
    request_id: String,
    auth_challenge: Challenge,
}

#[derive(Deserialize)]
struct Challenge {
    #[serde(default)]
    source: String,
    #[serde(default)]
    origin: String,
}

/// Returns the parameters of the command that intercepts the requests of a tab, if that is
/// necessary.
pub(super) fn wanted(connections: &Connections) -> Option<Value> {
    let has_logins = connections.has_logins();
    if connections.headers.is_empty() && !has_logins {
        return None;
    }
    // All of them: a request may be redirected to an origin that must not get a header, and any may
    // go through a proxy.
    Some(json!({"patterns": [{"urlPattern": "*"}], "handleAuthRequests": has_logins}))
}

/// Handles an event of interception.
pub(super) fn handle(state: &ChromiumTabState, session: &str, event: &ProtocolEvent<'_>) {
    match event.method {
        "Fetch.requestPaused" => event.with_params(|paused| go_on(state, session, paused)),
        "Fetch.authRequired" => event.with_params(|asked| log_in(state, session, asked)),
        _ => {}
    }
}

/// Lets a request go on, with the headers of its origin.
fn go_on(state: &ChromiumTabState, session: &str, paused: PausedRequest) {
    let PausedRequest { request_id, request } = paused;
    let headers = state.host.connections.with_headers(&request.url, &request.headers.all());
    let mut params = json!({"requestId": request_id});
    if let Some(headers) = headers {
        let pair = |(name, value): (String, String)| json!({"name": name, "value": value});
        params["headers"] = headers.into_iter().map(pair).collect();
    }
    drop(state.begin_in(session, "Fetch.continueRequest", params));
}

fn log_in(state: &ChromiumTabState, session: &str, asked: LoginRequest) {
    let LoginRequest { request_id, auth_challenge: Challenge { source, origin } } = asked;
    let connections = &state.host.connections;
    let login = match source.as_str() {
        "Proxy" => connections.proxy_login(),
        _ => connections.login_for(&origin),
    };
    let is_new = state.logins.note(format!("{source} {request_id}"));
    let response = match login {
        Some(Login { name, password }) if is_new => {
            json!({"response": "ProvideCredentials", "username": name, "password": password})
        }
        Some(_) => json!({"response": "CancelAuth"}),
        None => json!({"response": "Default"}),
    };
    let params = json!({"requestId": request_id, "authChallengeResponse": response});
    drop(state.begin_in(session, "Fetch.continueWithAuth", params));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_intercepted_without_a_reason() {
        let connections = Connections { ignore_https_errors: true, ..Connections::default() };
        assert_eq!(wanted(&connections), None);
    }
}
