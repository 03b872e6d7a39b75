//! Emulates what Firefox can: sizes and pixel ratios, user agents, languages, places and no
//! network. The rest is refused with the browsers that can do it.

use serde_json::{Value, json};

use super::tabs::FirefoxTabs;
use crate::api::device::Device;
use crate::api::emulation::Emulation;
use crate::api::traits::{CALL_LIMIT, Viewport};
use crate::bidi::state::BidiTabState;
use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::connection::Pending;

/// A command that changes a condition.
struct Change {
    method: &'static str,
    params: Value,
    /// The condition, as it begins a sentence.
    what: &'static str,
    /// The browsers that can do it.
    able: &'static str,
}

/// Returns the conditions that no Firefox, or only a newer one, can emulate.
fn impossible(wanted: &Emulation) -> Option<(&'static str, &'static str)> {
    const ONLY_CHROMIUM: &str = "Chromium";
    const NEWER: &str = "Firefox 159 and Chromium";
    let lacking = [
        (wanted.has_touch(), "a touch screen", ONLY_CHROMIUM),
        (wanted.color_scheme.is_some(), "a colour scheme", NEWER),
        (wanted.reduced_motion.is_some(), "reduced motion", NEWER),
        (wanted.contrast.is_some(), "a contrast", NEWER),
        (wanted.forced_colors.is_some(), "forced colours", ONLY_CHROMIUM),
        (wanted.media.is_some(), "a different medium", ONLY_CHROMIUM),
        (wanted.network.is_some(), "a slow network", ONLY_CHROMIUM),
        (wanted.cpu.is_some(), "a slow processor", ONLY_CHROMIUM),
    ];
    lacking.into_iter().find(|(is_wanted, ..)| *is_wanted).map(|(_, what, able)| (what, able))
}

/// Returns the commands that change the conditions of a tab.
fn changes(tab: &str, before: &Emulation, now: &Emulation) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |method, name: &str, value: Value, what, able| {
        let params = json!({name: value, "contexts": [tab]});
        changes.push(Change { method, params, what, able });
    };
    let agent = |emulation: &Emulation| {
        let own = emulation.user_agent.as_ref().map(|agent| agent.as_str().to_owned());
        own.or_else(|| emulation.device?.user_agent(""))
    };
    if agent(before) != agent(now) {
        let able = "Firefox 145 and Chromium";
        add("emulation.setUserAgentOverride", "userAgent", json!(agent(now)), "a user agent", able);
    }
    if before.locale != now.locale {
        let locale = now.locale.as_ref().map(|locale| locale.as_str());
        let able = "Firefox 142 and Chromium";
        add("emulation.setLocaleOverride", "locale", json!(locale), "a locale", able);
    }
    if before.timezone != now.timezone {
        let zone = now.timezone.as_ref().map(|zone| zone.as_str());
        let able = "Firefox 144 and Chromium";
        add("emulation.setTimezoneOverride", "timezone", json!(zone), "a time zone", able);
    }
    if before.geolocation != now.geolocation {
        let place = now.geolocation.map(|place| {
            json!({"latitude": place.latitude, "longitude": place.longitude, "accuracy": place.accuracy})
        });
        let able = "Firefox 140 and Chromium";
        add("emulation.setGeolocationOverride", "coordinates", json!(place), "a place", able);
    }
    if before.offline != now.offline {
        let conditions = now.offline.filter(|on| *on).map(|_| json!({"type": "offline"}));
        let able = "Firefox 148 and Chromium";
        let conditions = json!(conditions);
        add("emulation.setNetworkConditions", "networkConditions", conditions, "no network", able);
    }
    if before.device != now.device {
        let screen = now.device.map(|device| size(device.screen));
        let able = "Firefox 147 and Chromium";
        add("emulation.setScreenSettingsOverride", "screenArea", json!(screen), "a screen", able);
    }
    changes
}

/// Returns the parameters of the command that gives a tab the size and the pixel ratio of a device.
fn device_size(tab: &str, device: Option<&Device>, theirs: bool) -> Value {
    match device {
        Some(device) => {
            json!({"context": tab, "viewport": size(device.viewport), "devicePixelRatio": device.pixel_ratio})
        }
        // The tab of a user gets its own size again.
        None if theirs => json!({"context": tab, "viewport": null, "devicePixelRatio": null}),
        None => json!({"context": tab, "devicePixelRatio": 1}),
    }
}

/// Changes the conditions of a tab.
pub(super) async fn change(
    tabs: &FirefoxTabs,
    state: &BidiTabState,
    wanted: &Emulation,
) -> Result<()> {
    state.ready(false)?;
    if let Some((what, able)) = impossible(wanted) {
        return Err(tabs.lacks(what, able));
    }
    let before = std::mem::replace(&mut *lock(&state.conditions), wanted.clone());
    let done = send(tabs, state, &before, wanted).await;
    if done.is_err() {
        *lock(&state.conditions) = before.clone();
        let _ = send(tabs, state, wanted, &before).await;
    }
    done
}

async fn send(
    tabs: &FirefoxTabs,
    state: &BidiTabState,
    before: &Emulation,
    now: &Emulation,
) -> Result<()> {
    for Change { method, params, what, able } in changes(&state.id, before, now) {
        let sent = state.begin(method, params).wait(CALL_LIMIT).await;
        match sent {
            Ok(_) => {}
            Err(BrowserError::Refused { message, .. })
                if message.starts_with("unknown command") =>
            {
                return Err(tabs.lacks(what, able));
            }
            Err(BrowserError::Refused { message, .. })
                if message.starts_with("invalid argument") =>
            {
                let reason = "the browser does not know it; give a different one".to_owned();
                return Err(BrowserError::NotEmulated { what: what.to_owned(), reason });
            }
            Err(error) => return Err(error),
        }
    }
    if before.device != now.device {
        let params = device_size(&state.id, now.device.as_ref(), tabs.theirs);
        state.command("browsingContext.setViewport", params).await?;
    }
    Ok(())
}

/// Sends the commands for a pop-up, which has the conditions of the tab that opened it.
pub(super) fn begin_inherited(state: &BidiTabState, opener: &BidiTabState) -> Vec<Pending> {
    let now = lock(&opener.conditions).clone();
    if now.is_empty() {
        return Vec::new();
    }
    let changes = changes(&state.id, &Emulation::default(), &now);
    let mut sent: Vec<Pending> =
        changes.into_iter().map(|change| state.begin(change.method, change.params)).collect();
    if now.device.is_some() {
        let params = device_size(&state.id, now.device.as_ref(), false);
        sent.push(state.begin("browsingContext.setViewport", params));
    }
    *lock(&state.conditions) = now;
    sent
}

/// Lets the origin of an address ask for the position, if the tab emulates one.
pub(super) async fn allow_position(state: &BidiTabState, url: &str, context: Option<&str>) {
    if lock(&state.conditions).geolocation.is_none() {
        return;
    }
    let Ok(url) = url::Url::parse(url) else { return };
    let mut params = json!({
        "descriptor": {"name": "geolocation"}, "state": "granted",
        "origin": url.origin().ascii_serialization(),
    });
    if let Some(context) = context {
        params["userContext"] = json!(context);
    }
    if let Err(error) = state.begin("permissions.setPermission", params).wait(CALL_LIMIT).await {
        tracing::warn!(%error, "while allowing a page to ask for its position");
    }
}

/// Returns a viewport in the form of the protocol.
pub(super) fn size(viewport: Viewport) -> Value {
    json!({"width": viewport.width, "height": viewport.height})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emulation(json: &str) -> Emulation {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn what_firefox_cannot_do_names_who_can() {
        let refused = |json: &str| impossible(&emulation(json));
        assert_eq!(refused(r#"{"device":"pixel-9"}"#), Some(("a touch screen", "Chromium")));
        let dark = refused(r#"{"locale":"de-DE","color_scheme":"dark"}"#);
        assert_eq!(dark, Some(("a colour scheme", "Firefox 159 and Chromium")));
        assert_eq!(refused(r#"{"device":"1440x900@2","offline":true,"locale":"de"}"#), None);
    }

    #[test]
    fn only_what_changed_is_sent() {
        let methods = |before: &str, now: &str| -> Vec<&str> {
            changes("a", &emulation(before), &emulation(now)).iter().map(|it| it.method).collect()
        };
        assert!(methods("{}", "{}").is_empty());
        let german = r#"{"locale":"de-DE"}"#;
        assert_eq!(methods("{}", german), ["emulation.setLocaleOverride"]);
        assert_eq!(methods(german, "{}"), ["emulation.setLocaleOverride"]);
        assert!(methods(german, german).is_empty());
        let ended = changes("a", &emulation(german), &Emulation::default());
        assert_eq!(ended[0].params, json!({"locale": null, "contexts": ["a"]}));
    }
}
