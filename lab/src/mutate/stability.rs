//! Whether the hash of a page is the same wherever and whenever it is taken: in other locales, time
//! zones, heights of the viewport and browsers, and in 100 reloads. Each way is a server of its own
//! with the environment changed; only this machine is in reach.

use std::collections::BTreeMap;
use std::fs::File;

use serde_json::{Value, json};

use crate::mcp::Client;
use crate::pages::Stop;
use crate::twins::OFFLINE;

type Way = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// The first is what the others are held against.
const WAYS: [Way; 9] = [
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
pub async fn run(stops: &[Stop]) -> anyhow::Result<()> {
    let program = crate::release_program()?;
    let log = File::create(crate::root().join("target/stability.log"))?;
    let mut hashes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (way, arguments, environment) in WAYS {
        let environment = [&OFFLINE, environment].concat();
        let client =
            Client::start_with_log(&program, arguments, log.try_clone()?, &environment).await?;
        for stop in stops {
            hashes.entry(&stop.name).or_default().push(hash(&client, stop).await?);
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
    let client = Client::start_with_log(&program, &[], log, &OFFLINE).await?;
    for stop in stops.iter().filter(|stop| names.contains(&stop.name.as_str())).take(RELOADED) {
        let first = hash(&client, stop).await?;
        let mut same = 0;
        for _ in 0..RELOADS {
            same += usize::from(hash(&client, stop).await? == first);
        }
        println!("{}: the same hash in {same} of {RELOADS} reloads", stop.name);
    }
    client.close().await
}

/// Opens a page; its hash, or nothing if it is not ready: what is still loading has no settled
/// hash.
async fn hash(client: &Client, stop: &Stop) -> anyhow::Result<String> {
    client.ask("browser_navigate", json!({ "url": stop.url, "timeout_ms": 6000 })).await?;
    let reply = client.ask("get_dom_fingerprint", json!({})).await?;
    let told: Value = serde_json::from_str(&reply.text).unwrap_or_default();
    let hash = if told["status"] == "ready" { told["hash"].as_str() } else { None };
    Ok(hash.unwrap_or_default().to_owned())
}
