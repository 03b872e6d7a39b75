//! Checks a report of real pages in a real browser: what it shows, its filters and its keys.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_core::compare::{ChangeType, Comparison, IgnoreRules, compare};
use pagesight_core::fingerprint::{EntryId, EntryKind, Size};
use pagesight_core::page::{Flags, Rect};
use pagesight_session::{
    Action, FingerprintRequest, FingerprintWithPicture, LookOptions, Options, ScopeChoice, Session,
    TabRecord, Viewport,
};
use serde_json::{Value, json};

use super::html;
use super::tests::HOSTILE;
use crate::result::tests::{outcome, run_of};
use crate::result::{Outcome, Picture, Verdict};

/// Returns a page with a scrolled container, colours to find in the picture, and hostile names.
fn page(broken: bool) -> String {
    let hostile = HOSTILE.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let (save, heading) =
        if broken { ("", "Orders of today") } else { ("<button id=save>Save</button>", "Orders") };
    let (far, disabled) = if broken { ("Farther", "disabled") } else { ("Far", "") };
    format!(
        "<!doctype html><title>{hostile}</title><style>body {{ margin: 20px; font: 16px sans-serif }} button {{ border: 0; padding: 12px 24px;
        background: rgb(0, 128, 255); color: white }} #far {{ background: rgb(255, 0, 128); position: absolute; top: 1500px; left: 700px }}
        #box {{ height: 120px; width: 300px; overflow: auto; margin: 30px }} #box button {{ display: block; margin-bottom: 20px }}
        #late {{ position: absolute; top: 1900px }}</style>
        <main><h1 id=heading>{heading}</h1>{save}<button id=hostile {disabled}>{hostile}</button>
        <div id=box><button>One</button><button>Two</button><button id=three {disabled}>Three</button><button id=four {disabled}>Four</button></div>
        <button id=far>{far}</button><p id=late>The end</p></main><script>box.scrollTop = 90; scrollTo(0, 700)</script>"
    )
}

async fn fingerprint_of(
    session: &Session,
    tab: &Arc<TabRecord>,
    folder: &Path,
    html: &str,
) -> FingerprintWithPicture {
    let file = folder.join("page.html");
    std::fs::write(&file, html).unwrap();
    open(session, tab, &file).await;
    session.fingerprint_with_picture(tab, &FingerprintRequest::default()).await.unwrap()
}

async fn open(session: &Session, tab: &Arc<TabRecord>, file: &Path) {
    let address = session.address(&format!("file://{}", file.display())).unwrap();
    let navigated = session.navigate(tab, &address, None).await.unwrap();
    assert!(navigated.outcome.is_ready(), "{:?}", navigated.outcome);
}

/// Returns the boxes of the elements according to the browser, in pixels of the page, clipped to
/// their container.
const REAL: &str = "(() => { const of = (id) => { const el = document.getElementById(id); if (!el) return null;
    let { left, top, right, bottom } = el.getBoundingClientRect(); const around = el.closest('#box')?.getBoundingClientRect();
    if (around) { top = Math.max(top, around.top); bottom = Math.min(bottom, around.bottom); right = Math.min(right, around.right) }
    return bottom > top ? [left + scrollX, top + scrollY, right - left, bottom - top] : null };
    return Object.fromEntries(['heading', 'save', 'hostile', 'three', 'four', 'far'].map((id) => [id, of(id)])) })()";

fn near(rect: Rect, real: &Value) -> bool {
    let sides = [rect.x, rect.y, rect.width, rect.height];
    real.as_array().is_some_and(|real| {
        sides
            .iter()
            .zip(real)
            .all(|(side, real)| (f64::from(*side) - real.as_f64().unwrap()).abs() <= 1.5)
    })
}

/// Returns the colour of a picture at a point.
fn colour(png: &[u8], x: i32, y: i32) -> [u8; 3] {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let at = y as usize * info.line_size + x as usize * info.color_type.samples();
    [pixels[at], pixels[at + 1], pixels[at + 2]]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_works_in_a_real_browser() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { allow_file: true, ..Options::default() };
    let session = Session::new(options);
    let tab = session.tab(None).await.unwrap();
    let before = fingerprint_of(&session, &tab, folder.path(), &page(false)).await;
    let was = session.evaluate(&tab, REAL).await.unwrap();
    let after = fingerprint_of(&session, &tab, folder.path(), &page(true)).await;
    let now = session.evaluate(&tab, REAL).await.unwrap();
    assert_eq!(session.evaluate(&tab, "scrollY").await.unwrap(), json!(700), "it is scrolled");

    let mut compared = compare(&before.fingerprint, &after.fingerprint, &IgnoreRules::default());
    // The report can show only changes of the layout.
    let mut drawn = compared.changes[0].clone();
    (drawn.kind, drawn.description) = (ChangeType::StyleChanged, "All buttons are red".to_owned());
    (drawn.was_at, drawn.now_at) = (None, None);
    compared.changes.push(drawn);
    let (marks_before, marks_after) =
        (compared.marks_before(&before.boxes), compared.marks_after(&after.boxes));
    let of = |marks: &[(usize, Rect)], words: &str| -> Rect {
        let at =
            compared.changes.iter().position(|change| change.description.contains(words)).unwrap();
        marks
            .iter()
            .find(|(index, _)| *index == at)
            .unwrap_or_else(|| panic!("{words}: {marks:?}"))
            .1
    };
    let words = [
        ("'Save'", "save"),
        ("Orders of today", "heading"),
        ("'Farther'", "far"),
        ("hacked", "hostile"),
    ];
    for (words, id) in words {
        if id != "save" {
            assert!(
                near(of(&marks_after, words), &now[id]),
                "{id}: {:?} {}",
                of(&marks_after, words),
                now[id]
            );
        }
        assert!(
            near(of(&marks_before, words), &was[id]),
            "{id}: {:?} {}",
            of(&marks_before, words),
            was[id]
        );
    }
    // In the scrolled container, 'Three' is visible; 'Four' is cut off or out of view.
    assert!(near(of(&marks_after, "'Three'"), &now["three"]), "{marks_after:?} {now}");
    let four =
        compared.changes.iter().position(|change| change.description.contains("'Four'")).unwrap();
    let four = marks_after.iter().find(|(index, _)| *index == four);
    assert_eq!(four.is_some(), !now["four"].is_null(), "{four:?} {now}");
    // The picture shows the same position and moment as the boxes.
    let far = of(&marks_after, "'Farther'");
    assert_eq!(colour(after.png.as_ref().unwrap(), far.x + 4, far.y + 4), [255, 0, 128]);
    let save = of(&marks_before, "'Save'");
    assert_eq!(colour(before.png.as_ref().unwrap(), save.x + 4, save.y + 4), [0, 128, 255]);

    let mut first = outcome("Orders", Verdict::Compared(compared.clone()));
    let picture = |taken: &FingerprintWithPicture, marks| Picture {
        png: taken.png.clone().unwrap(),
        size: taken.size,
        marks,
    };
    first.before = Some(picture(&before, marks_before));
    first.after = Some(picture(&after, marks_after));
    let mut outcomes = vec![
        first,
        outcome(HOSTILE, Verdict::Failed { error: HOSTILE.to_owned() }),
        Outcome { browser: "firefox", ..outcome("Settings", Verdict::Saved) },
        Outcome {
            viewport: Size { width: 390, height: 844 },
            ..outcome("Basket", Verdict::NoBaseline)
        },
    ];
    outcomes.extend(
        (0..100)
            .map(|at| outcome(&format!("Product {at}"), Verdict::Compared(Comparison::default()))),
    );
    let file = folder.path().join("report.html");
    std::fs::write(&file, html(&run_of(outcomes))).unwrap();
    open(&session, &tab, &file).await;
    let ask = async |expression: &str| session.evaluate(&tab, expression).await.unwrap();

    // No hostile text ran, and the report itself has no errors.
    assert_eq!(ask("typeof hacked").await, json!("undefined"));
    let info = session.page_info(&tab).await.unwrap();
    assert_eq!((info.console_errors, info.failed_requests), (vec![], vec![]));
    assert_eq!(
        ask("document.querySelector('h1').textContent").await,
        json!("3 of 104 pages failed")
    );

    // The boxes of the report are where the elements are on its pictures.
    let drawn = ask("[...document.querySelectorAll('#p3 figure')].map((figure) => { const image = figure.querySelector('img');
        const frame = image.getBoundingClientRect(); const scale = image.naturalWidth / frame.width;
        return [...figure.querySelectorAll('.mark')].map((mark) => { const box = mark.getBoundingClientRect();
          return { says: mark.getAttribute('aria-label'), box: [(box.left - frame.left) * scale, (box.top - frame.top) * scale, box.width * scale, box.height * scale] } }) })").await;
    for (figure, words, real) in [
        (0, "'Save'", &was["save"]),
        (1, "'Farther'", &now["far"]),
        (1, "Orders of today", &now["heading"]),
    ] {
        let mark = drawn[figure]
            .as_array()
            .unwrap()
            .iter()
            .find(|mark| mark["says"].as_str().unwrap().contains(words));
        let side = |at: usize| mark.unwrap()["box"][at].as_f64().unwrap() as i32;
        let rect = Rect { x: side(0), y: side(1), width: side(2), height: side(3) };
        // A pixel of the screen is several pixels of the picture.
        let far_off =
            real.as_array().unwrap().iter().zip([rect.x, rect.y, rect.width, rect.height]);
        let far_off = far_off
            .map(|(real, side)| (real.as_f64().unwrap() - f64::from(side)).abs())
            .fold(0.0, f64::max);
        assert!(far_off <= 4.0, "{words}: {rect:?} {real}");
    }

    // Every control has a name.
    let look = session.look(&tab, LookOptions::default()).await.unwrap();
    let usable: Vec<_> = look.page.nodes().filter(|node| node.is(Flags::USABLE)).collect();
    assert!(usable.len() > 20);
    for node in usable {
        assert!(!node.name().trim().is_empty(), "<{}> has no name", node.tag());
    }

    // Filters, search and keys.
    let shown = "document.querySelectorAll('.card:not([hidden])').length";
    assert_eq!(ask(shown).await, json!(104));
    ask("document.querySelector('.chip.failed').click()").await;
    assert_eq!(ask(shown).await, json!(1));
    ask("document.querySelector('.chip.missing').click()").await;
    assert_eq!(ask(shown).await, json!(2), "several verdicts at once");
    ask("for (const chip of document.querySelectorAll('.chip[aria-pressed=true]')) chip.click()")
        .await;
    for (id, value, count) in [
        ("browser", "firefox", 1),
        ("viewport", "390x844", 1),
        ("severity", "error", 1),
        ("kind", "layout", 1),
    ] {
        let choose = |value: &str| {
            format!(
                "{{ const it = document.getElementById('{id}'); it.value = '{value}'; it.dispatchEvent(new Event('change', {{ bubbles: true }})) }}"
            )
        };
        ask(&choose(value)).await;
        assert_eq!(ask(shown).await, json!(count), "{id}");
        if id == "severity" {
            let worse = "[...document.querySelectorAll('#p3 .change:not([hidden])')].every((it) => it.dataset.severity === 'error')";
            assert_eq!(ask(worse).await, json!(true));
        }
        if id == "kind" {
            let one = "[...document.querySelectorAll('#p3 .change:not([hidden])')].map((it) => it.dataset.kind)";
            assert_eq!(ask(one).await, json!(["layout"]));
        }
        ask(&choose("")).await;
    }
    let press = async |key: &str| {
        let action = Action::Press { key: key.parse().unwrap(), element: None };
        let acted = session.act(&tab, &[action], None).await.unwrap();
        assert!(!acted.failed(), "{key}: {acted:?}");
    };
    press("j").await;
    assert_eq!(ask("document.activeElement.closest('.card').id").await, json!("p1"));
    press("j").await;
    assert_eq!(ask("document.activeElement.closest('.card').id").await, json!("p2"));
    press("k").await;
    press("/").await;
    assert_eq!(ask("document.activeElement.id").await, json!("search"));
    let typed = Action::Type { element: None, text: "product 9".to_owned() };
    session.act(&tab, &[typed], None).await.unwrap();
    // The search follows a moment after the last key.
    let end = Instant::now() + Duration::from_secs(20);
    while ask(shown).await != json!(19) {
        assert!(
            Instant::now() < end,
            "the 19 products with a 9 in their number should be shown, not {}",
            ask(shown).await
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    press("Escape").await;
    assert_eq!(ask(shown).await, json!(104));

    // A focused change highlights its boxes.
    ask("document.querySelector('#p3 .change').focus()").await;
    let lit = "document.querySelectorAll('#p3 .mark.on').length > 0 && document.querySelectorAll('#p3 .change.on').length === 1";
    assert_eq!(ask(lit).await, json!(true));

    // A click on a picture opens it in full size, with its boxes; Escape closes it.
    ask("document.querySelector('#p3 .canvas img').click()").await;
    let large = "(() => { const box = document.getElementById('large'), image = box.querySelector('img');
        return [box.open, image?.getBoundingClientRect().width >= image?.naturalWidth, box.querySelectorAll('.mark').length > 0] })()";
    assert_eq!(ask(large).await, json!([true, true, true]));
    press("Escape").await;
    assert_eq!(ask("document.getElementById('large').open").await, json!(false));

    // Both pictures in one place: a slider cuts the later one.
    let stage = "(() => { const pair = document.querySelector('#p3 .pictures'), stage = pair.querySelector('.stage');
        const after = stage?.querySelector('.after');
        return [Boolean(stage) && !stage.hidden, pair.querySelectorAll('figure:not([hidden])').length,
          after ? after.style.clipPath : '', after ? after.style.opacity : '',
          after ? after.getBoundingClientRect().left === stage.querySelector('.before').getBoundingClientRect().left : true] })()";
    let choose = async |view: &str| {
        ask(&format!("document.querySelector('#p3 [data-view={view}]').click()")).await
    };
    choose("slider").await;
    assert_eq!(ask(stage).await, json!([true, 0, "inset(0px 0px 0px 50%)", "", true]));
    ask("{ const range = document.querySelector('#p3 .share input'); range.value = 20; range.dispatchEvent(new Event('input')) }").await;
    assert_eq!(ask(stage).await[2], json!("inset(0px 0px 0px 20%)"));
    choose("overlay").await;
    assert_eq!(ask(stage).await, json!([true, 0, "", "0.2", true]));
    choose("beside").await;
    assert_eq!(ask(stage).await[1], json!(2));

    // The time is that of the reader.
    let time = "(() => { const time = document.querySelector('time'); return time.textContent ===
        new Date('2026-01-23T10:30:45Z').toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }) })()";
    assert_eq!(ask(time).await, json!(true));

    // The theme, and the width of a phone.
    let ground = "getComputedStyle(document.body).backgroundColor";
    let light = ask(ground).await;
    ask("document.getElementById('theme').click()").await;
    assert_ne!(ask(ground).await, light);
    session.resize_tab(&tab, Viewport { width: 390, height: 844 }).await.unwrap();
    assert_eq!(
        ask("document.documentElement.scrollWidth <= 390").await,
        json!(true),
        "nothing sticks out"
    );
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn boxes_in_a_frame_lie_on_the_page_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let inner = "<style>body { margin: 0; height: 900px } button { position: absolute; top: 400px; left: 30px; width: 90px; height: 40px; border: 0; background: rgb(0, 160, 80) }</style><button>Inside</button><script>scrollTo(0, 380)</script>";
    let page = format!(
        "<!doctype html><title>Frames</title><style>body {{ margin: 0; height: 3000px }} iframe {{ margin: 300px 0 0 50px; border: 7px solid; width: 400px; height: 200px }}</style>
        <iframe id=inner srcdoc='{inner}'></iframe><script>scrollTo(0, 120)</script>"
    );
    std::fs::write(&file, page).unwrap();
    let session = Session::new(Options { allow_file: true, ..Options::default() });
    let tab = session.tab(None).await.unwrap();
    open(&session, &tab, &file).await;
    let request = FingerprintRequest {
        scope: ScopeChoice::Selector("iframe#inner".to_owned()),
        ..FingerprintRequest::default()
    };
    let taken = session.fingerprint_with_picture(&tab, &request).await.unwrap();
    let real = "(() => { const frame = document.getElementById('inner'), around = frame.getBoundingClientRect(), at = frame.contentDocument.querySelector('button').getBoundingClientRect();
        return [around.left + frame.clientLeft + at.left + scrollX, around.top + frame.clientTop + at.top + scrollY, at.width, at.height] })()";
    let real = session.evaluate(&tab, real).await.unwrap();
    let found = taken.boxes.of(EntryId::new(EntryKind::Element, 0)).unwrap();
    assert!(near(found, &real), "{found:?} {real}");
    assert_eq!(colour(taken.png.as_ref().unwrap(), found.x + 4, found.y + 4), [0, 160, 80]);
    session.close().await;
}
