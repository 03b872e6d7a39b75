//! Pictures of elements with hints, on sheets that a person can judge: each element as the browser
//! draws it, with what is around it, above its hint.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use serde_json::json;

use super::lines::UsableLine;
use crate::attached::AttachedTab;
use crate::devtools::DevTools;

/// How many elements a sheet shows.
const PER_SHEET: usize = 20;
/// How many elements of one page are photographed.
const PER_PAGE: usize = 60;
/// The size of a picture.
const WIDTH: i32 = 300;
const HEIGHT: i32 = 130;
/// The size of the viewport.
const VIEWPORT: [i32; 2] = [1280, 720];

/// An element with a hint, as the browser draws it.
pub struct HintPicture {
    page: String,
    line: String,
    source: &'static str,
    image: String,
    /// The element's box in the picture.
    rect: [i32; 4],
}

impl HintPicture {
    /// Returns what two elements must not share to be both in the sample: the app and the line.
    fn key(&self) -> (&str, &str, &str) {
        let app = self.page.split(": ").next().unwrap_or_default();
        let line = self.line.split(" — ").next().unwrap_or_default();
        (app, line.split(", ").next().unwrap_or_default(), self.source)
    }
}

/// Takes pictures of elements. Those that are already known by the same line are left out.
pub async fn photograph(
    tools: &DevTools,
    tab: &AttachedTab,
    page: &str,
    lines: &[&UsableLine],
    found: &mut Vec<HintPicture>,
) -> anyhow::Result<()> {
    let mut left = PER_PAGE;
    for line in lines {
        let [x, y, width, height] = line.rect;
        let corner = |at: i32, size: i32, picture: i32, all: i32| {
            (at + size.min(picture) / 2 - picture / 2).clamp(0, (all - picture).max(0))
        };
        let left_edge = corner(x, width, WIDTH, VIEWPORT[0]);
        let top = corner(y, height, HEIGHT, VIEWPORT[1]);
        let mut picture = HintPicture {
            page: page.to_owned(),
            line: line.text.clone(),
            source: line.source.map_or("label", |source| source.as_str()),
            image: String::new(),
            rect: [x - left_edge, y - top, width, height],
        };
        if left == 0 || found.iter().any(|known| known.key() == picture.key()) {
            continue;
        }
        left -= 1;
        let clip =
            json!({ "x": left_edge, "y": top, "width": WIDTH, "height": HEIGHT, "scale": 1 });
        let shot = json!({ "format": "png", "clip": clip });
        let answer = tools.call(Some(&tab.session), "Page.captureScreenshot", shot).await?;
        picture.image = answer["data"].as_str().context("no picture was taken")?.to_owned();
        found.push(picture);
    }
    Ok(())
}

/// Draws the hints on sheets, and lists them in `hints.md`.
pub async fn write(
    pictures: &[HintPicture],
    tools: &DevTools,
    folder: &Path,
) -> anyhow::Result<()> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder)?;
    let opened = tools.call(None, "Target.createTarget", json!({ "url": "about:blank" })).await?;
    let target = opened["targetId"].as_str().context("no tab was opened")?;
    let tab = AttachedTab::attach(tools, target).await?;
    let mut list = "| hint | page | line | source | right |\n|---|---|---|---|---|\n".to_owned();
    for (sheet, pictures) in pictures.chunks(PER_SHEET).enumerate() {
        let mut html = STYLE.to_owned();
        for (at, picture) in pictures.iter().enumerate() {
            let number = sheet * PER_SHEET + at + 1;
            let (page, line, source) = (&picture.page, &picture.line, picture.source);
            writeln!(list, "| {number} | {page} | `{line}` | {source} | |")?;
            let [x, y, width, height] = picture.rect;
            write!(
                html,
                "<figure><div><img src='data:image/png;base64,{}'><b style='left:{}px;top:{}px;\
                 width:{}px;height:{}px'></b></div><figcaption>{number} {}<br><i>{source}, {}</i>\
                 </figcaption></figure>",
                picture.image,
                x - 2,
                y - 2,
                width + 4,
                height + 4,
                escaped(line),
                escaped(page)
            )?;
        }
        let page = json!({ "frameId": target, "html": html });
        tools.call(Some(&tab.session), "Page.setDocumentContent", page).await?;
        tab.settle(tools).await?;
        let shot = json!({ "format": "png", "captureBeyondViewport": true, "clip": {
            "x": 0, "y": 0, "width": 1280, "height": 960, "scale": 1 } });
        let answer = tools.call(Some(&tab.session), "Page.captureScreenshot", shot).await?;
        let image = answer["data"].as_str().context("no sheet was drawn")?;
        let file = folder.join(format!("sheet-{:02}.png", sheet + 1));
        std::fs::write(file, decoded(image).context("the sheet is not base64")?)?;
    }
    std::fs::write(folder.join("hints.md"), list)?;
    Ok(())
}

const STYLE: &str = "<!doctype html><meta charset=utf-8><style>body{margin:0;display:grid;\
    grid-template-columns:repeat(4,310px);gap:6px;font:13px sans-serif}figure{margin:0;height:182px;\
    overflow:hidden;border:1px solid #ccc}div{position:relative;width:300px;height:130px;\
    overflow:hidden}b{position:absolute;outline:2px solid #e00;box-sizing:border-box}i{color:#666;\
    font-size:11px}</style>";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Decodes base64; `None` if the text is something else.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(digit(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(line: &str) -> HintPicture {
        let (page, line) = ("App: state".to_owned(), line.to_owned());
        HintPicture { page, line, source: "drawing", image: String::new(), rect: [0; 4] }
    }

    #[test]
    fn equal_lines_of_an_app_are_one() {
        let same = picture("button (star icon, 2 of 5) — disabled");
        assert_eq!(picture("button (star icon").key(), same.key());
        assert_ne!(picture("link (star icon").key(), same.key());
    }

    #[test]
    fn base64_is_decoded() {
        assert_eq!(decoded("aGk=").as_deref(), Some("hi".as_bytes()));
        assert_eq!(decoded("aGkh").as_deref(), Some("hi!".as_bytes()));
        assert_eq!(decoded("a b"), None);
    }
}
