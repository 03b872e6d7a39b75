//! Firefox over WebDriver BiDi. Nothing outside of this folder names a command of it.

mod browser;
mod drag;
mod hidden_parts;
mod input;
pub(crate) mod launch;
mod point;
mod tab;

/// Talks to a browser that is not ours; it has `limit` to say what it is. `given`: what a driver
/// says of it, where the driver has opened a session already.
pub(crate) async fn greet(
    incoming: impl crate::wire::Incoming,
    outgoing: impl crate::wire::Outgoing,
    given: Option<&serde_json::Value>,
    limit: std::time::Duration,
) -> crate::error::Result<crate::api::traits::Connected> {
    browser::greet(incoming, outgoing, None, given, limit).await
}
