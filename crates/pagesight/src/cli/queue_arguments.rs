//! The arguments of the commands of the queue, and the addresses of a Grid.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use pagesight_core::text::address::without_values;

use super::browser_environment::BrowserEnvironment;

/// The browsers of a Grid.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GridArguments {
    /// Use browsers of a Selenium Grid or a different WebDriver endpoint, such as http://grid:4444;
    /// may be given several times
    #[arg(long, value_name = "URL", value_parser = grid)]
    connect: Vec<String>,
}

impl GridArguments {
    pub(crate) fn addresses(&self) -> anyhow::Result<Vec<String>> {
        for (at, address) in self.connect.iter().enumerate() {
            if self.connect[..at].contains(address) {
                bail!("--connect: {address} is given twice; leave one of them out");
            }
        }
        Ok(self.connect.clone())
    }
}

fn grid(given: &str) -> Result<String, String> {
    match given.strip_prefix("http://") {
        Some(rest) if !rest.is_empty() && !rest.contains(['@', ' ']) => Ok(given.to_owned()),
        Some(_) => Err("give an address without user and password".to_owned()),
        None => Err("give the address of a Grid, such as http://grid:4444".to_owned()),
    }
}

/// How pages of the queue are checked.
#[derive(Debug, Args)]
pub(crate) struct WorkArguments {
    #[command(flatten)]
    pub(crate) grid: GridArguments,
    /// How many pages to check at a time
    #[arg(long, short, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,
    /// Start the browsers with the cookies and localStorage of this file instead of the state of
    /// the file that lists the pages
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) environment: BrowserEnvironment,
    /// How long a page belongs to a worker that does not report, in seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..=3600))]
    pub(crate) lease: u64,
}

/// The run that is stopped.
#[derive(Debug, Args)]
pub(crate) struct StopArguments {
    /// The number of the run; without it, the newest
    #[arg(value_name = "RUN")]
    pub(crate) id: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_a_grid() {
        for good in ["http://grid:4444", "http://10.0.0.7:4444/wd/hub"] {
            assert_eq!(grid(good).as_deref(), Ok(good));
        }
        for bad in ["", "grid:4444", "auto", "ws://grid:4444", "http://", "http://u:p@grid"] {
            assert!(grid(bad).is_err(), "{bad}");
        }
        let twice = GridArguments { connect: vec!["http://a".to_owned(), "http://a".to_owned()] };
        assert!(twice.addresses().unwrap_err().to_string().contains("twice"));
    }
}
