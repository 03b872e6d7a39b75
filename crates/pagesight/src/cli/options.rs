//! The groups of arguments that several commands share: the page, the browser and the output.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use pagesight_browser::{RUNNING_NAMES, is_running_name};
use pagesight_session::{Engine, Viewport};

use super::browser_environment::BrowserEnvironment;
use super::emulation_arguments::EmulationArguments;
pub(crate) use super::output::Output;
use crate::tools::words::one_of;

/// How a result is printed.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// The format of the result
    #[arg(long, value_enum, default_value_t = Output::Text, global = true)]
    pub(crate) output: Output,
}

/// The browser and how it is started.
#[derive(Debug, Args)]
pub(crate) struct BrowserArguments {
    /// The browser to start
    #[arg(long, default_value = Engine::Chromium.id(), value_parser = engine())]
    pub(crate) browser: Engine,
    /// Use a running browser: your own (auto, chrome, edge, brave, chromium), one at an address
    /// (http://127.0.0.1:9222, ws://…), or one that a WebDriver endpoint starts (http://host:4444)
    #[arg(long, value_name = "URL|NAME", value_parser = endpoint)]
    pub(crate) connect: Option<String>,
    /// Show the browser's window
    #[arg(long)]
    pub(crate) headed: bool,
    /// Keep the browser's profile in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) profile: Option<PathBuf>,
    /// Start the browser with the cookies and localStorage of this file, which pagesight state save
    /// or Playwright wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Width and height of new tabs in CSS pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    pub(crate) viewport: Viewport,
    #[command(flatten)]
    pub(crate) emulation: EmulationArguments,
    #[command(flatten)]
    pub(crate) environment: BrowserEnvironment,
    /// Allow file: URLs
    #[arg(long)]
    pub(crate) allow_file: bool,
    /// Do not enter shadow roots and frames; this lowers the confidence of diffs
    #[arg(long)]
    pub(crate) no_pierce: bool,
}

/// Checks the value of `--connect`: a name, or an address, which is parsed when it is used.
pub(crate) fn endpoint(given: &str) -> Result<String, String> {
    let word = given.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    if word && given != "localhost" && !is_running_name(given) {
        return Err(format!(
            "give one of {}, or an address such as http://127.0.0.1:9222",
            RUNNING_NAMES.join(", ")
        ));
    }
    Ok(given.to_owned())
}

/// Parses the name of an engine.
pub(crate) fn engine() -> impl TypedValueParser<Value = Engine> {
    one_of([
        PossibleValue::new(Engine::Chromium.id()).help("Chromium, Chrome, Edge or Brave"),
        PossibleValue::new(Engine::Firefox.id()).help("Firefox 140 or newer"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints() {
        for good in ["auto", "chrome-beta", "localhost", "http://grid:4444", "10.0.0.7:9222"] {
            assert_eq!(endpoint(good).as_deref(), Ok(good));
        }
        for bad in ["", "chrom", "Chrome", "firefox", "safari"] {
            assert!(endpoint(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn viewports() {
        assert_eq!("800x600".parse(), Ok(Viewport { width: 800, height: 600 }));
        for bad in ["", "800", "0x0", "800x", "99999x1", "axb"] {
            assert!(bad.parse::<Viewport>().is_err(), "{bad}");
        }
    }
}
