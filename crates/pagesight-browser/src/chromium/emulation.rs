//! Emulates devices, media, places and networks. A tab, each of its frames in a process of their
//! own and each of its workers has a session, and most commands have an effect in their session
//! only. What is set in a session ends with it.

use serde_json::{Value, json};

use super::conditions::{LocatedTabs, TabConditions, TabPart};
use super::protocol::in_context;
use super::state::ChromiumTabState;
use crate::api::device::DeviceSystem;
use crate::api::emulation::{Emulation, Locale};
use crate::api::traits::{CALL_LIMIT, Viewport};
use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::connection::{Connection, Pending};

/// The number of fingers that a touch screen distinguishes.
const FINGERS: u8 = 5;

/// Returns the commands that change the conditions of a part of a tab. `version` is the version of
/// the browser.
pub(super) fn commands(
    part: TabPart,
    before: &Emulation,
    now: &Emulation,
    version: &str,
) -> Vec<(&'static str, Value)> {
    let mut commands = Vec::new();
    let mut add = |method, params| commands.push((method, params));
    let (in_page, in_document) = (part == TabPart::Page, part != TabPart::Worker);
    if in_document && before.has_touch() != now.has_touch() {
        let touch = match now.has_touch() {
            true => json!({"enabled": true, "maxTouchPoints": FINGERS}),
            false => json!({"enabled": false}),
        };
        add("Emulation.setTouchEmulationEnabled", touch);
    }
    let media = (in_document, media(before), media(now));
    if let (true, before, now) = media
        && before != now
    {
        add("Emulation.setEmulatedMedia", now);
    }
    let (agent_before, agent_now) = (user_agent(before, version), user_agent(now, version));
    if agent_before != agent_now {
        add("Emulation.setUserAgentOverride", agent_now);
    }
    if before.locale != now.locale {
        let locale = now.locale.as_ref().map(|locale| json!({"locale": locale.as_str()}));
        add("Emulation.setLocaleOverride", locale.unwrap_or_else(|| json!({})));
    }
    if before.timezone != now.timezone {
        let zone = now.timezone.as_ref().map_or("", |zone| zone.as_str());
        add("Emulation.setTimezoneOverride", json!({"timezoneId": zone}));
    }
    if in_page && before.geolocation != now.geolocation {
        match now.geolocation {
            Some(place) => add(
                "Emulation.setGeolocationOverride",
                json!({"latitude": place.latitude, "longitude": place.longitude, "accuracy": place.accuracy}),
            ),
            None => add("Emulation.clearGeolocationOverride", json!({})),
        }
    }
    if (before.offline, before.network) != (now.offline, now.network) {
        let rate = now.network.map_or(-1.0, |network| network.bytes_per_second());
        let conditions = json!({
            "offline": now.offline == Some(true), "downloadThroughput": rate, "uploadThroughput": rate,
            "latency": now.network.map_or(0.0, |network| network.latency),
        });
        add("Network.emulateNetworkConditions", conditions);
    }
    if in_document && before.cpu != now.cpu {
        let rate = now.cpu.map_or(1.0, |cpu| cpu.factor());
        add("Emulation.setCPUThrottlingRate", json!({"rate": rate}));
    }
    commands
}

/// Returns the parameters of the command for media features.
fn media(emulation: &Emulation) -> Value {
    let scheme = emulation.color_scheme.map(|scheme| scheme.to_string());
    let contrast = emulation.contrast.map(|contrast| contrast.to_string());
    let on = |on: Option<bool>, value: &str| on.filter(|on| *on).map(|_| value.to_owned());
    let features = [
        ("prefers-color-scheme", scheme),
        ("prefers-reduced-motion", on(emulation.reduced_motion, "reduce")),
        ("prefers-contrast", contrast),
        ("forced-colors", on(emulation.forced_colors, "active")),
    ];
    let features =
        features.map(|(name, value)| json!({"name": name, "value": value.unwrap_or_default()}));
    let medium = emulation.media.map(|media| media.to_string()).unwrap_or_default();
    json!({"media": medium, "features": features})
}

/// Returns the parameters of the command for the user agent and the languages. Empty texts leave
/// those of the browser.
fn user_agent(emulation: &Emulation, version: &str) -> Value {
    let major = version.split('.').next().unwrap_or_default();
    let device = emulation.device.as_ref();
    let own = emulation.user_agent.as_ref().map(|agent| agent.as_str().to_owned());
    let agent = own.clone().or_else(|| device?.user_agent(major));
    let mut params = json!({
        "userAgent": agent.unwrap_or_default(),
        "acceptLanguage": emulation.locale.as_ref().map(languages).unwrap_or_default(),
    });
    // A user agent that the caller wrote has no client hints.
    let system = device.filter(|_| own.is_none()).map(|device| device.system);
    match system {
        Some(DeviceSystem::AndroidPhone(model)) => {
            params["userAgentMetadata"] = client_hints(model, true, version);
            params["platform"] = json!("Linux armv81");
        }
        Some(DeviceSystem::AndroidTablet(model)) => {
            params["userAgentMetadata"] = client_hints(model, false, version);
            params["platform"] = json!("Linux armv81");
        }
        Some(DeviceSystem::Iphone) => params["platform"] = json!("iPhone"),
        Some(DeviceSystem::Ipad) => params["platform"] = json!("MacIntel"),
        _ => {}
    }
    params
}

/// Returns the languages that a browser with this locale asks for: `de-DE,de`.
fn languages(locale: &Locale) -> String {
    let whole = locale.as_str();
    match whole.split_once('-') {
        Some((language, _)) => format!("{whole},{language}"),
        None => whole.to_owned(),
    }
}

/// Returns the client hints of Chrome on a device with Android.
fn client_hints(model: &str, mobile: bool, version: &str) -> Value {
    let major = version.split('.').next().unwrap_or_default();
    let brands = |version: &str, other: &str| {
        json!([
            {"brand": "Chromium", "version": version},
            {"brand": "Google Chrome", "version": version},
            {"brand": "Not_A Brand", "version": other},
        ])
    };
    json!({
        "brands": brands(major, "99"), "fullVersionList": brands(version, "99.0.0.0"),
        "platform": "Android", "platformVersion": "16.0.0", "architecture": "", "bitness": "",
        "wow64": false, "model": model, "mobile": mobile,
    })
}

/// Changes the conditions of a tab, in all its parts.
pub(super) async fn change(state: &ChromiumTabState, wanted: &Emulation) -> Result<()> {
    state.ready(false)?;
    // Parts that come from now on have the new conditions.
    let before = {
        let mut conditions = lock(&state.conditions);
        std::mem::replace(&mut conditions.emulation, wanted.clone())
    };
    let Err(error) = finish(state, begin(state, &before, wanted)).await else {
        if before.geolocation.is_some() != wanted.geolocation.is_some() {
            state.host.located.note(state, wanted.geolocation.is_some()).await?;
        }
        return Ok(());
    };
    lock(&state.conditions).emulation = before.clone();
    let _ = finish(state, begin(state, wanted, &before)).await;
    Err(explained(error, wanted))
}

/// Sends the commands to all parts. Only the page answers for all of them.
fn begin(state: &ChromiumTabState, before: &Emulation, now: &Emulation) -> Vec<Pending> {
    let mut sent = Vec::new();
    if before.device != now.device {
        let mut conditions = lock(&state.conditions).clone();
        conditions.emulation.device = now.device;
        conditions.viewport = now.device.map_or(conditions.viewport, |device| device.viewport);
        sent.push(state.begin("Emulation.setDeviceMetricsOverride", conditions.metrics()));
        lock(&state.conditions).viewport = conditions.viewport;
    }
    for (method, params) in commands(TabPart::Page, before, now, &state.host.version) {
        sent.push(state.begin(method, params));
    }
    for (session, part) in state.parts() {
        for (method, params) in commands(part, before, now, &state.host.version) {
            drop(state.begin_in(&session, method, params));
        }
    }
    sent
}

/// Returns the conditions that a new tab has from the tab that opened it.
pub(super) fn inherited(opener: &ChromiumTabState, viewport: Viewport) -> TabConditions {
    let mut conditions = lock(&opener.conditions).clone();
    conditions.viewport = conditions.emulation.device.map_or(viewport, |device| device.viewport);
    conditions
}

/// Sends the commands for a tab that just came with conditions of the tab that opened it.
pub(super) fn begin_inherited(state: &ChromiumTabState) -> Vec<Pending> {
    let now = lock(&state.conditions).emulation.clone();
    if now.geolocation.is_some() && !state.host.theirs {
        state.host.located.inherit(state.context.as_ref(), &state.id);
    }
    let sent = commands(TabPart::Page, &Emulation::default(), &now, &state.host.version);
    sent.into_iter().map(|(method, params)| state.begin(method, params)).collect()
}

/// Sends the commands for a part that just came.
pub(super) fn begin_in_part(state: &ChromiumTabState, session: &str, part: TabPart) {
    let now = lock(&state.conditions).emulation.clone();
    for (method, params) in commands(part, &Emulation::default(), &now, &state.host.version) {
        drop(state.begin_in(session, method, params));
    }
}

/// Waits for all replies, and returns the first error.
async fn finish(state: &ChromiumTabState, sent: Vec<Pending>) -> Result<()> {
    let mut first = Ok(());
    for pending in sent {
        let answered = state.unless_blocked(false, pending.wait(CALL_LIMIT)).await.map(drop);
        first = first.and(answered);
    }
    first
}

/// Explains why the browser refused a condition.
fn explained(error: BrowserError, wanted: &Emulation) -> BrowserError {
    let BrowserError::Refused { method, message } = &error else { return error };
    let what = match method.as_str() {
        "Emulation.setTimezoneOverride" => {
            wanted.timezone.as_ref().map(|zone| format!("the time zone {zone}"))
        }
        "Emulation.setLocaleOverride" => {
            wanted.locale.as_ref().map(|locale| format!("the locale {locale}"))
        }
        _ => None,
    };
    let Some(what) = what else { return error };
    let reason = match message.contains("already in effect") {
        true => {
            "a tab with the same process has a different one; close it, or use a different site"
        }
        false => "the browser does not know it; give a different one",
    };
    BrowserError::NotEmulated { what, reason: reason.to_owned() }
}

impl LocatedTabs {
    /// Notes whether a tab emulates a position, and allows or denies its context to ask for it. In
    /// the user's own browser, the user answers.
    pub(super) async fn note(&self, state: &ChromiumTabState, located: bool) -> Result<()> {
        if state.host.theirs {
            return Ok(());
        }
        let changed = {
            let mut contexts = lock(&self.0);
            let tabs = contexts.entry(state.context.clone()).or_default();
            let was = !tabs.is_empty();
            match located {
                true => tabs.insert(state.id.clone()),
                false => tabs.remove(&state.id),
            };
            was == tabs.is_empty()
        };
        if !changed {
            return Ok(());
        }
        let (connection, context) = (&state.connection, state.context.as_deref());
        begin_permission(connection, context, located, state.host.headed)
            .wait(CALL_LIMIT)
            .await
            .map(drop)
    }

    /// Notes a pop-up of a tab that emulates a position.
    pub(super) fn inherit(&self, context: Option<&String>, tab: &str) {
        lock(&self.0).entry(context.cloned()).or_default().insert(tab.to_owned());
    }

    /// Notes that a tab is gone.
    pub(super) fn gone(&self, state: &ChromiumTabState) {
        let is_last = {
            let mut contexts = lock(&self.0);
            contexts
                .get_mut(&state.context)
                .is_some_and(|tabs| tabs.remove(&state.id) && tabs.is_empty())
        };
        if is_last {
            let context = state.context.as_deref();
            drop(begin_permission(&state.connection, context, false, state.host.headed));
        }
    }
}

/// Allows the pages of a context to ask for their position, or gives them back what they had. With
/// a window, permissions are denied; without one, the browser denies them on its own.
fn begin_permission(
    connection: &Connection,
    context: Option<&str>,
    allowed: bool,
    headed: bool,
) -> Pending {
    if !allowed && !headed {
        let mut params = json!({});
        in_context(&mut params, context);
        return connection.begin(None, "Browser.resetPermissions", params);
    }
    let setting = if allowed { "granted" } else { "denied" };
    let mut params = json!({"permission": {"name": "geolocation"}, "setting": setting});
    in_context(&mut params, context);
    connection.begin(None, "Browser.setPermission", params)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::device::Device;
    use crate::chromium::conditions::metrics;

    fn emulation(json: &str) -> Emulation {
        serde_json::from_str(json).unwrap()
    }

    fn methods(part: TabPart, before: &str, now: &str) -> Vec<&'static str> {
        let commands = commands(part, &emulation(before), &emulation(now), "156.0.1.2");
        commands.into_iter().map(|(method, _)| method.rsplit('.').next().unwrap()).collect()
    }

    #[test]
    fn only_what_changed_is_sent() {
        assert!(methods(TabPart::Page, "{}", "{}").is_empty());
        let dark = r#"{"color_scheme":"dark"}"#;
        assert!(methods(TabPart::Page, dark, dark).is_empty());
        assert_eq!(methods(TabPart::Page, "{}", dark), ["setEmulatedMedia"]);
        assert_eq!(methods(TabPart::Frame, dark, "{}"), ["setEmulatedMedia"]);
        assert!(methods(TabPart::Worker, "{}", dark).is_empty());
        let place = r#"{"locale":"de-DE","timezone":"Asia/Tokyo","geolocation":"1,2","offline":true,"cpu":4}"#;
        let [page, frame, worker] = [TabPart::Page, TabPart::Frame, TabPart::Worker]
            .map(|part| methods(part, "{}", place).len());
        assert_eq!((page, frame, worker), (6, 5, 4));
        assert_eq!(
            methods(TabPart::Page, r#"{"geolocation":"1,2"}"#, "{}"),
            ["clearGeolocationOverride"]
        );
        let phone = r#"{"device":"pixel-9"}"#;
        assert_eq!(
            methods(TabPart::Frame, "{}", phone),
            ["setTouchEmulationEnabled", "setUserAgentOverride"]
        );
        // Chromium gives only whole pages a screen.
        assert!(methods(TabPart::Frame, "{}", r#"{"device":"800x600@2"}"#).is_empty());
    }

    #[test]
    fn client_hints_are_those_of_the_device_and_the_browser() {
        let params =
            user_agent(&emulation(r#"{"device":"pixel-9","locale":"de-DE"}"#), "156.0.1.2");
        assert_eq!(params["acceptLanguage"], "de-DE,de");
        assert_eq!(params["userAgentMetadata"]["model"], "Pixel 9");
        assert_eq!(params["userAgentMetadata"]["fullVersionList"][0]["version"], "156.0.1.2");
        let own = user_agent(&emulation(r#"{"device":"pixel-9","user_agent":"Bot"}"#), "156.0.1.2");
        assert_eq!((&own["userAgent"], own.get("userAgentMetadata")), (&json!("Bot"), None));
        assert_eq!(
            user_agent(&Emulation::default(), "156.0.1.2"),
            json!({"userAgent": "", "acceptLanguage": ""})
        );
    }

    #[test]
    fn a_device_that_is_turned_has_the_screen_of_its_page() {
        let device: Device = "pixel-9".parse().unwrap();
        let upright = metrics(device.viewport, Some(&device));
        assert_eq!((&upright["screenHeight"], &upright["mobile"]), (&json!(923), &json!(true)));
        let turned = metrics(Viewport { width: 923, height: 412 }, Some(&device));
        assert_eq!(turned["screenOrientation"]["type"], "landscapePrimary");
        assert_eq!(turned["screenWidth"], 923);
    }
}
