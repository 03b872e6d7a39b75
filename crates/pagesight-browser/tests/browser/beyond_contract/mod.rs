//! Behaviour that only one engine has.

mod chromium;
mod firefox;
