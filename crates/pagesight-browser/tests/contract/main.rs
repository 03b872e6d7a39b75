//! The contract of an engine: every case runs against a real Chromium and a real Firefox. Browsers
//! start slowly, so all cases of an engine share one, each with its own tab. Tests of a single
//! engine are in `chromium.rs` and `firefox.rs`. Linux only, because they read `/proc`.
#![cfg(target_os = "linux")]
#![allow(missing_docs, unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

#[path = "../common/mod.rs"]
mod common;
mod contexts;
mod cookies;
mod dialogs;
mod failures;
mod frames;
mod input;
mod navigation;
mod screenshots;
mod scripts;
mod tabs;

use std::time::Instant;

use common::*;
use pagesight_browser::*;

/// A browser and a web server that the cases share.
pub struct Contract {
    pub engine: Engine,
    pub browser: Fixture,
    pub server: String,
}

impl Contract {
    pub async fn tab(&self) -> Watched {
        self.browser.tab().await
    }

    /// Returns the value for the engine that is tested.
    pub fn by_engine<T>(&self, chromium: T, firefox: T) -> T {
        match self.engine {
            Engine::Chromium => chromium,
            Engine::Firefox => firefox,
        }
    }
}

/// Runs cases one after the other, and prints how long each took.
macro_rules! run {
    ($contract:ident: $($case:path),+ $(,)?) => {$(
        let began = Instant::now();
        $case(&mut $contract).await;
        println!("{} {}: {:?}", $contract.engine.name(), stringify!($case), began.elapsed());
    )+};
}

async fn holds(engine: Engine) {
    if missing(engine) {
        return;
    }
    // One engine after the other: Firefox does not start in time next to a busy browser.
    let _turn = turn(Engine::Firefox).await;
    let began = Instant::now();
    let browser = start_engine(engine).await;
    println!("{} launch: {:?}", engine.name(), began.elapsed());
    let product = browser.browser.product();
    assert!(product.starts_with(&format!("{} 1", engine.name())), "{product}");
    let mut contract = Contract { engine, browser, server: serve().await };
    run!(contract:
        scripts::values,
        scripts::isolation,
        scripts::hidden_parts,
        scripts::closed_roots,
        navigation::documents,
        navigation::leaving_under_a_call,
        failures::responses,
        failures::errors,
        dialogs::answers,
        screenshots::areas_and_formats,
        input::mouse_and_keyboard,
        input::an_approach,
        frames::of_this_and_of_another_site,
        cookies::set_and_read,
        tabs::opened_and_closed,
        contexts::parts,
    );
    contract.browser.end().await;
}

#[tokio::test]
async fn chromium() {
    holds(Engine::Chromium).await;
}

#[tokio::test]
async fn firefox() {
    holds(Engine::Firefox).await;
}
