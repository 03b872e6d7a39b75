//! Starts Firefox: finds its program, and sets its preferences and its profile. Firefox has no
//! pipe: it opens a port on 127.0.0.1 and logs the number. Only one session can be opened there,
//! and it is ours.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::browser::{Origin, greet};
use super::tabs::window_size;
use super::user_js;
use crate::api::traits::Connected;
use crate::connections::Connections;
use crate::engine::launch::{
    OwnBrowser, Profile, START_LIMIT, environment, more_arguments, not_started, started,
};
use crate::error::{BrowserError, Result};
use crate::options::{Engine, LaunchOptions};
use crate::wire::websocket::shake_hands;
use crate::{discover, process};

/// The line of Firefox's log that names its address.
const LISTENS: &str = "WebDriver BiDi listening on ws://";

/// The preferences of a profile. Firefox itself turns off most disturbances while it is automated.
fn preferences() -> Vec<(&'static str, Value)> {
    let off = [
        "app.normandy.enabled",
        "app.update.auto",
        "browser.aboutwelcome.enabled",
        "browser.contentblocking.report.monitor.enabled",
        "browser.newtabpage.enabled",
        "browser.sessionstore.resume_from_crash",
        "browser.shell.checkDefaultBrowser",
        "browser.urlbar.quicksuggest.enabled",
        "browser.tabs.firefox-view",
        "datareporting.policy.dataSubmissionEnabled",
        "extensions.getAddons.cache.enabled",
        "media.gmp-manager.updateEnabled",
        "network.connectivity-service.enabled",
        "network.prefetch-next",
        "signon.rememberSignons",
        "toolkit.cosmeticAnimations.enabled",
        "trailhead.firstrun.didSeeAboutWelcome",
    ];
    let mut all: Vec<(&str, Value)> = off.iter().map(|name| (*name, json!(false))).collect();
    all.extend([
        ("app.update.disabledForTesting", json!(true)),
        ("browser.startup.homepage", json!("about:blank")),
        ("browser.startup.page", json!(0)),
        // Pop-ups open in their own windows, so that the tab that opened them stays in front.
        ("browser.link.open_newwindow", json!(2)),
        ("browser.link.open_newwindow.restriction", json!(0)),
        ("datareporting.policy.dataSubmissionPolicyBypassNotification", json!(true)),
        // Firefox turns this off while it is automated; pages in files must be as restricted as
        // usual.
        ("security.fileuri.strict_origin_policy", json!(true)),
        // How many bytes of bodies it keeps for the log.
        ("remote.network.maxTotalDataSize", json!(32 << 20)),
        // Only BiDi.
        ("remote.active-protocols", json!(1)),
        // Sends mouse events through the window, like those of a real mouse. Without it, cross-site
        // frames get no mouse events.
        ("remote.events.async.mouse.enabled", json!(true)),
        ("remote.events.async.wheel.enabled", json!(true)),
        // The wheel scrolls the element under it, not the one that it scrolled a moment ago, and in
        // one step.
        ("mousewheel.transaction.timeout", json!(0)),
        ("mousewheel.transaction.ignoremovedelay", json!(0)),
        ("general.smoothScroll", json!(false)),
        // Firefox turns this limit off while it is automated; without it, a page that changes its
        // address in a loop keeps the browser itself busy. It keeps no value that is the default,
        // which is 200.
        ("dom.navigation.navigationRateLimit.count", json!(201)),
        // Limits the windows of a page that opens them in a loop.
        ("dom.disable_open_during_load", json!(true)),
        ("dom.popup_maximum", json!(3)),
        ("toolkit.telemetry.reportingpolicy.firstRun", json!(false)),
        // Nobody can print, and the print dialog would block all input.
        ("print.enabled", json!(false)),
        // Nobody can answer the prompts; 2 denies the permission.
        ("permissions.default.camera", json!(2)),
        ("permissions.default.desktop-notification", json!(2)),
        ("permissions.default.geo", json!(2)),
        ("permissions.default.microphone", json!(2)),
        ("permissions.default.xr", json!(2)),
    ]);
    all
}

/// Returns the preferences that keep downloads in our folder. Firefox 149 and newer get it by a
/// command, too, which older ones do not know.
fn download_preferences(folder: &Path) -> [(&'static str, Value); 3] {
    [
        ("browser.download.dir", json!(folder.to_string_lossy())),
        ("browser.download.folderList", json!(2)),
        ("browser.download.useDownloadDir", json!(true)),
    ]
}

/// Returns the lines of `user.js` of a browser with this folder of downloads.
fn lines(downloads: &Path, connections: &Connections) -> String {
    let line = |(name, value): (&str, Value)| format!("user_pref({}, {value});\n", json!(name));
    let more = download_preferences(downloads).into_iter().chain(proxy_preferences(connections));
    preferences().into_iter().chain(more).map(line).collect()
}

/// Returns the alternatives to request from a WebDriver endpoint.
pub(crate) fn wanted(options: &LaunchOptions) -> Value {
    let preferences: serde_json::Map<String, Value> =
        preferences().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let mut arguments = options.args.clone();
    arguments.extend(more_arguments().split_whitespace().map(str::to_owned));
    if !options.headed {
        arguments.push("-headless".to_owned());
    }
    let mut chosen = json!({"args": arguments, "prefs": preferences});
    if let Some(program) = &options.program {
        chosen["binary"] = json!(program);
    }
    json!([{"browserName": "firefox", "webSocketUrl": true, "moz:firefoxOptions": chosen}])
}

fn arguments(options: &LaunchOptions, profile: &Path, more: &str) -> Vec<OsString> {
    let mut arguments: Vec<OsString> =
        ["--remote-debugging-port=0", "--no-remote"].map(OsString::from).to_vec();
    if !options.headed {
        arguments.push("--headless".into());
    }
    arguments.push("--profile".into());
    arguments.push(profile.into());
    arguments.extend(options.args.iter().map(OsString::from));
    arguments.extend(more.split_whitespace().map(OsString::from));
    arguments.push("about:blank".into());
    arguments
}

/// Refuses connections that Firefox cannot have.
fn check_connections(connections: &Connections) -> Result<()> {
    let lacking = [
        (connections.authority.is_some(), "trusting the certificate authority of --ca"),
        (!connections.headers.is_empty(), "sending a header to one origin only (--header)"),
        (
            connections.proxy.as_ref().is_some_and(|proxy| proxy.is_socks()),
            "a SOCKS proxy (--proxy)",
        ),
    ];
    match lacking.into_iter().find(|(is_wanted, _)| *is_wanted) {
        Some((_, what)) => Err(BrowserError::LacksHere {
            what: what.to_owned(),
            product: Engine::Firefox.name().to_owned(),
            able: Engine::Chromium.name(),
        }),
        None => Ok(()),
    }
}

/// Returns the preferences for a proxy.
fn proxy_preferences(connections: &Connections) -> Vec<(&'static str, Value)> {
    let Some(proxy) = &connections.proxy else { return Vec::new() };
    let (host, port) = proxy.host_and_port();
    vec![
        ("network.proxy.type", json!(1)),
        ("network.proxy.http", json!(host)),
        ("network.proxy.http_port", json!(port)),
        ("network.proxy.ssl", json!(host)),
        ("network.proxy.ssl_port", json!(port)),
        ("network.proxy.failover_direct", json!(false)),
        // As in Chromium, local addresses are reached through it only if that is asked for.
        ("network.proxy.allow_hijacking_localhost", json!(proxy.takes_loopback())),
        ("network.proxy.no_proxies_on", json!(proxy.exceptions().join(","))),
    ]
}

/// Starts a browser and waits until it answers.
pub(crate) async fn launch(options: &LaunchOptions) -> Result<Connected> {
    check_connections(&options.connections)?;
    let program = match &options.program {
        Some(program) => program.clone(),
        None => discover::find(Engine::Firefox)?,
    };
    let not_started = |reason: String| not_started(&program, reason);
    let Profile { folder, temporary, downloads } = Profile::of(options).map_err(not_started)?;
    user_js::write(&folder, &lines(&downloads, &options.connections))
        .map_err(|error| not_started(format!("the profile {}: {error}", folder.display())))?;
    let arguments = arguments(options, &folder, &more_arguments());
    let mut environment = environment(options, &folder);
    let mut set = |name: &str, value: String| environment.push((name.into(), value.into()));
    // Nobody can answer the crash reporter, and it would outlive the browser.
    set("MOZ_CRASHREPORTER_DISABLE", "1".to_owned());
    set("MOZ_DISABLE_AUTO_SAFE_MODE", "1".to_owned());
    // Without a screen all windows have the size of the virtual screen.
    let (width, height) = window_size(options.viewport);
    set("MOZ_HEADLESS_WIDTH", width.to_string());
    set("MOZ_HEADLESS_HEIGHT", height.to_string());
    let spawned = process::spawn(&program, &arguments, &environment, Some(temporary));
    let spawned = spawned.map_err(|error| not_started(error.to_string()))?;
    // The socket is for Chromium's protocol. Here it has one use: it ends with the browser.
    #[cfg(unix)]
    let (spawned, mut socket) = spawned;
    #[cfg(unix)]
    let ended =
        async move { tokio::io::AsyncReadExt::read(&mut socket, &mut [0]).await.unwrap_or(0) };
    #[cfg(not(unix))]
    let ended = std::future::pending::<usize>();
    let process = Arc::new(spawned);
    let own = OwnBrowser::of(process.clone(), options, downloads);
    let late = |_| BrowserError::TimedOut { what: "the start".to_owned(), limit: START_LIMIT };
    let answer = async {
        tokio::select! {
            outcome = first_contact(own) => outcome,
            _ = ended => Err(BrowserError::Disconnected),
        }
    };
    let outcome =
        tokio::time::timeout(START_LIMIT, answer).await.map_err(late).and_then(|outcome| outcome);
    started(&program, &process, outcome).await
}

/// Waits until the browser logs its address, and connects.
async fn first_contact(own: OwnBrowser) -> Result<Connected> {
    let line = own.process.says(LISTENS).await.ok_or(BrowserError::Disconnected)?;
    let place = line.split(LISTENS).nth(1).unwrap_or_default().trim().to_owned();
    let url = format!("ws://{place}/session");
    let not_connected =
        |reason: String| BrowserError::NotConnected { url: format!("ws://{place}"), reason };
    let stream =
        TcpStream::connect(&place).await.map_err(|error| not_connected(error.to_string()))?;
    let hands = shake_hands(&url, stream).await;
    let (incoming, outgoing) = hands.map_err(|error| not_connected(error.to_string()))?;
    greet(incoming, outgoing, Origin::Launched(own), START_LIMIT).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_the_options() {
        let joined = |options: &LaunchOptions| {
            let all = arguments(options, Path::new("/tmp/p"), " --a  --b ");
            all.iter()
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let plain = joined(&LaunchOptions::default());
        assert!(plain.contains("--headless --profile /tmp/p --a --b about:blank"), "{plain}");
        let headed =
            joined(&LaunchOptions { headed: true, args: vec!["--x".into()], ..Default::default() });
        assert!(!headed.contains("--headless") && headed.contains(" --x --a"), "{headed}");
    }

    #[test]
    fn preferences_are_written_as_firefox_reads_them() {
        let folder = Path::new("/tmp/a \"b\\c");
        let text = lines(folder, &Connections::default());
        for line in [
            r#"user_pref("browser.download.dir", "/tmp/a \"b\\c");"#,
            r#"user_pref("browser.download.folderList", 2);"#,
            r#"user_pref("browser.download.useDownloadDir", true);"#,
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        assert!(text.contains("user_pref(\"browser.startup.page\", 0);\n"), "{text}");
        assert!(
            text.contains("user_pref(\"browser.startup.homepage\", \"about:blank\");\n"),
            "{text}"
        );
        let all = preferences().into_iter().chain(download_preferences(folder));
        let mut names: Vec<&str> = all.map(|(name, _)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "a preference is given twice");
    }
}
