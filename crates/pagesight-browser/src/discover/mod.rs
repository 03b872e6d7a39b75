//! Where browsers live. A pure function of an environment, so that all three systems can be tested
//! from any of them; only [`Surroundings::here`] looks at the real one.

use std::path::PathBuf;

use crate::error::{BrowserError, Result};
use crate::options::Engine;

/// The variable that names the Chromium to use.
pub const BROWSER_VARIABLE: &str = "PAGESIGHT_BROWSER";
/// The variable that names the Firefox to use.
pub const FIREFOX_VARIABLE: &str = "PAGESIGHT_FIREFOX";

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

/// Where browsers of one kind live.
struct Places {
    variable: &'static str,
    wanted: &'static str,
    package: &'static str,
    /// Commands, in the order of preference.
    names: &'static [&'static str],
    linux: &'static [&'static str],
    /// Below a folder of applications.
    mac: &'static [&'static str],
    /// Below a folder of programs.
    windows: &'static [&'static str],
}

const FIREFOX: Places = Places {
    variable: FIREFOX_VARIABLE,
    wanted: "Firefox",
    package: "firefox-esr",
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

const CHROMIUM: Places = Places {
    variable: BROWSER_VARIABLE,
    wanted: "Chromium or Chrome",
    package: "chromium",
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

    fn wanted(&self, places: &Places) -> Option<String> {
        (self.variable)(places.variable).filter(|value| !value.trim().is_empty())
    }

    fn on_path(&self, name: &str) -> Vec<String> {
        let (between, slash, ending) = match self.system {
            System::Windows => (';', '\\', if name.ends_with(".exe") { "" } else { ".exe" }),
            _ => (':', '/', ""),
        };
        let path = (self.variable)("PATH").unwrap_or_default();
        let folders = path.split(between).filter(|folder| !folder.is_empty());
        folders
            .map(|folder| format!("{}{slash}{name}{ending}", folder.trim_end_matches(slash)))
            .collect()
    }

    /// Every place where such a browser would be, in the order of preference. One that a variable
    /// names is the only one.
    pub fn candidates(&self, engine: Engine) -> Vec<PathBuf> {
        let places = Places::of(engine);
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

    fn usual(&self, places: &Places) -> Vec<String> {
        let variable = |name: &str| (self.variable)(name).filter(|value| !value.is_empty());
        let below = |folders: Vec<String>, slash: char, programs: &[&str]| -> Vec<String> {
            let all = folders
                .iter()
                .flat_map(|folder| programs.iter().map(move |app| format!("{folder}{slash}{app}")));
            all.collect()
        };
        match self.system {
            System::Linux => places.linux.iter().map(|place| (*place).to_owned()).collect(),
            System::Mac => {
                let own = variable("HOME").map(|home| format!("{home}/Applications"));
                below(
                    [Some("/Applications".to_owned()), own].into_iter().flatten().collect(),
                    '/',
                    places.mac,
                )
            }
            System::Windows => {
                let folders = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].map(variable);
                below(folders.into_iter().flatten().collect(), '\\', places.windows)
            }
        }
    }

    /// The first browser that is there.
    pub fn find(&self, engine: Engine) -> Result<PathBuf> {
        let places = Places::of(engine);
        let there = |path: &PathBuf| path.to_str().is_some_and(|path| (self.exists)(path));
        match (self.candidates(engine).into_iter().find(there), self.wanted(places)) {
            (Some(found), _) => Ok(found),
            (None, Some(wanted)) => Err(BrowserError::NotStarted {
                reason: format!("{} names it, but there is no such file", places.variable),
                program: wanted,
            }),
            (None, None) => Err(BrowserError::NotInstalled {
                wanted: places.wanted,
                package: places.package,
                variable: places.variable,
            }),
        }
    }
}

impl Places {
    fn of(engine: Engine) -> &'static Places {
        match engine {
            Engine::Chromium => &CHROMIUM,
            Engine::Firefox => &FIREFOX,
        }
    }
}

/// Every place on this machine where such a browser would be, in the order of preference.
pub fn candidates(engine: Engine) -> Vec<PathBuf> {
    Surroundings::here(|here| here.candidates(engine))
}

/// The browser that [`crate::launch`] starts on this machine.
pub fn find(engine: Engine) -> Result<PathBuf> {
    Surroundings::here(|here| here.find(engine))
}

/// The Chromium (or Chrome, Edge, Brave) that [`crate::launch`] starts on this machine.
pub fn find_chromium() -> Result<PathBuf> {
    find(Engine::Chromium)
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
        check_engine(Engine::Chromium, system, variables, there, expect);
    }

    fn check_engine(
        engine: Engine,
        system: System,
        variables: &[(&str, &str)],
        there: &[&str],
        expect: std::result::Result<&str, &str>,
    ) {
        let variables: Vec<(String, String)> = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let surroundings = Surroundings {
            system,
            variable: &|name| {
                variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
            },
            exists: &|path| there.contains(&path),
        };
        match (surroundings.find(engine), expect) {
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
        check(
            System::Windows,
            &[("ProgramFiles(x86)", r"C:\Program Files (x86)")],
            &[edge],
            Ok(edge),
        );
        check(
            System::Windows,
            &[("PATH", r"C:\bin\;D:\x")],
            &[r"D:\x\chrome.exe"],
            Ok(r"D:\x\chrome.exe"),
        );
    }

    #[test]
    fn named_by_the_user() {
        let path = ("PATH", "/usr/bin");
        let there = ["/usr/bin/chromium", "/usr/bin/brave", "/home/me/chrome"];
        check(
            System::Linux,
            &[path, (BROWSER_VARIABLE, "/home/me/chrome")],
            &there,
            Ok("/home/me/chrome"),
        );
        check(System::Linux, &[path, (BROWSER_VARIABLE, "brave")], &there, Ok("/usr/bin/brave"));
        check(
            System::Linux,
            &[path, (BROWSER_VARIABLE, "/nowhere")],
            &there,
            Err("PAGESIGHT_BROWSER names it"),
        );
        check(System::Linux, &[path, (BROWSER_VARIABLE, " ")], &there, Ok("/usr/bin/chromium"));
    }

    #[test]
    fn firefox() {
        let check = |system, variables: &[_], there: &[_], expect| {
            check_engine(Engine::Firefox, system, variables, there, expect);
        };
        let path = ("PATH", "/usr/bin");
        let there =
            ["/usr/bin/chromium", "/usr/bin/firefox", "/usr/bin/firefox-esr", "/home/me/firefox"];
        check(System::Linux, &[path], &there, Ok("/usr/bin/firefox-esr"));
        check(
            System::Linux,
            &[path, (BROWSER_VARIABLE, "/nowhere")],
            &there,
            Ok("/usr/bin/firefox-esr"),
        );
        check(
            System::Linux,
            &[(FIREFOX_VARIABLE, "/home/me/firefox")],
            &there,
            Ok("/home/me/firefox"),
        );
        check(
            System::Linux,
            &[(FIREFOX_VARIABLE, "/nowhere")],
            &there,
            Err("PAGESIGHT_FIREFOX names it"),
        );
        check(System::Linux, &[path], &["/usr/bin/chromium"], Err("install firefox-esr"));
        let mac = ["/Applications/Firefox.app/Contents/MacOS/firefox"];
        check(System::Mac, &[], &mac, Ok(mac[0]));
        let windows = [r"C:\Program Files\Mozilla Firefox\firefox.exe"];
        check(System::Windows, &[("ProgramFiles", r"C:\Program Files")], &windows, Ok(windows[0]));
    }
}
