//! A sitemap of generated pages: an index that refers to itself and to another index, packed files,
//! duplicates, foreign hosts; then an archive that unpacks to gigabytes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use anyhow::ensure;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};

use super::{Checker, MOST_MEMORY, pages};
use crate::random::Random;

/// The pages of one file.
const IN_FILE: usize = 100;
/// The size of the unpacked bomb.
const BOMB: &str = "2G";

#[derive(Default)]
struct SiteFiles {
    /// Sitemaps by their paths.
    sitemaps: BTreeMap<String, Vec<u8>>,
    changed: BTreeSet<usize>,
}

type SharedFiles = Arc<Mutex<SiteFiles>>;

async fn answer(State(files): State<SharedFiles>, uri: Uri) -> Response {
    let Ok(files) = files.lock() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let path = uri.path();
    if let Some(bytes) = files.sitemaps.get(path) {
        return bytes.clone().into_response();
    }
    match path.rsplit('/').next().and_then(|number| number.parse::<usize>().ok()) {
        Some(number) => {
            let fault = files.changed.contains(&number).then_some(0);
            Html(pages::page(number, fault)).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Returns the route of a page. Some have a query, which is part of the name.
fn route(number: usize) -> String {
    match number % 10 {
        3 => format!("/shop/{}/{number}?view=all", number % 7),
        _ => format!("/shop/{}/{number}", number % 7),
    }
}

fn name(number: usize) -> String {
    route(number).trim_start_matches('/').replace(['/', '?', '='], "-")
}

fn packed(text: &str) -> anyhow::Result<Vec<u8>> {
    let mut gzip =
        Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = gzip.stdin.take();
    let text = text.to_owned();
    let writer =
        std::thread::spawn(move || input.as_mut().map(|input| input.write_all(text.as_bytes())));
    let output = gzip.wait_with_output()?;
    ensure!(writer.join().is_ok() && output.status.success(), "gzip failed");
    Ok(output.stdout)
}

/// Writes the sitemaps: the pages in this order, in packed files of an index.
fn sitemaps(address: &str, order: &[usize]) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let index = |files: &[String]| -> String {
        let rows: String = files
            .iter()
            .map(|file| format!("<sitemap><loc>{address}{file}</loc></sitemap>"))
            .collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{rows}</sitemapindex>"
        )
    };
    let mut out = BTreeMap::new();
    let mut names = vec!["/sitemap.xml".to_owned(), "/more.xml".to_owned()];
    for (at, part) in order.chunks(IN_FILE).enumerate() {
        let mut rows: String = part
            .iter()
            .map(|number| {
                format!(
                    "<url><loc>{address}{}</loc><priority>0.5</priority></url>\n",
                    route(*number)
                )
            })
            .collect();
        rows.push_str("<url><loc>https://elsewhere.example/shop/1</loc></url>");
        rows.push_str(&format!("<url><loc>{address}{}</loc></url>", route(order[0])));
        let text = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{rows}</urlset>"
        );
        let file = format!("/sitemap-{at}.xml.gz");
        out.insert(file.clone(), packed(&text)?);
        names.push(file);
    }
    out.insert("/sitemap.xml".to_owned(), index(&names).into_bytes());
    out.insert("/more.xml".to_owned(), packed(&index(&names))?);
    Ok(out)
}

/// Checks the site: saved, unchanged in a different order, some pages changed, and a bomb.
pub(super) async fn run(
    checker: &Checker,
    count: usize,
    changed: usize,
    seed: u64,
) -> anyhow::Result<()> {
    let files = SharedFiles::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let app = axum::Router::new().fallback(answer).with_state(files.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let put = |change: &dyn Fn(&mut SiteFiles)| {
        if let Ok(mut files) = files.lock() {
            change(&mut files);
        }
    };
    let folder = tempfile::tempdir()?;
    let text = format!("base_url = {address:?}\npictures = false\nsitemap = \"/sitemap.xml\"\n");
    std::fs::write(folder.path().join("pages.toml"), text)?;
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..count).collect();
    let all: BTreeSet<String> = order.iter().map(|number| name(*number)).collect();
    let first_maps = sitemaps(&address, &order)?;
    put(&|files| files.sitemaps.clone_from(&first_maps));

    let first = checker.check(folder.path()).await?;
    ensure!(
        first.names("saved") == all,
        "not all were saved: {} {}",
        first.reported["summary"],
        first.errors
    );
    first.row("sitemap", &format!("{count} pages saved"));
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    let maps = sitemaps(&address, &order)?;
    let mut wrong = BTreeSet::new();
    while wrong.len() < changed.min(count) {
        wrong.insert(random.below(count));
    }
    put(&|files| {
        files.sitemaps.clone_from(&maps);
        files.changed.clone_from(&wrong);
    });
    let second = checker.check(folder.path()).await?;
    let expected: BTreeSet<String> = wrong.iter().map(|number| name(*number)).collect();
    let found = second.names("changed");
    let missed: Vec<_> = expected.difference(&found).collect();
    let invented: Vec<_> = found.difference(&expected).collect();
    second.row(
        "sitemap in a different order",
        &format!(
            "{} unchanged, {} of {} changed pages reported; missed {missed:?}, invented {invented:?}",
            second.names("unchanged").len(),
            found.intersection(&expected).count(),
            expected.len()
        ),
    );
    ensure!(
        missed.is_empty() && invented.is_empty(),
        "not exactly the changed pages were reported"
    );
    ensure!(
        second.names("unchanged").len() == count - expected.len(),
        "names changed: {}",
        second.reported["summary"]
    );

    let bomb =
        Command::new("sh").args(["-c", &format!("head -c {BOMB} /dev/zero | gzip -c")]).output()?;
    put(&|files| drop(files.sitemaps.insert("/sitemap-0.xml.gz".to_owned(), bomb.stdout.clone())));
    let third = checker.check(folder.path()).await?;
    third.row(
        "a bomb in the index",
        &format!(
            "{} KiB that unpack to {BOMB}: exit code {:?}, nothing checked",
            bomb.stdout.len() / 1024,
            third.code
        ),
    );
    ensure!(
        third.code == Some(2)
            && third.reported.is_null()
            && third.errors.contains("unpacks to more than"),
        "the bomb was not refused: {}",
        third.errors
    );
    ensure!(
        [&first, &second, &third].iter().all(|run| run.memory < MOST_MEMORY),
        "a check needed more than {} MiB",
        MOST_MEMORY / 1024
    );
    Ok(())
}
