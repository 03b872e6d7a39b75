//! Tests `pagesight init` through the whole program: which pages of a site it finds, which links it
//! does not follow, and that it overwrites nothing.

use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::shop::{ended, said};
use crate::support::{has, outside_ci};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};

type Asked = Arc<Mutex<Vec<String>>>;

/// Serves a small site and records the requests.
async fn serve() -> (String, Asked) {
    let asked = Asked::default();
    let app = Router::new().fallback(answer).with_state(asked.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (address, asked)
}

async fn answer(State(asked): State<Asked>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    asked.lock().unwrap().push(request.uri().to_string());
    let page = |title: &str, body: &str| {
        Html(format!("<title>{title}</title><h1>{title}</h1>{body}")).into_response()
    };
    match path.as_str() {
        "/" => page(
            "Home",
            "<a href=#top>Top</a> <a href=/index.html>Index</a> <a href=orders>Orders</a> <a href=/orders?page=2>More orders</a> <a href='http://localhost:9/'>Elsewhere</a>
             <a href=/logout>Leave</a> <a href=/sessions>Log out</a> <a href=/manual.pdf>Manual</a> <a href=/broken>Broken</a> <a href=/old>Old</a>
             <a href='mailto:a@b'>Mail</a> <a href=/item/7/delete>Drop</a> <div id=host></div>
             <script>host.attachShadow({mode: 'open'}).innerHTML = '<a href=/shadow>Shadow</a>'</script>",
        ),
        // The `base` element in the head changes where links lead.
        "/orders" => {
            let head = "<title>Orders</title><base href=/orders/>";
            Html(format!("{head}<h1>Orders</h1><a href=1>First</a> <a href=/>Home</a>")).into_response()
        }
        "/orders/1" => page("Order 1", "<a href=/orders/1/deep>Deep</a>"),
        "/orders/1/deep" => page("Deep", ""),
        "/shadow" => page("Shadow", ""),
        "/old" => Redirect::to("/orders").into_response(),
        _ => (StatusCode::NOT_FOUND, Html("<h1>Not found</h1>")).into_response(),
    }
}

async fn init(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = tokio::process::Command::from(outside_ci());
    command.arg("init").args(arguments).current_dir(folder).stdin(Stdio::null()).kill_on_drop(true);
    tokio::time::timeout(Duration::from_secs(120), command.output())
        .await
        .expect("nothing hangs")
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_followed_but_not_all_of_them() {
    let (address, asked) = serve().await;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let first = init(at, &[&address]).await;
    let text = said(&first);
    assert_eq!(first.status.code(), Some(0), "{text}");
    let written = std::fs::read_to_string(at.join("pages.toml")).unwrap();
    let routes: Vec<&str> =
        written.lines().filter_map(|line| line.strip_prefix("route = ")).collect();
    assert_eq!(routes, ["\"/\"", "\"/orders\"", "\"/shadow\"", "\"/orders/1\""], "{written}");
    has(&written, &format!("base_url = \"{address}\""));
    assert!(at.join(".github/workflows/pagesight.yml").exists());
    let asked = asked.lock().unwrap().clone();
    for never in ["/logout", "/sessions", "/manual.pdf", "/item/7/delete", "/orders?page=2"] {
        assert!(!asked.iter().any(|path| path == never), "{never} was followed: {asked:?}");
    }
    for reported in [
        "skipped, answers with an error: /broken",
        "skipped, leads to a page that is already listed: /old",
        "skipped, not a page: /manual.pdf",
        "skipped, may log out or delete something: /logout, /sessions, /item/7/delete",
    ] {
        assert!(text.contains(reported), "{reported} in\n{text}");
    }

    // The second run fetches and overwrites nothing.
    std::fs::write(at.join("pages.toml"), "mine").unwrap();
    std::fs::write(at.join(".github/workflows/pagesight.yml"), "mine too").unwrap();
    let second = ended(2, init(at, &[&address]).await);
    has(&said(&second), "already exists and was not changed");
    assert_eq!(std::fs::read_to_string(at.join("pages.toml")).unwrap(), "mine");
    let forced =
        ended(0, init(at, &[&address, "--force", "--depth", "9", "--pages-max", "2"]).await);
    has(&said(&forced), "overwrote pages.toml: 2 pages");
    has(&said(&forced), "more than --pages-max");
    assert_eq!(
        std::fs::read_to_string(at.join(".github/workflows/pagesight.yml")).unwrap(),
        "mine too"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_a_site_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (url, says) in [
        ("http://127.0.0.1:9/", "could not be loaded"),
        ("data:text/html,<h1>x", "is not on a web site"),
        ("x", "no scheme"),
    ] {
        let output = ended(2, init(folder.path(), &[url]).await);
        assert!(said(&output).contains(says), "{url}: {}", said(&output));
    }
    assert!(!folder.path().join("pages.toml").exists());
}
