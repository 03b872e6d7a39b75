//! Tests the sources of pages through the whole program: a sitemap, a Storybook's index, links and
//! a command; stable names, changed pages, `--since`, and hostile lists.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::support::has;
use crate::support::shop::{baselines, check, command, ended, names, pages, result_of, run, said};
use crate::support::until;

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// Serves files by their paths, with the query; `/p/N` is a page of the shop.
struct Served {
    address: SocketAddr,
    files: Files,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(State(files): State<Files>, uri: Uri) -> Response {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    match files.lock().unwrap().get(path) {
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
        Some(bytes) => {
            let kind = match path {
                path if path.contains(".xml") => "application/xml",
                path if path.ends_with(".json") => "application/json",
                _ => "text/html; charset=utf-8",
            };
            ([(header::CONTENT_TYPE, kind)], bytes.clone()).into_response()
        }
    }
}

impl Served {
    async fn start() -> Served {
        let files = Files::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().fallback(answer).with_state(files.clone());
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Served { address, files, task }
    }

    fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.lock().unwrap().insert(path.to_owned(), bytes.into());
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn folder(&self, text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let text =
            format!("base_url = \"{}\"\nretries = 0\npictures = false\n{text}", self.url(""));
        std::fs::write(folder.path().join("pages.toml"), text).unwrap();
        folder
    }

    fn sitemap(&self, rows: &[String]) -> String {
        let rows: String = rows.iter().map(|row| format!("<url><loc>{row}</loc></url>")).collect();
        format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{rows}</urlset>")
    }
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn saved_names(folder: &Path) -> BTreeSet<String> {
    let files = baselines(folder);
    let json = files.keys().filter(|name| name.ends_with(".json"));
    json.map(|name| name.split('@').next().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sitemap_lists_pages_with_stable_names() {
    let served = Served::start().await;
    for number in 0..6 {
        served.put(&format!("/p/{number}"), pages::page(number, None));
    }
    served.put("/p/1?tab=2&sort=up", pages::page(7, None));
    let index = format!(
        "<sitemapindex><sitemap><loc>{}</loc></sitemap><sitemap><loc>{}</loc></sitemap></sitemapindex>",
        served.url("/1.xml.gz"),
        served.url("/sitemap.xml"),
    );
    served.put("/sitemap.xml", index);
    let list = |order: &[usize]| {
        let mut rows: Vec<String> =
            order.iter().map(|number| served.url(&format!("/p/{number}"))).collect();
        rows.push(served.url("/p/1?tab=2&amp;sort=up"));
        rows.push("https://elsewhere.example/p/1".to_owned());
        served.put("/1.xml.gz", packed(&served.sitemap(&rows)));
    };
    list(&[0, 1, 2, 3, 4, 5]);
    let folder = served.folder("sitemap = \"/sitemap.xml\"\n");
    let at = folder.path();
    let first = ended(0, check(at, &[]).await);
    has(&said(&first), ": 7 pages; 1 address of other hosts left out");
    let expected = ["p-0", "p-1", "p-1-tab-2-sort-up", "p-2", "p-3", "p-4", "p-5"];
    assert_eq!(saved_names(at), expected.map(str::to_owned).into());

    // The order of the list does not matter, and exactly the broken pages are found.
    list(&[5, 3, 1, 0, 2, 4]);
    for number in [2, 4] {
        served.put(&format!("/p/{number}"), pages::page(number, Some(0)));
    }
    let second = ended(1, check(at, &["--output", "json"]).await);
    assert_eq!(names(&result_of(&second), "changed"), ["p-2", "p-4"].map(str::to_owned).into());
    assert_eq!(result_of(&second)["counts"]["unchanged"], 5);

    // A list that cannot be read checks nothing.
    let text = std::fs::read_to_string(at.join("pages.toml")).unwrap();
    std::fs::write(at.join("pages.toml"), text.replace("/sitemap.xml", "/none.xml")).unwrap();
    let refused = ended(2, check(at, &[]).await);
    has(&said(&refused), "it answered 404");
    assert!(refused.stdout.is_empty(), "{}", said(&refused));
    served.put("/sitemap.xml", served.sitemap(&["https://example.com/p/1".to_owned()]));
    let source =
        text.replace("sitemap =", "[[source]]\norigin = \"https://example.com\"\nsitemap =");
    std::fs::write(at.join("pages.toml"), source).unwrap();
    let mapped = check(at, &[]).await;
    has(&said(&mapped), "1 page: 1 unchanged");
}

/// A preview like Storybook's: it is quiet for a while before it is rendered, or shows an error.
fn preview(script: &str) -> String {
    format!(
        "<!doctype html><title>Story</title><body class=sb-show-preparing-story><main id=root></main>\
         <script>globalThis.__STORYBOOK_PREVIEW__ = {{ currentRender: {{ phase: 'loading' }} }};\
         const show = (name, phase) => {{ document.body.className = name;\
         __STORYBOOK_PREVIEW__.currentRender.phase = phase }};{script}</script>"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn stories_are_read_when_they_are_rendered() {
    let served = Served::start().await;
    let index = r#"{"v":5,"entries":{
        "a--docs":{"type":"docs","id":"a--docs"},
        "a--slow":{"type":"story","id":"a--slow","tags":["test"]},
        "a--fails":{"type":"story","id":"a--fails"},
        "a--skipped":{"type":"story","id":"a--skipped","tags":["manual"]}}}"#;
    served.put("/book/index.json", index);
    let story = |id: &str| format!("/book/iframe.html?id={id}&viewMode=story");
    let slow = "show('sb-show-main', 'playing'); setTimeout(() => { root.innerHTML = '<h1>Rendered</h1>';\
        show('sb-show-main', 'completed') }, 4000)";
    served.put(&story("a--slow"), preview(slow));
    let fails = "document.body.insertAdjacentHTML('beforeend', '<pre id=error-message>Boom</pre>');\
        show('sb-show-errordisplay', 'errored')";
    served.put(&story("a--fails"), preview(fails));
    let source =
        format!("[[source]]\nstorybook = \"{}\"\nskip_tags = [\"manual\"]\n", served.url("/book"));
    let folder = served.folder(&source);
    let at = folder.path();
    let first = ended(2, check(at, &["--output", "json"]).await);
    let result = result_of(&first);
    assert_eq!(names(&result, "saved"), ["a--slow".to_owned()].into(), "{result:#}");
    assert_eq!(names(&result, "failed"), ["a--fails".to_owned()].into(), "{result:#}");
    assert!(result.to_string().contains("the story shows an error: Boom"), "{result:#}");
    let file = &baselines(at)["a--slow@chromium-1280x720.json"];
    assert!(String::from_utf8_lossy(file).contains("Rendered"), "after its play function");
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_followed_and_commands_list_pages() {
    let served = Served::start().await;
    let page = |links: &str| format!("<title>Page</title><main><h1>Page</h1>{links}</main>");
    served.put("/", page("<a href=/one>One</a><a href=https://elsewhere.example/>Else</a>"));
    served.put("/one", page("<a href=/two>Two</a>"));
    served.put("/two", page("<a href=/three>Three</a>"));
    let folder = served.folder("links = { from = \"/\", depth = 2 }\n");
    ended(0, check(folder.path(), &[]).await);
    assert_eq!(saved_names(folder.path()), ["home", "one", "two"].map(str::to_owned).into());

    let source = "[[source]]\ncommand = \"printf '/one\\\\n/two\\\\tsecond\\\\n'\"\n\
        [[page]]\nname = \"own\"\nroute = \"/one\"\n\
        [[route_map]]\nfiles = [\"src/**\"]\npages = [\"second\"]\n\
        [[route_map]]\nfiles = [\"**/*.baselines/**\", \"*.baselines/**\", \".pagesight/**\"]\npages = []\n";
    let folder = served.folder(source);
    let at = folder.path();
    ended(0, check(at, &[]).await);
    assert_eq!(saved_names(at), ["own", "second"].map(str::to_owned).into());

    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(arguments);
        assert!(git.current_dir(at).status().unwrap().success(), "{arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "x"]);
    let since = async |reference: &str| said(&check(at, &["--since", reference]).await);
    let none = since("main").await;
    assert!(none.contains("touch 0 of 2 pages") && none.contains("0 pages in"), "{none}");
    std::fs::create_dir(at.join("src")).unwrap();
    std::fs::write(at.join("src/a.ts"), "1").unwrap();
    let one = since("main").await;
    assert!(one.contains("touch 1 of 2 pages") && one.contains("1 page: 1 unchanged"), "{one}");
    let all = since("no-such-commit").await;
    has(&all, "all pages are checked: git does not know");
    has(&all, "2 pages: 2 unchanged");

    // A signal ends the listing and the command that lists.
    std::fs::write(at.join("pages.toml"), "base_url = \"http://a\"\ncommand = \"sleep 57\"\n")
        .unwrap();
    let child = crate::support::shop::begin(at, &[]);
    let pid = child.id().unwrap();
    let children = until("the command runs", async || {
        Some(crate::support::descendants(pid)).filter(|found| !found.is_empty())
    });
    let children = children.await;
    crate::support::shop::signal("-INT", pid);
    ended(2, child.wait_with_output().await.unwrap());
    assert!(crate::support::shop::gone(&children).await, "nothing is left running");
    let mut wrong = command(at, &["--since", "main"]);
    wrong.env("CI", "true");
    std::fs::write(at.join("pages.toml"), "[[page]]\nurl = \"http://127.0.0.1:9/\"\n").unwrap();
    let wrong = ended(2, run(wrong).await);
    has(&said(&wrong), "--since needs [[route_map]]");
}
