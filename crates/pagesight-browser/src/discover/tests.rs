//! Tests where browsers are searched for on each system.

use super::*;

fn check(
    system: Platform,
    variables: &[(&str, &str)],
    there: &[&str],
    expect: std::result::Result<&str, &str>,
) {
    check_engine(Engine::Chromium, system, variables, there, expect);
}

fn check_engine(
    engine: Engine,
    system: Platform,
    variables: &[(&str, &str)],
    there: &[&str],
    expect: std::result::Result<&str, &str>,
) {
    let variables: Vec<(String, String)> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let host = HostEnvironment {
        system,
        variable: &|name| {
            variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        },
        exists: &|path| there.contains(&path),
    };
    match (host.find(engine), expect) {
        (Ok(found), Ok(expected)) => assert_eq!(found, PathBuf::from(expected)),
        (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
        (found, expected) => panic!("{found:?} instead of {expected:?}"),
    }
}

#[test]
fn linux() {
    let path = ("PATH", "/usr/local/bin:/usr/bin:");
    check(Platform::Linux, &[path], &["/usr/bin/google-chrome"], Ok("/usr/bin/google-chrome"));
    check(
        Platform::Linux,
        &[path],
        &["/usr/bin/google-chrome", "/usr/bin/chromium"],
        Ok("/usr/bin/chromium"),
    );
    check(Platform::Linux, &[], &["/snap/bin/chromium"], Ok("/snap/bin/chromium"));
    check(Platform::Linux, &[path], &[], Err("set PAGESIGHT_BROWSER to its path"));
}

#[test]
fn mac() {
    let there = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
    check(Platform::Mac, &[("PATH", "/usr/bin")], &there, Ok(there[0]));
    let own = ["/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium"];
    check(Platform::Mac, &[("HOME", "/Users/me")], &own, Ok(own[0]));
}

#[test]
fn windows() {
    let files = ("ProgramFiles", r"C:\Program Files");
    let chrome = r"C:\Program Files\Google\Chrome\Application\chrome.exe";
    check(Platform::Windows, &[files], &[chrome], Ok(chrome));
    let edge = r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe";
    check(
        Platform::Windows,
        &[("ProgramFiles(x86)", r"C:\Program Files (x86)")],
        &[edge],
        Ok(edge),
    );
    check(
        Platform::Windows,
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
        Platform::Linux,
        &[path, (BROWSER_VARIABLE, "/home/me/chrome")],
        &there,
        Ok("/home/me/chrome"),
    );
    check(Platform::Linux, &[path, (BROWSER_VARIABLE, "brave")], &there, Ok("/usr/bin/brave"));
    check(
        Platform::Linux,
        &[path, (BROWSER_VARIABLE, "/nowhere")],
        &there,
        Err("PAGESIGHT_BROWSER names this file"),
    );
    check(Platform::Linux, &[path, (BROWSER_VARIABLE, " ")], &there, Ok("/usr/bin/chromium"));
}

#[test]
fn firefox() {
    let check = |system, variables: &[_], there: &[_], expect| {
        check_engine(Engine::Firefox, system, variables, there, expect);
    };
    let path = ("PATH", "/usr/bin");
    let there =
        ["/usr/bin/chromium", "/usr/bin/firefox", "/usr/bin/firefox-esr", "/home/me/firefox"];
    check(Platform::Linux, &[path], &there, Ok("/usr/bin/firefox-esr"));
    check(
        Platform::Linux,
        &[path, (BROWSER_VARIABLE, "/nowhere")],
        &there,
        Ok("/usr/bin/firefox-esr"),
    );
    check(
        Platform::Linux,
        &[(FIREFOX_VARIABLE, "/home/me/firefox")],
        &there,
        Ok("/home/me/firefox"),
    );
    check(
        Platform::Linux,
        &[(FIREFOX_VARIABLE, "/nowhere")],
        &there,
        Err("PAGESIGHT_FIREFOX names this file"),
    );
    let there = ["/usr/bin/chromium", "/usr/bin/apt-get"];
    check(Platform::Linux, &[path], &there, Err("apt-get install -y firefox-esr"));
    let mac = ["/Applications/Firefox.app/Contents/MacOS/firefox"];
    check(Platform::Mac, &[], &mac, Ok(mac[0]));
    let windows = [r"C:\Program Files\Mozilla Firefox\firefox.exe"];
    check(Platform::Windows, &[("ProgramFiles", r"C:\Program Files")], &windows, Ok(windows[0]));
}

#[test]
fn the_command_that_installs_a_browser() {
    let command = |system, path: &str, there: &[&str], engine| {
        let host = HostEnvironment {
            system,
            variable: &|name| (name == "PATH").then(|| path.to_owned()),
            exists: &|path| there.contains(&path),
        };
        host.install_command(engine)
    };
    let linux = |there: &[&str]| command(Platform::Linux, "/bin", there, Engine::Chromium);
    let is = |text: &str| Some(text.to_owned());
    assert_eq!(linux(&["/bin/apt-get", "/bin/sudo"]), is("sudo apt-get install -y chromium"));
    assert_eq!(linux(&["/bin/apt-get"]), is("apt-get install -y chromium"));
    assert_eq!(linux(&["/bin/apt-get", "/bin/snap"]), is("snap install chromium"));
    assert_eq!(linux(&["/bin/pacman"]), is("pacman -S --noconfirm chromium"));
    assert_eq!(linux(&["/usr/bin/dnf"]), None, "it is not in the path");
    assert_eq!(
        command(Platform::Linux, "/bin", &["/bin/zypper"], Engine::Firefox),
        is("zypper install -y MozillaFirefox")
    );
    assert_eq!(
        command(Platform::Mac, "/opt/homebrew/bin", &["/opt/homebrew/bin/brew"], Engine::Chromium),
        is("brew install --cask google-chrome")
    );
    assert_eq!(
        command(Platform::Windows, r"C:\w", &[r"C:\w\winget.exe"], Engine::Firefox),
        is("winget install --exact --id Mozilla.Firefox")
    );
    let path = ("PATH", "/bin");
    check(
        Platform::Linux,
        &[path],
        &["/bin/apk"],
        Err(
            "no Chromium or Chrome was found; install one with `apk add chromium`, or set PAGESIGHT_BROWSER to its path",
        ),
    );
    check(Platform::Linux, &[path], &[], Err("install one or set PAGESIGHT_BROWSER to its path"));
}
