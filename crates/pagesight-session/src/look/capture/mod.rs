//! Captures a tab: the top document and then, level by level and concurrently, the documents of all
//! visible frames, merged into one page. Frames that could not be entered are counted. A document
//! cannot see what covers its frame, so the document around it is asked.
//!
//! A look at a whole page is cached. The page script answers the next one with a patch (plain looks
//! only), or that nothing changed. If a patch does not fit, the whole page is captured again.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use pagesight_browser::{BrowserError, HiddenParts};
use pagesight_core::page::{Flags, Node, NodeId, Page, ScrollRoom};
use pagesight_core::wire::decode::{CaptureError, decode, is_unchanged};
use pagesight_core::wire::frames::{FrameDocument, merge_frames};
use pagesight_core::wire::patch::{self, is_patch};
use tokio::time::Instant;

use crate::error::{Result, SessionError};
use crate::page_script::WalkOptions;
use crate::tab::capture_cache::{CaptureExtent, Part};
use crate::tab::record::TabRecord;

/// How long a capture may take.
const CAPTURE_LIMIT: Duration = Duration::from_secs(15);
/// How long the walk of the top document may take before it stops early; elements in view come
/// first.
const WALK_LIMIT: Duration = Duration::from_secs(5);
/// How long the engine may look for parts that the page script cannot see.
pub(crate) const REACH_LIMIT: Duration = Duration::from_secs(3);
/// How long one frame may take, and how long if it did not answer the last time. A frame that hangs
/// must not delay the page around it, least of all at every look.
const FRAME_LIMIT: Duration = Duration::from_secs(4);
const STUCK_LIMIT: Duration = Duration::from_millis(300);
/// How many frames are entered, and how many levels deep.
const MOST_FRAMES: usize = 200;
const DEEPEST: usize = 10;
/// For how many elements of a frame it is checked whether something covers the frame there.
const MOST_TRIED: usize = 500;

struct Captured {
    page: Arc<Page>,
    /// The answer of the page script; kept only for page files.
    text: Option<String>,
    frame: Option<String>,
    /// The document that holds its frame, and the frame element there.
    within: Option<(usize, NodeId)>,
}

/// The answers of the page scripts of a tab: the top document first, each other one with the index
/// of the document that holds its frame element, and that element's local id.
pub(crate) type Texts = Vec<(String, Option<(usize, u32)>)>;

/// Options of a capture.
#[derive(Clone, Copy, Default)]
pub(crate) struct CaptureOptions<'a> {
    /// A selector; its first match is the scope of the page.
    pub(crate) selector: Option<&'a str>,
    /// The contents of the capture.
    pub(crate) extent: CaptureExtent,
    /// Keep the answers of the page scripts, for a page file. Then nothing is taken from the cache.
    pub(crate) texts: bool,
    /// Enter shadow roots and frames; otherwise they are only counted.
    pub(crate) pierce: bool,
    /// The capture runs while an action is still settling.
    pub(crate) ahead: bool,
}

impl CaptureOptions<'_> {
    /// Returns the cached page of a frame's document, if this look can use it.
    fn known(&self, tab: &TabRecord, frame: Option<&str>) -> Option<Arc<Page>> {
        let may = !self.texts && self.selector.is_none();
        may.then(|| tab.memory().known(self.extent, frame)).flatten()
    }

    fn walk_options<'k>(
        &'k self,
        known: Option<&'k Arc<Page>>,
        limit: Duration,
    ) -> WalkOptions<'k> {
        let CaptureOptions { selector: scope, extent, pierce, ahead, .. } = *self;
        let full = extent == CaptureExtent::Full;
        let known = known.and_then(|page| page.key.as_deref());
        WalkOptions { full, scope, known, limit: limit.as_millis() as u64, pierce, ahead }
    }

    /// Returns the page of an answer: the cached one if nothing changed, the cached one with a
    /// patch applied, or a new one.
    fn page(&self, text: String, known: Option<Arc<Page>>) -> Result<(Arc<Page>, Option<String>)> {
        let mut page = match known {
            Some(page) if is_unchanged(&text) => return Ok((page, None)),
            Some(page) if is_patch(&text) => patch::apply(&page, &text)?,
            _ => decode(&text)?,
        };
        // Frames that cannot be entered are counted at the end.
        page.frames_left_out = 0;
        Ok((Arc::new(page), self.texts.then_some(text)))
    }
}

pub(crate) async fn capture(
    tab: &TabRecord,
    options: CaptureOptions<'_>,
) -> Result<(Arc<Page>, Texts)> {
    let CaptureOptions { selector, extent, pierce, .. } = options;
    let begun = Instant::now();
    let (reached, page, text) = with_hidden_parts(tab, &options).await?;
    let mut documents = vec![Captured { page, text, frame: None, within: None }];
    let mut left_out = 0;
    let mut level = 0..1;
    if !pierce {
        left_out = documents[0].page.frames().count();
        level = 0..0;
    }
    for _ in 0..DEEPEST {
        let mut found = Vec::new();
        for holder in level.clone() {
            match frames_in(tab, &documents[holder]).await {
                Ok(frames) => {
                    found.extend(frames.into_iter().map(|(owner, frame)| (holder, owner, frame)))
                }
                Err(unknown) => left_out += unknown,
            }
        }
        let room = (MOST_FRAMES + 1).saturating_sub(documents.len());
        left_out += found.len().saturating_sub(room);
        found.truncate(room);
        let mut walks = Vec::new();
        for (_, _, frame) in &found {
            let patience = if tab.is_stuck(frame) { STUCK_LIMIT } else { FRAME_LIMIT };
            let left = CAPTURE_LIMIT.saturating_sub(begun.elapsed()).min(patience);
            walks.push(walk(tab, &options, frame, left));
        }
        let walked = join_all(walks).await;
        level = documents.len()..documents.len();
        for ((holder, owner, frame), walked) in found.into_iter().zip(walked) {
            let Some((page, text)) = walked else {
                left_out += 1;
                continue;
            };
            let within = Some((holder, owner));
            documents.push(Captured { page, text, frame: Some(frame), within });
        }
        level.end = documents.len();
        if level.is_empty() {
            break;
        }
    }
    let unentered: u32 = documents.iter().map(|document| document.page.roots_left_out).sum();
    let texts = texts(&mut documents);
    let frames: Vec<Option<String>> =
        documents.iter().map(|document| document.frame.clone()).collect();
    let parts: Vec<Part> = documents
        .iter()
        .map(|document| Part { page: document.page.clone(), within: document.within })
        .collect();
    let known = tab.memory().whole(extent, &parts);
    let mut page = match known {
        Some(page) => page,
        None => {
            let mut page = together(tab, documents).await;
            if !page.blocking_dialogs().is_empty() {
                Arc::make_mut(&mut page).block_behind_dialogs();
            }
            // The pages of documents stay as they were sent, because patches are applied to them.
            page.without_spread(&tab.hidden).map_or(page, Arc::new)
        }
    };
    let not_seen = (left_out as u32, unentered + reached.roots_left_out, !reached.listeners);
    if (page.frames_left_out, page.roots_left_out, page.deaf) != not_seen {
        let page = Arc::make_mut(&mut page);
        (page.frames_left_out, page.roots_left_out, page.deaf) = not_seen;
    }
    if selector.is_none() {
        tab.memory().remember(extent, frames, parts, page.clone());
    }
    Ok((page, texts))
}

/// Finds the parts of the page that the page script cannot see, and captures the top document with
/// them. Both are asked for at once if the page was captured before: then there are rarely new
/// parts, and on a busy page each question waits for the page's own work.
async fn with_hidden_parts(
    tab: &TabRecord,
    options: &CaptureOptions<'_>,
) -> Result<(HiddenParts, Arc<Page>, Option<String>)> {
    let _search = tab.search.lock().await;
    let search = tab.main_thread.attend_work(tab.tab.find_hidden_parts(REACH_LIMIT));
    let known = options.known(tab, None);
    if known.is_none() {
        let reached = search.await?;
        let (page, text) = top_page(tab, options, None).await?;
        return Ok((reached, page, text));
    }
    let walk = async { Ok(top_page(tab, options, known).await) };
    let (reached, walked) = tokio::try_join!(search, walk)?;
    let (page, text) = walked?;
    if !reached.news {
        return Ok((reached, page, text));
    }
    let (page, text) = top_page(tab, options, page.key.is_some().then_some(page)).await?;
    Ok((reached, page, text))
}

/// Returns the page of the top document, of which `known` is known.
async fn top_page(
    tab: &TabRecord,
    options: &CaptureOptions<'_>,
    known: Option<Arc<Page>>,
) -> Result<(Arc<Page>, Option<String>)> {
    let text = top(tab, &options.walk_options(known.as_ref(), WALK_LIMIT)).await?;
    if known.is_some() && options.extent == CaptureExtent::Plain {
        tab.memory().patch_failed = !is_unchanged(&text) && !is_patch(&text);
    }
    match options.page(text, known) {
        // After a patch that does not fit, the whole page is captured.
        Err(SessionError::Capture(CaptureError::Damaged(reason))) => {
            tracing::debug!(reason, "the page is asked for as a whole");
            options.page(top(tab, &options.walk_options(None, WALK_LIMIT)).await?, None)
        }
        page => page,
    }
}

/// Captures the top document. If the page navigates meanwhile, it is captured again, but not for
/// ever.
async fn top(
    tab: &TabRecord,
    options: &WalkOptions<'_>,
) -> std::result::Result<String, BrowserError> {
    let mut tries = 0;
    loop {
        match tab.script(None, CAPTURE_LIMIT).walk(options).await {
            Err(BrowserError::Navigated) if tries < 3 => tries += 1,
            answer => return answer,
        }
    }
}

/// Captures the document of a frame, a second time if it was replaced meanwhile. None if it could
/// not be entered.
async fn walk(
    tab: &TabRecord,
    options: &CaptureOptions<'_>,
    frame: &str,
    limit: Duration,
) -> Option<(Arc<Page>, Option<String>)> {
    let known = options.known(tab, Some(frame));
    let time = limit.mul_f64(0.6);
    let walk_options = options.walk_options(known.as_ref(), time);
    let script = tab.script(Some(frame), limit);
    let answer = match script.walk(&walk_options).await {
        Err(BrowserError::Navigated) => script.walk(&walk_options).await,
        answer => answer,
    };
    tab.set_stuck(frame, matches!(answer, Err(BrowserError::TimedOut { .. })));
    if let Ok(page) = options.page(answer.ok()?, known) {
        return Some(page);
    }
    // After a patch that does not fit, the whole document is captured.
    options.page(script.walk(&options.walk_options(None, time)).await.ok()?, None).ok()
}

/// Returns the frames that a document shows, with their elements; or how many there are, if the
/// engine cannot match them to elements.
async fn frames_in(
    tab: &TabRecord,
    captured: &Captured,
) -> std::result::Result<Vec<(NodeId, String)>, usize> {
    let shown: Vec<(NodeId, u32)> =
        captured.page.frames().map(|(node, _)| (node.id(), node.local())).collect();
    if shown.is_empty() {
        return Ok(Vec::new());
    }
    let locals: Vec<u32> = shown.iter().map(|(_, local)| *local).collect();
    let asked = tab.tab.frames_of(captured.frame.as_deref(), &locals, FRAME_LIMIT).await;
    let frames = asked.map_err(|_| shown.len())?;
    let pairs = shown.into_iter().zip(frames);
    Ok(pairs.filter_map(|((node, _), frame)| frame.map(|frame| (node, frame))).collect())
}

/// Takes the answers of the page scripts, for a page file.
fn texts(documents: &mut [Captured]) -> Texts {
    let mut texts = Texts::new();
    for at in 0..documents.len() {
        let within = documents[at].within;
        let place =
            within.map(|(holder, owner)| (holder, documents[holder].page.node(owner).local()));
        if let Some(text) = documents[at].text.take() {
            texts.push((text, place));
        }
    }
    texts
}

/// Merges all documents into the top one, the innermost first, and marks elements that something
/// outside of their frame covers.
async fn together(tab: &TabRecord, mut documents: Vec<Captured>) -> Arc<Page> {
    let mut frames: Vec<Vec<FrameDocument>> = documents.iter().map(|_| Vec::new()).collect();
    // The top document is always there, and is the first.
    let mut inner = documents.split_off(1);
    let top = documents.remove(0);
    // Documents were found level by level, so the frames inside a document are merged before it.
    while let Some(Captured { page, frame, within, .. }) = inner.pop() {
        let page = with_frames(tab, frame.as_deref(), page, frames.pop().unwrap_or_default()).await;
        if let Some((holder, owner)) = within {
            frames[holder].push(FrameDocument { owner, frame, page: Arc::unwrap_or_clone(page) });
        }
    }
    with_frames(tab, None, top.page, frames.pop().unwrap_or_default()).await
}

/// Merges the documents of frames into a document.
async fn with_frames(
    tab: &TabRecord,
    frame: Option<&str>,
    page: Arc<Page>,
    inner: Vec<FrameDocument>,
) -> Arc<Page> {
    if inner.is_empty() {
        return page;
    }
    let owners: Vec<(u32, ScrollRoom)> =
        inner.iter().map(|frame| (page.node(frame.owner).local(), room_of(&frame.page))).collect();
    let mut page = merge_frames(Arc::unwrap_or_clone(page), inner);
    mark_covers(tab, frame, &mut page, &owners).await;
    Arc::new(page)
}

/// Returns how far a document can be scrolled.
fn room_of(page: &Page) -> ScrollRoom {
    let room = |scroll: i32, size: u32, view: u32| {
        let before = scroll.unsigned_abs();
        (before, size.saturating_sub(view).saturating_sub(before))
    };
    let (up, down) = room(page.scroll.1, page.size.1, page.viewport.1);
    let (left, right) = room(page.scroll.0, page.size.0, page.viewport.0);
    ScrollRoom { up, down, left, right }
}

/// Returns how far an element in a frame can be scrolled within it: with the document in the frame,
/// and with the scroll containers around the element.
fn room_around(node: Node<'_>, owner: NodeId, document: ScrollRoom) -> ScrollRoom {
    let within = node.ancestors().take_while(|above| above.id() != owner);
    within.filter_map(Node::scroll_room).fold(document, |sum, room| ScrollRoom {
        up: sum.up + room.up,
        down: sum.down + room.down,
        left: sum.left + room.left,
        right: sum.right + room.right,
    })
}

/// Asks the document around frames what covers the usable elements in them.
async fn mark_covers(
    tab: &TabRecord,
    frame: Option<&str>,
    page: &mut Page,
    owners: &[(u32, ScrollRoom)],
) {
    let Some(token) = page.documents.first().map(|document| document.token.clone()) else { return };
    let mut questions = Vec::new();
    for (owner, document) in owners {
        let Some(id) = page.find(&token, *owner) else { continue };
        let seen = Flags::USABLE | Flags::IN_VIEWPORT;
        let usable =
            page.node(id).descendants().filter(|node| node.is(seen) && node.hidden().is_none());
        let tried: Vec<_> = usable.filter(|node| node.cover().is_none()).take(MOST_TRIED).collect();
        if !tried.is_empty() {
            let boxes = tried.iter().flat_map(|node| {
                let (rect, room) = (node.rect(), room_around(*node, id, *document));
                let room = [room.up, room.down, room.left, room.right].map(|pixels| pixels as i32);
                [rect.x, rect.y, rect.width, rect.height].into_iter().chain(room)
            });
            let tried: Vec<NodeId> = tried.iter().map(|node| node.id()).collect();
            questions.push((id, tried, *owner, boxes.collect::<Vec<_>>()));
        }
    }
    let script = tab.script(frame, FRAME_LIMIT);
    let answers =
        questions.iter().map(|(_, _, owner, boxes)| script.covers_over_frame(*owner, boxes));
    for ((owner, tried, ..), answer) in questions.iter().zip(join_all(answers).await) {
        let Ok(covers) = answer else { continue };
        for (node, chain) in tried.iter().zip(covers) {
            let known = chain.iter().filter_map(|local| page.find(&token, *local));
            let cover = known.into_iter().find(|cover| !page.node(*cover).contains(*owner));
            if let Some(cover) = cover {
                page.cover(*node, cover);
            }
        }
    }
}

#[cfg(test)]
mod in_browser;
