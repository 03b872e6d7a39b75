//! Finds out whether the name of a host resolves, while a request to it is pending. The browser
//! does not say; it only keeps the request pending until it gives up.

use std::net::ToSocketAddrs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pagesight_browser::LaunchOptions;
use pagesight_core::settle::{HostName, VisitMemory};

use crate::tab::state::SharedTabState;

/// How many names are looked up at the same time. A look-up may hang for many seconds.
const MOST_LOOK_UPS: usize = 8;
/// Variables that name a proxy. Behind one, the browser does not look up names.
const PROXIES: [&str; 6] =
    ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/// Whether a browser reaches hosts in a different way than this machine, as far as the environment
/// and its options say it: through a proxy, or with its own names.
pub(crate) fn is_routed(launch: &LaunchOptions) -> bool {
    launch.connections.proxy.is_some()
        || is_routed_by(&launch.args, &|name| std::env::var(name).ok())
}

fn is_routed_by(arguments: &[String], variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let proxy = PROXIES.iter().any(|name| variable(name).is_some_and(|value| !value.is_empty()));
    let flags = variable("PAGESIGHT_BROWSER_ARGS").unwrap_or_default() + &arguments.join(" ");
    proxy || ["proxy", "host-resolver", "host-rules"].iter().any(|it| flags.contains(it))
}

/// The names of hosts, and what was learned about pending requests.
#[derive(Clone, Default)]
pub(crate) struct HostNames {
    pub(crate) memory: VisitMemory,
    /// Whether this machine's answers are the browser's.
    enabled: bool,
    running: Arc<AtomicUsize>,
}

impl HostNames {
    /// Makes the names for a browser on this machine, or for one that may be elsewhere.
    pub(crate) fn new(elsewhere: bool, launch: &LaunchOptions) -> HostNames {
        HostNames { enabled: !elsewhere && !is_routed(launch), ..HostNames::default() }
    }

    /// Whether names can be looked up now.
    pub(crate) fn can_look_up(&self) -> bool {
        self.enabled && self.running.load(Ordering::Relaxed) < MOST_LOOK_UPS
    }

    /// Looks up a name, and wakes the waiters of a tab when that is done.
    pub(crate) fn look_up(&self, host: String, state: Arc<SharedTabState>) {
        self.memory.host(&host, HostName::LookedUp);
        let name = host.clone();
        self.running.fetch_add(1, Ordering::Relaxed);
        let names = self.clone();
        // A thread of its own: the runtime would wait for it when the program ends.
        let thread = std::thread::Builder::new().name("host name".to_owned());
        let started = thread.spawn(move || {
            let found = resolves(&host);
            names.memory.host(&host, if found { HostName::Resolves } else { HostName::Unknown });
            names.running.fetch_sub(1, Ordering::Relaxed);
            state.wake();
        });
        if started.is_err() {
            self.running.fetch_sub(1, Ordering::Relaxed);
            self.memory.host(&name, HostName::Resolves);
        }
    }
}

/// Whether the system finds an address for a name.
fn resolves(host: &str) -> bool {
    (host, 80).to_socket_addrs().is_ok_and(|mut addresses| addresses.next().is_some())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::*;

    #[test]
    fn a_proxy_or_rules_for_names_are_known() {
        let by = |set: &str, value: &str| {
            is_routed_by(&[], &|name| (name == set).then(|| value.to_owned()))
        };
        assert!(by("http_proxy", "http://proxy:3128") && by("ALL_PROXY", "socks5://a"));
        assert!(by("PAGESIGHT_BROWSER_ARGS", "--proxy-pac-url=http://a/x.pac"));
        assert!(by("PAGESIGHT_BROWSER_ARGS", "--host-resolver-rules=MAP * 10.0.0.1"));
        assert!(!by("http_proxy", "") && !by("no_proxy", "a") && !by("X", "proxy"));
        assert!(is_routed_by(&["--proxy-server=a:1".to_owned()], &|_| None));
    }

    #[tokio::test]
    async fn a_look_up_wakes_the_waiters() {
        let names = HostNames { enabled: true, ..HostNames::default() };
        let state: Arc<SharedTabState> = Arc::default();
        assert!(resolves("localhost"));
        for (host, expected) in
            [("localhost", HostName::Resolves), ("nope.invalid", HostName::Unknown)]
        {
            assert!(names.can_look_up());
            names.look_up(host.to_owned(), state.clone());
            // A resolver that does not answer at all leaves the name being looked up.
            let soon = Instant::now() + Duration::from_secs(3);
            let known = state
                .wait(soon, |_| names.memory.host_name(host).filter(|n| *n != HostName::LookedUp))
                .await;
            if host == "localhost" || known.is_some() {
                assert_eq!(known, Some(expected), "{host}");
            }
        }
        let remote = HostNames::new(true, &LaunchOptions::default());
        assert!(!remote.can_look_up());
        names.running.store(MOST_LOOK_UPS, Ordering::Relaxed);
        assert!(!names.can_look_up());
    }
}
