//! The engine that library users start from: a browser, its tabs, looks, actions and references.
//!
//! ```no_run
//! # async fn example() -> Result<(), pagesight_session::SessionError> {
//! use pagesight_session::{Eyes, Options};
//!
//! let eyes = Eyes::new(Options::default());
//! let tab = eyes.tab(None).await?;
//! eyes.navigate(&tab, &"http://localhost:3000/".parse()?, None).await?;
//! let look = eyes.look(&tab, None, false).await?;
//! println!("{}", eyes.outline(&look, &Default::default()).text);
//! eyes.close().await;
//! # Ok(())
//! # }
//! ```

mod act;
mod address;
mod answer;
pub mod baseline;
mod capture;
mod downloads;
mod error;
mod evaluate;
mod expand;
mod eyes;
mod facts;
mod features;
mod fingerprint;
mod info;
mod look;
mod memory;
mod navigate;
mod place;
mod question;
mod rest;
mod scope;
mod settle;
mod shot;
mod snapshot;
mod stir;
mod tabs;
mod verdict;
mod wait;

pub use act::{Acted, Action, ActionReport, Target, WaitFor};
pub use address::Address;
pub use error::{Result, SessionError};
pub use expand::{Expanded, state_words};
pub use eyes::{Eyes, Options};
pub use features::Feature;
pub use fingerprint::{Portrait, Taking, of_page};
pub use info::PageInfo;
pub use look::Look;
pub use navigate::{Navigated, Step, Stopped};
pub use pagesight_browser::{Engine, ImageFormat, LaunchOptions, Viewport};
pub use scope::ScopeChoice;
pub use shot::{Screenshot, ShotOptions};
pub use stir::{Stir, Watcher};
pub use tabs::{TabInfo, TabRecord};
