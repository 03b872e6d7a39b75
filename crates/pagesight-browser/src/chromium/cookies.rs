//! Reads and sets the cookies of a Chromium.

use serde::Deserialize;
use serde_json::{Value, json};

use super::protocol::in_context;
use crate::api::cookies::StoredCookie;
use crate::api::traits::CALL_LIMIT;
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, read_reply};

#[derive(Deserialize)]
struct Cookies {
    cookies: Vec<ChromiumCookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChromiumCookie {
    name: String,
    value: String,
    domain: String,
    path: String,
    expires: f64,
    http_only: bool,
    secure: bool,
    same_site: Option<String>,
    partition_key: Option<PartitionKey>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PartitionKey {
    top_level_site: String,
    has_cross_site_ancestor: bool,
}

/// Returns all cookies of a context.
pub(super) async fn all(
    connection: &Connection,
    context: Option<&str>,
) -> Result<Vec<StoredCookie>> {
    let mut params = json!({});
    in_context(&mut params, context);
    let raw = connection.call(None, "Storage.getCookies", params, CALL_LIMIT).await?;
    let Cookies { cookies } = read_reply("Storage.getCookies", &raw)?;
    let stored = |cookie: ChromiumCookie| StoredCookie {
        has_cross_site_ancestor: cookie.partition_key.as_ref().map(|k| k.has_cross_site_ancestor),
        partition_key: cookie.partition_key.map(|key| key.top_level_site),
        name: cookie.name,
        value: cookie.value,
        domain: cookie.domain,
        path: cookie.path,
        expires: if cookie.expires < 0.0 { -1.0 } else { cookie.expires },
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: cookie.same_site,
        ..StoredCookie::default()
    };
    Ok(cookies.into_iter().map(stored).collect())
}

/// Sets a cookie of a context.
pub(super) async fn set(
    connection: &Connection,
    context: Option<&str>,
    cookie: &StoredCookie,
) -> Result<()> {
    let mut written = json!({
        "name": cookie.name, "value": cookie.value, "path": cookie.path,
        "httpOnly": cookie.http_only, "secure": cookie.secure,
    });
    let host = cookie.domain.trim_start_matches('.');
    match host == cookie.domain {
        // A cookie of one host only has no domain.
        true => {
            let scheme = if cookie.secure { "https" } else { "http" };
            written["url"] = Value::from(format!("{scheme}://{host}{}", cookie.path));
        }
        false => written["domain"] = Value::from(cookie.domain.as_str()),
    }
    if cookie.expires >= 0.0 {
        written["expires"] = json!(cookie.expires);
    }
    if let Some(same_site) = &cookie.same_site {
        written["sameSite"] = json!(same_site);
    }
    if let Some(site) = &cookie.partition_key {
        // What files of other browsers leave out is so for the usual case, an embedded frame.
        let crosses = cookie.has_cross_site_ancestor.unwrap_or(true);
        written["partitionKey"] = json!({"topLevelSite": site, "hasCrossSiteAncestor": crosses});
    }
    let mut params = json!({"cookies": [written]});
    in_context(&mut params, context);
    match connection.call(None, "Storage.setCookies", params, CALL_LIMIT).await {
        // The message of the browser may contain the cookie.
        Err(BrowserError::Refused { method, .. }) => {
            Err(BrowserError::Refused { method, message: "it is not valid".to_owned() })
        }
        answer => answer.map(drop),
    }
}
