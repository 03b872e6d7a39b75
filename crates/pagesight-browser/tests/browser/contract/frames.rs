//! Same-site and cross-site frames: they can be entered, and leaving one ends the calls in it.

use std::time::Duration;

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: of_this_and_of_another_site);

async fn of_this_and_of_another_site(contract: &mut Contract) {
    let server = &contract.server;
    let other = server.replace("127.0.0.1", "localhost");
    let mut tab = contract.tab().await;
    tab.open(&format!("{server}/a")).await;
    tab.eval(&format!("new Promise(done => {{ let left = 2; for (const src of ['/b', '{other}/b']) {{ const f = document.createElement('iframe'); f.onload = () => --left || done(); f.src = src; document.body.append(f) }} }})")).await;
    let walk = tab.script("walk", "[{}]").await.unwrap();
    let walk: serde_json::Value = serde_json::from_str(&walk).unwrap();
    let elements: Vec<u32> = walk["frames"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| walk["nodes"]["id"][node.as_u64().unwrap() as usize].as_u64().unwrap() as u32)
        .collect();
    assert_eq!(elements.len(), 2, "{walk}");
    let frames = tab.tab.frames_of(None, &elements, LIMIT).await.unwrap();
    for (frame, address) in frames.iter().zip([server, &other]) {
        let frame = frame.as_deref().expect("a frame");
        let inside = tab.tab.script(Some(frame), "walk", "[{}]", LIMIT).await.unwrap();
        assert!(inside.contains(&format!("{address}/b")), "{inside}");
    }
    let gone = tab.tab.script(Some("nowhere"), "walk", "[{}]", LIMIT).await;
    assert_eq!(gone, Err(BrowserError::Navigated));
    let waiting = tab.tab.script(frames[0].as_deref(), "waitForQuiet", "[60000, 60000]", LIMIT);
    let leaving = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        tab.eval("document.querySelector('iframe').src = '/a'; 0").await
    };
    let (waited, _) = tokio::join!(waiting, leaving);
    assert_eq!(waited, Err(BrowserError::Navigated));
    tab.tab.close().await.unwrap();
}
