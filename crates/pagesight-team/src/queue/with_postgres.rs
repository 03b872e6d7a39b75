//! Checks the queue with a real PostgreSQL. Without one these tests are skipped.

use std::time::Duration;

use pagesight_check::baseline::{PageKey, StoredPage};

use super::*;
use crate::postgres::StoreAddress;
use crate::postgres::test_server::{PASSWORD, TestServer, server};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(150);

async fn queue(server: &TestServer, schema: &str, worker: &str, lease: Duration) -> Queue {
    let password = |name: &str| (name == "PGPASSWORD").then(|| PASSWORD.to_owned());
    let address = StoreAddress::parse(&server.address(schema), &password).unwrap();
    Queue::open(&address, worker, lease, Duration::from_secs(15)).await.unwrap()
}

fn run_of(pages: usize) -> NewRun {
    let pages = (0..pages).map(|at| format!("page {at}")).collect();
    NewRun { subject: "test".to_owned(), branch: "main".to_owned(), pages, ..NewRun::default() }
}

fn good() -> Delivery {
    Delivery { verdict: "unchanged".to_owned(), result: "{}".to_owned(), ..Delivery::default() }
}

fn given_up() -> Delivery {
    Delivery { verdict: "failed".to_owned(), fails: true, ..good() }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_page_is_leased_once_and_only_the_newest_lease_delivers() {
    let Some(server) = server("the queue in PostgreSQL") else { return };
    let (one, two) =
        (queue(server, "fence", "one", LONG).await, queue(server, "fence", "two", SHORT).await);
    let run = one.enqueue(&run_of(3)).await.unwrap();
    let mine = one.lease_pages(run, 2).await.unwrap();
    let late = two.lease_pages(run, 9).await.unwrap();
    assert_eq!((mine.len(), late.len()), (2, 1), "none twice");
    assert_eq!(mine[0].page, "page 0");
    assert!(two.lease_pages(run, 9).await.unwrap().is_empty());

    // The lease of the second worker expires, and a different worker gets the page.
    tokio::time::sleep(SHORT * 2).await;
    assert_eq!(one.end_expired(run, &given_up()).await.unwrap(), 1);
    let again = one.lease_pages(run, 9).await.unwrap();
    assert_eq!((again.len(), again[0].number, again[0].fence), (1, late[0].number, 2));
    assert_eq!(two.extend(&late, SHORT).await.unwrap(), late, "lost");
    assert_eq!(one.extend(&again, SHORT).await.unwrap(), []);
    let superseded = two.deliver(&late[0], good(), "me").await.unwrap();
    assert_eq!(superseded, Delivered::Superseded);
    assert_eq!(one.deliver(&again[0], good(), "me").await.unwrap(), Delivered::Accepted);
    // The same delivery again, as after a lost answer.
    assert_eq!(one.deliver(&again[0], good(), "me").await.unwrap(), Delivered::Accepted);
    assert_eq!(two.deliver(&late[0], good(), "me").await.unwrap(), Delivered::Superseded);

    // An expired lease that nobody took over still delivers.
    one.deliver(&mine[0], good(), "me").await.unwrap();
    one.give_back(&mine[1..]).await.unwrap();
    let slow = two.lease_pages(run, 1).await.unwrap();
    tokio::time::sleep(SHORT * 2).await;
    assert_eq!(two.deliver(&slow[0], good(), "me").await.unwrap(), Delivered::Accepted);
    let state = one.state(run).await.unwrap();
    assert_eq!((state.waiting, state.leased, state.done, state.failing), (0, 0, 3, 0));
    assert_eq!(one.results(run, -1, 9).await.unwrap().len(), 3);
    assert!(one.open_runs().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_and_its_baseline_are_saved_together_or_not_at_all() {
    let Some(server) = server("results with baselines in PostgreSQL") else { return };
    let (one, two) =
        (queue(server, "both", "one", SHORT).await, queue(server, "both", "two", LONG).await);
    let run = one.enqueue(&run_of(1)).await.unwrap();
    let with_baseline = || {
        let key = PageKey {
            name: "home".to_owned(),
            browser: "chromium".to_owned(),
            width: 1,
            height: 1,
            emulation: String::new(),
            scope: String::new(),
        };
        let page = StoredPage { text: "{}".to_owned(), ..StoredPage::default() };
        Delivery { baseline: Some((key, page, "main".to_owned())), ..good() }
    };
    let late = one.lease_pages(run, 1).await.unwrap();
    tokio::time::sleep(SHORT * 2).await;
    two.end_expired(run, &given_up()).await.unwrap();
    let newest = two.lease_pages(run, 1).await.unwrap();
    let superseded = one.deliver(&late[0], with_baseline(), "late").await.unwrap();
    assert_eq!(superseded, Delivered::Superseded);
    assert_eq!(server.psql("SELECT count(*) FROM \"both\".baseline"), "0");
    let accepted = two.deliver(&newest[0], with_baseline(), "two").await.unwrap();
    assert_eq!(accepted, Delivered::Accepted);
    two.deliver(&newest[0], with_baseline(), "two").await.unwrap();
    assert_eq!(server.psql("SELECT count(*), min(accepted_by) FROM \"both\".baseline"), "1|two");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_workers_that_give_up_often_deliver_each_page_once() {
    let Some(server) = server("many workers of the queue in PostgreSQL") else { return };
    let pages = 300;
    let first = queue(server, "many", "w", SHORT).await;
    let run = first.enqueue(&run_of(pages)).await.unwrap();
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..8_u64 {
        let queue = queue(server, "many", &format!("w{worker}"), SHORT).await;
        workers.spawn(async move {
            let (mut accepted, mut drawn) = (0, worker);
            loop {
                queue.end_expired(run, &given_up()).await.unwrap();
                let leased = queue.lease_pages(run, 2).await.unwrap();
                if leased.is_empty() {
                    if queue.open_runs().await.unwrap().is_empty() {
                        return accepted;
                    }
                    tokio::time::sleep(SHORT / 4).await;
                }
                for page in leased {
                    drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    // One in five is given up.
                    if (drawn >> 33) % 5 > 0 {
                        let done = queue.deliver(&page, good(), "me").await.unwrap();
                        accepted += usize::from(done == Delivered::Accepted);
                    }
                }
            }
        });
    }
    let mut accepted = 0;
    while let Some(worker) = workers.join_next().await {
        accepted += worker.unwrap();
    }
    let rows = "SELECT count(*), count(DISTINCT number), count(*) FILTER (WHERE fails)
         FROM many.result";
    let rows = server.psql(rows);
    let failed: usize = rows.rsplit('|').next().unwrap().parse().unwrap();
    assert_eq!(rows, format!("{pages}|{pages}|{failed}"));
    assert_eq!(accepted + failed, pages);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_ends_its_workers_and_a_run_that_is_stopped_come_to_an_end() {
    let Some(server) = server("ends of the queue in PostgreSQL") else { return };
    let queue = queue(server, "ends", "w", Duration::from_millis(1)).await;
    let run = queue.enqueue(&run_of(1)).await.unwrap();
    for lease in 1..=MOST_LEASES {
        let leased = queue.lease_pages(run, 1).await.unwrap();
        assert_eq!(leased[0].fence, lease);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_eq!(queue.end_expired(run, &given_up()).await.unwrap(), 1);
    }
    let state = queue.state(run).await.unwrap();
    assert_eq!((state.done, state.failing), (1, 1), "it has a result");
    assert!(!queue.stop(run).await.unwrap(), "it is done already");

    let run = queue.enqueue(&run_of(10)).await.unwrap();
    let leased = queue.lease_pages(run, 1).await.unwrap();
    assert!(queue.stop(run).await.unwrap());
    assert!(queue.lease_pages(run, 9).await.unwrap().is_empty());
    assert_eq!(queue.deliver(&leased[0], good(), "me").await.unwrap(), Delivered::Accepted);
    assert!(queue.open_runs().await.unwrap().is_empty());
    assert!(queue.find_run(None).await.unwrap().unwrap().stopped);

    // Old runs that are done or stopped are deleted with their pages.
    for _ in 0..20 {
        let run = queue.enqueue(&run_of(1)).await.unwrap();
        queue.stop(run).await.unwrap();
    }
    let left = "SELECT (SELECT count(*) FROM ends.run), (SELECT count(*) FROM ends.job)";
    assert_eq!(server.psql(left), "20|20");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_delivers_when_the_database_is_back() {
    let Some(bin) = crate::postgres::test_server::find() else { return };
    let mut server = TestServer::start(&bin, "fsync=off");
    let queue = queue(&server, "back", "w", LONG).await;
    let run = queue.enqueue(&run_of(2)).await.unwrap();
    let leased = queue.lease_pages(run, 2).await.unwrap();
    queue.deliver(&leased[0], good(), "me").await.unwrap();
    let restarted = tokio::task::spawn_blocking(move || {
        server.crash(Duration::from_secs(1), "fsync=off");
        server
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(queue.deliver(&leased[1], good(), "me").await.unwrap(), Delivered::Accepted);
    let server = restarted.await.unwrap();
    assert_eq!(server.psql("SELECT count(*) FROM back.result"), "2");
}
