//! `pagesight doctor`: what is found, and whether it works. Tries the real thing instead of guessing.

use std::process::ExitCode;
use std::time::Instant;

use pagesight_browser::find;
use pagesight_session::{Eyes, Options};
use serde_json::json;

use crate::cli::Output;
use crate::print;

/// Prints what was found; fails if no browser works.
pub(crate) async fn run(output: Output) -> anyhow::Result<ExitCode> {
    let found = find::find_chromium();
    let begun = Instant::now();
    let tried = try_browser().await;
    let milliseconds = begun.elapsed().as_millis();
    let works = tried.is_ok();
    let path = found.as_ref().map(|path| path.display().to_string());
    match output {
        Output::Json => print::json(
            &json!({
                "version": env!("CARGO_PKG_VERSION"),
                "chromium": {
                    "path": path.as_ref().ok(),
                    "product": tried.as_ref().ok(),
                    "works": works,
                    "milliseconds": milliseconds as u64,
                    "problem": tried.as_ref().err().map(ToString::to_string),
                },
            }),
            output,
        ),
        Output::Text => {
            let mut text = format!("pagesight {}\n", env!("CARGO_PKG_VERSION"));
            match &path {
                Ok(path) => text.push_str(&format!("chromium: {path}\n")),
                Err(error) => text.push_str(&format!("chromium: {error}\n")),
            }
            match &tried {
                Ok(product) => text
                    .push_str(&format!("  works: {product}, a page opened and read in {milliseconds} ms\n")),
                Err(error) => text.push_str(&format!("  does not work: {error}\n")),
            }
            print::result(&text);
        }
    }
    Ok(if works { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Starts a browser, opens a page and reads it.
async fn try_browser() -> anyhow::Result<String> {
    let eyes = Eyes::new(Options::default());
    let tried = async {
        let tab = eyes.tab(None).await?;
        eyes.navigate(&tab, &eyes.address("data:text/html,<button>It works</button>")?, None).await?;
        let look = eyes.look(&tab, None, false).await?;
        let outline = eyes.outline(&look, &Default::default());
        anyhow::ensure!(
            outline.text.contains("button: It works"),
            "the page was opened but not read rightly"
        );
        Ok(eyes.product().await?)
    }
    .await;
    eyes.close().await;
    tried
}
