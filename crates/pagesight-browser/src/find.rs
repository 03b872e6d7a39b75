//! Where browsers live. A pure function of an environment, so that all three systems can be tested from any of them;
//! only [`Surroundings::here`] looks at the real one.

use std::path::PathBuf;

use crate::error::{BrowserError, Result};

/// The variable that names the browser to use.
pub const BROWSER_VARIABLE: &str = "PAGESIGHT_BROWSER";

/// A kind of operating system, as far as places of programs go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux and the other Unixes.
    Linux,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

/// What the search depends on.
pub struct Surroundings<'a> {
    /// The system.
    pub system: System,
    /// Looks up an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Whether a file is there.
    pub exists: &'a dyn Fn(&str) -> bool,
}

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

impl Surroundings<'_> {
    /// Runs `look` with the machine we are on.
    pub fn here<T>(look: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        look(&Surroundings {
            system: if cfg!(windows) {
                System::Windows
            } else if cfg!(target_os = "macos") {
                System::Mac
            } else {
                System::Linux
            },
            variable: &|name| std::env::var(name).ok(),
            exists: &|path| std::path::Path::new(path).is_file(),
        })
    }

    fn wanted(&self) -> Option<String> {
        (self.variable)(BROWSER_VARIABLE).filter(|value| !value.trim().is_empty())
    }

    fn on_path(&self, name: &str) -> Vec<String> {
        let (between, slash, ending) = match self.system {
            System::Windows => (';', '\\', if name.ends_with(".exe") { "" } else { ".exe" }),
            _ => (':', '/', ""),
        };
        let path = (self.variable)("PATH").unwrap_or_default();
        let folders = path.split(between).filter(|folder| !folder.is_empty());
        folders.map(|folder| format!("{}{slash}{name}{ending}", folder.trim_end_matches(slash))).collect()
    }

    /// Every place where a Chromium would be, in the order of preference. `PAGESIGHT_BROWSER`, if set, is the only one.
    pub fn candidates(&self) -> Vec<PathBuf> {
        let places: Vec<String> = match self.wanted() {
            Some(wanted) if wanted.contains(['/', '\\']) => vec![wanted],
            Some(wanted) => self.on_path(&wanted),
            None => NAMES.iter().flat_map(|name| self.on_path(name)).chain(self.usual()).collect(),
        };
        let mut seen = std::collections::HashSet::new();
        places.into_iter().filter(|place| seen.insert(place.clone())).map(PathBuf::from).collect()
    }

    fn usual(&self) -> Vec<String> {
        let variable = |name: &str| (self.variable)(name).filter(|value| !value.is_empty());
        match self.system {
            System::Linux => LINUX.map(str::to_owned).to_vec(),
            System::Mac => {
                let own = variable("HOME").map(|home| format!("{home}/Applications"));
                let folders = [Some("/Applications".to_owned()), own];
                folders.iter().flatten().flat_map(|folder| MAC.map(|app| format!("{folder}/{app}"))).collect()
            }
            System::Windows => {
                let folders = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].map(variable);
                folders
                    .iter()
                    .flatten()
                    .flat_map(|folder| WINDOWS.map(|app| format!("{folder}\\{app}")))
                    .collect()
            }
        }
    }

    /// The first browser that is there.
    pub fn find(&self) -> Result<PathBuf> {
        let there = |path: &PathBuf| path.to_str().is_some_and(|path| (self.exists)(path));
        match (self.candidates().into_iter().find(there), self.wanted()) {
            (Some(found), _) => Ok(found),
            (None, Some(wanted)) => Err(BrowserError::NotStarted {
                reason: format!("{BROWSER_VARIABLE} names it, but there is no such file"),
                program: wanted,
            }),
            (None, None) => Err(BrowserError::NotInstalled { wanted: "Chromium or Chrome".to_owned() }),
        }
    }
}

/// Every place on this machine where a Chromium would be, in the order of preference.
pub fn candidates() -> Vec<PathBuf> {
    Surroundings::here(|here| here.candidates())
}

/// The Chromium (or Chrome, Edge, Brave) that [`crate::launch`] starts on this machine.
pub fn find_chromium() -> Result<PathBuf> {
    Surroundings::here(|here| here.find())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        system: System,
        variables: &[(&str, &str)],
        there: &[&str],
        expect: std::result::Result<&str, &str>,
    ) {
        let variables: Vec<(String, String)> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let surroundings = Surroundings {
            system,
            variable: &|name| {
                variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
            },
            exists: &|path| there.contains(&path),
        };
        match (surroundings.find(), expect) {
            (Ok(found), Ok(expected)) => assert_eq!(found, PathBuf::from(expected)),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (found, expected) => panic!("{found:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn linux() {
        let path = ("PATH", "/usr/local/bin:/usr/bin:");
        check(System::Linux, &[path], &["/usr/bin/google-chrome"], Ok("/usr/bin/google-chrome"));
        check(
            System::Linux,
            &[path],
            &["/usr/bin/google-chrome", "/usr/bin/chromium"],
            Ok("/usr/bin/chromium"),
        );
        check(System::Linux, &[], &["/snap/bin/chromium"], Ok("/snap/bin/chromium"));
        check(System::Linux, &[path], &[], Err("PAGESIGHT_BROWSER=/path"));
    }

    #[test]
    fn mac() {
        let there = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
        check(System::Mac, &[("PATH", "/usr/bin")], &there, Ok(there[0]));
        let own = ["/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium"];
        check(System::Mac, &[("HOME", "/Users/me")], &own, Ok(own[0]));
    }

    #[test]
    fn windows() {
        let files = ("ProgramFiles", r"C:\Program Files");
        let chrome = r"C:\Program Files\Google\Chrome\Application\chrome.exe";
        check(System::Windows, &[files], &[chrome], Ok(chrome));
        let edge = r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe";
        check(System::Windows, &[("ProgramFiles(x86)", r"C:\Program Files (x86)")], &[edge], Ok(edge));
        check(System::Windows, &[("PATH", r"C:\bin\;D:\x")], &[r"D:\x\chrome.exe"], Ok(r"D:\x\chrome.exe"));
    }

    #[test]
    fn named_by_the_user() {
        let path = ("PATH", "/usr/bin");
        let there = ["/usr/bin/chromium", "/usr/bin/brave", "/home/me/chrome"];
        check(System::Linux, &[path, (BROWSER_VARIABLE, "/home/me/chrome")], &there, Ok("/home/me/chrome"));
        check(System::Linux, &[path, (BROWSER_VARIABLE, "brave")], &there, Ok("/usr/bin/brave"));
        check(
            System::Linux,
            &[path, (BROWSER_VARIABLE, "/nowhere")],
            &there,
            Err("PAGESIGHT_BROWSER names it"),
        );
        check(System::Linux, &[path, (BROWSER_VARIABLE, " ")], &there, Ok("/usr/bin/chromium"));
    }
}
