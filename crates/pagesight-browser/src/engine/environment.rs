//! The environment of a browser that we start: what a browser needs, and no more. Our own has
//! passwords and tokens of the user, which a page that takes over a process of the browser could
//! read there.

use std::ffi::OsString;

use crate::discover::Platform;

/// The variables that every browser gets; `*` stands for any ending.
const PASSED: [&str; 27] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TMPDIR",
    "XDG_*",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "FONTCONFIG_*",
    "LD_LIBRARY_PATH",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "no_proxy",
    "NO_PROXY",
    "all_proxy",
    "ALL_PROXY",
];

/// More variables that it gets on Windows.
const PASSED_ON_WINDOWS: [&str; 8] = [
    "SYSTEMROOT",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
    "TEMP",
    "TMP",
    "PROGRAMFILES*",
    "PROGRAMDATA",
];

/// Returns whether every browser gets the environment variable with this name.
pub fn is_passed_to_browsers(name: &str) -> bool {
    is_passed(name, Platform::here())
}

fn is_passed(name: &str, platform: Platform) -> bool {
    let more: &[&str] = if platform == Platform::Windows { &PASSED_ON_WINDOWS } else { &[] };
    // Names have no case on Windows.
    let name = match platform {
        Platform::Windows => name.to_ascii_uppercase(),
        Platform::Linux | Platform::Mac => name.to_owned(),
    };
    PASSED.iter().chain(more).any(|passed| match passed.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *passed,
    })
}

/// Returns the part of our own environment that a browser gets, with the variables of these names.
pub(crate) fn passed(more: &[String]) -> Vec<(OsString, OsString)> {
    let same = |one: &String, name: &str| match cfg!(windows) {
        true => one.eq_ignore_ascii_case(name),
        false => one == name,
    };
    let is_wanted =
        |name: &str| is_passed_to_browsers(name) || more.iter().any(|one| same(one, name));
    std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_wanted)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_browser_needs_is_passed() {
        let on = |platform| move |name: &&&str| is_passed(name, platform);
        let here = ["PATH", "HOME", "LANG", "LC_ALL", "XDG_RUNTIME_DIR", "FONTCONFIG_PATH", "TZ"];
        let proxies = ["http_proxy", "HTTPS_PROXY", "no_proxy", "ALL_PROXY"];
        let never =
            ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "PGPASSWORD", "LD_PRELOAD", "", "XDG"];
        let windows = ["Path", "SystemRoot", "ProgramFiles(x86)", "ProgramData", "Temp", "tmp"];
        for platform in [Platform::Linux, Platform::Mac, Platform::Windows] {
            assert_eq!(here.iter().chain(&proxies).filter(on(platform)).count(), 11);
            assert_eq!(never.iter().filter(on(platform)).count(), 0);
            let expected = if platform == Platform::Windows { windows.len() } else { 0 };
            assert_eq!(windows.iter().filter(on(platform)).count(), expected);
            let elsewhere = PASSED_ON_WINDOWS.iter().filter(on(platform)).count();
            assert_eq!(elsewhere > 0, platform == Platform::Windows);
        }
    }
}
