//! Finds installed browsers. The search is a pure function of an environment, so that it can be
//! tested for all three systems on any of them; only [`HostEnvironment::here`] reads the real one.

mod packages;

use std::path::PathBuf;

use crate::error::{BrowserError, Result};
use crate::options::Engine;

/// The variable that names the Chromium to use.
pub const BROWSER_VARIABLE: &str = "PAGESIGHT_BROWSER";
/// The variable that names the Firefox to use.
pub const FIREFOX_VARIABLE: &str = "PAGESIGHT_FIREFOX";

/// An operating system, as far as paths of programs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux and the other Unixes.
    Linux,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

impl Platform {
    /// Returns the system that we run on.
    pub fn here() -> Platform {
        if cfg!(windows) {
            Platform::Windows
        } else if cfg!(target_os = "macos") {
            Platform::Mac
        } else {
            Platform::Linux
        }
    }
}

/// The environment that the search depends on.
pub struct HostEnvironment<'a> {
    /// The system whose usual folders are searched.
    pub system: Platform,
    /// Looks up an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Whether a file exists.
    pub exists: &'a dyn Fn(&str) -> bool,
}

/// The places where browsers of one engine are installed.
struct InstallLocations {
    variable: &'static str,
    wanted: &'static str,
    /// Command names, in the order of preference.
    names: &'static [&'static str],
    linux: &'static [&'static str],
    /// Paths below a folder of applications.
    mac: &'static [&'static str],
    /// Paths below a folder of programs.
    windows: &'static [&'static str],
}

const FIREFOX: InstallLocations = InstallLocations {
    variable: FIREFOX_VARIABLE,
    wanted: "Firefox",
    names: &["firefox-esr", "firefox"],
    linux: &[
        "/usr/bin/firefox-esr",
        "/usr/bin/firefox",
        "/usr/lib/firefox-esr/firefox-esr",
        "/usr/lib/firefox/firefox",
        "/usr/lib64/firefox/firefox",
        "/opt/firefox/firefox",
        "/snap/bin/firefox",
    ],
    mac: &[
        "Firefox.app/Contents/MacOS/firefox",
        "Firefox Developer Edition.app/Contents/MacOS/firefox",
        "Firefox Nightly.app/Contents/MacOS/firefox",
    ],
    windows: &[r"Mozilla Firefox\firefox.exe", r"Firefox Developer Edition\firefox.exe"],
};

const CHROMIUM: InstallLocations = InstallLocations {
    variable: BROWSER_VARIABLE,
    wanted: "Chromium or Chrome",
    names: &NAMES,
    linux: &LINUX,
    mac: &MAC,
    windows: &WINDOWS,
};

const NAMES: [&str; 11] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
    "brave",
];

const LINUX: [&str; 10] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/chromium.org/chromium/chromium",
    "/snap/bin/chromium",
    "/opt/microsoft/msedge/msedge",
    "/opt/brave.com/brave/brave",
];

const MAC: [&str; 5] = [
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
    "Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
];

const WINDOWS: [&str; 4] = [
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
];

impl HostEnvironment<'_> {
    /// Runs `look` with the environment of this machine.
    pub fn here<T>(look: impl FnOnce(&HostEnvironment<'_>) -> T) -> T {
        look(&HostEnvironment {
            system: Platform::here(),
            variable: &|name| std::env::var(name).ok(),
            exists: &|path| std::path::Path::new(path).is_file(),
        })
    }

    fn wanted(&self, places: &InstallLocations) -> Option<String> {
        (self.variable)(places.variable).filter(|value| !value.trim().is_empty())
    }

    fn on_path(&self, name: &str) -> Vec<String> {
        let (between, slash, ending) = match self.system {
            Platform::Windows => (';', '\\', if name.ends_with(".exe") { "" } else { ".exe" }),
            _ => (':', '/', ""),
        };
        let path = (self.variable)("PATH").unwrap_or_default();
        let folders = path.split(between).filter(|folder| !folder.is_empty());
        folders
            .map(|folder| format!("{}{slash}{name}{ending}", folder.trim_end_matches(slash)))
            .collect()
    }

    /// Returns every path where a browser of an engine may be, in the order of preference. If a
    /// variable names one, it is the only one.
    pub fn candidates(&self, engine: Engine) -> Vec<PathBuf> {
        let places = InstallLocations::of(engine);
        let found: Vec<String> = match self.wanted(places) {
            Some(wanted) if wanted.contains(['/', '\\']) => vec![wanted],
            Some(wanted) => self.on_path(&wanted),
            None => {
                let named = places.names.iter().flat_map(|name| self.on_path(name));
                named.chain(self.usual(places)).collect()
            }
        };
        let mut seen = std::collections::HashSet::new();
        found.into_iter().filter(|place| seen.insert(place.clone())).map(PathBuf::from).collect()
    }

    fn usual(&self, places: &InstallLocations) -> Vec<String> {
        let variable = |name: &str| (self.variable)(name).filter(|value| !value.is_empty());
        let below = |folders: Vec<String>, slash: char, programs: &[&str]| -> Vec<String> {
            let all = folders
                .iter()
                .flat_map(|folder| programs.iter().map(move |app| format!("{folder}{slash}{app}")));
            all.collect()
        };
        match self.system {
            Platform::Linux => places.linux.iter().map(|place| (*place).to_owned()).collect(),
            Platform::Mac => {
                let own = variable("HOME").map(|home| format!("{home}/Applications"));
                below(
                    [Some("/Applications".to_owned()), own].into_iter().flatten().collect(),
                    '/',
                    places.mac,
                )
            }
            Platform::Windows => {
                let folders = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].map(variable);
                below(folders.into_iter().flatten().collect(), '\\', places.windows)
            }
        }
    }

    /// Returns the first browser that exists.
    pub fn find(&self, engine: Engine) -> Result<PathBuf> {
        let places = InstallLocations::of(engine);
        let there = |path: &PathBuf| path.to_str().is_some_and(|path| (self.exists)(path));
        match (self.candidates(engine).into_iter().find(there), self.wanted(places)) {
            (Some(found), _) => Ok(found),
            (None, Some(wanted)) => Err(BrowserError::NotStarted {
                reason: format!("{} names this file, but it does not exist", places.variable),
                program: wanted,
            }),
            (None, None) => Err(BrowserError::NotInstalled {
                wanted: places.wanted,
                install: self.install_command(engine),
                variable: places.variable,
            }),
        }
    }
}

impl InstallLocations {
    fn of(engine: Engine) -> &'static InstallLocations {
        match engine {
            Engine::Chromium => &CHROMIUM,
            Engine::Firefox => &FIREFOX,
        }
    }
}

/// Returns every path on this machine where a browser of an engine may be, in the order of
/// preference.
pub fn candidates(engine: Engine) -> Vec<PathBuf> {
    HostEnvironment::here(|here| here.candidates(engine))
}

/// Returns the command that installs a browser of an engine on this machine, if its package manager
/// is known.
pub fn install_command(engine: Engine) -> Option<String> {
    HostEnvironment::here(|here| here.install_command(engine))
}

/// Returns the browser that `launch` starts on this machine.
pub fn find(engine: Engine) -> Result<PathBuf> {
    HostEnvironment::here(|here| here.find(engine))
}

/// Returns the Chromium (or Chrome, Edge, Brave) that `launch` starts on this machine.
pub fn find_chromium() -> Result<PathBuf> {
    find(Engine::Chromium)
}

#[cfg(test)]
mod tests;
