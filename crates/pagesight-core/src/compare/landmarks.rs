//! Landmarks that went, came or were hidden, and hosts of shadow roots that went. What stood in a landmark that is gone as a whole is not told again,
//! one by one.

use super::matching::{Pairs, key};
use super::{ChangeType, Found, Severity, Sides, Subject, Told, entries};
use crate::fingerprint::{Landmark, Sight, Sort, Structure, normalize};

/// What went as a whole.
pub(super) struct Lost {
    /// For each place of the old page whether it is in a landmark that is missing or hidden.
    places: Vec<bool>,
}

impl Lost {
    /// Whether what stood at this place of the old page went with a landmark.
    pub(super) fn holds(&self, place: u32) -> bool {
        self.places.get(place as usize).copied().unwrap_or(false)
    }
}

/// Tells them.
pub(super) fn compare(found: &mut Found<'_>) -> Lost {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.landmarks, &now.landmarks);
    let mut pairs = Pairs::new(old.len(), new.len());
    let strict =
        |landmark: &Landmark| Some(key(&[&landmark.kind, &normalize(&landmark.name), shown(landmark)]));
    pairs.round(|at| strict(&old[at]), |at| strict(&new[at]));
    let named = |landmark: &Landmark| Some(key(&[&landmark.kind, &normalize(&landmark.name)]));
    pairs.round(|at| named(&old[at]), |at| named(&new[at]));
    let kind = |landmark: &Landmark| (!landmark.sight.is_hidden()).then(|| key(&[&landmark.kind]));
    pairs.neighbours(
        (|at| kind(&old[at]), |at| kind(&new[at])),
        (|at| old[at].name.as_str(), |at| new[at].name.as_str()),
    );
    let mut lost = vec![false; was.places.len()];
    for (at, landmark) in old.iter().enumerate().filter(|(_, landmark)| !landmark.sight.is_hidden()) {
        let other = pairs.new_of[at].map(|at| &new[at]);
        if other.is_none_or(|other| other.sight.is_hidden())
            && let Some(place) = lost.get_mut(landmark.place as usize)
        {
            *place = true;
        }
    }
    // Places stand behind those around them, so one pass reaches all.
    for at in 1..lost.len() {
        lost[at] |= lost[was.places[at].within as usize % lost.len()];
    }
    let counts = contents(was);
    for (at, landmark) in old.iter().enumerate() {
        let within = was.places.get(landmark.place as usize).map_or(0, |place| place.within);
        let nested = lost.get(within as usize).copied().unwrap_or(false);
        // What is empty has no size: then what went from it is told as well.
        let emptied = || pairs.new_of[at].is_none() && !gone_within(was, within, &pairs);
        if landmark.sight.is_hidden() || nested && !emptied() {
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
                tell(found, ChangeType::LandmarkMissing, Severity::Error, (was, landmark), text, here);
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
    Lost { places: lost }
}

/// Whether a landmark around this place is missing, rather than hidden.
fn gone_within(was: &Structure, place: u32, pairs: &Pairs) -> bool {
    let mut at = was.places.get(place as usize).map_or(0, |place| place.landmark);
    while at != 0 {
        let around = was.landmarks.iter().position(|landmark| landmark.place == at);
        if around.is_some_and(|around| pairs.new_of[around].is_none()) {
            return true;
        }
        let within = was.places.get(at as usize).map_or(0, |place| place.within);
        let next = was.places.get(within as usize).map_or(0, |place| place.landmark);
        at = if next < at { next } else { 0 };
    }
    false
}

fn shown(landmark: &Landmark) -> &'static str {
    if landmark.sight.is_hidden() { "hidden" } else { "shown" }
}

/// How many things that can be used stand in each place of a page, or in places within it.
fn contents(structure: &Structure) -> Vec<usize> {
    let mut counts = vec![0; structure.places.len()];
    for element in structure.interactive.iter().filter(|element| !element.sight.is_hidden()) {
        if let Some(count) = counts.get_mut(element.place as usize) {
            *count += 1;
        }
    }
    for at in (1..counts.len()).rev() {
        let within = structure.places[at].within as usize;
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
        let text = format!("Landmark '{}' is now called '{}' (was '{}')", new.kind, new.name, old.name);
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
            tell(found, ChangeType::LandmarkMissing, Severity::Warning, (was, &gone), text, (None, None));
        }
    }
}
