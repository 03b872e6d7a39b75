//! The engine that library users start from: a browser, its tabs, looks, actions and references.
//!
//! ```no_run
//! # async fn example() -> Result<(), pagesight_session::SessionError> {
//! use pagesight_session::{LookOptions, Options, Session};
//!
//! let session = Session::new(Options::default());
//! let tab = session.tab(None).await?;
//! session.navigate(&tab, &"http://localhost:3000/".parse()?, None).await?;
//! let look = session.look(&tab, LookOptions::default()).await?;
//! println!("{}", session.outline(&look, &Default::default()).text);
//! session.close().await;
//! # Ok(())
//! # }
//! ```

mod act;
mod audit;
mod browser;
mod error;
mod files;
mod log;
mod look;
mod navigate;
mod page_script;
#[cfg(test)]
mod planted;
mod secrets;
mod session;
mod state;
mod tab;
mod wait;

pub use act::action::{Acted, Action, BatchChanges, Target, WaitFor};
pub use act::condition::Condition;
pub use act::error::ActionError;
pub use act::given::{GivenElement, NamedTarget};
pub use act::reference;
pub use act::rows::{FurtherPages, PagesRequest};
pub use act::written::{WrittenAction, WrittenActionError};
pub use audit::AuditRequest;
pub use browser::consent::ConsentWait;
pub use browser::source::BrowserPool;
pub use error::{Result, SessionError};
pub use files::output_root::{Existing, OutputError, OutputFile, OutputRoot};
pub use files::private_files;
pub use log::LogList;
pub use log::error::LogError;
pub use look::element::{Expanded, state_words};
pub use look::error::LookError;
pub use look::fingerprint::{FingerprintRequest, FingerprintWithPicture, of_page};
pub use look::page_info::PageInfo;
pub use look::scope::ScopeChoice;
pub use look::screenshot::{Screenshot, ShotOptions};
pub use look::snapshot::SnapshotRequest;
pub use look::{Look, LookOptions};
pub use navigate::address::{Address, AddressError, AddressProblem, FileUrls, completed_url};
pub use navigate::unblock::{Departure, Removal};
pub use navigate::{Destination, Navigated, Step, WaitOutcome};
pub use pagesight_browser::{
    ColorScheme, Connections, Contrast, CpuSlowdown, Device, Emulation, Engine, Geolocation,
    ImageFormat, LaunchOptions, Locale, Login, Medium, NetworkSpeed, OriginHeader, OriginLogin,
    Proxy, TimeZone, UnknownCondition, UnknownDevice, UserAgent, Viewport,
};
pub use pagesight_core::hint::{Hint, Wording};
pub use pagesight_core::log::{LogKind, LogLevel, LogQuery, LogSelection, LogSince};
pub use pagesight_core::targets::TargetQueryError;
pub use pagesight_core::text::hidden_values::HiddenValues;
pub use pagesight_core::web_origin::{WebOrigin, WebOriginError};
pub use secrets::{SecretError, Secrets, check_secret_name};
pub use session::Session;
pub use session::features::{Feature, UnknownFeature};
pub use session::options::Options;
pub use state::BrowserState;
pub use state::error::StateError;
pub use tab::error::TabError;
pub use tab::info::TabInfo;
pub use tab::record::TabRecord;
pub use tokio_util::sync::CancellationToken;
pub use wait::watch::{PageEvent, Watcher};

/// Makes doc tests of the guide's examples.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide-rust.md")]
struct GuideExamples;
