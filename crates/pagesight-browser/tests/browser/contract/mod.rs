//! The contract of an engine: every case runs against a real Chromium and a real Firefox. Browsers
//! start slowly, so the cases of an engine share one, each with its own tab.

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

use pagesight_browser::*;
use tokio::sync::Mutex;

use crate::support::*;

/// A browser and a web server that the cases share.
pub struct Contract {
    pub engine: Engine,
    pub browser: Fixture,
    pub server: String,
}

impl Contract {
    async fn start(engine: Engine) -> Contract {
        let browser = start_engine(engine).await;
        let product = browser.browser.product();
        assert!(product.starts_with(&format!("{} 1", engine.name())), "{product}");
        Contract { engine, browser, server: serve().await }
    }

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

/// Runs a case in the browser that the cases of its engine share. Cases run one after the other. If
/// one fails, the next gets a new browser.
pub fn share(engine: Engine, case: impl AsyncFnOnce(&mut Contract)) {
    static CHROMIUM: Mutex<Option<Contract>> = Mutex::const_new(None);
    static FIREFOX: Mutex<Option<Contract>> = Mutex::const_new(None);
    run(engine, async |engine| {
        let mut shared = match engine {
            Engine::Chromium => CHROMIUM.lock().await,
            Engine::Firefox => FIREFOX.lock().await,
        };
        let mut contract = match shared.take() {
            Some(contract) => contract,
            None => Contract::start(engine).await,
        };
        case(&mut contract).await;
        *shared = Some(contract);
    });
}
