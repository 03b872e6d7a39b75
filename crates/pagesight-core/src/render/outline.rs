//! The outline: one line for each thing that a person could read or use. Runs the steps and prints.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hint::Wording;
use crate::page::role::Role;
use crate::page::{Flags, NodeId, Page, Scope};
use crate::render::as_before::KnownRegions;
use crate::render::budget::{FitMode, fit, fits};
use crate::render::fold::fold;
use crate::render::item_lines::{lines, lines_below};
use crate::render::items::{Item, ItemFate, ItemKind, Items, apply, parents};
use crate::render::line::listed_states;
use crate::render::link_target::link_target;
use crate::render::nested::stands_for;
use crate::render::numbers::{Numbers, Placeholder};
use crate::render::outline_line::{OutlineLine, note, outline_lines, states};
use crate::render::query::{self, CannotContinue, QueryResult};
use crate::render::within::{surely_fits, within};
use crate::render::{labels, positions, select, targets};
use crate::text::escape::{safe, safe_line};
use crate::text::tokens::{count, estimate};

/// A page with fewer elements is read whole if it has time for that.
const LARGE: u32 = 20_000;

/// The smallest budget that is kept exactly; a smaller one counts as this.
const SMALLEST_BUDGET: usize = 200;

/// The longest address of a link that is printed.
const TARGET_LIMIT: usize = 300;

/// Which elements are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    /// Everything.
    #[default]
    All,
    /// Only usable elements, with their ancestors.
    Interactive,
}

/// How many matches of a query are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchLimit {
    /// The best few.
    #[default]
    Few,
    /// As many as the budget has room for.
    Budget,
}

/// Options of an outline.
#[derive(Clone, Debug)]
pub struct OutlineOptions {
    /// Which part of the page.
    pub scope: Scope,
    /// Which elements.
    pub filter: Filter,
    /// Only the units that match these words, best first.
    pub query: Option<String>,
    /// How many of them.
    pub matches: MatchLimit,
    /// Whether lines of links say where they lead. Those of a query always do.
    pub links: bool,
    /// Only what comes after this node.
    pub after: Option<NodeId>,
    /// Whether the first line is the title and the address of the page.
    pub header: bool,
    /// Whether runs of equal siblings are folded.
    pub fold: bool,
    /// Regions of the previous page, which are one line each.
    pub known: Option<Arc<KnownRegions>>,
    /// The largest answer, in o200k tokens.
    pub max_tokens: usize,
    /// The words of hints.
    pub wording: Wording,
}

impl Default for OutlineOptions {
    fn default() -> Self {
        let (scope, filter) = (Scope::Full, Filter::All);
        OutlineOptions {
            scope,
            filter,
            query: None,
            matches: MatchLimit::Few,
            links: false,
            after: None,
            header: true,
            fold: true,
            known: None,
            max_tokens: 8_000,
            wording: Wording::PLAIN,
        }
    }
}

impl OutlineOptions {
    fn query(&self) -> Option<&str> {
        self.query.as_deref().filter(|query| !query.trim().is_empty())
    }

    fn scope_node(&self) -> Option<NodeId> {
        if let Scope::Node(node) = self.scope { Some(node) } else { None }
    }
}

/// An outline, and the elements that it shows with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The address of the page.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// The lines as data, without the first one that has title and address.
    pub lines: Vec<OutlineLine>,
    /// The text, ending with a line break.
    pub text: String,
    /// The elements with a number, in order.
    pub shown: Vec<(NodeId, u32)>,
}

/// Renders a page as an outline.
pub fn outline(page: &Page, options: &OutlineOptions, numbers: &mut dyn Numbers) -> Outline {
    let limit = options.max_tokens.max(SMALLEST_BUDGET);
    let title = if options.header { header(page, limit) } else { String::new() };
    let foot = notes(page, page.withheld);
    let end =
        |cut: Option<usize>| cut.map_or(foot.clone(), |lines| format!("… {lines} more lines\n"));
    let wording = options.wording;
    let draft = |head: &str, items: &Items, cut| {
        print(head, items, &end(cut), wording, &mut Placeholder).text
    };
    let is_small = |chosen: &Chosen| {
        let text = draft(&(title.clone() + &chosen.remark), &chosen.items, None);
        surely_fits(&text, limit) || count(&text) <= limit
    };
    let Chosen { items, manner, remark } = chosen(page, options, is_small);
    let head = title.clone() + &remark;
    let target = limit.saturating_sub(estimate(&head) + estimate(&foot) + 2);
    let draft = |items: &Items, cut| draft(&head, items, cut);
    let fitted = within(items, limit, target, manner, |items| items, draft);
    let foot = end(fitted.cut);
    let Printed { text, shown } = print(&head, &fitted.items, &foot, wording, numbers);
    let lines = remark
        .lines()
        .map(OutlineLine::of_text)
        .chain(outline_lines(page, &fitted.items, wording, numbers))
        .chain(foot.lines().map(OutlineLine::of_text))
        .collect();
    Outline { url: page.url().to_owned(), title: page.title.clone(), lines, text, shown }
}

/// Returns why an outline cannot continue the matches of its query, if it cannot.
pub fn check_continues(page: &Page, options: &OutlineOptions) -> Result<(), CannotContinue> {
    let Some((query, after)) = options.query().zip(options.after) else { return Ok(()) };
    query::Matches::find(page, lines_of(page, options), query).continue_after(page, after)
}

/// The text of an outline, and the elements that it shows with a number.
struct Printed {
    text: String,
    shown: Vec<(NodeId, u32)>,
}

/// The items to show.
struct Chosen {
    items: Items,
    /// How they may be made to fit.
    manner: FitMode,
    /// Lines before them; empty if there is nothing to say.
    remark: String,
}

/// Returns the items to show: of the matches of a query as many as `is_small` allows.
fn chosen(page: &Page, options: &OutlineOptions, is_small: impl Fn(&Chosen) -> bool) -> Chosen {
    let items = lines_of(page, options);
    let Some(query) = options.query() else { return chosen_lines(page, options, items) };
    let mut matches = query::Matches::find(page, items, query);
    if let Some(after) = options.after {
        // A caller that must know asks `check_continues` first; else the matches begin again.
        matches.continue_after(page, after).unwrap_or_default();
    }
    let show = |most: usize| {
        let QueryResult { mut items, remark } = matches.show(page, most);
        link_targets(page, &mut items);
        select::mark_stops(page, &mut items);
        let items = finished(page, labels::join(page, items));
        Chosen { items, manner: FitMode::Fold, remark }
    };
    let most = match options.matches {
        MatchLimit::Few => matches.usual(),
        // No match is shorter than a token.
        MatchLimit::Budget => matches.most().min(options.max_tokens),
    };
    let chosen = show(most);
    if most == 1 || is_small(&chosen) {
        return chosen;
    }
    let (mut low, mut high) = (1, most - 1);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if is_small(&show(middle)) { low = middle } else { high = middle - 1 }
    }
    show(low)
}

/// Returns the lines of the part of the page that is wanted.
fn lines_of(page: &Page, options: &OutlineOptions) -> Items {
    let scope = options.scope_node();
    // The scope of a line that counts click targets shows these as well.
    let root = scope
        .filter(|node| page.node(*node).is(Flags::USABLE))
        .and_then(|node| targets::unit_of(page, &lines(page), node));
    let root = root.or(scope).unwrap_or(NodeId::ROOT);
    let mut items = lines_below(page, root);
    positions::number(&mut items);
    if options.scope == Scope::Viewport {
        items = select::in_viewport(page, items);
    }
    if options.filter == Filter::Interactive {
        items = select::usable(items);
    }
    items
}

/// Returns the items of an outline without a query.
fn chosen_lines(page: &Page, options: &OutlineOptions, mut items: Items) -> Chosen {
    let scope = options.scope_node();
    if options.links {
        link_targets(page, &mut items);
    }
    if let Some(known) = options.known.as_ref() {
        items = known.fold(items);
    }
    let mut opened = Vec::new();
    if let Some(node) = scope {
        opened.extend([node, NodeId::ROOT]);
    }
    if let Some(node) = options.after {
        // The containers that the reader continues in stay open.
        opened.push(NodeId::ROOT);
        opened.extend(page.node(node).ancestors().map(|above| above.id()));
        items = select::after(page, items, node);
    }
    select::mark_stops(page, &mut items);
    if options.fold {
        items = fold(items, &opened);
    }
    items = labels::join(page, items);
    if options.fold {
        items = targets::fold(items, scope);
    }
    let paging = scope.is_some() || options.after.is_some();
    let manner = match paging {
        true => FitMode::Page { scope, after: options.after },
        false => FitMode::Fold,
    };
    Chosen { items: finished(page, items), manner, remark: String::new() }
}

fn finished(page: &Page, items: Items) -> Items {
    let mut items = without_wrappers(items);
    show_covers(page, &mut items);
    items
}

/// Adds where links lead. Addresses of the page's own site are printed without the site.
fn link_targets(page: &Page, items: &mut Items) {
    for item in items.iter_mut().filter(|item| item.kind != ItemKind::Note) {
        let link = stands_for(page, item).find(|node| node.role() == Role::Link);
        if let Some(target) = link.and_then(|link| link_target(page, link)) {
            item.target = safe(&target, TARGET_LIMIT);
        }
    }
}

/// Prints the lines below one item of [`lines`], folded and made to fit, indented below it. A
/// dialog is only folded if it does not fit.
pub(crate) fn section(
    page: &Page,
    items: &[Item],
    at: usize,
    limit: usize,
    wording: Wording,
    numbers: &mut dyn Numbers,
) -> String {
    let end = items[at].end as usize;
    let mut below: Items = items[at + 1..end].to_vec();
    for item in &mut below {
        item.end -= at as u32 + 1;
        // The outline says what covers it, because the outline has the line of the cover.
        item.cover = None;
    }
    let tidied = |items| without_wrappers(targets::fold(labels::join(page, items), None));
    let whole = matches!(items[at].role, Role::Dialog | Role::AlertDialog)
        .then(|| tidied(below.clone()))
        .filter(|whole| fits(whole, limit));
    let fitted = whole.unwrap_or_else(|| fit(tidied(fold(below, &[])), limit, FitMode::Fold));
    let mut text = String::new();
    print_items(&fitted, 2, wording, &mut text, &mut Vec::new(), numbers);
    text
}

/// Removes wrappers, which are needed only for folding.
fn without_wrappers(items: Items) -> Items {
    let fates: Vec<ItemFate> = items
        .iter()
        .map(|item| if item.kind == ItemKind::Soft { ItemFate::Unwrap } else { ItemFate::Keep })
        .collect();
    apply(items, &fates)
}

/// Refers to a cover by a line that exists: its own line or one around it.
fn show_covers(page: &Page, items: &mut Items) {
    let lines: HashMap<NodeId, usize> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.kind != ItemKind::Note)
        .flat_map(|(at, item)| stands_for(page, item).map(move |node| (node.id(), at)))
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

/// Returns title and URL, short enough for the smallest budget.
fn header(page: &Page, limit: usize) -> String {
    let mut share = if limit < 400 { 60 } else { 200 };
    loop {
        let (title, url) = (safe_line(&page.title, share), safe_line(page.url(), share * 3 / 2));
        let gap = if title.is_empty() { "" } else { "  " };
        let head = format!("{title}{gap}{url}\n");
        if share < 4 || surely_fits(&head, limit / 3) || count(&head) <= limit / 3 {
            return head;
        }
        // The limit applies to the text before quoting, so each round gives a shorter text.
        share = share * 2 / 3;
    }
}

/// Returns what was not captured, one line each.
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
        // A page that is not large was cut short because it had no time to be read.
        let why =
            if page.elements.saturating_add(page.left) < LARGE { "busy" } else { "too large" };
        out.push_str(&format!(
            "… the page was {why}: {} elements were read, what is in view first{left}\n",
            page.elements
        ));
    }
    out
}

fn print(
    head: &str,
    items: &[Item],
    foot: &str,
    wording: Wording,
    numbers: &mut dyn Numbers,
) -> Printed {
    let mut text = String::from(head);
    let mut shown = Vec::new();
    print_items(items, 0, wording, &mut text, &mut shown, numbers);
    // A query without a match is answered in the head.
    if items.is_empty() && !head.contains("no match for ") {
        text.push_str("nothing to show\n");
    }
    text.push_str(foot);
    Printed { text, shown }
}

/// Prints one line per item; `start` is the indentation of the top items.
fn print_items(
    items: &[Item],
    start: usize,
    wording: Wording,
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
        if !item.owner.is_empty() {
            text.push_str(&format!(" ({})", item.owner));
        }
        text.push_str(&item.count);
        text.push_str(&item.value);
        if !item.target.is_empty() {
            text.push_str(" → ");
            text.push_str(&item.target);
        }
        let states = states(item, numbers);
        let is_note = item.kind == ItemKind::Note;
        if !is_note {
            text.push_str(&listed_states(&states));
        }
        if let Some(more) = &item.more {
            text.push_str(if item.body.is_empty() { "… " } else { " … " });
            text.push_str(&note(more, wording, numbers));
        }
        if is_note {
            text.push_str(&listed_states(&states));
        }
        text.push('\n');
    }
}
