//! Tests how many actions one batch runs.

use serde_json::json;

use crate::support::{Client, Site, has};

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_runs_at_most_200_actions() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = site.page(
        "<p id=n>0</p><script>let n = 0; onkeydown = () => { document.getElementById('n').textContent = ++n }</script>",
    );
    client.ok("browser_navigate", json!({ "url": page })).await;
    let keys = vec![json!({ "type": "press", "key": "Shift" }); 3];
    let repeat =
        json!({ "type": "repeat", "until": { "text": "never" }, "max": 200, "actions": keys });
    let reply = client.call("browser_interact", json!({ "actions": [repeat] })).await;
    assert!(reply.is_error, "{reply:?}");
    has(&reply.text, "more than 200 actions would be run, with all repetitions");
    has(&reply.changes, "\"0\" → \"200\"");
    client.close().await;
}
