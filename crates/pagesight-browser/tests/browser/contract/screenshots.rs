//! Screenshots: their areas, sizes and formats.

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: areas_and_formats);

fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

async fn areas_and_formats(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    tab.open(&page("<div style='height:3000px;background:red'></div>")).await;
    let shot = async |area| tab.tab.screenshot(&ShotRequest::png(area)).await;
    let whole = |height| ShotArea::Document { x: 0.0, y: 0.0, width: 1200.0, height };
    assert_eq!(size(&shot(ShotArea::Viewport).await.unwrap()), (1280, 720));
    assert_eq!(size(&shot(whole(3000.0)).await.unwrap()), (1200, 3000));
    let part = ShotArea::Box { x: 10.0, y: 700.0, width: 100.0, height: 50.0 };
    assert_eq!(size(&shot(part).await.unwrap()), (100, 50));
    let encoded = async |area, format, quality| {
        let shot = ShotRequest { format, quality, ..ShotRequest::png(area) };
        tab.tab.screenshot(&shot).await.unwrap()
    };
    let jpeg = encoded(ShotArea::Viewport, ImageFormat::Jpeg, 80).await;
    assert_eq!(&jpeg[..3], b"\xff\xd8\xff");
    assert!(encoded(ShotArea::Viewport, ImageFormat::Jpeg, 5).await.len() < jpeg.len());
    let webp = encoded(part, ImageFormat::Webp, 80).await;
    assert_eq!(&webp[..4], b"RIFF");
    tab.tab.resize(Viewport { width: 400, height: 300 }).await.unwrap();
    assert_eq!(size(&shot(ShotArea::Viewport).await.unwrap()), (400, 300));
    // Boxes are relative to the viewport, wherever the page is scrolled to.
    tab.eval("document.body.innerHTML = '<div style=\"height:1000px\"></div><div style=\"height:1000px;background:blue\"></div>'; scrollTo(0, 900)")
        .await;
    let spot = |y| ShotArea::Box { x: 0.0, y, width: 8.0, height: 8.0 };
    assert_ne!(shot(spot(150.0)).await.unwrap(), shot(spot(10.0)).await.unwrap());
    tab.eval("document.body.innerHTML = '<div style=\"height:40000px\"></div>'").await;
    assert_eq!(size(&shot(whole(40000.0)).await.unwrap()).1, 16384);
    let scale = ShotScale { wanted: 0.5, ratio: 1.0, viewport: (400.0, 300.0) };
    for area in [ShotArea::Viewport, part] {
        let half = ShotRequest { scale: Some(scale), ..ShotRequest::png(area) };
        match tab.tab.screenshot(&half).await {
            Ok(image) => {
                let expected = if area == part { (50, 25) } else { (200, 150) };
                assert_eq!(size(&image), expected);
            }
            Err(error) => assert!(!tab.tab.scales_screenshots(), "{error}"),
        }
    }
    tab.tab.close().await.unwrap();
}
