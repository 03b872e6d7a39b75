//! Scores the units that contain words of a query, and orders those that match, best first.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::terms::{Term, WHOLE_ENOUGH, each_word};
use super::units::{ItemLayout, Unit, is_table};
use crate::page::Page;
use crate::page::role::Role;
use crate::render::items::{Item, ItemKind};
use crate::text::escape::safe;

/// From this share of the query's weight on, a unit matches well.
const WELL: f32 = 0.6;
/// Several units match well together from this share on.
const WELL_TOGETHER: f32 = 0.75;
/// A word in a region, a table or a heading around a unit counts less than one in it.
const CONTEXT: f32 = 0.6;
/// A word for a role or a state counts less than other words.
const KIND: f32 = 0.5;
/// How much a unit gains if a name in it is what the query says, and nothing else.
const NAMED: f32 = 0.08;
/// From this share on, the query says all of a name.
const EXACT: f32 = 0.9;
/// How much less a link counts that only leads to a heading of the page.
const WITHIN: f32 = 0.12;
/// Units whose score is this close to the best match too.
const CLOSE: f32 = 0.06;
/// Units whose score is this close to the best are near, if none matches well.
const NEAR: f32 = 0.25;
/// How many units may share the words of the query, and how many near misses there are.
const MOST_PARTS: usize = 4;
const MOST_NEAR: usize = 3;
/// How many headings are shown if no word of the query is found.
const MOST_HEADINGS: usize = 5;

/// The units that match, best first; those of equal rank in page order.
pub(super) struct Ranking {
    pub(super) picked: Vec<Picked>,
    /// The items with words of the query.
    pub(super) hits: BTreeMap<usize, ItemMatch>,
    pub(super) well: bool,
    /// For each term, whether it was found.
    found: Vec<bool>,
}

pub(super) struct Picked {
    pub(super) unit: Unit,
    /// Headings before the unit that contain words of the query.
    pub(super) heading: Option<usize>,
}

/// How well each term matches, by term.
pub(super) type Qualities = Vec<f32>;

/// The matches in one item.
pub(super) struct ItemMatch {
    pub(super) qualities: Qualities,
    /// The share of the query's weight that it covers.
    pub(super) share: f32,
    /// How much of its name or text the query says.
    said: f32,
}

struct Scored {
    unit: Unit,
    /// The quality of each term, context included.
    qualities: Qualities,
    heading: Option<usize>,
    /// Whether a name or text in it is what the query says, and nothing else.
    exact: bool,
    score: f32,
}

impl Ranking {
    /// Returns which of the matches are shown; nothing if there is only one.
    pub(super) fn count(&self, shown: Range<usize>) -> Option<String> {
        let (from, to, all) = (shown.start + 1, shown.end, self.picked.len());
        match all {
            0 | 1 => None,
            _ if from == 1 => Some(format!("{to} of {all} matches, best first")),
            _ => Some(format!("{from} to {to} of {all} matches, best first")),
        }
    }

    /// Returns what to say if no unit matches well.
    pub(super) fn remark(&self, terms: &[Term], query: &str) -> String {
        if self.well {
            return String::new();
        }
        let found = terms.iter().zip(&self.found).filter(|(term, found)| **found && !term.stop);
        let found: Vec<String> = found.map(|(term, _)| safe(&term.word, 40)).collect();
        let mut text = format!("no match for {:?}", safe(query, 80));
        if !found.is_empty() {
            text.push_str(&format!("; found: {}", found.join(", ")));
        }
        if !self.picked.is_empty() {
            text.push_str("; nearest:");
        }
        text + "\n"
    }
}

/// Ranks the units of a page.
pub(super) fn rank(page: &Page, items: &[Item], terms: &[Term]) -> Ranking {
    let layout = ItemLayout::of(items);
    let mut hits = hits(items, terms);
    let weights = weights(items, terms, &hits);
    let total = weights.iter().sum();
    for hit in hits.values_mut() {
        hit.share = share(&hit.qualities, &weights, total);
    }
    let found = (0..terms.len())
        .map(|term| hits.values().any(|hit| hit.qualities[term] > 0.0))
        .collect::<Vec<bool>>();
    let mut scored = scored(page, &layout, &hits, &weights, terms);
    level_equals(&layout, &mut scored);
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
    let (mut picked, well) = pick(&scored, &weights);
    if picked.is_empty() {
        // Nothing is near, so the headings say what the page is about.
        let headings = (0..items.len()).filter(|at| items[*at].kind == ItemKind::Heading);
        let alone = |at| Picked { unit: Unit { start: at, end: at + 1 }, heading: None };
        picked = headings.take(MOST_HEADINGS).map(alone).collect();
    }
    Ranking { picked, hits, well, found }
}

/// Returns for each item with a match how well each term matches it. If a term matches whole words
/// somewhere, its other matches do not count: "AC" is not a part of "Face".
fn hits(items: &[Item], terms: &[Term]) -> BTreeMap<usize, ItemMatch> {
    let mut hits: BTreeMap<usize, ItemMatch> = BTreeMap::new();
    let mut best = vec![0.0f32; terms.len()];
    for (at, item) in items.iter().enumerate() {
        if matches!(item.kind, ItemKind::Soft | ItemKind::Note) {
            continue;
        }
        let mut qualities = vec![0.0f32; terms.len()];
        let mut read = |text: &str, factor: f32| {
            let (mut words, mut said) = (0.0f32, 0.0f32);
            each_word(text, |word| {
                let mut best = 0.0f32;
                for (term, quality) in terms.iter().zip(&mut qualities) {
                    let match_quality = term.matches(word);
                    best = best.max(match_quality);
                    *quality = quality.max(match_quality * factor);
                }
                words += 1.0;
                said += best;
            });
            said / words.max(1.0)
        };
        let said = match item.kind {
            ItemKind::Usable | ItemKind::Heading | ItemKind::Region => read(&item.name, 1.0),
            ItemKind::Text if item.role == Role::Option => read(&item.body, 0.93),
            _ => read(&item.name, 0.96),
        };
        if !item.value.is_empty() {
            read(&item.value, 0.92);
        }
        if !item.guess.is_empty() {
            read(&item.guess, 0.91);
        }
        for (term, quality) in terms.iter().zip(&mut qualities) {
            if *quality < WHOLE_ENOUGH && term.names_kind_of(item) {
                *quality = 1.0;
            }
        }
        if says_something(&qualities, terms) {
            for (best, quality) in best.iter_mut().zip(&qualities) {
                *best = best.max(*quality);
            }
            hits.insert(at, ItemMatch { qualities, share: 0.0, said });
        }
    }
    for hit in hits.values_mut() {
        for (quality, best) in hit.qualities.iter_mut().zip(&best) {
            if *best >= WHOLE_ENOUGH && *quality < WHOLE_ENOUGH {
                *quality = 0.0;
            }
        }
    }
    hits.retain(|_, hit| says_something(&hit.qualities, terms));
    hits
}

/// Whether a word matches that is not a stop word.
fn says_something(qualities: &[f32], terms: &[Term]) -> bool {
    qualities.iter().zip(terms).any(|(quality, term)| *quality > 0.0 && !term.stop)
}

/// Returns how much each term counts: rare words more than common ones.
fn weights(items: &[Item], terms: &[Term], hits: &BTreeMap<usize, ItemMatch>) -> Vec<f32> {
    let lines = items.iter().filter(|item| item.kind != ItemKind::Soft).count() as f32;
    let counts: Vec<usize> = (0..terms.len())
        .map(|term| hits.values().filter(|hit| hit.qualities[term] > 0.0).count())
        .collect();
    let rarity = |count: usize| (2.0 + lines / count as f32).ln();
    let known: Vec<f32> = counts
        .iter()
        .zip(terms)
        .filter(|(count, term)| **count > 0 && !term.stop)
        .map(|(count, _)| rarity(*count))
        .collect();
    // A word that is not on the page counts as much as the others do on average.
    let average =
        if known.is_empty() { 1.0 } else { known.iter().sum::<f32>() / known.len() as f32 };
    let kinds_only = terms.iter().all(|term| term.stop || term.is_kind());
    counts
        .iter()
        .zip(terms)
        .map(|(count, term)| {
            let weight = match (*count, term.aside()) {
                (0, Some(_)) => 0.0,
                (0, None) => average,
                (count, aside) => rarity(count) * aside.unwrap_or(1.0),
            };
            if term.is_kind() && !kinds_only { weight.min(average) * KIND } else { weight }
        })
        .collect()
}

/// The state of a unit while its hits are collected.
struct Gathered {
    qualities: Qualities,
    /// How much of the words for roles and states one item in it has.
    kinds: f32,
    /// How well one name or text in it is what the query says, and nothing else.
    named: f32,
    exact: bool,
    /// Whether all hits in it are links to places of the same page.
    within: bool,
}

fn scored(
    page: &Page,
    layout: &ItemLayout<'_>,
    hits: &BTreeMap<usize, ItemMatch>,
    weights: &[f32],
    terms: &[Term],
) -> Vec<Scored> {
    let total: f32 = weights.iter().sum();
    let mut units: HashMap<Unit, Gathered> = HashMap::new();
    // Column heads are the context of their rows.
    let is_head = |at: usize| layout.items[at].role == Role::ColumnHeader;
    let heads_only = hits.keys().all(|at| is_head(*at));
    for (at, hit) in hits.iter().filter(|(at, _)| heads_only || !is_head(**at)) {
        let named = hit.said * hit.share;
        let of_kinds = |term: usize| if terms[term].is_kind() { hit.qualities[term] } else { 0.0 };
        let kinds: f32 = (0..terms.len()).map(|term| of_kinds(term) * weights[term]).sum();
        let within = leads_within(page, &layout.items[*at]);
        layout.units_around(*at, |unit| {
            let blank = || Gathered {
                qualities: vec![0.0; weights.len()],
                kinds: 0.0,
                named: 0.0,
                exact: false,
                within,
            };
            let gathered = units.entry(unit).or_insert_with(blank);
            gathered.named = gathered.named.max(named);
            gathered.exact |= hit.said >= EXACT;
            gathered.within &= within;
            // "disabled button" is one element that is both.
            let better = kinds > gathered.kinds;
            gathered.kinds = gathered.kinds.max(kinds);
            for (term, quality) in gathered.qualities.iter_mut().enumerate() {
                let new = hit.qualities[term];
                match terms[term].is_kind() {
                    true if better => *quality = new,
                    true => {}
                    false => *quality = quality.max(new),
                }
            }
        });
    }
    units
        .into_iter()
        .map(|(unit, Gathered { mut qualities, named, exact, within, .. })| {
            let item = &layout.items[unit.start];
            let own = share(&qualities, weights, total);
            let heading = layout.heading_of(unit).filter(|heading| hits.contains_key(heading));
            for around in layout.ancestors(unit.start) {
                let columns = layout.columns[around];
                for context in [Some(around), columns].into_iter().flatten() {
                    if let Some(context) = hits.get(&context) {
                        raise(&mut qualities, &context.qualities, CONTEXT);
                    }
                }
            }
            if let Some(heading) = heading {
                raise(&mut qualities, &hits[&heading].qualities, CONTEXT);
            }
            let lines = layout.lines(unit).max(1) as f32;
            let mut score = share(&qualities, weights, total) - 0.015 * lines.log2();
            // Between equals, what is in the words of the unit itself wins, then what can be used.
            score += 0.05 * own + NAMED * named;
            score += if item.kind == ItemKind::Usable { 0.01 } else { 0.0 };
            score -= 0.02 * f32::from(u8::from(is_aside(layout, unit.start)));
            score -= if within { WITHIN } else { 0.0 };
            Scored { unit, qualities, heading, exact, score }
        })
        .collect()
}

/// Whether an item is a link to a different place of the same page, as in a table of contents.
fn leads_within(page: &Page, item: &Item) -> bool {
    let leads = |href: &str| href.len() > 1 && href.starts_with('#');
    item.role == Role::Link && page.node(item.node).attribute("href").is_some_and(leads)
}

/// Raises qualities to others, which count `factor`.
pub(super) fn raise(qualities: &mut Qualities, others: &[f32], factor: f32) {
    for (quality, other) in qualities.iter_mut().zip(others) {
        *quality = quality.max(other * factor);
    }
}

/// Returns the share of the weight that qualities cover.
fn share(qualities: &[f32], weights: &[f32], total: f32) -> f32 {
    let sum: f32 = qualities.iter().zip(weights).map(|(quality, weight)| quality * weight).sum();
    if total > 0.0 { sum / total } else { 0.0 }
}

/// Whether an item is in navigation, a side bar or a footer.
fn is_aside(layout: &ItemLayout<'_>, at: usize) -> bool {
    let regions = layout.ancestors(at).map(|above| layout.items[above].role);
    regions
        .take_while(|role| !is_table(*role))
        .any(|role| matches!(role, Role::Navigation | Role::Complementary | Role::ContentInfo))
}

/// Gives units of equal rank the same score, so that they come in page order: records of one table,
/// siblings, and single lines of the same kind, in which the query finds the same. How long their
/// texts are says nothing.
fn level_equals(layout: &ItemLayout<'_>, scored: &mut [Scored]) {
    let rank = |scored: &Scored| {
        let unit = scored.unit;
        let item = &layout.items[unit.start];
        let is_single = unit.end == unit.start + 1 && item.role != Role::Row;
        // A unit may be around another one, unless both are in the same container.
        let container = (!is_single).then(|| {
            let is_container =
                |above: &usize| item.role != Role::Row || is_table(layout.items[*above].role);
            layout.ancestors(unit.start).find(is_container)
        });
        let aside = is_aside(layout, unit.start);
        let qualities: Vec<u32> =
            scored.qualities.iter().map(|quality| (quality * 100.0).round() as u32).collect();
        (container, item.kind == ItemKind::Usable, item.role, scored.exact, aside, qualities)
    };
    let ranks: Vec<_> = scored.iter().map(rank).collect();
    let mut best: HashMap<_, f32> = HashMap::new();
    for (rank, scored) in ranks.iter().zip(&*scored) {
        let best = best.entry(rank).or_insert(scored.score);
        *best = best.max(scored.score);
    }
    let levelled: Vec<f32> = ranks.iter().map(|rank| best[rank]).collect();
    for (scored, score) in scored.iter_mut().zip(levelled) {
        scored.score = score;
    }
}

/// Picks units from the scored ones, best first: the best, then the best for the words that it
/// leaves, then those that are about as good. Returns also whether the picked ones match well.
fn pick(scored: &[Scored], weights: &[f32]) -> (Vec<Picked>, bool) {
    let Some(best) = scored.first() else { return (Vec::new(), false) };
    let total: f32 = weights.iter().sum();
    let mut chosen = Chosen::default();
    chosen.add(best);
    let mut covered = best.qualities.clone();
    while chosen.units.len() < MOST_PARTS {
        let left: Vec<f32> = weights
            .iter()
            .zip(&covered)
            .map(|(weight, quality)| if *quality < 0.5 { *weight } else { 0.0 })
            .collect();
        let open: f32 = left.iter().sum();
        if open < 0.2 * total {
            break;
        }
        let gain = |scored: &&Scored| share(&scored.qualities, &left, open);
        let free = |scored: &&Scored| chosen.is_free(scored.unit);
        // The first of equal ones, which is the better one as a whole.
        let next = scored.iter().filter(free).fold(None, |best: Option<&Scored>, scored| {
            if best.is_none_or(|best| gain(&scored) > gain(&best) + 0.001) {
                Some(scored)
            } else {
                best
            }
        });
        let Some(next) = next.filter(|next| gain(next) >= 0.5) else { break };
        raise(&mut covered, &next.qualities, 1.0);
        chosen.add(next);
    }
    let own = share(&best.qualities, weights, total);
    let together = share(&covered, weights, total);
    let well = own >= WELL || (chosen.units.len() > 1 && together >= WELL_TOGETHER);
    let least = best.score - if well { CLOSE } else { NEAR };
    for other in scored.iter().take_while(|other| other.score >= least) {
        if !well && chosen.units.len() >= MOST_NEAR {
            break;
        }
        if chosen.is_free(other.unit) {
            chosen.add(other);
        }
    }
    if !well {
        chosen.units.truncate(MOST_NEAR);
    }
    let picked = |one: &&Scored| Picked { unit: one.unit, heading: one.heading };
    (chosen.units.iter().map(picked).collect(), well)
}

/// Units that do not overlap, in the order of choice.
#[derive(Default)]
struct Chosen<'s> {
    units: Vec<&'s Scored>,
    /// Where each begins and ends.
    extents: BTreeMap<usize, usize>,
}

impl<'s> Chosen<'s> {
    fn add(&mut self, scored: &'s Scored) {
        self.units.push(scored);
        self.extents.insert(scored.unit.start, scored.unit.end);
    }

    fn is_free(&self, unit: Unit) -> bool {
        let before = self.extents.range(..unit.end).next_back();
        before.is_none_or(|(_, end)| *end <= unit.start)
    }
}
