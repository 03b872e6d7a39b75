//! Reads and sets the cookies of a Chromium.

use serde::Deserialize;
use serde_json::{Value, json};

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
}

/// Returns all cookies.
pub(super) async fn all(connection: &Connection) -> Result<Vec<StoredCookie>> {
    let raw = connection.call(None, "Storage.getCookies", json!({}), CALL_LIMIT).await?;
    let Cookies { cookies } = read_reply("Storage.getCookies", &raw)?;
    let stored = |cookie: ChromiumCookie| StoredCookie {
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

/// Sets a cookie.
pub(super) async fn set(connection: &Connection, cookie: &StoredCookie) -> Result<()> {
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
    let params = json!({"cookies": [written]});
    match connection.call(None, "Storage.setCookies", params, CALL_LIMIT).await {
        // The message of the browser may contain the cookie.
        Err(BrowserError::Refused { method, .. }) => {
            Err(BrowserError::Refused { method, message: "it is not valid".to_owned() })
        }
        answer => answer.map(drop),
    }
}
