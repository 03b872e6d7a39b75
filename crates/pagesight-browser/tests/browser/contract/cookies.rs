//! Cookies that are set are read back as they were, and an origin can be visited without a server.

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: set_and_read);

async fn set_and_read(contract: &mut Contract) {
    let cookie = |name: &str, domain: &str, expires: f64| StoredCookie {
        name: name.to_owned(),
        value: "a=b \"c".replace(['"', ' '], "-"),
        domain: domain.to_owned(),
        path: "/p".to_owned(),
        expires,
        http_only: true,
        secure: true,
        same_site: Some("Lax".to_owned()),
        ..StoredCookie::default()
    };
    let given = [cookie("one", "cookies.example", -1.0), cookie("all", ".cookies.example", 1.8e9)];
    let tab = contract.tab().await;
    for cookie in &given {
        contract.browser.browser.set_cookie(cookie).await.unwrap();
    }
    let mut read = contract.browser.browser.cookies().await.unwrap();
    read.retain(|cookie| cookie.domain.ends_with("cookies.example"));
    read.sort_by_key(|cookie| cookie.domain != "cookies.example");
    assert!(read == given, "{read:?}");

    tab.tab.answer_empty().await.unwrap();
    tab.tab.navigate("https://nowhere.invalid/", LIMIT).await.unwrap();
    let origin = tab.tab.evaluate("localStorage.a = 1, location.origin", LIMIT).await.unwrap();
    assert_eq!(origin, "\"https://nowhere.invalid\"");
    tab.tab.close().await.unwrap();
}
