//! Finds positions of scripts in their original sources. A map is read from the script itself, or
//! over plain HTTP from the origin of the script, without cookies and redirects. Only scripts that
//! the tab itself loaded are looked at, so that a page cannot name an address to be read.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use base64::Engine as _;
use futures_util::future::join_all;
use pagesight_browser::lock;
use pagesight_browser::{BodyData, BodySide, BrowserError, fetch};
use pagesight_core::log::CodePosition;
use pagesight_core::log::source_map::{OriginalPosition, SourceMap, named_in};
use pagesight_core::text::address::{decoded_text, display};
use url::{Host, Url};

use crate::session::options::Options;
use crate::tab::record::TabRecord;
use crate::wait::host_names::is_routed;

/// The longest script or map, in bytes.
const MOST_BYTES: usize = 8 << 20;
/// How long a script and its map may take.
const MAP_LIMIT: Duration = Duration::from_secs(1);
/// How long the browser may take to return a script.
const SCRIPT_LIMIT: Duration = Duration::from_millis(400);
/// How many scripts are looked at for one answer.
const MOST_SCRIPTS: usize = 6;

/// Whether scripts and maps may be read over the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapFetching {
    /// The browser is on this machine and reaches the same hosts.
    Allowed,
    /// The browser is elsewhere or has a proxy: its addresses may be those of other hosts here.
    Forbidden,
}

impl MapFetching {
    /// Decides for the browser of a session. Through a proxy, too, an address may be that of a
    /// different host, and the proxy may have rules that must not be evaded.
    pub(super) fn of(options: &Options) -> MapFetching {
        match is_routed(&options.launch) {
            true => MapFetching::Forbidden,
            false => MapFetching::at(options.connect.as_deref()),
        }
    }

    /// Decides by the browser that the session is connected to, if it did not start its own.
    fn at(connect: Option<&str>) -> MapFetching {
        const NAMES: [&str; 5] = ["auto", "chrome", "edge", "brave", "chromium"];
        let Some(given) = connect.map(str::trim) else { return MapFetching::Allowed };
        let is_address = given.contains("://");
        let url = if is_address { given.to_owned() } else { format!("http://{given}") };
        let is_local = NAMES.contains(&given)
            || Url::parse(&url).is_ok_and(|url| match url.host() {
                Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
                Some(Host::Ipv4(number)) => number.is_loopback(),
                Some(Host::Ipv6(number)) => number.is_loopback(),
                None => false,
            });
        if is_local { MapFetching::Allowed } else { MapFetching::Forbidden }
    }

    async fn fetch(self, url: &str) -> Option<String> {
        match self {
            MapFetching::Allowed => {
                String::from_utf8(fetch(url, MOST_BYTES, MAP_LIMIT).await?).ok()
            }
            MapFetching::Forbidden => None,
        }
    }
}

/// Returns the positions, each in its original source if there is a map.
pub(super) async fn original(
    tab: &TabRecord,
    positions: Vec<CodePosition>,
    fetching: MapFetching,
) -> Vec<CodePosition> {
    let document = tab.state.now().committed;
    // The originals of this answer. The cache may lose some of them before they are printed.
    let mut originals: HashMap<CodePosition, CodePosition> = HashMap::new();
    let mut wanted: BTreeMap<String, HashSet<CodePosition>> = BTreeMap::new();
    {
        let cache = lock(&tab.positions);
        for position in &positions {
            if let Some(original) = cache.get(document, position) {
                originals.insert(position.clone(), original);
                continue;
            }
            let url = position.url.to_string();
            if wanted.len() < MOST_SCRIPTS || wanted.contains_key(&url) {
                wanted.entry(url).or_default().insert(position.clone());
            }
        }
    }
    let found = join_all(wanted.into_iter().map(|(url, positions)| async move {
        let positions: Vec<CodePosition> = positions.into_iter().collect();
        let originals =
            tokio::time::timeout(MAP_LIMIT, mapped(tab, &url, &positions, fetching)).await;
        (positions, originals.unwrap_or(MapResult::Late))
    }));
    for (positions, result) in found.await {
        let found = match result {
            MapResult::Found(found) => found,
            MapResult::None => positions.clone(),
            // It may be there the next time.
            MapResult::Late => continue,
        };
        let mut cache = lock(&tab.positions);
        for (position, original) in positions.into_iter().zip(found) {
            cache.add(document, position.clone(), original.clone());
            originals.insert(position, original);
        }
    }
    let original_of =
        |position: CodePosition| originals.get(&position).cloned().unwrap_or(position);
    positions.into_iter().map(original_of).collect()
}

/// The result of reading the map of a script.
enum MapResult {
    /// The originals of the positions, in their order.
    Found(Vec<CodePosition>),
    /// There is no map that can be read.
    None,
    /// There was not enough time.
    Late,
}

/// Returns positions of one script in their original sources.
async fn mapped(
    tab: &TabRecord,
    url: &str,
    positions: &[CodePosition],
    fetching: MapFetching,
) -> MapResult {
    let deadline = Instant::now() + MAP_LIMIT;
    let map = match map_of(tab, url, fetching).await {
        Ok(Some(map)) => map,
        Ok(None) => return MapResult::None,
        Err(NotAnswered) => return MapResult::Late,
    };
    let positions = positions.to_vec();
    // Reading a large map takes a while. The task ends soon after nobody waits for it.
    let work = move || -> MapResult {
        let Some(map) = SourceMap::parse(&map) else { return MapResult::None };
        let wanted: Vec<(u32, u32)> =
            positions.iter().map(|position| (position.line, position.column)).collect();
        let Some(originals) = map.originals(&wanted, &|| Instant::now() < deadline) else {
            return MapResult::Late;
        };
        let original_of = |(position, found): (CodePosition, Option<OriginalPosition>)| match found
        {
            Some(found) => CodePosition {
                url: found.source.as_str().into(),
                line: found.line,
                column: found.column,
                function: position.function,
            },
            None => position,
        };
        MapResult::Found(positions.into_iter().zip(originals).map(original_of).collect())
    };
    tokio::task::spawn_blocking(work).await.unwrap_or(MapResult::None)
}

/// The browser did not return a script in time, and nothing else did.
struct NotAnswered;

/// Returns the text of the map of a script, if it has one.
async fn map_of(
    tab: &TabRecord,
    url: &str,
    fetching: MapFetching,
) -> Result<Option<String>, NotAnswered> {
    let Some(request) = tab.state.now().log.script(url).map(str::to_owned) else {
        return Ok(None);
    };
    let kept = tab.tab.body(&request, BodySide::Response, SCRIPT_LIMIT);
    let script = match tokio::time::timeout(SCRIPT_LIMIT, kept).await {
        Ok(Ok(BodyData::Text(text))) if !text.is_empty() => text,
        got => match (fetching.fetch(url).await, got) {
            (Some(text), _) => text,
            // The browser does not have it, now or later.
            (None, Ok(Ok(_) | Err(BrowserError::Unsupported { .. }))) => return Ok(None),
            (None, _) => return Err(NotAnswered),
        },
    };
    let Some(named) = named_in(&script) else { return Ok(None) };
    Ok(match (named.strip_prefix("data:"), same_origin(url, named)) {
        (Some(data), _) => inline(data),
        (None, Some(address)) => fetching.fetch(&address).await,
        (None, None) => None,
    })
}

/// Reads a map out of a `data:` address, without its scheme.
fn inline(data: &str) -> Option<String> {
    let (head, content) = data.split_once(',').filter(|_| data.len() <= MOST_BYTES)?;
    match head.ends_with(";base64") {
        true => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(content.trim()).ok()?;
            String::from_utf8(bytes).ok()
        }
        false => Some(decoded_text(content)),
    }
}

/// Returns the address of a map, if it is at the origin of its script and has no secret.
fn same_origin(script: &str, map: &str) -> Option<String> {
    let script = Url::parse(script).ok()?;
    let mut map = script.join(map).ok().filter(|map| map.origin() == script.origin())?;
    map.set_fragment(None);
    let address = String::from(map);
    (display(&address) == address).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_only_read_from_the_origin_of_their_script() {
        let at = |map: &str| same_origin("http://a:1/js/app.js?v=1", map);
        let here = |path: &str| Some(format!("http://a:1{path}"));
        assert_eq!(at("app.js.map"), here("/js/app.js.map"));
        assert_eq!(at("./app.js.map?v=2#x"), here("/js/app.js.map?v=2"));
        assert_eq!(at("../maps/app.map"), here("/maps/app.map"));
        assert_eq!(at("../../../app.map"), here("/app.map"));
        assert_eq!(at("/m.map"), here("/m.map"));
        assert_eq!(at("http://a:1/m.map"), here("/m.map"));
        for other in [
            "http://b/m.map",
            "http://a:12/m.map",
            "http://a:1@b/m.map",
            "//b/m.map",
            "https://a:1/m.map",
            "file:///etc/passwd",
            "m.map?token=abc",
            "\\\\b\\m.map",
        ] {
            assert_eq!(at(other), None, "{other}");
        }
        assert_eq!(same_origin("http://a", "m.map"), Some("http://a/m.map".to_owned()));
        assert_eq!(same_origin("pagesight", "m.map"), None);
    }

    #[test]
    fn maps_are_not_fetched_for_a_browser_elsewhere() {
        for local in [
            None,
            Some("auto"),
            Some("localhost"),
            Some("http://127.0.0.1:9222"),
            Some("ws://[::1]:9222/devtools/x"),
            Some("LOCALHOST:9222"),
        ] {
            assert_eq!(MapFetching::at(local), MapFetching::Allowed, "{local:?}");
        }
        for other in ["http://10.0.0.2:9222", "ws://localhost.example/x", "host", "[fe80::1]:1", ""]
        {
            assert_eq!(MapFetching::at(Some(other)), MapFetching::Forbidden, "{other}");
        }
    }

    #[test]
    fn maps_are_not_fetched_past_a_proxy() {
        let fetching = |arguments: &[&str]| {
            let mut options = Options::default();
            options.launch.args = arguments.iter().map(|one| (*one).to_owned()).collect();
            MapFetching::of(&options)
        };
        assert_eq!(fetching(&["--proxy-server=proxy:3128"]), MapFetching::Forbidden);
        // This machine may have a proxy itself.
        let here = if is_routed(&Default::default()) {
            MapFetching::Forbidden
        } else {
            MapFetching::Allowed
        };
        assert_eq!(fetching(&["--disable-gpu"]), here);
    }

    #[test]
    fn inline_maps_are_read() {
        assert_eq!(inline("application/json;base64,e30=").as_deref(), Some("{}"));
        assert_eq!(inline("application/json,%7B%7D").as_deref(), Some("{}"));
        assert_eq!(inline("application/json;base64,***"), None);
        assert_eq!(inline("x"), None);
    }
}
