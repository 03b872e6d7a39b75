//! Tests of the addresses that are printed.

use super::*;

#[test]
fn hosts_are_read() {
    assert_eq!(host_of("https://me:secret@a.example:8080/x?y#z"), Some("a.example"));
    assert_eq!(host_of("http://[::1]:3000/"), Some("::1"));
    assert_eq!(host_of("about:blank"), None);
}

#[test]
fn values_and_fragments_are_left_out() {
    for (given, expected) in [
        ("/api/orders", "/api/orders"),
        ("/api?token=abc&page=2", "/api?token=…&page=…"),
        ("https://a.example/x?code=1#access_token=2", "https://a.example/x?code=…"),
        ("/x#access_token=2", "/x"),
        ("/x?secret", "/x?…"),
        ("/x?a=", "/x?a="),
    ] {
        assert_eq!(without_values(given), expected, "{given}");
    }
}

#[test]
fn addresses_in_texts_are_found() {
    assert_eq!(
        without_values_in("GET http://a/b?t=1 failed (see '/c?d=2#e'), is it? yes #1"),
        "GET http://a/b?t=… failed (see '/c?d=…'), is it? yes #1"
    );
}

#[test]
fn user_names_and_passwords_are_left_out_everywhere() {
    for (given, expected) in [
        ("https://ci:PASS@staging/", "https://staging/"),
        ("https://ci@staging:8443/a", "https://staging:8443/a"),
        ("https://ci:p@ss@staging/a@b", "https://staging/a@b"),
        ("//me:PASS@cdn.example/x", "//cdn.example/x"),
        ("https:me:PASS@host/", "https:host/"),
        ("https:\\\\me:PASS@host/", "https:\\\\host/"),
        (" HTTPS:///me:PASS@host/", " HTTPS:///host/"),
        ("/proxy/https://me:PASS@host/x", "/proxy/https://host/x"),
        ("ws://me:PASS@127.0.0.1:9222", "ws://127.0.0.1:9222"),
        ("mailto:me@a.example", "mailto:me@a.example"),
        ("/@me/status", "/@me/status"),
        ("https://a.example/@me", "https://a.example/@me"),
    ] {
        assert_eq!(display(given), expected, "{given}");
        assert_eq!(without_values(given), expected, "{given}");
    }
    assert_eq!(
        without_values_in("GET https://ci:PASS@staging/api failed"),
        "GET https://staging/api failed"
    );
}

#[test]
fn values_that_look_like_secrets_are_left_out() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P";
    for (given, expected) in [
        ("/cb?code=4/0AX4XfWh1&page=2", "/cb?code=…&page=2"),
        ("/x?access_token=abc", "/x?access_token=…"),
        ("/x?accessToken=abc&X-Amz-Signature=0f", "/x?accessToken=…&X-Amz-Signature=…"),
        ("/x?api_key=k&apikey=k&client-secret=s", "/x?api_key=…&apikey=…&client-secret=…"),
        ("/x?%74oken=abc", "/x?%74oken=…"),
        ("/x?session=a;auth=b;sig=c", "/x?session=…;auth=…;sig=…"),
        ("/x#access_token=abc&expires_in=3600", "/x#access_token=…&expires_in=3600"),
        ("/#/reset?token=abc", "/#/reset?token=…"),
        ("/x?next=%2Fy%3Ftoken%3Dabc&a=1", "/x?next=…&a=1"),
        ("/x?to=https://me:PASS@host/", "/x?to=…"),
        ("/x?v=Zm9vYmFyQmF6MTIzNDU2Nzg5MHF1eHo", "/x?v=…"),
        ("/x?Zm9vYmFyQmF6MTIzNDU2Nzg5MHF1eHo", "/x?…"),
        // What stays.
        ("/orders?page=2&country_code=DE&sort_key=created_at#top", ""),
        ("/x?id=550e8400-e29b-41d4-a716-446655440000&v=d41d8cd98f00b204e9800998ecf8427e", ""),
        ("/x?q=how+to+write+Rust+2024+in+a+day+or+2#section-with-a-long-name-of-2024", ""),
        ("/x?token=…&token=", ""),
        ("data:text/html,<a href='/x?token=abc'>", ""),
        ("#main", ""),
    ] {
        assert_eq!(display(given), if expected.is_empty() { given } else { expected }, "{given}");
    }
    for (given, expected) in [
        (format!("/reset/{jwt}/now"), "/reset/…/now"),
        (format!("/x?id={jwt}"), "/x?id=…"),
        (format!("/x#{jwt}"), "/x#…"),
    ] {
        assert_eq!(display(&given), expected, "{given}");
    }
}

#[test]
fn addresses_in_attributes_are_found() {
    for (name, value, expected) in [
        ("href", "/x?token=abc", Some("/x?token=…")),
        ("href", "x.html?token=abc", Some("x.html?token=…")),
        ("href", "/x?page=2", None),
        (
            "srcset",
            "/a.png?token=x 1x, /b.png?token=y 2x",
            Some("/a.png?token=… 1x, /b.png?token=… 2x"),
        ),
        ("href", "javascript:go('https://me:PASS@host/')", Some("javascript:go('https://host/')")),
        ("data-url", "https://me:PASS@host/", Some("https://host/")),
        ("alt", "me@a.example? token=abc", None),
    ] {
        assert_eq!(attribute(name, value).as_deref(), expected, "{name}={value}");
    }
}
