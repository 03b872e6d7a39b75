//! Scores the units that contain words of a query, and picks the best ones.

use std::collections::{BTreeMap, HashMap};

use super::terms::{Term, WHOLE_ENOUGH, each_word};
use super::units::{Layout, Unit, is_table};
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
/// Units whose score is this close to the best are shown too.
const CLOSE: f32 = 0.06;
/// How many units of one subject are shown, how many subjects, and how many near misses.
const MOST_UNITS: usize = 8;
const MOST_SUBJECTS: usize = 4;
const MOST_NEAR: usize = 3;
/// How many headings are shown if no word of the query is found.
const MOST_HEADINGS: usize = 5;

/// The units that were picked, best first.
pub(super) struct Ranking {
    pub(super) picked: Vec<Picked>,
    /// How many units score as well, but were not picked.
    pub(super) more: usize,
    well: bool,
    /// For each term, whether it was found.
    found: Vec<bool>,
}

/// A picked unit.
pub(super) struct Picked {
    pub(super) unit: Unit,
    /// Headings before the unit that contain words of the query.
    pub(super) heading: Option<usize>,
}

/// How well each term matches, by term.
type Qualities = Vec<f32>;

struct Scored {
    unit: Unit,
    /// The quality of each term, context included.
    qualities: Qualities,
    heading: Option<usize>,
    score: f32,
}

impl Ranking {
    /// Returns what to say if no unit matches well.
    pub(super) fn remark(&self, terms: &[Term], query: &str) -> String {
        if self.well {
            return String::new();
        }
        let words = |wanted: bool| {
            let words = terms.iter().zip(&self.found).filter(|(_, found)| **found == wanted);
            words.map(|(term, _)| safe(&term.word, 40)).collect::<Vec<_>>().join(", ")
        };
        let (found, missing) = (words(true), words(false));
        let mut text = format!("nothing matches {:?} well", safe(query, 80));
        if !found.is_empty() {
            text.push_str(&format!("; found: {found}"));
        }
        if !missing.is_empty() {
            text.push_str(&format!("; not found: {missing}"));
        }
        text + "\n"
    }
}

/// Ranks the units of a page.
pub(super) fn rank(items: &[Item], terms: &[Term]) -> Ranking {
    let layout = Layout::of(items);
    let hits = hits(items, terms);
    let weights = weights(items, terms, &hits);
    let found = (0..terms.len())
        .map(|term| hits.values().any(|qualities| qualities[term] > 0.0))
        .collect::<Vec<bool>>();
    let mut scored = scored(&layout, &hits, &weights);
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
    let (mut picked, more, well) = pick(&scored, &weights);
    if picked.is_empty() {
        // Nothing is near, so the headings say what the page is about.
        let headings = (0..items.len()).filter(|at| items[*at].kind == ItemKind::Heading);
        let alone = |at| Picked { unit: Unit { start: at, end: at + 1 }, heading: None };
        picked = headings.take(MOST_HEADINGS).map(alone).collect();
    }
    Ranking { picked, more, well, found }
}

/// Returns for each item with a match how well each term matches it. If a term matches whole words
/// somewhere, its other matches do not count: "AC" is not a part of "Face".
fn hits(items: &[Item], terms: &[Term]) -> BTreeMap<usize, Qualities> {
    let mut hits: BTreeMap<usize, Qualities> = BTreeMap::new();
    let mut best = vec![0.0f32; terms.len()];
    for (at, item) in items.iter().enumerate() {
        if matches!(item.kind, ItemKind::Soft | ItemKind::Note) {
            continue;
        }
        let mut qualities = vec![0.0f32; terms.len()];
        let mut read = |text: &str, factor: f32| {
            each_word(text, |word| {
                for (term, quality) in terms.iter().zip(&mut qualities) {
                    *quality = quality.max(term.matches(word) * factor);
                }
            });
        };
        match item.kind {
            ItemKind::Usable | ItemKind::Heading | ItemKind::Region => read(&item.name, 1.0),
            ItemKind::Text if item.role == Role::Option => read(&item.body, 0.93),
            _ => read(&item.name, 0.96),
        }
        if !item.value.is_empty() {
            read(&item.value, 0.92);
        }
        for (term, quality) in terms.iter().zip(&mut qualities) {
            if *quality < WHOLE_ENOUGH && term.names_kind_of(item) {
                *quality = 1.0;
            }
        }
        if qualities.iter().any(|quality| *quality > 0.0) {
            for (best, quality) in best.iter_mut().zip(&qualities) {
                *best = best.max(*quality);
            }
            hits.insert(at, qualities);
        }
    }
    for qualities in hits.values_mut() {
        for (quality, best) in qualities.iter_mut().zip(&best) {
            if *best >= WHOLE_ENOUGH && *quality < WHOLE_ENOUGH {
                *quality = 0.0;
            }
        }
    }
    hits.retain(|_, qualities| qualities.iter().any(|quality| *quality > 0.0));
    hits
}

/// Returns how much each term counts: rare words more than common ones.
fn weights(items: &[Item], terms: &[Term], hits: &BTreeMap<usize, Qualities>) -> Vec<f32> {
    let lines = items.iter().filter(|item| item.kind != ItemKind::Soft).count() as f32;
    let counts: Vec<usize> = (0..terms.len())
        .map(|term| hits.values().filter(|qualities| qualities[term] > 0.0).count())
        .collect();
    let rarity = |count: usize| (2.0 + lines / count as f32).ln();
    let known: Vec<f32> =
        counts.iter().filter(|count| **count > 0).map(|count| rarity(*count)).collect();
    // A word that is not on the page counts as much as the others do on average.
    let average =
        if known.is_empty() { 1.0 } else { known.iter().sum::<f32>() / known.len() as f32 };
    let kinds_only = terms.iter().all(Term::is_kind);
    counts
        .iter()
        .zip(terms)
        .map(|(count, term)| {
            let weight = if *count > 0 { rarity(*count) } else { average };
            if term.is_kind() && !kinds_only { weight.min(average) * KIND } else { weight }
        })
        .collect()
}

fn scored(layout: &Layout<'_>, hits: &BTreeMap<usize, Qualities>, weights: &[f32]) -> Vec<Scored> {
    let mut units: HashMap<Unit, Qualities> = HashMap::new();
    // Column heads are the context of their rows.
    let is_head = |at: usize| layout.items[at].role == Role::ColumnHeader;
    let heads_only = hits.keys().all(|at| is_head(*at));
    for (at, qualities) in hits.iter().filter(|(at, _)| heads_only || !is_head(**at)) {
        layout.units_around(*at, |unit| {
            let sum = units.entry(unit).or_insert_with(|| vec![0.0; weights.len()]);
            raise(sum, qualities, 1.0);
        });
    }
    let total: f32 = weights.iter().sum();
    units
        .into_iter()
        .map(|(unit, mut qualities)| {
            let own = share(&qualities, weights, total);
            let heading = layout.headings[unit.start].filter(|heading| hits.contains_key(heading));
            for around in layout.ancestors(unit.start) {
                let columns = layout.columns[around];
                for context in [Some(around), columns].into_iter().flatten() {
                    if let Some(context) = hits.get(&context) {
                        raise(&mut qualities, context, CONTEXT);
                    }
                }
            }
            if let Some(heading) = heading {
                raise(&mut qualities, &hits[&heading], CONTEXT);
            }
            let item = &layout.items[unit.start];
            let lines = layout.lines(unit).max(1) as f32;
            let mut score = share(&qualities, weights, total) - 0.015 * lines.log2();
            // Between equals, what is in the words of the unit itself wins, then what can be used.
            score += 0.05 * own;
            score += if item.kind == ItemKind::Usable { 0.01 } else { 0.0 };
            score -= 0.02 * f32::from(u8::from(is_aside(layout, unit.start)));
            Scored { unit, qualities, heading, score }
        })
        .collect()
}

/// Raises qualities to others, which count `factor`.
fn raise(qualities: &mut Qualities, others: &[f32], factor: f32) {
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
fn is_aside(layout: &Layout<'_>, at: usize) -> bool {
    let regions = layout.ancestors(at).map(|above| layout.items[above].role);
    regions
        .take_while(|role| !is_table(*role))
        .any(|role| matches!(role, Role::Navigation | Role::Complementary | Role::ContentInfo))
}

/// Picks units from the scored ones, best first: the best, then the best for the words that it
/// leaves, then those that are about as good. Returns also how many more there are, and whether the
/// picked ones match well.
fn pick(scored: &[Scored], weights: &[f32]) -> (Vec<Picked>, usize, bool) {
    let Some(best) = scored.first() else { return (Vec::new(), 0, false) };
    let total: f32 = weights.iter().sum();
    let mut chosen: Vec<&Scored> = vec![best];
    let mut covered = best.qualities.clone();
    while chosen.len() < MOST_SUBJECTS {
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
        let free = |scored: &&Scored| !chosen.iter().any(|one| one.unit.overlaps(scored.unit));
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
        chosen.push(next);
    }
    let own = share(&best.qualities, weights, total);
    let together = share(&covered, weights, total);
    let well = own >= WELL || (chosen.len() > 1 && together >= WELL_TOGETHER);
    let subjects = chosen.len();
    let most = if well { MOST_UNITS.max(subjects) } else { MOST_NEAR };
    let mut more = 0;
    for other in &scored[1..] {
        let close = other.score >= best.score - if well { CLOSE } else { 0.25 };
        if !close {
            break;
        }
        if chosen.iter().any(|one| one.unit.overlaps(other.unit)) {
            continue;
        }
        if chosen.len() < most {
            chosen.push(other);
        } else {
            more += 1;
        }
    }
    chosen.truncate(most);
    let picked = chosen.iter().map(|one| Picked { unit: one.unit, heading: one.heading }).collect();
    (picked, more, well)
}
