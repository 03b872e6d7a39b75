//! Starts Chromium: finds its program, and chooses its flags and its profile.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::authority;
use super::browser::{ChromiumOrigin, greet};
use crate::api::traits::Connected;
use crate::connections::{Connections, Proxy};
use crate::engine::launch::{
    OwnBrowser, Profile, START_LIMIT, environment, more_arguments, not_started, started,
};
#[cfg(not(unix))]
use crate::error::BrowserError;
use crate::error::Result;
use crate::options::{LaunchOptions, NoSandbox};
use crate::{discover, process};

const FLAGS: [&str; 21] = [
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-search-engine-choice-screen",
    "--disable-hang-monitor",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--metrics-recording-only",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,CertificateTransparencyComponentUpdater",
    // Pages in the back/forward cache keep their streams. With six of them, as Chromium would keep,
    // a site with one stream per page has no connection left for a seventh page.
    "--enable-features=BackForwardCacheSize:cache_size/1/foreground_cache_size/1",
];

/// Flags for a temporary profile. They are not used for a profile that is kept: it may have the
/// user's extensions, and passwords and cookies that only the system's key store can decrypt.
const THROWAWAY_FLAGS: [&str; 3] =
    ["--disable-extensions", "--password-store=basic", "--use-mock-keychain"];

const NO_SANDBOX: &str = "--no-sandbox";

/// Properties of the machine that the flags depend on.
#[derive(Default)]
struct HostConditions {
    root: bool,
    small_shared_memory: bool,
    more: String,
}

impl HostConditions {
    fn here() -> HostConditions {
        HostConditions {
            root: is_root(),
            small_shared_memory: cfg!(target_os = "linux")
                && std::fs::read_to_string("/proc/mounts")
                    .is_ok_and(|mounts| small_shared_memory(&mounts)),
            more: more_arguments(),
        }
    }

    /// Returns why a browser that is started here has no sandbox, if it has none.
    fn no_sandbox(&self, options: &LaunchOptions) -> Option<NoSandbox> {
        let mut given = self.more.split_whitespace().chain(options.args.iter().map(String::as_str));
        match given.any(|flag| flag == NO_SANDBOX) {
            true => Some(NoSandbox::Argument),
            false => self.root.then_some(NoSandbox::Root),
        }
    }
}

/// Returns why a Chromium that is started here has no sandbox, if it has none.
pub(crate) fn no_sandbox(options: &LaunchOptions) -> Option<NoSandbox> {
    HostConditions::here().no_sandbox(options)
}

/// Returns whether we run as root on Linux: there Chromium refuses to run with its sandbox, so the
/// sandbox is turned off.
#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}

/// Returns whether `/dev/shm` is missing or too small for pages, as in containers (64 MB by
/// default).
fn small_shared_memory(mounts: &str) -> bool {
    let Some(line) = mounts.lines().find(|line| line.split(' ').nth(1) == Some("/dev/shm")) else {
        return true;
    };
    let options = line.split(' ').nth(3).unwrap_or_default();
    let Some(size) = options.split(',').find_map(|option| option.strip_prefix("size=")) else {
        return false;
    };
    let (digits, unit) =
        size.split_at(size.find(|c: char| !c.is_ascii_digit()).unwrap_or(size.len()));
    let factor: u64 = match unit {
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => 1,
    };
    digits.parse::<u64>().is_ok_and(|size| size.saturating_mul(factor) < 256 << 20)
}

fn flags(options: &LaunchOptions, machine: &HostConditions, profile: &Path) -> Vec<OsString> {
    let mut user_data = OsString::from("--user-data-dir=");
    user_data.push(profile);
    let mut flags = vec![user_data];
    let mut add = |flag: &str| flags.push(flag.into());
    add(if cfg!(unix) { "--remote-debugging-pipe" } else { "--remote-debugging-port=0" });
    if !options.headed {
        add("--headless=new");
        // Scroll bars are absent from pictures of whole pages, and differ between systems, so the
        // layout would, too.
        add("--hide-scrollbars");
        // The picker for sharing the screen opens even without a window, takes all input, and could
        // not be closed.
        add("--use-fake-ui-for-media-stream=deny");
    }
    FLAGS.iter().for_each(|flag| add(flag));
    if options.profile.is_none() {
        THROWAWAY_FLAGS.iter().for_each(|flag| add(flag));
    }
    if machine.root {
        add(NO_SANDBOX);
    }
    if machine.small_shared_memory {
        add("--disable-dev-shm-usage");
    }
    add(&format!("--window-size={},{}", options.viewport.width, options.viewport.height));
    connection_flags(&options.connections).iter().for_each(|flag| add(flag));
    options.args.iter().for_each(|flag| add(flag));
    machine.more.split_whitespace().for_each(add);
    flags
}

/// Returns the flags for certificates and the proxy.
fn connection_flags(connections: &Connections) -> Vec<String> {
    let mut flags = Vec::new();
    if connections.ignore_https_errors {
        flags.push("--ignore-certificate-errors".to_owned());
    }
    if let Some(Proxy { server, bypass, .. }) = &connections.proxy {
        flags.push(format!("--proxy-server={server}"));
        if !bypass.is_empty() {
            flags.push(format!("--proxy-bypass-list={}", bypass.join(";")));
        }
    }
    flags
}

/// Returns the alternatives to request from a WebDriver endpoint. `local`: it runs on this machine,
/// so the properties of this machine apply.
pub(crate) fn wanted(options: &LaunchOptions, local: bool) -> Value {
    let machine = HostConditions {
        more: more_arguments(),
        ..if local { HostConditions::here() } else { HostConditions::default() }
    };
    // The driver chooses the profile and the port, and needs a window at the start.
    let theirs = ["--user-data-dir=", "--remote-debugging-", "--no-startup-window"];
    let flags: Vec<String> = flags(options, &machine, Path::new(""))
        .into_iter()
        .filter_map(|flag| flag.into_string().ok())
        .filter(|flag| !theirs.iter().any(|start| flag.starts_with(start)))
        .collect();
    let mut chosen = json!({"args": flags});
    if let Some(program) = &options.program {
        chosen["binary"] = json!(program);
    }
    json!([
        {"browserName": "chrome", "goog:chromeOptions": chosen},
        {"browserName": "MicrosoftEdge", "ms:edgeOptions": chosen},
    ])
}

/// Starts a browser and waits until it answers.
pub(crate) async fn launch(options: &LaunchOptions) -> Result<Connected> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => discover::find_chromium()?,
    };
    let not_started = |reason: String| not_started(&program, reason);
    let Profile { folder, temporary, downloads } = Profile::of(options).map_err(not_started)?;
    let machine = HostConditions::here();
    if let (Some(report), Some(why)) = (options.no_sandbox, machine.no_sandbox(options)) {
        report(why);
    }
    let arguments = flags(options, &machine, &folder);
    let mut environment = environment(options, &folder);
    if let Some(certificate) = &options.connections.authority {
        let changed = authority::trust(certificate, temporary.path()).await.map_err(not_started)?;
        environment.retain(|(name, _)| changed.iter().all(|(other, _)| name != other));
        environment.extend(changed);
    }
    let (process, outcome) =
        start(&program, &arguments, &environment, temporary, options, downloads)
            .await
            .map_err(|error| not_started(error.to_string()))?;
    started(&program, &process, outcome).await
}

type Started = (Arc<process::GuardedProcess>, Result<Connected>);

#[cfg(unix)]
async fn start(
    program: &Path,
    arguments: &[OsString],
    environment: &[(OsString, OsString)],
    temporary: tempfile::TempDir,
    options: &LaunchOptions,
    downloads: PathBuf,
) -> std::io::Result<Started> {
    use crate::wire::pipe::{PipeIn, PipeOut};
    let (process, socket) = process::spawn(program, arguments, environment, Some(temporary))?;
    let process = Arc::new(process);
    let (reader, writer) = socket.into_split();
    let own = OwnBrowser::of(process.clone(), options, downloads);
    let outcome =
        greet(PipeIn::new(reader), PipeOut(writer), ChromiumOrigin::Launched(own), START_LIMIT)
            .await;
    Ok((process, outcome))
}

/// Windows cannot pass a pipe on without `unsafe`: the browser chooses a port and writes it into
/// its profile.
#[cfg(not(unix))]
async fn start(
    program: &Path,
    arguments: &[OsString],
    environment: &[(OsString, OsString)],
    temporary: tempfile::TempDir,
    options: &LaunchOptions,
    downloads: PathBuf,
) -> std::io::Result<Started> {
    let named = |argument: &OsString| {
        argument.to_str()?.strip_prefix("--user-data-dir=").map(PathBuf::from)
    };
    let file = arguments.iter().find_map(named).unwrap_or_default().join("DevToolsActivePort");
    let _ = std::fs::remove_file(&file);
    let process = Arc::new(process::spawn(program, arguments, environment, Some(temporary))?);
    let deadline = tokio::time::Instant::now() + START_LIMIT;
    let url = loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some((port, path)) = text.trim().split_once('\n') {
            break format!("ws://127.0.0.1:{}{}", port.trim(), path.trim());
        }
        if tokio::time::Instant::now() > deadline {
            return Ok((process, Err(BrowserError::Disconnected)));
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let own = OwnBrowser::of(process.clone(), options, downloads);
    let place = url.trim_start_matches("ws://").split('/').next().unwrap_or_default();
    let stream = tokio::net::TcpStream::connect(place).await?;
    let (incoming, outgoing) =
        crate::wire::websocket::shake_hands(&url, stream).await.map_err(std::io::Error::other)?;
    let outcome = greet(incoming, outgoing, ChromiumOrigin::Launched(own), START_LIMIT).await;
    Ok((process, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(
        options: &LaunchOptions,
        root: bool,
        small_shared_memory: bool,
        more: &str,
    ) -> String {
        let machine = HostConditions { root, small_shared_memory, more: more.to_owned() };
        let flags = flags(options, &machine, Path::new("/tmp/p"));
        flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn flags_follow_the_options() {
        let plain = written(&LaunchOptions::default(), false, false, "");
        assert!(
            plain.contains("--headless=new") && plain.contains("--user-data-dir=/tmp/p "),
            "{plain}"
        );
        assert!(
            plain.contains("--window-size=1280,720") && plain.contains("--disable-extensions"),
            "{plain}"
        );
        assert!(
            !plain.contains("--no-sandbox") && !plain.contains("--disable-dev-shm-usage"),
            "{plain}"
        );
        let options = LaunchOptions {
            headed: true,
            profile: Some("/p".into()),
            args: vec!["--x".into()],
            ..Default::default()
        };
        let connections = Connections {
            ignore_https_errors: true,
            proxy: Some(Proxy {
                server: "http://p:1".to_owned(),
                bypass: vec!["a".to_owned(), "<-loopback>".to_owned()],
                login: None,
            }),
            ..Connections::default()
        };
        let through =
            written(&LaunchOptions { connections, ..Default::default() }, false, false, "");
        for flag in [
            "--ignore-certificate-errors ",
            "--proxy-server=http://p:1 --proxy-bypass-list=a;<-loopback>",
        ] {
            assert!(through.contains(flag.trim_end()), "{through}");
        }
        assert!(!plain.contains("proxy") && !plain.contains("certificate-errors"), "{plain}");
        let other = written(&options, true, true, " --a=1  --b ");
        assert!(
            !other.contains("headless")
                && !other.contains("fake-ui")
                && !other.contains("mock")
                && other.contains("--no-sandbox"),
            "{other}"
        );
        assert!(
            other.ends_with("--x --a=1 --b") && other.contains("--disable-dev-shm-usage"),
            "{other}"
        );
    }

    #[test]
    fn why_there_is_no_sandbox() {
        let why = |root: bool, more: &str| {
            let machine = HostConditions { root, more: more.to_owned(), ..Default::default() };
            machine.no_sandbox(&LaunchOptions::default())
        };
        assert_eq!(why(false, "--disable-gpu"), None);
        assert_eq!(why(true, ""), Some(NoSandbox::Root));
        assert_eq!(why(true, "--a --no-sandbox"), Some(NoSandbox::Argument));
        let options = LaunchOptions { args: vec!["--no-sandbox".into()], ..Default::default() };
        assert_eq!(HostConditions::default().no_sandbox(&options), Some(NoSandbox::Argument));
    }

    #[test]
    fn shared_memory() {
        let check = |options: &str, expected| {
            let mounts = format!("proc /proc proc rw 0 0\ntmpfs /dev/shm tmpfs {options} 0 0\n");
            assert_eq!(small_shared_memory(&mounts), expected, "{options}");
        };
        check("rw,nosuid,size=65536k", true);
        check("rw,size=2g,inode64", false);
        check("rw,nosuid,nodev", false);
        assert!(small_shared_memory("proc /proc proc rw 0 0\n"));
    }
}
