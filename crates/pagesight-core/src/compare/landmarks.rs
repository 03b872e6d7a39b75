//! Landmarks that went, came or were hidden, and hosts of shadow roots that went. What stood in a
//! landmark that is gone as a whole is not told again, one by one.

use std::collections::HashMap;

use super::matching::{Pairs, key};
use super::{ChangeType, Found, Severity, Sides, Subject, Told, entries};
use crate::fingerprint::{Element, Landmark, Sight, Sort, Structure, normalize};

/// What is known of the regions of both pages.
pub(super) struct Known<'f> {
    /// For each place of the old page whether it is in a landmark that is missing or hidden.
    lost: Vec<bool>,
    /// The old page.
    pub(super) was: Side<'f>,
    /// The new page.
    pub(super) now: Side<'f>,
}

impl Known<'_> {
    /// Whether what stood at this place of the old page went with a landmark.
    pub(super) fn lost(&self, place: u32) -> bool {
        self.lost.get(place as usize).copied().unwrap_or(false)
    }
}

/// One of the two pages, and what its regions are called in both.
pub(super) struct Side<'f> {
    pub(super) structure: &'f Structure,
    /// By the place of the landmark.
    names: Vec<String>,
}

impl<'f> Side<'f> {
    fn of(structure: &'f Structure) -> Side<'f> {
        let landmarks = structure.places.iter().enumerate().map(|(at, place)| {
            let is_landmark = at != 0 && place.landmark as usize == at;
            if is_landmark { normalize(&place.label).into_owned() } else { String::new() }
        });
        Side { structure, names: landmarks.collect() }
    }

    /// What the nearest landmark around a place is called, without what is volatile in it, and on
    /// both pages alike if it was renamed.
    pub(super) fn region(&self, place: u32) -> &str {
        let landmark = self.structure.places.get(place as usize).map_or(0, |place| place.landmark);
        self.names.get(landmark as usize).map_or("", String::as_str)
    }
}

/// Tells them.
pub(super) fn compare<'f>(found: &mut Found<'f>) -> Known<'f> {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.landmarks, &now.landmarks);
    let pairs = paired(old, new);
    let mut known = Known { lost: Vec::new(), was: Side::of(was), now: Side::of(now) };
    for (at, other) in pairs.new_of.iter().enumerate() {
        let Some(other) = *other else { continue };
        let (from, to) = (old[at].place as usize, new[other].place as usize);
        if let (Some(name), Some(here)) = (known.was.names.get(from), known.now.names.get_mut(to)) {
            here.clone_from(name);
        }
    }
    let went = |at: usize| pairs.new_of[at].is_none();
    let hid = |at: usize| pairs.new_of[at].is_some_and(|other| new[other].sight.is_hidden());
    known.lost = within(was, |at| !old[at].sight.is_hidden() && (went(at) || hid(at)));
    // Missing, rather than hidden.
    let gone = within(was, |at| !old[at].sight.is_hidden() && went(at));
    let holds = |places: &[bool], place: u32| places.get(place as usize).copied().unwrap_or(false);
    let counts = contents(was, now, &known.lost);
    for (at, landmark) in old.iter().enumerate() {
        let around = was.places.get(landmark.place as usize).map_or(0, |place| place.within);
        // What is empty has no size: then what went from it is told as well.
        let emptied = went(at) && !holds(&gone, around);
        if landmark.sight.is_hidden() || holds(&known.lost, around) && !emptied {
            continue;
        }
        let held = match counts.get(landmark.place as usize).copied().unwrap_or(0) {
            0 => String::new(),
            1 => ", with the one thing in it that could be used".to_owned(),
            count => format!(", with the {count} things in it that could be used"),
        };
        let here = entries(Sort::Landmark, Some(at), pairs.new_of[at]);
        match pairs.new_of[at].map(|at| &new[at]) {
            None => {
                let text = format!("Landmark '{}' is no longer there{held}", landmark.key);
                tell(
                    found,
                    ChangeType::LandmarkMissing,
                    Severity::Error,
                    (was, landmark),
                    text,
                    here,
                );
            }
            Some(other) => matched(found, landmark, other, &held, here),
        }
    }
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        let (landmark, here) = (&new[at], entries(Sort::Landmark, None, Some(at)));
        if !landmark.sight.is_hidden() {
            let text = format!("Landmark '{}' is new", landmark.key);
            tell(found, ChangeType::LandmarkAdded, Severity::Info, (now, landmark), text, here);
        }
    }
    hosts(found);
    known
}

fn paired(old: &[Landmark], new: &[Landmark]) -> Pairs {
    let mut pairs = Pairs::new(old.len(), new.len());
    let strict = |landmark: &Landmark| {
        Some(key(&[&landmark.kind, &normalize(&landmark.name), shown(landmark)]))
    };
    pairs.round(|at| strict(&old[at]), |at| strict(&new[at]));
    let named = |landmark: &Landmark| Some(key(&[&landmark.kind, &normalize(&landmark.name)]));
    pairs.round(|at| named(&old[at]), |at| named(&new[at]));
    let kind = |landmark: &Landmark| (!landmark.sight.is_hidden()).then(|| key(&[&landmark.kind]));
    pairs.neighbours(
        (|at| kind(&old[at]), |at| kind(&new[at])),
        (|at| old[at].name.as_str(), |at| new[at].name.as_str()),
    );
    pairs
}

/// For each place whether it is in a landmark of this sort.
fn within(structure: &Structure, wanted: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut places = vec![false; structure.places.len()];
    for (_, landmark) in structure.landmarks.iter().enumerate().filter(|(at, _)| wanted(*at)) {
        if let Some(place) = places.get_mut(landmark.place as usize) {
            *place = true;
        }
    }
    // Places stand behind those around them, so one pass reaches all.
    for at in 1..places.len() {
        places[at] |= places[structure.places[at].within as usize % places.len()];
    }
    places
}

fn shown(landmark: &Landmark) -> &'static str {
    if landmark.sight.is_hidden() { "hidden" } else { "shown" }
}

/// How many things that can be used went with each place of a page, or with places within it. What
/// is still on the page did not go, wherever it is now.
fn contents(was: &Structure, now: &Structure, lost: &[bool]) -> Vec<usize> {
    let mut counts = vec![0; was.places.len()];
    if !lost.contains(&true) {
        return counts;
    }
    let shown = |structure: &'_ Structure| -> Vec<usize> {
        let all = structure.interactive.iter().enumerate();
        all.filter(|(_, element)| !element.sight.is_hidden()).map(|(at, _)| at).collect()
    };
    let name = |element: &Element| key(&[&element.kind, &normalize(&element.text)]);
    let mut there: HashMap<u64, usize> = HashMap::new();
    for at in shown(now) {
        *there.entry(name(&now.interactive[at])).or_default() += 1;
    }
    let is_lost = |element: &Element| lost.get(element.place as usize).copied().unwrap_or(false);
    // What stood elsewhere has the first claim to what is there.
    let (taken, others): (Vec<usize>, Vec<usize>) =
        shown(was).into_iter().partition(|at| is_lost(&was.interactive[*at]));
    for at in others.into_iter().chain(taken) {
        let element = &was.interactive[at];
        match there.get_mut(&name(element)).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => {
                if let Some(count) = counts.get_mut(element.place as usize) {
                    *count += 1;
                }
            }
        }
    }
    for at in (1..counts.len()).rev() {
        let within = was.places[at].within as usize;
        if within < at {
            counts[within] += counts[at];
        }
    }
    counts
}

fn matched(found: &mut Found<'_>, old: &Landmark, new: &Landmark, held: &str, here: Sides) {
    let now = &found.now.structure;
    let ignored = old.ignored;
    if let (false, Sight::Hidden(why)) = (old.sight.is_hidden(), &new.sight) {
        let text = format!("Landmark '{}' is hidden ({why}){held}", old.key);
        let hidden = Landmark { ignored, key: old.key.clone(), ..new.clone() };
        tell(found, ChangeType::ElementHidden, Severity::Error, (now, &hidden), text, here);
    } else if !new.sight.is_hidden() && normalize(&old.name) != normalize(&new.name) {
        let text =
            format!("Landmark '{}' is now called '{}' (was '{}')", new.kind, new.name, old.name);
        tell(found, ChangeType::ElementRenamed, Severity::Info, (now, new), text, here);
    }
}

fn tell(
    found: &mut Found<'_>,
    kind: ChangeType,
    severity: Severity,
    (structure, landmark): (&Structure, &Landmark),
    description: String,
    at: Sides,
) {
    found.tell(Told {
        kind,
        severity,
        element: Subject {
            kind: Some(landmark.kind.clone()),
            text: Some(landmark.key.clone()),
            selector: None,
        },
        part: "landmarks",
        place: (structure, landmark.place),
        was: None,
        now: None,
        description,
        ignored: landmark.ignored,
        at,
    });
}

fn hosts(found: &mut Found<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    for host in &was.hosts {
        if now.hosts.iter().all(|other| other.tag != host.tag) {
            let text = format!("No '{}' is left (was {})", host.tag, host.count);
            let gone = Landmark {
                key: format!("shadow:{}", host.tag),
                kind: host.tag.clone(),
                ..Landmark::default()
            };
            tell(
                found,
                ChangeType::LandmarkMissing,
                Severity::Warning,
                (was, &gone),
                text,
                (None, None),
            );
        }
    }
}
