//! Checks with a browser that a plan that others wrote stays within its bounds, wherever its pages
//! lead.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_session::LaunchOptions;

use super::*;
use crate::plan::{Overrides, Plan, PlanBounds};

const PASSWORD: &str = "hunter22-of-the-worker";

/// A server on a port of its own, and the requests that it got.
struct Site {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

/// Serves pages: `page` returns the body of a path, or the address of a redirect.
fn serve(page: impl Fn(&str) -> Result<String, String> + Send + 'static) -> Site {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let requests: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = requests.clone();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
                head.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            lock(&seen).push(path.clone());
            let answer = match page(&path) {
                Ok(body) => format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                ),
                Err(to) => format!(
                    "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                ),
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    Site { address, requests }
}

/// Pages that report what is typed into them.
fn foreign() -> Site {
    serve(|path| {
        if path == "/ask" {
            return Ok("<script>new Image().src = '/asked?' + prompt('Code')</script>".to_owned());
        }
        let report = "new Image().src = '/got?' + this.value";
        Ok(format!("<title>Foreign</title><label>Code <input oninput=\"{report}\"></label>"))
    })
}

fn own(foreign: SocketAddr) -> Site {
    serve(move |path| match path {
        "/redirect" => Err(format!("http://{foreign}/")),
        "/script" => Ok(format!("<script>location = 'http://{foreign}/'</script>")),
        "/link" => Ok(format!("<a href='http://{foreign}/'>Away</a>")),
        "/focused" => Ok(format!(
            "<iframe src='http://{foreign}/' width=600 height=100 onload='this.focus()'></iframe>"
        )),
        "/to-ask" => Ok(format!("<a href='http://{foreign}/ask'>Away</a>")),
        "/frame" => Ok(format!(
            "<style>body{{margin:0}}iframe{{border:0}}</style><iframe src='http://{foreign}/' width=600 height=100></iframe>"
        )),
        _ => Ok("<title>Own</title><h1>Own</h1><label>Code <input></label>".to_owned()),
    })
}

async fn visited(pages: &[(&str, &str)], own: &Site, setup: &str) -> Vec<Result<String, String>> {
    let mut text = format!("base_url = \"http://{}\"\nretries = 0\n{setup}", own.address);
    for (at, (route, actions)) in pages.iter().enumerate() {
        text.push_str(&format!(
            "\n[[page]]\nname = \"p{at}\"\nroute = \"{route}\"\nactions = [{actions}]\n"
        ));
    }
    let bounds = PlanBounds {
        origins: vec![format!("http://{}", own.address).parse().unwrap()],
        variables: vec!["PASSWORD".to_owned()],
        upload_root: None,
    };
    let environment = |_: &str| Some(PASSWORD.to_owned());
    let path = Path::new("pages.toml");
    let plan = Plan::read_within(path, &text, &Overrides::default(), &environment, bounds).unwrap();
    let plan = Arc::new(plan);
    let browsers = Box::new(OwnBrowsers::new(&plan, &LaunchOptions::default()));
    let visitor = BrowserVisitor::new(plan.clone(), browsers, Duration::ZERO);
    let mut found = Vec::new();
    for job in &plan.jobs {
        assert_eq!(plan.out_of_bounds(job), None, "nothing shows before the visit");
        let request = VisitRequest {
            job,
            base: None,
            keeps: true,
            picture: false,
            before: None,
            pixels: false,
            last: true,
        };
        let done = visitor.visit(&request).await;
        found.push(
            done.map(|visit| visit.fingerprint.title.clone()).map_err(|error| error.to_string()),
        );
    }
    visitor.close().await;
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_leads_elsewhere_is_not_accepted_and_gets_no_value() {
    let foreign = foreign();
    let own = own(foreign.address);
    let fill = "{ type = \"fill\", element = { role = \"textbox\", name = \"Code\" }, text = \"${PASSWORD}\" }";
    let click = "{ type = \"click\", element = { role = \"link\", name = \"Away\" } }";
    let blind = "{ type = \"click\", x = 80, y = 18 }, { type = \"type\", text = \"${PASSWORD}\" }";
    let then_fill = format!("{click}, {fill}");
    let answer = "{ type = \"dialog\", accept = true, text = \"${PASSWORD}\" }";
    let then_answer = format!("{click}, {answer}");
    let pages = [
        ("/stay", fill),
        ("/redirect", ""),
        ("/script", ""),
        ("/link", click),
        ("/link", &then_fill),
        ("/to-ask", &then_answer),
    ];
    let mut found = visited(&pages, &own, "").await;
    let framed = visited(&[("/frame", fill), ("/frame", blind)], &own, "").await;
    found.extend(framed);
    assert_eq!(found[0].as_deref(), Ok("Own"));
    let origin = format!("http://{}", foreign.address);
    for (at, result) in found.iter().enumerate().skip(1) {
        let why = result.as_ref().expect_err(&at.to_string());
        assert!(why.contains(&origin), "{at}: {why}");
        assert!(why.contains("may be visited") || why.contains("may be acted on"), "{at}: {why}");
    }
    let requests = lock(&foreign.requests).clone();
    let is_typed = |path: &String| path.starts_with("/got") || path.contains("hunter22");
    assert!(!requests.iter().any(is_typed), "{requests:?}");
    assert!(!requests.is_empty(), "the pages did lead there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_leads_elsewhere_is_neither_acted_on_nor_described() {
    let foreign = foreign();
    let own = own(foreign.address);
    let find = "{ type = \"click\", element = { role = \"textbox\", name = \"nope\" } }";
    let first = "{ type = \"click\", element = { role = \"link\", name = \"Away\" } }";
    let after = |then: &str| format!("{first}, {then}");
    let elsewhere = [
        find,
        "{ type = \"click\", element = \"#nope\" }",
        "{ type = \"press\", key = \"Control+V\" }",
        "{ type = \"click\", x = 80, y = 18 }",
        "{ type = \"check\", x = 80, y = 18 }",
        "{ type = \"scroll\", dy = 10 }",
        "{ type = \"wait\", text = \"nope\", timeout_ms = 500 }",
    ];
    let elsewhere = elsewhere.map(after);
    let mut pages: Vec<(&str, &str)> = elsewhere.iter().map(|it| ("/link", it.as_str())).collect();
    let points = ["click", "hover", "check"];
    let points = points.map(|kind| format!("{{ type = \"{kind}\", x = 80, y = 18 }}"));
    pages.extend(points.iter().map(|it| ("/frame", it.as_str())));
    let drag = "{ type = \"drag\", from = { x = 700, y = 300 }, to = { x = 80, y = 18 } }";
    pages.push(("/frame", drag));
    pages.push(("/focused", "{ type = \"press\", key = \"x\" }"));
    let origin = format!("http://{}", foreign.address);
    let mut found = visited(&pages, &own, "").await;
    found.extend(visited(&[("/frame", "")], &own, "scopes = [\"iframe\"]\n").await);
    for (at, result) in found.iter().enumerate() {
        let why = result.as_ref().expect_err(&at.to_string());
        assert!(why.contains(&origin), "{at}: {why}");
        assert!(!why.contains("Code") && !why.contains("nope"), "{at}: {why}");
    }
    // Elements of a foreign frame are not listed.
    let why = visited(&[("/frame", find)], &own, "timeout_s = 4\n").await.remove(0).unwrap_err();
    assert!(why.contains("there is no textbox: nope") && !why.contains("Code"), "{why}");
    let requests = lock(&foreign.requests).clone();
    assert!(!requests.iter().any(|path| path.starts_with("/got")), "{requests:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_up_that_leads_elsewhere_fails_its_pages() {
    let foreign = foreign();
    let own = own(foreign.address);
    for route in ["/redirect", "/link"] {
        let click = "{ type = \"click\", element = { role = \"link\", name = \"Away\" } }";
        let setup = format!("[setup]\nroute = \"{route}\"\nactions = [{click}]\n");
        let found = visited(&[("/stay", "")], &own, &setup).await.remove(0);
        let why = found.unwrap_err();
        assert!(why.contains("[setup]") && why.contains("may be visited"), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_name_their_elements() {
    let own = serve(|_| {
        Ok("<title>Wait</title><button onclick='setTimeout(show, 300)'>Start</button><div id=box></div><script>
            const show = () => { box.innerHTML = `<form aria-label=Ask><label>Code <input></label><button type=button onclick='finish()'>Go</button></form><button>Go</button>` };
            const finish = () => { document.title = document.querySelector('input').value.startsWith('hunter22') ? 'Right' : 'Wrong' };
            </script>"
            .to_owned())
    });
    let start = "{ type = \"click\", target = \"button: Start\" }";
    let ask = "{ type = \"if\", exists = \"Code\", timeout_ms = 3000, then = [{ type = \"fill\", target = \"Code\", text = \"${PASSWORD}\" }] }";
    let go = "{ type = \"click\", target = \"Go\", in = \"form: Ask\" }";
    let actions = [start, ask, go].join(", ");
    let unclear = [start, ask, &go.replace(", in = \"form: Ask\"", "")].join(", ");
    let found = visited(&[("/", &actions), ("/", &unclear)], &own, "").await;
    assert_eq!(found[0].as_deref(), Ok("Right"), "a value is filled in there, too");
    let why = found[1].as_ref().unwrap_err();
    assert!(why.contains("2 elements match \"Go\""), "{why}");
}
