//! The tools. Each one is defined in its own file and serves both MCP and the command line.
//! `operation` is the trait that they implement; `registry` lists them.

pub(crate) mod answer;
pub(crate) mod baselines;
pub(crate) mod compare;
pub(crate) mod element;
pub(crate) mod error;
pub(crate) mod evaluate;
pub(crate) mod evaluate_permission;
pub(crate) mod expand;
mod expand_limit;
pub(crate) mod experiments;
pub(crate) mod fingerprint;
pub(crate) mod info;
pub(crate) mod inspect;
pub(crate) mod interact;
pub(crate) mod log;
pub(crate) mod navigate;
pub(crate) mod operation;
pub(crate) mod output_file;
mod page_file;
pub(crate) mod picture;
pub(crate) mod registry;
pub(crate) mod rows;
pub(crate) mod schema;
pub(crate) mod screenshot;
pub(crate) mod seen_page;
pub(crate) mod snapshot;
pub(crate) mod tabs;
mod token_limit;
pub(crate) mod words;
pub(crate) mod workspace;
