//! The budget engine: makes items fit into a number of tokens. First it shortens long texts, then
//! it folds texts, then whole regions (the largest and least useful first, inner ones before outer
//! ones), and at last it cuts the end. The line that replaces something counts what it replaces.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::page::NodeId;
use crate::page::role::Role;
use crate::render::items::{
    How, Item, ItemFate, ItemKind, Items, More, Tally, apply, line_parents,
};
use crate::render::line::INERT;
use crate::render::opening::opening;
use crate::text::escape::bounded;
use crate::text::tokens::estimate;

/// Texts longer than this are shortened when the budget is short.
const LONG_TEXT: usize = 160;
/// Characters that a shortened text keeps.
const SHORT_TEXT: usize = 110;
/// From this many on, elements below the same cover, or inert ones, are counted and not listed.
const FEWEST_COVERED: usize = 5;
/// Room for the last note when the end is cut.
const NOTE_RESERVE: usize = 45;
/// Tokens of the number of a line.
const NUMBER: usize = 4;

/// The usefulness up to which regions are folded, in this order: footers and asides, navigation,
/// the rest, the main content, groups of fields and buttons in it, dialogs and alerts.
const TIERS: [f64; 6] = [1.0, 1.5, 2.0, 5.0, 6.0, 10.0];
/// The usefulness of a group of fields and buttons outside of navigation, side bars and footers.
const CONTROLS: f64 = 6.0;
/// A container with more fields and buttons than this is not such a group, but a table or a list.
const MOST_CONTROLS: usize = 25;
/// The usefulness of items outside of all regions.
const UNPLACED: f64 = 2.0;

/// How the items may be made to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FitMode {
    /// Fold the least useful regions.
    Fold,
    /// Keep the order and cut the end: the caller is paging through an opened region.
    Page {
        /// The opened region, if there is one.
        scope: Option<NodeId>,
        /// The last element that the caller has already seen.
        after: Option<NodeId>,
    },
}

/// Whether the items fit into `limit` estimated tokens as they are.
pub(crate) fn fits(items: &[Item], limit: usize) -> bool {
    Ledger::new(items).total <= limit
}

/// Makes the items fit into `limit` estimated tokens.
pub(crate) fn fit(items: Items, limit: usize, manner: FitMode) -> Items {
    let mut ledger = Ledger::new(&items);
    if ledger.total <= limit {
        return items;
    }
    let items = shorten_texts(items, &mut ledger);
    if ledger.total <= limit {
        return items;
    }
    match manner {
        FitMode::Page { scope, after } => cut_tail(items, limit, scope, after),
        FitMode::Fold => {
            let items = fold_out_of_reach(items);
            // The least useful parts of the page are folded first, their texts before their
            // controls.
            let items = tiers(&items).into_iter().fold(items, |items, tier| {
                let items = fold_texts(items, limit, tier);
                fold_regions(items, limit, tier)
            });
            cut_tail(items, limit, None, None)
        }
    }
}

/// Replaces elements below the same cover, such as a dialog's backdrop, by one line, and inert
/// elements, too. They cannot be used before the cover or the dialog is gone.
fn fold_out_of_reach(mut items: Items) -> Items {
    // By the cover; none for those that are inert.
    let mut below: HashMap<Option<NodeId>, Vec<usize>> = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        let is_leaf = item.end as usize == at + 1;
        let is_inert = || item.states.iter().any(|state| state == INERT);
        if is_leaf && item.kind == ItemKind::Usable && (item.cover.is_some() || is_inert()) {
            below.entry(item.cover).or_default().push(at);
        }
    }
    let mut fates = vec![ItemFate::Keep; items.len()];
    for (cover, covered) in below {
        if covered.len() < FEWEST_COVERED {
            continue;
        }
        let tally = Tally::of(covered.iter().map(|at| &items[*at]));
        let (what, how) = (tally.words(), How::Nothing);
        let more = Some(Box::new(More { what, inside: None, how, tally }));
        let (node, end) = (items[covered[0]].node, items[covered[0]].end);
        let states = if cover.is_none() { vec![INERT.to_owned()] } else { Vec::new() };
        items[covered[0]] =
            Item { end, kind: ItemKind::Note, cover, states, more, ..Item::blank(node) };
        covered[1..].iter().for_each(|at| fates[*at] = ItemFate::Drop);
    }
    apply(items, &fates)
}

/// Returns the tiers that occur; most pages have two or three of them.
fn tiers(items: &[Item]) -> Vec<f64> {
    let worth = usefulness(items, &line_parents(items));
    let place = |worth: f64| TIERS.partition_point(|tier| *tier < worth);
    let mut there = [false; TIERS.len()];
    there[place(UNPLACED)] = true;
    for worth in worth {
        if let Some(place) = there.get_mut(place(worth)) {
            *place = true;
        }
    }
    TIERS.into_iter().zip(there).filter_map(|(tier, there)| there.then_some(tier)).collect()
}

/// The cost of each line.
struct Ledger {
    costs: Vec<usize>,
    total: usize,
}

impl Ledger {
    fn new(items: &[Item]) -> Ledger {
        let mut depths: Vec<u32> = Vec::with_capacity(items.len());
        let parents = line_parents(items);
        for parent in &parents {
            depths.push(parent.map_or(0, |at: usize| depths[at] + 1));
        }
        let costs: Vec<usize> =
            items.iter().zip(&depths).map(|(item, depth)| cost(item, *depth)).collect();
        let total = costs.iter().sum();
        Ledger { costs, total }
    }
}

/// Returns the estimated tokens of a line, including its number and indentation.
fn cost(item: &Item, depth: u32) -> usize {
    if item.kind == ItemKind::Soft {
        return 0;
    }
    let more = item.more.as_ref().map_or(0, |more| {
        let inside = more.inside.as_ref().map_or(0, |(_, line)| estimate(line) + 5);
        estimate(&more.what) + inside + if more.how == How::Nothing { 2 } else { 14 }
    });
    let states: usize = item.states.iter().map(|state| estimate(state) + 1).sum();
    let line = estimate(&item.body)
        + estimate(&item.count)
        + estimate(&item.value)
        + estimate(&item.target)
        + estimate(&item.owner)
        + states
        + item.cover.map_or(1, |_| 8);
    line + more + if item.numbered { NUMBER } else { 0 } + usize::from(depth > 0) + 1
}

fn shorten_texts(mut items: Items, ledger: &mut Ledger) -> Items {
    for (at, item) in items.iter_mut().enumerate() {
        // A quoted text is shortened inside its quotes, so that it stays a JSON string.
        let close = if item.body.starts_with('"') { "\"" } else { "" };
        let inside = item.body.rfind('"').filter(|_| !close.is_empty()).unwrap_or(item.body.len());
        let length = item.body[..inside].chars().count().max(item.name.chars().count());
        if item.kind == ItemKind::Text && length > LONG_TEXT && item.role != Role::Option {
            let short = bounded(&item.body, SHORT_TEXT);
            let short = short.trim_end_matches(['\\', '…']);
            item.body =
                format!("{short}…{close} (+{} characters)", length - SHORT_TEXT + item.beyond);
            let now = cost(item, 1);
            ledger.total = ledger.total - ledger.costs[at] + now.min(ledger.costs[at]);
            ledger.costs[at] = now;
        }
    }
    items
}

/// Folds the texts below one container after the other, the least useful region first.
fn fold_texts(mut items: Items, limit: usize, tier: f64) -> Items {
    let ledger = Ledger::new(&items);
    if ledger.total <= limit {
        return items;
    }
    let above = line_parents(&items);
    let worth = usefulness(&items, &above);
    let mut groups: std::collections::BTreeMap<usize, Vec<usize>> = Default::default();
    for at in 0..items.len() {
        let useful = above[at].map_or(UNPLACED, |parent| worth[parent]);
        let is_alone = items[at].kind == ItemKind::Text && items[at].end as usize == at + 1;
        if is_alone && !items[at].names && useful <= tier {
            groups.entry(above[at].map_or(0, |parent| parent + 1)).or_default().push(at);
        }
    }
    let mut order: Vec<(usize, Vec<usize>, usize)> = groups
        .into_iter()
        .map(|(holder, texts)| {
            let mass = texts.iter().map(|at| ledger.costs[*at]).sum();
            (holder, texts, mass)
        })
        .collect();
    let value = |holder: usize| if holder == 0 { UNPLACED } else { worth[holder - 1] };
    order.sort_by(|a, b| {
        let score = |group: &(usize, Vec<usize>, usize)| group.2 as f64 / value(group.0);
        score(b).total_cmp(&score(a)).then(a.0.cmp(&b.0))
    });
    let mut total = ledger.total;
    let mut fates = vec![ItemFate::Keep; items.len()];
    for (holder, texts, mass) in order {
        if total <= limit {
            break;
        }
        let tally = Tally::of(texts.iter().map(|at| &items[*at]));
        let how = if holder == 0 { How::Nothing } else { How::Scope(items[holder - 1].node) };
        let more = More { what: tally.words(), inside: None, how, tally };
        let note = items[texts[0]].clone().into_note(more);
        let price = cost(&note, 1) + 4;
        if price >= mass {
            continue;
        }
        if holder > 0 {
            items[holder - 1].numbered = true;
        }
        items[texts[0]] = note;
        for at in &texts[1..] {
            fates[*at] = ItemFate::Drop;
        }
        total = total - mass + price;
    }
    apply(items, &fates)
}

/// Returns how useful each item is, by the region it is in. More useful items stay longer.
fn usefulness(items: &[Item], above: &[Option<usize>]) -> Vec<f64> {
    let mut worth: Vec<f64> = Vec::with_capacity(items.len());
    let controls = controls_inside(items, above);
    for (at, item) in items.iter().enumerate() {
        let around = above[at].map_or(UNPLACED, |parent: usize| worth[parent]);
        worth.push(match item.role {
            Role::Dialog | Role::AlertDialog | Role::Alert | Role::Status => 10.0,
            Role::Main | Role::Form | Role::Search => 5.0,
            Role::Navigation | Role::Banner => 1.5,
            Role::Complementary => 1.0,
            Role::ContentInfo => 0.6,
            _ if (1..=MOST_CONTROLS).contains(&controls[at]) && around >= UNPLACED => {
                around.max(CONTROLS)
            }
            _ => around,
        });
    }
    worth
}

/// Returns for each container how many fields and buttons are in it.
fn controls_inside(items: &[Item], above: &[Option<usize>]) -> Vec<usize> {
    let mut inside = vec![0; items.len()];
    for at in (0..items.len()).rev() {
        let is_control = items[at].kind == ItemKind::Usable
            && (items[at].role.is_field()
                || matches!(
                    items[at].role,
                    Role::Button | Role::Checkbox | Role::Radio | Role::Switch
                ));
        if let Some(parent) = above[at] {
            inside[parent] += inside[at] + usize::from(is_control);
        }
    }
    inside
}

/// Folds containers to their own line until the rest fits, the largest and least useful first. A
/// container is folded as a whole if at least half of it would have to go anyway; otherwise only
/// containers inside it are folded. The main content is opened first and folded last.
fn fold_regions(mut items: Items, limit: usize, tier: f64) -> Items {
    let mut ledger = Ledger::new(&items);
    if ledger.total <= limit {
        return items;
    }
    let above = line_parents(&items);
    let worth = usefulness(&items, &above);
    // A container stays open for something more useful inside it.
    let mut most = worth.clone();
    for at in (0..items.len()).rev() {
        if let Some(parent) = above[at] {
            most[parent] = most[parent].max(most[at]);
        }
    }
    let foldable: Vec<bool> =
        items.iter().zip(&most).map(|(item, most)| is_foldable(item) && *most <= tier).collect();
    // For each container, the containers directly inside it. Items that cannot be folded are looked
    // through.
    let mut around: Vec<Option<usize>> = Vec::with_capacity(items.len());
    let mut inner: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    let mut outermost = Vec::new();
    for at in 0..items.len() {
        let holder = above[at]
            .and_then(|parent| if foldable[parent] { Some(parent) } else { around[parent] });
        around.push(holder);
        match holder {
            _ if !foldable[at] => {}
            Some(holder) => inner[holder].push(at),
            None => outermost.push(at),
        }
    }
    let mut mass: Vec<usize> = ledger.costs.clone();
    for at in (0..items.len()).rev() {
        if let Some(parent) = above[at] {
            mass[parent] += mass[at];
        }
    }
    let mut total = ledger.total;
    let mut fates = vec![ItemFate::Keep; items.len()];
    let mut folded = vec![false; items.len()];
    // The bits of positive numbers are in the order of the numbers.
    let candidate = |at: usize| ((mass[at] as f64 / worth[at]).to_bits(), Reverse(at));
    let mut heap: BinaryHeap<(u64, Reverse<usize>)> =
        outermost.into_iter().map(candidate).collect();
    let mut opened: Vec<usize> = Vec::new();
    loop {
        if total <= limit {
            break;
        }
        // Opened containers come last, the innermost of them first.
        let (at, last_resort) = match heap.pop() {
            Some((_, Reverse(at))) => (at, false),
            None => match opened.pop() {
                Some(at) => (at, true),
                None => break,
            },
        };
        let subject = matches!(
            items[at].role,
            Role::Main | Role::Dialog | Role::AlertDialog | Role::Form | Role::Article
        );
        let mostly = (total - limit) * 2 >= mass[at];
        if !last_resort && !inner[at].is_empty() && (subject || !mostly) {
            heap.extend(inner[at].iter().map(|inside| candidate(*inside)));
            opened.push(at);
            continue;
        }
        let mut shown = shown_below(&items, &folded, at);
        shown.retain(|inside| !matches!(fates[*inside], ItemFate::Drop));
        let tally = Tally::of(shown.iter().map(|inside| &items[*inside]));
        let what = tally.words();
        let price = estimate(&what) + 18;
        let saved: usize = shown.iter().map(|inside| ledger.costs[*inside]).sum();
        let room = (limit + saved).saturating_sub(total);
        let kept = ((last_resort || subject) && worth[at] >= UNPLACED)
            .then(|| opening(&items, &shown, &ledger.costs, &folded, room))
            .flatten();
        if let Some(kept) = kept {
            let note = kept.note_at();
            let gone = kept.apply(&mut items, at, &mut fates);
            let saved: usize = gone.iter().map(|inside| ledger.costs[*inside]).sum();
            ledger.costs[note] = cost(&items[note], 1) + NUMBER;
            total = total - saved + ledger.costs[note];
        } else if saved > price {
            let node = items[at].node;
            items[at].numbered = true;
            items[at].more =
                Some(Box::new(More { what, inside: None, how: How::Scope(node), tally }));
            shown.into_iter().for_each(|inside| fates[inside] = ItemFate::Drop);
            folded[at] = true;
            ledger.costs[at] += price;
            total = total + price - saved;
        }
    }
    apply(items, &fates)
}

/// Returns the items in a container that are still shown. Folded parts are skipped, so that nested
/// containers cost no more than what they hold.
fn shown_below(items: &[Item], folded: &[bool], container: usize) -> Vec<usize> {
    let (mut at, end) = (container + 1, items[container].end as usize);
    let mut shown = Vec::new();
    while at < end {
        shown.push(at);
        at = if folded[at] { items[at].end as usize } else { at + 1 };
    }
    shown
}

fn is_foldable(item: &Item) -> bool {
    let small = matches!(
        item.role,
        Role::Row
            | Role::ListItem
            | Role::Term
            | Role::Definition
            | Role::ColumnHeader
            | Role::Alert
            | Role::Status
    );
    matches!(item.kind, ItemKind::Region | ItemKind::Group)
        && !small
        && !item.names
        && item.more.is_none()
}

/// Returns how many lines from the top fit.
fn fitting(ledger: &Ledger, room: usize) -> usize {
    let mut spent = 0;
    ledger
        .costs
        .iter()
        .take_while(|cost| {
            spent += **cost;
            spent <= room
        })
        .count()
}

/// Keeps the order, drops lines that do not fit from the end, and adds a note on how to continue.
fn cut_tail(mut items: Items, limit: usize, scope: Option<NodeId>, after: Option<NodeId>) -> Items {
    let is_new = |item: &Item| {
        item.stop && item.kind != ItemKind::Note && after.is_none_or(|after| item.node > after)
    };
    let mut ledger = Ledger::new(&items);
    if ledger.total <= limit {
        return items;
    }
    let room = limit.saturating_sub(NOTE_RESERVE);
    let mut kept = fitting(&ledger, room);
    if !items[..kept].iter().any(is_new) {
        // The containers around leave no room for new items: continue without them.
        let seen: Vec<ItemFate> = items
            .iter()
            .map(|item| {
                if is_new(item) || item.kind == ItemKind::Note {
                    ItemFate::Keep
                } else {
                    ItemFate::Unwrap
                }
            })
            .collect();
        items = apply(items, &seen);
        ledger = Ledger::new(&items);
        kept = fitting(&ledger, room);
    }
    // The reader must be able to continue right after the last line.
    if let Some(last) = items[..kept].iter().rposition(is_new) {
        kept = last + 1;
    }
    let rest = items.split_off(kept);
    let tally = Tally::of(&rest);
    let what = format!("more: {}", tally.words());
    for item in &mut items {
        item.end = item.end.min(kept as u32);
    }
    if let Some(opened) = items.iter_mut().find(|item| Some(item.node) == scope) {
        opened.numbered = true;
    }
    let shown = items.last_mut().filter(|item| item.stop && item.kind != ItemKind::Note);
    let how = shown.map_or(How::Nothing, |item| {
        item.numbered = true;
        How::After(item.node, scope)
    });
    let end = items.len() as u32 + 1;
    let node = rest.first().map_or(NodeId::ROOT, |item| item.node);
    let more = Some(Box::new(More { what, inside: None, how, tally }));
    items.push(Item { end, kind: ItemKind::Note, more, ..Item::blank(node) });
    items
}
