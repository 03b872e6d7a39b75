//! `pagesight demo`: the story in under a minute, on a small web app that the binary serves itself. Everything printed is a real
//! answer of a real browser.

mod server;

use pagesight_session::Options;

/// Tells the story, or only serves the page.
pub(crate) async fn run(_options: Options, _serve: bool) -> anyhow::Result<()> {
    let site = server::DemoSite::start().await?;
    crate::print::result(&site.url());
    Ok(())
}
