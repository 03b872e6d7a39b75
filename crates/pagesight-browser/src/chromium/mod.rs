//! Chromium (and Chrome, Edge, Brave) over the DevTools protocol. Nothing outside of this folder
//! names a method of it.

mod browser;
mod downloads;
mod events;
mod hidden_parts;
mod input;
pub(crate) mod launch;
mod protocol;
mod script;
mod state;
mod tab;

/// Talks to a browser that is not ours; it has `limit` to say what it is.
pub(crate) async fn greet(
    incoming: impl crate::wire::Incoming,
    outgoing: impl crate::wire::Outgoing,
    limit: std::time::Duration,
) -> crate::error::Result<crate::api::traits::Connected> {
    browser::greet(incoming, outgoing, None, limit).await
}
