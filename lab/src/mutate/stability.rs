//! `cargo lab mutate --stability`: whether a page has the same hash in other locales, time zones,
//! viewport heights and browsers, and after 100 reloads. Each environment has its own server, which
//! reaches nothing but this machine.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use serde_json::{Value, json};

use crate::mcp::McpClient;
use crate::options::run_file;
use crate::pages::PageState;
use crate::sight::twins::OFFLINE;

type HashEnvironment =
    (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// The environments; the others are compared with the first.
const ENVIRONMENTS: [HashEnvironment; 9] = [
    ("as it is", &[], &[]),
    ("again", &[], &[]),
    (
        "German, Berlin",
        &[],
        &[("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de"), ("TZ", "Europe/Berlin")],
    ),
    ("Japanese, Tokyo", &[], &[("LANG", "ja_JP.UTF-8"), ("LANGUAGE", "ja"), ("TZ", "Asia/Tokyo")]),
    ("Honolulu", &[], &[("TZ", "Pacific/Honolulu")]),
    ("400 high", &["--viewport", "1280x400"], &[]),
    ("1000 high", &["--viewport", "1280x1000"], &[]),
    ("2000 high", &["--viewport", "1280x2000"], &[]),
    ("Firefox", &["--browser", "firefox"], &[]),
];

/// How often pages are reloaded, and how many pages.
const RELOADS: usize = 100;
const RELOADED: usize = 5;

/// Prints how many pages have the same hash in each environment.
pub async fn run(program: &Path, page_states: &[PageState]) -> anyhow::Result<()> {
    let log = File::create(run_file("stability.log")?)?;
    let mut hashes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, arguments, environment) in ENVIRONMENTS {
        let environment = [&OFFLINE, environment].concat();
        let client =
            McpClient::start_with_log(program, arguments, log.try_clone()?, &environment).await?;
        for page_state in page_states {
            hashes.entry(&page_state.name).or_default().push(hash(&client, page_state).await?);
        }
        client.close().await?;
        println!("{name}: done");
    }
    let settled: Vec<(&&str, &Vec<String>)> =
        hashes.iter().filter(|(_, all)| all.iter().all(|hash| !hash.is_empty())).collect();
    println!(
        "\n| environment | pages with the same hash, of {} that were ready in all environments |\n|---|---|",
        settled.len()
    );
    for (at, (name, ..)) in ENVIRONMENTS.iter().enumerate().skip(1) {
        let same = settled.iter().filter(|(_, all)| all.get(at) == all.first()).count();
        println!("| {name} | {same} |");
    }
    for (page, all) in
        settled.iter().filter(|(_, all)| all.iter().any(|hash| Some(hash) != all.first()))
    {
        println!("{page}: {}", all.join(" "));
    }
    let names: Vec<&str> = settled.iter().map(|(page, _)| **page).collect();
    let client = McpClient::start_with_log(program, &[], log, &OFFLINE).await?;
    for page_state in page_states
        .iter()
        .filter(|page_state| names.contains(&page_state.name.as_str()))
        .take(RELOADED)
    {
        let first = hash(&client, page_state).await?;
        let mut same = 0;
        for _ in 0..RELOADS {
            same += usize::from(hash(&client, page_state).await? == first);
        }
        println!("{}: the same hash in {same} of {RELOADS} reloads", page_state.name);
    }
    client.close().await
}

/// Opens a page and returns its hash; empty if the page is not ready, because the hash of a page
/// that still loads may change.
async fn hash(client: &McpClient, page_state: &PageState) -> anyhow::Result<String> {
    client.ask("browser_navigate", json!({ "url": page_state.url, "timeout_ms": 6000 })).await?;
    let reply = client.ask("get_dom_fingerprint", json!({})).await?;
    let reported: Value = serde_json::from_str(&reply.text).unwrap_or_default();
    let hash = if reported["status"] == "ready" { reported["hash"].as_str() } else { None };
    Ok(hash.unwrap_or_default().to_owned())
}
