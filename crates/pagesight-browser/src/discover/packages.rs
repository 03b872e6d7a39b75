//! Names the one command that installs a browser on this machine, by the package manager that it
//! has.

use super::{HostEnvironment, Platform};
use crate::options::Engine;

/// A package manager: its program, the command that installs, and the names of the packages of
/// Chromium and Firefox.
struct PackageManager {
    program: &'static str,
    command: &'static str,
    chromium: &'static str,
    firefox: &'static str,
}

const fn manager(
    program: &'static str,
    command: &'static str,
    chromium: &'static str,
    firefox: &'static str,
) -> PackageManager {
    PackageManager { program, command, chromium, firefox }
}

/// The managers of Linux, the first that is there counts. Snap is first, because where it is
/// installed (Ubuntu) the packages of apt are wrappers around it.
const LINUX: [PackageManager; 8] = [
    manager("snap", "sudo snap install", "chromium", "firefox"),
    manager("apt-get", "sudo apt-get install -y", "chromium", "firefox-esr"),
    manager("dnf", "sudo dnf install -y", "chromium", "firefox"),
    manager("yum", "sudo yum install -y", "chromium", "firefox"),
    manager("pacman", "sudo pacman -S --noconfirm", "chromium", "firefox"),
    manager("zypper", "sudo zypper install -y", "chromium", "MozillaFirefox"),
    manager("apk", "sudo apk add", "chromium", "firefox-esr"),
    manager("brew", "brew install --cask", "google-chrome", "firefox"),
];

const MAC: [PackageManager; 2] = [
    manager("brew", "brew install --cask", "google-chrome", "firefox"),
    manager("port", "sudo port install", "chromium", "firefox"),
];

const WINDOWS: [PackageManager; 3] = [
    manager("winget", "winget install --exact --id", "Google.Chrome", "Mozilla.Firefox"),
    manager("choco", "choco install -y", "googlechrome", "firefox"),
    manager("scoop", "scoop install", "googlechrome", "firefox"),
];

impl HostEnvironment<'_> {
    /// Returns the command that installs a browser of an engine here, if a package manager is
    /// known. `sudo` is left out where there is none.
    pub fn install_command(&self, engine: Engine) -> Option<String> {
        let managers: &[PackageManager] = match self.system {
            Platform::Linux => &LINUX,
            Platform::Mac => &MAC,
            Platform::Windows => &WINDOWS,
        };
        let is_there = |program: &str| self.on_path(program).iter().any(|path| (self.exists)(path));
        let manager = managers.iter().find(|manager| is_there(manager.program))?;
        let package = match engine {
            Engine::Chromium => manager.chromium,
            Engine::Firefox => manager.firefox,
        };
        let command = match manager.command.strip_prefix("sudo ") {
            Some(plain) if !is_there("sudo") => plain,
            _ => manager.command,
        };
        Some(format!("{command} {package}"))
    }
}
