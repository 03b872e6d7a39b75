//! `inspect_tab`: the page as one line for each thing a person could read or use. Puts the steps
//! together and prints.

use std::collections::HashMap;

use crate::page::{NodeId, Page, Scope};
use crate::pipeline::{PipelineConfig, view};
use crate::render::budget::{FitMode, fit};
use crate::render::fold::fold;
use crate::render::gather::gather;
use crate::render::items::{How, Item, ItemFate, ItemKind, Items, apply, parents};
use crate::render::line::listed_states;
use crate::render::numbers::{Numbers, Placeholder};
use crate::render::within::{surely_fits, within};
use crate::render::{select, tidy};
use crate::text::escape::safe;
use crate::text::tokens::{count, estimate};

/// The smallest budget that is kept exactly; a smaller one is taken for this.
const SMALLEST_BUDGET: usize = 200;

/// What kind of things are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Everything.
    #[default]
    All,
    /// Only what can be used, with what lies above it.
    Interactive,
}

/// What the caller asked for.
#[derive(Clone, Debug)]
pub struct OutlineOptions {
    /// What part of the page.
    pub scope: Scope,
    /// What kind of things.
    pub filter: Filter,
    /// Only what holds these words.
    pub query: Option<String>,
    /// Only what comes behind this node.
    pub after: Option<NodeId>,
    /// Whether runs of equal siblings are folded.
    pub fold: bool,
    /// The largest answer, in o200k tokens.
    pub max_tokens: usize,
}

impl Default for OutlineOptions {
    fn default() -> Self {
        let (scope, filter) = (Scope::Full, Filter::All);
        OutlineOptions { scope, filter, query: None, after: None, fold: true, max_tokens: 8_000 }
    }
}

/// An outline and the elements that it shows with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The text, ending with a line break.
    pub text: String,
    /// Every element that was shown with a number, in order.
    pub shown: Vec<(NodeId, u32)>,
}

/// The page as an agent reads it.
pub fn outline(page: &Page, options: &OutlineOptions, numbers: &mut dyn Numbers) -> Outline {
    let limit = options.max_tokens.max(SMALLEST_BUDGET);
    let (items, manner) = chosen(page, options);
    let head = header(page, limit);
    let foot = notes(page, page.withheld);
    let target = limit.saturating_sub(estimate(&head) + estimate(&foot) + 2);
    let end =
        |cut: Option<usize>| cut.map_or(foot.clone(), |lines| format!("… {lines} more lines\n"));
    let draft = |items: &Items, cut| print(&head, items, &end(cut), &mut Placeholder).text;
    let fitted = within(items, limit, target, manner, |items| items, draft);
    print(&head, &fitted.items, &end(fitted.cut), numbers)
}

/// The items that the caller asked for, and how they may be made to fit.
fn chosen(page: &Page, options: &OutlineOptions) -> (Items, FitMode) {
    let root = if let Scope::Node(node) = options.scope { node } else { NodeId::ROOT };
    let mut items = tidy::tidy(gather(&view(page, &PipelineConfig::OUTLINE), root));
    if options.scope == Scope::Viewport {
        items = select::in_viewport(page, items);
    }
    if options.filter == Filter::Interactive {
        items = select::usable(items);
    }
    if let Some(query) = &options.query {
        items = select::matching(items, query);
    }
    let mut opened = Vec::new();
    if let Scope::Node(node) = options.scope {
        opened.extend([node, NodeId::ROOT]);
    }
    if let Some(node) = options.after {
        // Whatever the reader is in the middle of stays open.
        opened.push(NodeId::ROOT);
        opened.extend(page.node(node).ancestors().map(|above| above.id()));
        items = select::behind(page, items, node);
    }
    select::mark_stops(page, &mut items);
    if options.fold {
        items = fold(items, &opened);
    }
    let mut items = without_wrappers(items);
    show_covers(page, &mut items);
    let scope = if let Scope::Node(node) = options.scope { Some(node) } else { None };
    let paging = scope.is_some() || options.after.is_some();
    (items, if paging { FitMode::Page { scope, after: options.after } } else { FitMode::Fold })
}

/// Every line of a page, nothing folded and nothing left out; wrappers without a line among them.
pub(crate) fn lines(page: &Page) -> Items {
    tidy::tidy(gather(&view(page, &PipelineConfig::OUTLINE), NodeId::ROOT))
}

/// The lines below one item of [`lines`], folded and made to fit, indented below it.
pub(crate) fn section(
    items: &[Item],
    at: usize,
    limit: usize,
    numbers: &mut dyn Numbers,
) -> String {
    let end = items[at].end as usize;
    let mut below: Items = items[at + 1..end].to_vec();
    for item in &mut below {
        item.end -= at as u32 + 1;
        // What lies over it is told by the outline, which has the line of the cover.
        item.cover = None;
    }
    let below = without_wrappers(fold(below, &[]));
    let fitted = fit(below, limit, FitMode::Fold);
    let mut text = String::new();
    print_items(&fitted, 2, &mut text, &mut Vec::new(), numbers);
    text
}

/// Wrappers are there for folding only.
fn without_wrappers(items: Items) -> Items {
    let fates: Vec<ItemFate> = items
        .iter()
        .map(|item| if item.kind == ItemKind::Soft { ItemFate::Unwrap } else { ItemFate::Keep })
        .collect();
    apply(items, &fates)
}

/// What lies over something is best told by a line that is there: the cover's own or one around it.
fn show_covers(page: &Page, items: &mut Items) {
    let lines: HashMap<NodeId, usize> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.kind != ItemKind::Note)
        .map(|(at, item)| (item.node, at))
        .collect();
    for at in 0..items.len() {
        let Some(cover) = items[at].cover.map(|cover| page.node(cover)) else { continue };
        let around = std::iter::once(cover)
            .chain(cover.ancestors())
            .take_while(|above| !above.contains(items[at].node));
        let line = around.map(|above| above.id()).find_map(|above| lines.get(&above).copied());
        if let Some(line) = line {
            items[line].numbered = true;
            items[at].cover = Some(items[line].node);
        }
    }
}

/// Title and address, bounded so that the smallest budget has room for more.
fn header(page: &Page, limit: usize) -> String {
    let mut share = if limit < 400 { 60 } else { 200 };
    loop {
        let (title, url) = (safe(&page.title, share), safe(page.url(), share * 3 / 2));
        let gap = if title.is_empty() { "" } else { "  " };
        let head = format!("{title}{gap}{url}\n");
        if share < 4 || surely_fits(&head, limit / 3) || count(&head) <= limit / 3 {
            return head;
        }
        // What was typed counts, not what quoting makes of it: so each round is shorter.
        share = share * 2 / 3;
    }
}

/// What was not seen, one line each.
pub(crate) fn notes(page: &Page, withheld: u32) -> String {
    let mut out = String::new();
    let mut note = |count: u32, one: &str, many: &str| {
        if count > 0 {
            out.push_str(&format!("{count} {}\n", if count == 1 { one } else { many }));
        }
    };
    note(withheld, "invisible text withheld", "invisible texts withheld");
    note(page.frames_left_out, "frame not entered", "frames not entered");
    note(page.roots_left_out, "closed shadow root not entered", "closed shadow roots not entered");
    note(
        page.changing.len() as u32,
        "region was still changing while it was read",
        "regions were still changing while they were read",
    );
    if page.truncated {
        let left =
            if page.left > 0 { format!(", {} or more were not", page.left) } else { String::new() };
        out.push_str(&format!(
            "… the page was too large: {} elements were read, what is in view first{left}\n",
            page.elements
        ));
    }
    out
}

fn print(head: &str, items: &[Item], foot: &str, numbers: &mut dyn Numbers) -> Outline {
    let mut text = String::from(head);
    let mut shown = Vec::new();
    print_items(items, 0, &mut text, &mut shown, numbers);
    if items.is_empty() {
        text.push_str("nothing to show\n");
    }
    text.push_str(foot);
    Outline { text, shown }
}

/// One line for each item, the top ones so many steps from the left.
fn print_items(
    items: &[Item],
    start: usize,
    text: &mut String,
    shown: &mut Vec<(NodeId, u32)>,
    numbers: &mut dyn Numbers,
) {
    let mut depths: Vec<usize> = Vec::with_capacity(items.len());
    for (item, parent) in items.iter().zip(parents(items)) {
        let depth = parent.map_or(start, |at: usize| depths[at] + 1);
        depths.push(depth);
        for _ in 0..depth.min(40) {
            text.push_str("  ");
        }
        if item.numbered {
            let number = numbers.number(item.node);
            shown.push((item.node, number));
            text.push_str(&format!("[{number}] "));
        }
        text.push_str(&item.body);
        text.push_str(&item.count);
        text.push_str(&item.value);
        let mut states = item.states.clone();
        states.extend(item.cover.map(|cover| format!("covered by [{}]", numbers.number(cover))));
        text.push_str(&listed_states(&states));
        if let Some(more) = &item.more {
            text.push_str(if item.body.is_empty() { "… " } else { " … " });
            text.push_str(&more.what);
            if let Some((node, line)) = &more.inside {
                text.push_str(&format!(" in [{}] {line}", numbers.number(*node)));
            }
            match more.how {
                How::Scope(node) => {
                    text.push_str(&format!(" — inspect_tab scope=[{}]", numbers.number(node)))
                }
                How::After(node, scope) => {
                    text.push_str(" — inspect_tab");
                    if let Some(scope) = scope {
                        text.push_str(&format!(" scope=[{}]", numbers.number(scope)));
                    }
                    text.push_str(&format!(" after=[{}]", numbers.number(node)));
                }
                How::Nothing => {}
            }
        }
        text.push('\n');
    }
}
