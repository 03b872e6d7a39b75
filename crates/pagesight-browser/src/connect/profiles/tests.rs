//! Tests the folders of each system, and what counts as a port file.

use super::*;

fn folders(system: Platform, variables: &[(&str, &str)]) -> Vec<(String, String)> {
    let environment = HostEnvironment {
        system,
        variable: &|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        },
        exists: &|_| false,
    };
    let found = profile_folders(&environment);
    found.into_iter().map(|(channel, folder)| (channel.id.to_owned(), folder)).collect()
}

fn has(folders: &[(String, String)], id: &str, folder: &str) -> bool {
    folders.contains(&(id.to_owned(), folder.to_owned()))
}

#[test]
fn folders_on_linux() {
    let plain = folders(Platform::Linux, &[("HOME", "/home/ada")]);
    for (id, folder) in [
        ("chrome", "/home/ada/.config/google-chrome"),
        ("chrome-beta", "/home/ada/.config/google-chrome-beta"),
        ("chrome-dev", "/home/ada/.config/google-chrome-unstable"),
        ("chromium", "/home/ada/.config/chromium"),
        ("chromium", "/home/ada/snap/chromium/common/chromium"),
        ("chrome", "/home/ada/.var/app/com.google.Chrome/config/google-chrome"),
        ("edge", "/home/ada/.config/microsoft-edge"),
        ("brave", "/home/ada/.config/BraveSoftware/Brave-Browser"),
    ] {
        assert!(has(&plain, id, folder), "{id} {folder}: {plain:?}");
    }
    let moved = folders(Platform::Linux, &[("HOME", "/home/ada"), ("XDG_CONFIG_HOME", "/cfg/")]);
    assert!(has(&moved, "chromium", "/cfg/chromium"), "{moved:?}");
    let own = [("XDG_CONFIG_HOME", "/cfg"), ("CHROME_CONFIG_HOME", "/chrome")];
    let own = folders(Platform::Linux, &own);
    assert!(has(&own, "chromium", "/chrome/chromium") && !has(&own, "chromium", "/cfg/chromium"));
    assert_eq!(folders(Platform::Linux, &[]), []);
}

#[test]
fn folders_on_macos_and_windows() {
    let mac = folders(Platform::Mac, &[("HOME", "/Users/ada")]);
    let support = "/Users/ada/Library/Application Support";
    assert!(has(&mac, "chrome-canary", &format!("{support}/Google/Chrome Canary")), "{mac:?}");
    assert!(has(&mac, "edge-canary", &format!("{support}/Microsoft Edge Canary")), "{mac:?}");
    let windows = folders(Platform::Windows, &[("LOCALAPPDATA", r"C:\Users\ada\AppData\Local")]);
    for (id, folder) in [
        ("chrome", r"C:\Users\ada\AppData\Local\Google\Chrome\User Data"),
        ("chrome-canary", r"C:\Users\ada\AppData\Local\Google\Chrome SxS\User Data"),
        ("brave", r"C:\Users\ada\AppData\Local\BraveSoftware\Brave-Browser\User Data"),
    ] {
        assert!(has(&windows, id, folder), "{id} {folder}: {windows:?}");
    }
}

#[test]
fn a_port_file_is_read_strictly() {
    let path = "/devtools/browser/2971be2e-70b7-45ba-8794-9e95fd3b06f3";
    let good = ActivePort { port: 9222, path: path.to_owned() };
    assert_eq!(ActivePort::parse(&format!("9222\n{path}")), Some(good.clone()));
    assert_eq!(ActivePort::parse(&format!("9222\r\n{path}\r\n")), Some(good));
    for bad in [
        String::new(),
        "9222".to_owned(),
        format!("0\n{path}"),
        format!("+9222\n{path}"),
        format!("99999\n{path}"),
        format!("9222 \n{path}"),
        format!("evil.example:9222\n{path}"),
        "9222\n/devtools/page/2971be2e".to_owned(),
        "9222\n/devtools/browser/".to_owned(),
        "9222\n/devtools/browser/../page/1".to_owned(),
        "9222\n/devtools/browser/a b".to_owned(),
        format!("9222\n/devtools/browser/{}", "a".repeat(65)),
        format!("9222\n{path}\nmore"),
    ] {
        assert_eq!(ActivePort::parse(&bad), None, "{bad:?}");
    }
}

#[test]
fn names() {
    for name in RUNNING_NAMES {
        assert!(is_running_name(name), "{name}");
    }
    assert!(is_running_name("chrome-beta"));
    assert!(!is_running_name("Chrome") && !is_running_name("firefox") && !is_running_name(""));
    assert_eq!(people_call("edge-dev"), "Edge Dev");
    assert_eq!(settings_page("brave-beta"), "brave://inspect/#remote-debugging");
}
