//! Screenshots: their areas, sizes and formats.

use pagesight_browser::*;

use crate::Contract;
use crate::common::*;

fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

pub async fn areas_and_formats(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    tab.open(&page("<div style='height:3000px;background:red'></div>")).await;
    let shot = |area| tab.tab.screenshot(area, ImageFormat::Png);
    assert_eq!(size(&shot(ShotArea::Viewport).await.unwrap()), (1280, 720));
    // A scroll bar may make the page narrower than the viewport.
    let (width, height) = size(&shot(ShotArea::FullPage).await.unwrap());
    assert!((1200..=1280).contains(&width) && height == 3000, "{width} × {height}");
    let part = ShotArea::Box { x: 10.0, y: 700.0, width: 100.0, height: 50.0 };
    assert_eq!(size(&shot(part).await.unwrap()), (100, 50));
    let jpeg = tab.tab.screenshot(ShotArea::Viewport, ImageFormat::Jpeg).await.unwrap();
    assert_eq!(&jpeg[..3], b"\xff\xd8\xff");
    let webp = tab.tab.screenshot(part, ImageFormat::Webp).await.unwrap();
    assert_eq!(&webp[..4], b"RIFF");
    tab.tab.resize(Viewport { width: 400, height: 300 }).await.unwrap();
    assert_eq!(size(&shot(ShotArea::Viewport).await.unwrap()), (400, 300));
    // Boxes are relative to the viewport, wherever the page is scrolled to.
    tab.eval("document.body.innerHTML = '<div style=\"height:1000px\"></div><div style=\"height:1000px;background:blue\"></div>'; scrollTo(0, 900)")
        .await;
    let spot = |y| ShotArea::Box { x: 0.0, y, width: 8.0, height: 8.0 };
    assert_ne!(shot(spot(150.0)).await.unwrap(), shot(spot(10.0)).await.unwrap());
    tab.eval("document.body.innerHTML = '<div style=\"height:40000px\"></div>'").await;
    assert_eq!(size(&shot(ShotArea::FullPage).await.unwrap()).1, 16384);
    tab.tab.close().await.unwrap();
}
