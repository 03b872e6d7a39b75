//! Checks where links lead, and which are followed.

use super::*;

#[test]
fn links_lead_where_a_browser_would_go() {
    let base = "http://a:3000/shop/list?page=1#top";
    for (href, whole) in [
        ("/x", Some("http://a:3000/x")),
        ("x", Some("http://a:3000/shop/x")),
        ("./x", Some("http://a:3000/shop/x")),
        ("../x/./y", Some("http://a:3000/x/y")),
        ("../../../x", Some("http://a:3000/x")),
        (".", Some("http://a:3000/shop/")),
        ("?page=2", Some("http://a:3000/shop/list?page=2")),
        ("#more", Some("http://a:3000/shop/list?page=1#more")),
        ("//b/x", Some("http://b/x")),
        ("https://b/x", Some("https://b/x")),
        ("a:b", None),
        ("mailto:x@y", None),
        ("javascript:void(0)", None),
        ("", None),
        ("x/y:z", Some("http://a:3000/shop/x/y:z")),
    ] {
        assert_eq!(resolve(base, href).as_deref(), whole, "{href}");
    }
    assert_eq!(resolve("about:blank", "/x"), None);
}

#[test]
fn a_site_is_one_origin_and_a_route_what_is_behind_it() {
    let site = Site::of("http://a:3000").unwrap();
    assert_eq!(site.route("http://a:3000").as_deref(), Some("/"));
    assert_eq!(site.route("http://a:3000/x?y#z").as_deref(), Some("/x?y"));
    assert_eq!(site.route("http://a:3000/#/orders").as_deref(), Some("/#/orders"));
    assert_eq!(site.route("http://a/x"), None);
    assert_eq!(site.route("https://a:3000/x"), None);
    assert_eq!(key("/x/?page=2"), key("/x"));
    assert_ne!(key("/#/a"), key("/#/b"));
    assert_eq!(key("/index.html?a"), key("/"));
    assert_eq!(key("/docs/index.htm"), key("/docs/"));
    assert_ne!(key("/my-index.html"), key("/"));
}

#[test]
fn what_had_better_not_be_followed() {
    for (route, name) in [
        ("/logout", ""),
        ("/users/7/delete", ""),
        ("/x?action=delete", ""),
        ("/user-delete/7", ""),
        ("/x", "Log out"),
        ("/x", "Delete account"),
        ("/a.pdf", "Manual"),
        ("/a.ZIP?v=1", ""),
    ] {
        assert!(unwanted(route, name).is_some(), "{route} {name}");
    }
    for (route, name) in [
        ("/orders", "Orders"),
        ("/deleted-scenes", ""),
        ("/about.html", "About"),
        ("/x", "How to log out"),
        ("/v1.2/", ""),
    ] {
        assert_eq!(unwanted(route, name), None, "{route} {name}");
    }
}
