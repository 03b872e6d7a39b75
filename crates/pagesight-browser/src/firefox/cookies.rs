//! Reads and sets the cookies of a Firefox.

use base64::Engine as _;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::cookies::StoredCookie;
use crate::api::traits::CALL_LIMIT;
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, read_reply};

#[derive(Deserialize)]
struct Cookies {
    cookies: Vec<FirefoxCookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FirefoxCookie {
    name: String,
    value: Bytes,
    domain: String,
    path: String,
    expiry: Option<f64>,
    http_only: bool,
    secure: bool,
    #[serde(default)]
    same_site: String,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "lowercase")]
enum Bytes {
    String(String),
    Base64(String),
}

impl Bytes {
    fn text(self) -> String {
        match self {
            Bytes::String(text) => text,
            Bytes::Base64(coded) => {
                let bytes = base64::engine::general_purpose::STANDARD.decode(coded);
                String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
            }
        }
    }
}

/// Returns parameters that name the context whose cookies a command concerns. Without a context,
/// Firefox would read the cookies of all of them.
fn in_context(context: Option<&str>) -> Value {
    let context = context.unwrap_or("default");
    json!({"partition": {"type": "storageKey", "userContext": context}})
}

/// Returns all cookies of a context.
pub(super) async fn all(
    connection: &Connection,
    context: Option<&str>,
) -> Result<Vec<StoredCookie>> {
    let raw = connection.call(None, "storage.getCookies", in_context(context), CALL_LIMIT).await?;
    let Cookies { cookies } = read_reply("storage.getCookies", &raw)?;
    let stored = |cookie: FirefoxCookie| StoredCookie {
        name: cookie.name,
        value: cookie.value.text(),
        domain: cookie.domain,
        path: cookie.path,
        expires: cookie.expiry.unwrap_or(-1.0),
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: match cookie.same_site.as_str() {
            "strict" => Some("Strict".to_owned()),
            "lax" => Some("Lax".to_owned()),
            "none" => Some("None".to_owned()),
            _ => None,
        },
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
        "name": cookie.name, "value": {"type": "string", "value": cookie.value},
        "domain": cookie.domain, "path": cookie.path, "httpOnly": cookie.http_only,
        "secure": cookie.secure,
    });
    if cookie.expires >= 0.0 {
        written["expiry"] = json!(cookie.expires as u64);
    }
    if let Some(same_site) = &cookie.same_site {
        written["sameSite"] = json!(same_site.to_lowercase());
    }
    let mut params = in_context(context);
    params["cookie"] = written;
    if let Some(site) = &cookie.partition_key {
        params["partition"]["sourceOrigin"] = json!(site);
    }
    match connection.call(None, "storage.setCookie", params, CALL_LIMIT).await {
        // The message of the browser may contain the cookie.
        Err(BrowserError::Refused { method, .. }) => {
            Err(BrowserError::Refused { method, message: "it is not valid".to_owned() })
        }
        answer => answer.map(drop),
    }
}
