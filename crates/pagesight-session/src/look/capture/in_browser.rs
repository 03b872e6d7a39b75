//! Tests that caching between looks has no visible effect: over random changes of a page with
//! frames, closed roots and listeners, a look that may use the cache equals one that may not. Runs
//! a real Chromium.

use std::fmt::Write;

use super::*;
use crate::session::Session;
use crate::session::options::Options;
use crate::tab::capture_cache::CaptureExtent;

/// The page: frames of the same site (`srcdoc`, so that no server is needed), open and closed
/// roots, fields, styles.
const PAGE: &str = "data:text/html,<!doctype html><title>Changing</title><style id=s>.gone{display:none}</style>\
    <main id=m><h1>Changing</h1><p id=p>Text</p><button id=b>Press</button><input id=i aria-label=Field><input type=checkbox id=c aria-label=Box>\
    <select id=o aria-label=Choice><option>One<option>Two</select><div id=d>Plain <span>words</span></div><div id=h><b>light</b></div>\
    <div id=z style='height:60px;overflow:auto'><div style='height:300px'>tall</div><button>Deep</button></div><dialog id=g>Asked <button>Yes</button></dialog>\
    <details id=t><summary>More</summary><a href=%23x>Inside</a></details></main>\
    <iframe id=f title=Frame srcdoc='<button id=fb>In frame</button><p id=fp>frame text</p><input id=fi aria-label=Inner>'></iframe><span id=late></span>\
    <script>const $=(id)=>document.getElementById(id);const closed=document.createElement('div');$('m').append(closed);\
    const root=closed.attachShadow({mode:'closed'});root.innerHTML='<button>In closed</button><p>closed text</p>';const heard=()=>{};let n=0;\
    const frame=()=>$('f')&&$('f').contentDocument</script>";

/// Changes that a page makes. Many of them cause no event and no mutation that a script could
/// observe.
const CHANGES: &[&str] = &[
    "$('p').textContent='Text '+(++n)",
    "$('p').firstChild&&($('p').firstChild.data='Data '+(++n))",
    "$('b').disabled=!$('b').disabled",
    "$('b').classList.toggle('gone')",
    "$('i').value='v'+(++n)",
    "$('c').checked=!$('c').checked",
    "$('c').indeterminate=!$('c').indeterminate",
    "$('o').selectedIndex=1-$('o').selectedIndex",
    "$('s').sheet.insertRule('#d span{display:'+(++n%2?'none':'inline')+'}',$('s').sheet.cssRules.length)",
    "$('s').sheet.cssRules[0].style.display=n++%2?'none':'block'",
    "{const sheet=new CSSStyleSheet();sheet.replaceSync('#p{visibility:'+(++n%2?'hidden':'visible')+'}');document.adoptedStyleSheets=[sheet]}",
    "$('h').attachShadow&&!$('h').hosts&&($('h').hosts=1,$('h').attachShadow({mode:'closed'}).innerHTML='<slot></slot> <button>Late root</button>')",
    "root.querySelector('button').textContent='Closed '+(++n)",
    "root.append(Object.assign(document.createElement('a'),{href:'%23y',textContent:'Link '+(++n)}))",
    "$('d').addEventListener('click',heard)",
    "$('d').removeEventListener('click',heard)",
    "scrollTo(0,(++n%2)*200)",
    "$('z').scrollTop=(++n%3)*50",
    "$('g').open?$('g').close():$('g').show()",
    "$('t').open=!$('t').open",
    "$('i').focus()",
    "document.activeElement.blur()",
    "frame()&&frame().getElementById('fp')&&(frame().getElementById('fp').textContent='inner '+(++n))",
    "frame()&&frame().getElementById('fi')&&(frame().getElementById('fi').value='f'+(++n))",
    "$('late').innerHTML='<iframe title=Late srcdoc=\"<button>Late '+(++n)+'</button>\"></iframe>'",
    "$('late').innerHTML=''",
    "$('f')&&($('f').style.display=$('f').style.display?'':'none')",
    "document.title='Changing '+(++n)",
    "void 0",
];

/// Waits until new frames are loaded and everything is drawn.
const REST: &str = "(async () => { for (const f of document.querySelectorAll('iframe')) \
    while (f.contentDocument.URL !== 'about:srcdoc' || f.contentDocument.readyState !== 'complete') await new Promise((r) => setTimeout(r, 10)); \
    await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))) })()";

/// A small random number generator; the seed is printed when a test fails.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Returns everything that is known about a page, in words.
fn words(page: &Page) -> String {
    let mut out = format!(
        "{} {} {:?} {:?} {:?} withheld {} elements {} roots {} left out {}/{}\n",
        page.title,
        page.url(),
        page.viewport,
        page.scroll,
        page.size,
        page.withheld,
        page.elements,
        page.shadow_roots,
        page.frames_left_out,
        page.roots_left_out
    );
    for node in page.nodes() {
        let attributes: Vec<_> = node.attributes().collect();
        let _ = writeln!(
            out,
            "{} {}#{} {:?} {:?} {:?} {:?} {:?} {:?} {attributes:?} {:?} {:?}",
            node.end(),
            node.tag(),
            node.local(),
            node.role(),
            node.name(),
            node.value(),
            node.rect(),
            node.flags(),
            node.hidden(),
            node.scroll_room(),
            node.cover().map(|cover| cover.id())
        );
    }
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cached_page_equals_a_fresh_capture() {
    let seed =
        std::env::var("PAGESIGHT_TEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let steps = std::env::var("PAGESIGHT_TEST_STEPS")
        .ok()
        .and_then(|steps| steps.parse().ok())
        .unwrap_or(120);
    let mut dice = Dice(seed);
    let session = Session::new(Options::default());
    let tab = session.tab(None).await.unwrap();
    session.navigate(&tab, &session.address(PAGE).unwrap(), None).await.unwrap();
    let mut done = Vec::new();
    let mut kept: [(usize, Option<Arc<Page>>); 2] = Default::default();
    for step in 0..steps {
        for _ in 0..dice.roll(3) {
            let change = CHANGES[dice.roll(CHANGES.len())];
            tab.tab.evaluate(&format!("{{{change}}}"), Duration::from_secs(5)).await.unwrap();
            done.push(change);
        }
        if dice.roll(25) == 0 {
            let width = 900 + dice.roll(400) as u32;
            tab.tab.resize(pagesight_browser::Viewport { width, height: 700 }).await.unwrap();
        }
        tab.tab.evaluate(REST, Duration::from_secs(5)).await.unwrap();
        // Half of the looks are full ones, two in a row; they have a cache of their own.
        let extent = if step % 4 >= 2 { CaptureExtent::Full } else { CaptureExtent::Plain };
        let options = CaptureOptions { pierce: true, extent, ..CaptureOptions::default() };
        let (quick, _) = capture(&tab, options).await.unwrap();
        let (count, before) = &mut kept[extent as usize];
        *count += usize::from(before.as_ref().is_some_and(|page| Arc::ptr_eq(page, &quick)));
        tab.memory().forget(extent);
        let (fresh, _) = capture(&tab, options).await.unwrap();
        let last = &done[done.len().saturating_sub(6)..];
        let (seen, expected) = (words(&quick), words(&fresh));
        assert_eq!(seen, expected, "seed {seed}, step {step}, last changes {last:#?}");
        *before = Some(fresh);
    }
    session.close().await;
    for (same, _) in kept {
        assert!(same > steps / 30, "what is kept was used in {same} of {steps} looks only");
    }
}
