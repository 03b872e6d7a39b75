//! Visits pages. `model` has the task and the result of a visit, `visitor` the trait that a run
//! uses and its implementation with browsers. `page` is one visit, `steps` runs the actions of the
//! file and `story` waits for a Storybook. `browser` is one browser with its set-up, `browsers`
//! lends browsers to pages.

mod browser;
mod browsers;
mod error;
#[cfg(test)]
mod in_browser;
mod model;
mod page;
mod pixels;
mod steps;
mod story;
mod visitor;

pub use browser::{CheckBrowser, session_options};
pub use browsers::{BrowserLease, CheckBrowsers, LeaseEnd, OwnBrowsers, PageEnd};
pub use error::{ActionTrouble, VisitError};
pub use model::{TakenPicture, Visit, VisitRequest};
pub use visitor::{BrowserVisitor, PageVisitor};
