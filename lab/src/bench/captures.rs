//! Part of `cargo lab bench`: one capture of a page (the page script's walk and the transfer of its
//! answer, without decoding) beside the bare walk of the same moment. Machines are shared and
//! noisy, so each ratio is of two measurements right after each other, and the median counts.

use std::time::{Duration, Instant};

use super::timing::{BARE_ONCE, CHANGE};
use crate::product::{Engine, LaunchOptions, Tab, TabEvent, Viewport, launch};
use crate::report::{median, ms, table};

const LIMIT: Duration = Duration::from_secs(30);
/// How many documents, and how many captures of each.
const DOCUMENTS: usize = 8;
const CAPTURES: usize = 6;

/// Prints the table of one engine.
pub async fn run(engine: Engine, site: &str) -> anyhow::Result<()> {
    table("elements | bare walk, ms | first capture, ms | ÷ bare | later capture, ms | ÷ bare");
    let options = LaunchOptions { engine, ..LaunchOptions::default() };
    let connected = launch(&options).await?;
    for size in [500, 5_000, 20_000] {
        let mut opened = connected.browser.open_tab(Viewport::default()).await?;
        let (mut bare, mut first, mut later) = (Vec::new(), Vec::new(), Vec::new());
        let (mut first_ratio, mut later_ratio) = (Vec::new(), Vec::new());
        for _ in 0..DOCUMENTS {
            opened.tab.navigate(&format!("{site}/{size}"), LIMIT).await?;
            while !matches!(opened.events.recv().await, Some(TabEvent::Loaded) | None) {}
            // An agent also needs a moment before it asks.
            tokio::time::sleep(Duration::from_millis(500)).await;
            let before = bare_walk(&*opened.tab).await?;
            let took = capture(&*opened.tab).await?;
            first_ratio.push(took / before);
            first.push(took);
            bare.push(before);
            for _ in 0..CAPTURES {
                opened.tab.evaluate(CHANGE, LIMIT).await?;
                let before = bare_walk(&*opened.tab).await?;
                let took = capture(&*opened.tab).await?;
                later_ratio.push(took / before);
                later.push(took);
                bare.push(before);
            }
        }
        println!(
            "| {size} | {:.1} | {:.0} | {:.1} | {:.0} | {:.1} |",
            median(&bare),
            median(&first),
            median(&first_ratio),
            median(&later),
            median(&later_ratio)
        );
    }
    connected.browser.close().await;
    Ok(())
}

async fn bare_walk(tab: &dyn Tab) -> anyhow::Result<f64> {
    Ok(tab.evaluate(BARE_ONCE, LIMIT).await?.parse()?)
}

async fn capture(tab: &dyn Tab) -> anyhow::Result<f64> {
    let begun = Instant::now();
    tab.script(None, "walk", "[{}]", LIMIT).await?;
    Ok(ms(begun.elapsed()))
}
