//! Eight clients of one `pagesight serve` at once, also while the browser or the process is killed.
//! No answer may have the mark of a different client, and nothing may outlive the process. Prints
//! the rows of the table in lab/results/scale.md.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::support::{
    SERVE_LIMIT, Serving, Site, alive, browser_of, command, descendants, engine, kill,
};

const CLIENTS: usize = 8;
/// Calls of each client.
const CALLS: usize = 60;
const READ: &str = "document.cookie + localStorage.mark + document.body.innerText";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Killed {
    Nothing,
    Browser,
    Process,
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_do_not_see_each_other() {
    storm(Killed::Nothing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_do_not_see_each_other_while_the_browser_is_killed() {
    storm(Killed::Browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_do_not_see_each_other_while_the_process_is_killed() {
    storm(Killed::Process).await;
}

#[derive(Default)]
struct Counts {
    answers: usize,
    own: usize,
}

async fn storm(killed: Killed) {
    let site = Arc::new(Site::start().await);
    let arguments = ["--allow-evaluate"];
    let mut serving = Serving::start(&arguments).await;
    // Clients keep the address and the token, which stay the same when it is started again.
    let mut process = std::mem::replace(&mut serving.process, idle());
    let serving = Arc::new(serving);
    let done = Arc::new(AtomicUsize::new(0));
    let clients = (0..CLIENTS)
        .map(|number| tokio::spawn(client(number, serving.clone(), site.clone(), done.clone())));
    let clients: Vec<_> = clients.collect();
    let all = CLIENTS * CALLS;
    for quarter in 1..4 {
        while done.load(Ordering::Relaxed) < all * quarter / 4 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        match killed {
            Killed::Nothing => {}
            Killed::Browser => kill(browser_of(process.id().unwrap())),
            Killed::Process => {
                end(process).await;
                let mut again = command(serving.folder.path());
                again.args(["serve", "--browser", engine().id()]).args(arguments);
                process = again.stderr(Stdio::null()).spawn().unwrap();
            }
        }
    }
    let mut sum = Counts::default();
    for client in clients {
        let Counts { answers, own } = client.await.expect("no client sees a mark of others");
        sum = Counts { answers: sum.answers + answers, own: sum.own + own };
    }
    end(process).await;
    let Counts { answers, own } = sum;
    #[allow(clippy::print_stderr, reason = "a row of the table in lab/results/scale.md")]
    {
        eprintln!("| {killed:?} killed | {all} | {answers} | {own} | {} | 0 | 0 |", all - answers);
    }
    assert!(own * 3 > answers, "only {own} of {answers} answers have the own mark");
    assert!(killed == Killed::Process || answers == all, "only {answers} of {all} answers");
}

/// Returns a process that ends with this value.
fn idle() -> tokio::process::Child {
    tokio::process::Command::new("sleep").arg("600").kill_on_drop(true).spawn().unwrap()
}

/// Kills the process; everything that it started must end.
async fn end(mut process: tokio::process::Child) {
    let family = descendants(process.id().unwrap());
    process.kill().await.unwrap();
    let limit = Instant::now() + Duration::from_secs(15);
    while family.iter().any(|pid| alive(*pid)) {
        assert!(Instant::now() < limit, "the browser outlived the process");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn mark(number: usize) -> String {
    format!("mark{number}x{number}")
}

/// Makes random calls. Even clients have a protocol session, odd ones a workspace of their own.
async fn client(
    number: usize,
    serving: Arc<Serving>,
    site: Arc<Site>,
    done: Arc<AtomicUsize>,
) -> Counts {
    let own = mark(number);
    let page = site.page(&format!(
        "<!doctype html><title>{own}</title><h1>{own}</h1>
         <button onclick=\"document.body.append('{own} ')\">More {own}</button>
         <a href='?mark={own}' target=_blank>Open {own}</a><label>Field <input></label>
         <script>document.cookie = 'mark={own}'; localStorage.mark = '{own}'</script>"
    ));
    let mut counts = Counts::default();
    let mut session = None;
    let mut random = number as u64;
    for _ in 0..CALLS {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = u32::try_from(random >> 33).unwrap();
        let (tool, arguments) = choose(drawn, &own, &page);
        // In a task of its own: a call that gets no answer panics, and only that task ends.
        let (to, id) = (serving.clone(), session.take());
        let call = tokio::spawn(async move {
            if number % 2 == 1 {
                let path = format!("/mcp/client-{number}");
                return (to.call_stateless(&path, tool, arguments).await, None);
            }
            let id = match id {
                Some(id) => id,
                None => to.session().await,
            };
            (to.call(&id, tool, arguments).await, Some(id))
        });
        if let Ok((text, id)) = call.await {
            session = id;
            counts.answers += 1;
            counts.own += usize::from(text.contains(&own));
            let theirs = (0..CLIENTS).filter(|other| *other != number).map(mark);
            for other in theirs {
                assert!(!text.contains(&other), "{own}: {tool} answered {other}: {text}");
            }
        } else {
            let limit = Instant::now() + SERVE_LIMIT;
            while TcpStream::connect(&serving.address).await.is_err() && Instant::now() < limit {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    counts
}

fn choose(random: u32, own: &str, page: &str) -> (&'static str, Value) {
    let element = random / 10 % 6 + 1;
    match random % 10 {
        0 => ("browser_navigate", json!({ "url": page })),
        1 => ("browser_tabs", json!({ "action": "list" })),
        2 => ("browser_tabs", json!({ "action": "new", "url": page })),
        3 => ("browser_tabs", json!({ "action": "close" })),
        4 | 5 => ("inspect_tab", json!({})),
        6 => ("browser_interact", json!({ "actions": [{ "type": "click", "element": element }] })),
        7 => {
            let fill = json!([{ "type": "fill", "element": element, "text": own }]);
            ("browser_interact", json!({ "actions": fill }))
        }
        8 => ("browser_evaluate", json!({ "expression": READ })),
        _ => ("get_page_info", json!({})),
    }
}
