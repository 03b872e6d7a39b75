//! Tests of origins; `url` is the reference.

use proptest::prelude::*;

use super::*;

fn origin(given: &str) -> Option<String> {
    given.parse::<WebOrigin>().ok().map(|origin| origin.text)
}

#[test]
fn origins_are_written_as_browsers_write_them() {
    for (given, written) in [
        ("https://Shop.Example", "https://shop.example"),
        ("HTTPS://shop.example:443", "https://shop.example"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("https://[0:0::1]:8443", "https://[::1]:8443"),
    ] {
        assert_eq!(origin(given).as_deref(), Some(written), "{given}");
    }
    for given in [
        "",
        "shop.example",
        "https://",
        "https://a/",
        "https://a/path",
        "https://a?b",
        "https://me@a",
        "https://*.shop.example",
        "https://a:0",
        "https://a:x",
        "https://a:+1",
        "https://a:70000",
        "https://a..b",
        "https://münchen.example",
        "https://127.1",
        "https://a b",
        "ftp://a",
        "null",
        "*",
    ] {
        assert_eq!(origin(given), None, "{given}");
    }
}

#[test]
fn other_sites_are_recognised() {
    for (page, host, other) in [
        ("http://a.example/", "a.example", false),
        ("http://a.example:3000/", "api.a.example", false),
        ("https://www.a.example/", "cdn.a.example", false),
        ("https://app.a.example/", "a.example", false),
        ("http://localhost:3000/", "127.0.0.1", false),
        ("http://127.0.0.1:3000/", "127.0.0.2", true),
        ("http://a.example/", "ads.example", true),
        ("http://a.example/", "aa.example", true),
        ("https://a.co/", "co", true),
    ] {
        let page = WebOrigin::of_address(page).unwrap();
        assert_eq!(page.is_other_site(host), other, "{page} {host}");
    }
}

proptest! {
    #[test]
    fn origins_agree_with_url(
        scheme in "https?|HTTP|ftp",
        host in "[a-cA-C0-9._-]{1,6}|[0-9]{1,3}(\\.[0-9]{1,3}){0,3}|\\[[0-9a-f:]{2,8}\\]",
        port in "|:|:[0-9]{1,5}",
        rest in "|/|/a|\\?b|#c|\\\\d|@e",
    ) {
        let address = format!("{scheme}://{host}{port}{rest}");
        let url = Url::parse(&address).ok().map(|url| url.origin());
        let web = url.filter(|_| scheme != "ftp").map(|origin| origin.ascii_serialization());
        prop_assert_eq!(WebOrigin::of_address(&address).map(|origin| origin.text), web.clone());
        if let Some(strict) = origin(&address) {
            prop_assert_eq!(Some(&strict), web.as_ref());
            prop_assert_eq!(origin(&strict), Some(strict.clone()));
            prop_assert!(rest.is_empty());
        }
    }
}
