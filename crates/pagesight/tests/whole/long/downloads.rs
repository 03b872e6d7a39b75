//! Tests the limit of downloads.

use crate::outcomes::{click, path_in};
use crate::support::{Client, Site};
use serde_json::json;

both_engines!(a_download_that_is_too_large_is_stopped);
/// The server sends 160 MiB; 100 MiB is the most that one download may take.
async fn a_download_that_is_too_large_is_stopped() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let page = site.page("<a href=/file.zip>Small</a> <a href=/large.zip>Large</a>");
    let look = client.ok("browser_navigate", json!({ "url": page })).await;
    let small = path_in(&click(&client, &look, "link: Small").await);
    let mut text = click(&client, &look, "link: Large").await;
    for _ in 0..60 {
        if text.contains("it is larger than 100 MiB") {
            break;
        }
        let wait = json!({ "actions": [{ "type": "wait", "ms": 300 }] });
        text = client.ok("browser_interact", wait).await.text;
    }
    assert!(text.contains("large.zip") && text.contains("it is larger than 100 MiB"), "{text}");
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let files = std::fs::read_dir(small.parent().unwrap()).unwrap().flatten();
    let size = |file: std::fs::DirEntry| {
        #[cfg(unix)]
        let taken = std::os::unix::fs::MetadataExt::blocks(&file.metadata().unwrap()) * 512;
        #[cfg(not(unix))]
        let taken = file.metadata().unwrap().len();
        taken
    };
    let taken: u64 = files.map(size).sum();
    assert!(taken < 110 << 20, "{taken} bytes are left");
    assert_eq!(std::fs::read_to_string(&small).unwrap(), "not really a zip");
    client.close().await;
}
