//! Serves the pages of the tasks on 127.0.0.1. Each page has the surroundings of an ordinary app:
//! menus, a side bar, a footer.

use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::page_files::pages;
use crate::pages::listen;

/// The pages of the tasks.
pub const PAGES: &str = include_str!("tasks.html");
const PRELUDE: &str = include_str!("../diffbench/prelude.js");
const BEFORE: &str = "<body><header><a href=#main>Skip to content</a><nav aria-label=Main><a href=#home>Home</a> <a href=#catalogue>Catalogue</a> <a href=#orders>Orders</a> <a href=#people>People</a> <a href=#reports>Reports</a> <a href=#messages>Messages</a> <a href=#calendar>Calendar</a></nav><form role=search onsubmit='return false'><label>Search everything <input type=search></label><button>Search</button></form><button>Language</button> <button>Account</button></header>
<div style='display:flex'><aside aria-label='Side bar' style='width:200px'><h2>Shortcuts</h2><ul><li><a href=#1>Open requests</a><li><a href=#2>My drafts</a><li><a href=#3>Shared with me</a><li><a href=#4>Recently viewed</a><li><a href=#5>Archive</a><li><a href=#6>Templates</a></ul><h2>Teams</h2><ul><li><a href=#7>Purchasing</a><li><a href=#8>Logistics</a><li><a href=#9>Accounting</a><li><a href=#10>Support</a></ul><p>Storage: 4.2 of 10 GB used</p></aside><main id=main style='flex:1'>";
const AFTER: &str = "</main></div><footer><h2>Company</h2><ul><li><a href=#11>About us</a><li><a href=#12>Careers</a><li><a href=#13>Press</a><li><a href=#14>Contact</a></ul><h2>Legal</h2><ul><li><a href=#15>Imprint</a><li><a href=#16>Privacy</a><li><a href=#17>Terms of use</a><li><a href=#18>Cookie settings</a></ul><p>© 2026 Example Trading Company. All prices without tax.</p></footer>";
const STYLE: &str = "<style>body { font: 15px sans-serif; margin: 8px } .none { display: none } td { padding: 2px 8px } .box { position: fixed; left: 300px; top: 100px; background: #fff; padding: 20px; border: 1px solid }</style>";

/// Serves the pages and returns the port.
pub async fn serve() -> anyhow::Result<String> {
    listen(Router::new().fallback(answer)).await
}

async fn answer(request: Request) -> Response {
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
    let seed = query.split('&').find_map(|pair| pair.strip_prefix("seed=")).unwrap_or("1");
    if let Some(ms) = path.strip_prefix("/late/") {
        tokio::time::sleep(Duration::from_millis(ms.parse().unwrap_or(0))).await;
        return "ok".into_response();
    }
    let at = path.strip_prefix("/task/").and_then(|at| at.parse().ok()).unwrap_or(usize::MAX);
    let page = pages(PAGES).nth(at).map_or(String::new(), |(_, page)| {
        format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>Desk</title>{STYLE}<script>{}; const solved = () => (window.solved = true);</script>{BEFORE}{page}{AFTER}",
            PRELUDE.replace("SEED", seed)
        )
    });
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}
