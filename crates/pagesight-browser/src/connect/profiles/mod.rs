//! Where the browsers of a user keep their profiles, by channel and operating system, and the file
//! in them that names the port of a browser with remote debugging switched on. Pure: the reading
//! is done in `running.rs`.

use crate::discover::{HostEnvironment, Platform};

/// A channel of a browser.
#[derive(Debug, PartialEq, Eq)]
pub struct BrowserChannel {
    /// Its name in options: `chrome-beta`.
    pub id: &'static str,
    /// Its name as people write it: `Chrome Beta`.
    pub name: &'static str,
    /// The browser that it is a channel of, as options name it: `chrome`.
    pub family: &'static str,
    /// Folders below the configuration folder on Linux.
    linux: &'static [&'static str],
    /// Folders below the home folder on Linux: browsers from Snap and Flatpak.
    linux_home: &'static [&'static str],
    /// Folders below `Library/Application Support` on macOS.
    mac: &'static [&'static str],
    /// Folders below `%LOCALAPPDATA%` on Windows.
    windows: &'static [&'static str],
}

/// The names of browsers that can be connected to; `auto` means any of them.
pub const RUNNING_NAMES: [&str; 5] = ["auto", "chrome", "edge", "brave", "chromium"];

/// Every channel, the stable one of each browser first.
pub(super) const CHANNELS: [BrowserChannel; 12] = [
    BrowserChannel {
        id: "chrome",
        name: "Chrome",
        family: "chrome",
        linux: &["google-chrome"],
        linux_home: &[".var/app/com.google.Chrome/config/google-chrome"],
        mac: &["Google/Chrome"],
        windows: &[r"Google\Chrome\User Data"],
    },
    BrowserChannel {
        id: "chrome-beta",
        name: "Chrome Beta",
        family: "chrome",
        linux: &["google-chrome-beta"],
        linux_home: &[],
        mac: &["Google/Chrome Beta"],
        windows: &[r"Google\Chrome Beta\User Data"],
    },
    BrowserChannel {
        id: "chrome-dev",
        name: "Chrome Dev",
        family: "chrome",
        linux: &["google-chrome-unstable"],
        linux_home: &[".var/app/com.google.ChromeDev/config/google-chrome-unstable"],
        mac: &["Google/Chrome Dev"],
        windows: &[r"Google\Chrome Dev\User Data"],
    },
    BrowserChannel {
        id: "chrome-canary",
        name: "Chrome Canary",
        family: "chrome",
        linux: &["google-chrome-canary"],
        linux_home: &[],
        mac: &["Google/Chrome Canary"],
        windows: &[r"Google\Chrome SxS\User Data"],
    },
    BrowserChannel {
        id: "chromium",
        name: "Chromium",
        family: "chromium",
        linux: &["chromium"],
        linux_home: &[
            "snap/chromium/common/chromium",
            ".var/app/org.chromium.Chromium/config/chromium",
            ".var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium",
        ],
        mac: &["Chromium"],
        windows: &[r"Chromium\User Data"],
    },
    BrowserChannel {
        id: "edge",
        name: "Edge",
        family: "edge",
        linux: &["microsoft-edge"],
        linux_home: &[".var/app/com.microsoft.Edge/config/microsoft-edge"],
        mac: &["Microsoft Edge"],
        windows: &[r"Microsoft\Edge\User Data"],
    },
    BrowserChannel {
        id: "edge-beta",
        name: "Edge Beta",
        family: "edge",
        linux: &["microsoft-edge-beta"],
        linux_home: &[],
        mac: &["Microsoft Edge Beta"],
        windows: &[r"Microsoft\Edge Beta\User Data"],
    },
    BrowserChannel {
        id: "edge-dev",
        name: "Edge Dev",
        family: "edge",
        linux: &["microsoft-edge-dev"],
        linux_home: &[".var/app/com.microsoft.EdgeDev/config/microsoft-edge-dev"],
        mac: &["Microsoft Edge Dev"],
        windows: &[r"Microsoft\Edge Dev\User Data"],
    },
    BrowserChannel {
        id: "edge-canary",
        name: "Edge Canary",
        family: "edge",
        linux: &[],
        linux_home: &[],
        mac: &["Microsoft Edge Canary"],
        windows: &[r"Microsoft\Edge SxS\User Data"],
    },
    BrowserChannel {
        id: "brave",
        name: "Brave",
        family: "brave",
        linux: &["BraveSoftware/Brave-Browser"],
        linux_home: &[
            ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
            "snap/brave/current/.config/BraveSoftware/Brave-Browser",
        ],
        mac: &["BraveSoftware/Brave-Browser"],
        windows: &[r"BraveSoftware\Brave-Browser\User Data"],
    },
    BrowserChannel {
        id: "brave-beta",
        name: "Brave Beta",
        family: "brave",
        linux: &["BraveSoftware/Brave-Browser-Beta"],
        linux_home: &[],
        mac: &["BraveSoftware/Brave-Browser-Beta"],
        windows: &[r"BraveSoftware\Brave-Browser-Beta\User Data"],
    },
    BrowserChannel {
        id: "brave-nightly",
        name: "Brave Nightly",
        family: "brave",
        linux: &["BraveSoftware/Brave-Browser-Nightly"],
        linux_home: &[],
        mac: &["BraveSoftware/Brave-Browser-Nightly"],
        windows: &[r"BraveSoftware\Brave-Browser-Nightly\User Data"],
    },
];

/// Returns whether a name stands for browsers that are searched for: `auto`, a browser or one of
/// its channels.
pub fn is_running_name(given: &str) -> bool {
    given == "auto" || CHANNELS.iter().any(|channel| channel.id == given)
}

/// Returns how people call the browsers that a name stands for.
pub(super) fn people_call(wanted: &str) -> &'static str {
    CHANNELS.iter().find(|channel| channel.id == wanted).map_or("browser", |channel| channel.name)
}

/// Returns the page where a browser switches remote debugging on.
pub(super) fn settings_page(wanted: &str) -> &'static str {
    match wanted.split('-').next() {
        Some("edge") => "edge://inspect/#remote-debugging",
        Some("brave") => "brave://inspect/#remote-debugging",
        _ => "chrome://inspect/#remote-debugging",
    }
}

/// Returns every folder that may be the profile folder of a browser of the user.
pub(super) fn profile_folders(
    environment: &HostEnvironment<'_>,
) -> Vec<(&'static BrowserChannel, String)> {
    let variable = |name: &str| (environment.variable)(name).filter(|value| !value.is_empty());
    let home = variable("HOME");
    let (base, slash) = match environment.system {
        Platform::Linux => {
            let given = variable("CHROME_CONFIG_HOME").or_else(|| variable("XDG_CONFIG_HOME"));
            (given.or_else(|| home.as_ref().map(|home| format!("{home}/.config"))), '/')
        }
        Platform::Mac => {
            (home.as_ref().map(|home| format!("{home}/Library/Application Support")), '/')
        }
        Platform::Windows => (variable("LOCALAPPDATA"), '\\'),
    };
    let mut folders = Vec::new();
    for channel in &CHANNELS {
        let (below, below_home) = match environment.system {
            Platform::Linux => (channel.linux, channel.linux_home),
            Platform::Mac => (channel.mac, &[][..]),
            Platform::Windows => (channel.windows, &[][..]),
        };
        for (root, folder) in below
            .iter()
            .map(|folder| (&base, folder))
            .chain(below_home.iter().map(|folder| (&home, folder)))
        {
            if let Some(root) = root {
                folders.push((channel, format!("{}{slash}{folder}", root.trim_end_matches(slash))));
            }
        }
    }
    folders
}

/// The content of the file `DevToolsActivePort`: where a browser listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ActivePort {
    /// The port on 127.0.0.1.
    pub(super) port: u16,
    /// The path of the WebSocket.
    pub(super) path: String,
}

impl ActivePort {
    /// Parses the file: a port in the first line and the path of the browser's WebSocket in the
    /// second. Anything else is not from a browser.
    pub(super) fn parse(text: &str) -> Option<ActivePort> {
        let mut lines = text.lines();
        let (port, path) = (lines.next()?, lines.next()?);
        if lines.next().is_some() || !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let port = port.parse().ok().filter(|port| *port != 0)?;
        let id = path.strip_prefix("/devtools/browser/")?;
        let plain = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        if id.is_empty() || id.len() > 64 || !id.bytes().all(plain) {
            return None;
        }
        Some(ActivePort { port, path: path.to_owned() })
    }
}

#[cfg(test)]
mod tests;
