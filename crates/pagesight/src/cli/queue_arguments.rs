//! The arguments of the commands of the queue, and the addresses of a Grid.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use pagesight_check::plan::PlanBounds;
use pagesight_core::text::address::without_values;
use pagesight_session::WebOrigin;

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
    #[command(flatten)]
    pub(crate) bounds: WorkBounds,
    #[command(flatten)]
    pub(crate) environment: BrowserEnvironment,
    /// How long a page belongs to a worker that does not report, in seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..=3600))]
    pub(crate) lease: u64,
}

/// The limits of what the pages of the queue may use. Whoever writes to the database chooses the
/// pages, so the worker says which sites they are on and what they get.
#[derive(Debug, Args)]
pub(crate) struct WorkBounds {
    /// Use this URL instead of the base_url of the run; its origin may be visited
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Visit pages of this origin (scheme, host and port); may be given several times
    #[arg(long, value_name = "ORIGIN")]
    origin: Vec<WebOrigin>,
    /// Replace ${NAME} in the pages by this environment variable; may be given several times
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// Upload only files from this folder; without it, none
    #[arg(long, value_name = "DIR")]
    upload_root: Option<PathBuf>,
    /// Start the browsers with the cookies and localStorage of this file; the state of the file
    /// that lists the pages is not read
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
}

impl WorkBounds {
    /// Returns the base URL.
    pub(crate) fn base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// Reads the bounds. `environment` looks up a variable.
    pub(crate) fn read(
        &self,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> anyhow::Result<PlanBounds> {
        if self.base_url.is_none() && self.origin.is_empty() {
            bail!(
                "check work: neither --base-url nor --origin is given; give the sites that may be visited, such as --base-url http://localhost:3000"
            );
        }
        let base = self.base_url.as_deref().map(base_origin).transpose()?;
        for (at, origin) in self.origin.iter().enumerate() {
            if self.origin[..at].contains(origin) {
                bail!("--origin: {origin} is given twice; leave one of them out");
            }
            if base.as_ref() == Some(origin) {
                bail!("--origin: {origin} is the origin of --base-url; leave it out");
            }
        }
        for (at, name) in self.env.iter().enumerate() {
            if self.env[..at].contains(name) {
                bail!("--env: {name} is given twice; leave one of them out");
            }
            let fine = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(fine) {
                // What follows a `=` may be a secret.
                let shown = name.split('=').next().unwrap_or_default();
                bail!("--env: {shown:?} is not the name of a variable; give it without a value");
            }
            if environment(name).is_none() {
                bail!("--env: the environment variable {name} is not set; set it, or leave it out");
            }
        }
        if let Some(folder) = self.upload_root.as_ref().filter(|folder| !folder.is_dir()) {
            bail!("--upload-root: {} is not a directory", folder.display());
        }
        Ok(PlanBounds {
            origins: base.into_iter().chain(self.origin.iter().cloned()).collect(),
            variables: self.env.clone(),
            upload_root: self.upload_root.clone(),
        })
    }
}

/// Returns the origin of the base URL, which has no variables: the shell fills them in.
fn base_origin(given: &str) -> anyhow::Result<WebOrigin> {
    let origin = WebOrigin::of_address(given).filter(|_| !given.contains("${"));
    origin.with_context(|| {
        let shown = without_values(given);
        format!(
            "--base-url: {shown:?} is not a web address; give one such as http://localhost:3000"
        )
    })
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

    #[derive(Debug, clap::Parser)]
    struct Given {
        #[command(flatten)]
        bounds: WorkBounds,
    }

    fn read(words: &str) -> Result<PlanBounds, String> {
        use clap::Parser;
        let words = ["work"].into_iter().chain(words.split_whitespace());
        let given = Given::try_parse_from(words).map_err(|error| error.to_string())?;
        let environment = |name: &str| (name == "PASSWORD").then(|| "hunter22".to_owned());
        given.bounds.read(&environment).map_err(|error| error.to_string())
    }

    #[test]
    fn a_worker_says_what_pages_may_use() {
        let all = read("--base-url http://me:pw@a:3000/app --origin https://b --env PASSWORD");
        let all = all.unwrap();
        let origins: Vec<&str> = all.origins.iter().map(WebOrigin::as_str).collect();
        assert_eq!(origins, ["http://a:3000", "https://b"]);
        assert_eq!(all.variables, ["PASSWORD"]);
        assert_eq!(all.upload_root, None);
        for (wrong, says) in [
            ("", "neither --base-url nor --origin"),
            ("--env PASSWORD --upload-root .", "neither --base-url nor --origin"),
            ("--origin https://a --origin https://a:443", "twice"),
            ("--base-url https://a/b --origin https://a", "leave it out"),
            ("--origin https://a/b", "not an origin"),
            ("--origin *", "not an origin"),
            ("--base-url data:text/html,x", "not a web address"),
            ("--base-url http://${HOST}/", "not a web address"),
            ("--base-url http://a --base-url http://b", "--base-url"),
            ("--origin https://a --env NO_SUCH", "NO_SUCH is not set"),
            ("--origin https://a --env PASSWORD --env PASSWORD", "twice"),
            ("--origin https://a --env PASSWORD=hunter23", "\"PASSWORD\" is not the name"),
            ("--origin https://a --upload-root /no/such", "/no/such is not a directory"),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(says) && !error.contains("hunter"), "{wrong}: {error}");
        }
    }

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
