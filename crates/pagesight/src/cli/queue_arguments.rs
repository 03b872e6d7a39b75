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
    // Checked later: clap would print a wrong value, and it may have a password.
    #[arg(long, value_name = "URL")]
    connect: Vec<String>,
}

impl GridArguments {
    pub(crate) fn addresses(&self) -> anyhow::Result<Vec<String>> {
        for (at, address) in self.connect.iter().enumerate() {
            let shown = without_values(address);
            match address.strip_prefix("http://") {
                Some(rest) if rest.contains('@') => {
                    bail!("--connect: give {shown} without user and password");
                }
                Some(rest) if !rest.is_empty() && !rest.contains(' ') => {}
                _ => bail!(
                    "--connect: {shown:?} is not the address of a Grid; give one such as http://grid:4444"
                ),
            }
            if self.connect[..at].contains(address) {
                bail!("--connect: {shown} is given twice; leave one of them out");
            }
        }
        Ok(self.connect.clone())
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
        let addresses = |given: &[&str]| {
            let connect = given.iter().map(|one| (*one).to_owned()).collect();
            GridArguments { connect }.addresses().map_err(|error| error.to_string())
        };
        for good in ["http://grid:4444", "http://10.0.0.7:4444/wd/hub"] {
            assert_eq!(addresses(&[good]), Ok(vec![good.to_owned()]));
        }
        for bad in
            ["", "grid:4444", "auto", "ws://grid:4444?t=hush", "http://", "http://u:hush@grid"]
        {
            let error = addresses(&[bad]).unwrap_err();
            assert!(error.starts_with("--connect: ") && !error.contains("hush"), "{error}");
        }
        let twice = addresses(&["http://a?token=hush", "http://a?token=hush"]).unwrap_err();
        assert_eq!(twice, "--connect: http://a?token=… is given twice; leave one of them out");
    }
}
