//! Whether the hash of a page is the same wherever and whenever it is taken: in other locales, time
//! zones, heights of the viewport and browsers, and in 100 reloads. Each way is a server of its own
//! with the environment changed; only this machine is in reach.

use std::collections::BTreeMap;
use std::fs::File;

use serde_json::{Value, json};

use crate::mcp::McpClient;
use crate::pages::PageState;
use crate::twins::OFFLINE;

type HashEnvironment =
    (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// The first is what the others are held against.
const WAYS: [HashEnvironment; 9] = [
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

/// How often pages are loaded again, and how many of them.
const RELOADS: usize = 100;
const RELOADED: usize = 5;

/// Prints in how many ways each page has its hash.
pub async fn run(page_states: &[PageState]) -> anyhow::Result<()> {
    let program = crate::release_program()?;
    let log = File::create(crate::root().join("target/stability.log"))?;
    let mut hashes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (way, arguments, environment) in WAYS {
        let environment = [&OFFLINE, environment].concat();
        let client =
            McpClient::start_with_log(&program, arguments, log.try_clone()?, &environment).await?;
        for page_state in page_states {
            hashes.entry(&page_state.name).or_default().push(hash(&client, page_state).await?);
        }
        client.close().await?;
        println!("{way}: done");
    }
    let settled: Vec<(&&str, &Vec<String>)> =
        hashes.iter().filter(|(_, all)| all.iter().all(|hash| !hash.is_empty())).collect();
    println!(
        "\n| way | pages with the same hash, of {} that were ready in all ways |\n|---|---|",
        settled.len()
    );
    for (at, (way, ..)) in WAYS.iter().enumerate().skip(1) {
        let same = settled.iter().filter(|(_, all)| all.get(at) == all.first()).count();
        println!("| {way} | {same} |");
    }
    for (page, all) in
        settled.iter().filter(|(_, all)| all.iter().any(|hash| Some(hash) != all.first()))
    {
        println!("{page}: {}", all.join(" "));
    }
    let names: Vec<&str> = settled.iter().map(|(page, _)| **page).collect();
    let client = McpClient::start_with_log(&program, &[], log, &OFFLINE).await?;
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

/// Opens a page; its hash, or nothing if it is not ready: what is still loading has no settled
/// hash.
async fn hash(client: &McpClient, page_state: &PageState) -> anyhow::Result<String> {
    client.ask("browser_navigate", json!({ "url": page_state.url, "timeout_ms": 6000 })).await?;
    let reply = client.ask("get_dom_fingerprint", json!({})).await?;
    let reported: Value = serde_json::from_str(&reply.text).unwrap_or_default();
    let hash = if reported["status"] == "ready" { reported["hash"].as_str() } else { None };
    Ok(hash.unwrap_or_default().to_owned())
}
