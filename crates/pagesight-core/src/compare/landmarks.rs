//! Compares landmarks, and hosts of shadow roots. Entries inside a missing landmark are not
//! reported again one by one.

use std::collections::HashMap;

use serde_json::json;

use super::change::{Change, ChangeType, Severity};
use super::collector::Collector;
use super::entry::{Entry, Located, Subject, placed_in};
use super::matching::{Pairs, key};
use super::regions::{Regions, holds};
use crate::fingerprint::{
    EntryKind, Host, InteractiveElement, Landmark, Sight, Structure, normalize,
};

impl Entry for Landmark {
    placed_in!("landmarks");

    fn subject(&self) -> Subject {
        Subject { kind: Some(self.kind.clone()), text: Some(self.key.clone()), selector: None }
    }

    fn label(&self) -> String {
        format!("Landmark '{}'", self.key)
    }

    fn called(&self) -> Option<String> {
        Some(match (self.name.as_str(), self.key.rsplit_once(':')) {
            // A further one of its kind.
            ("", Some((_, number))) => number.to_owned(),
            ("", None) => String::new(),
            (name, _) => format!("'{name}'"),
        })
    }
}

impl Entry for Host {
    fn part(&self) -> &'static str {
        "landmarks"
    }

    fn subject(&self) -> Subject {
        let text = Some(format!("shadow:{}", self.tag));
        Subject { kind: Some(self.tag.clone()), text, selector: None }
    }

    fn label(&self) -> String {
        format!("Host '{}'", self.tag)
    }

    fn called(&self) -> Option<String> {
        None
    }

    fn place(&self) -> u32 {
        0
    }

    fn is_ignored(&self) -> bool {
        false
    }
}

/// Compares landmarks and hosts, and returns the regions of both pages.
pub(super) fn compare<'f>(found: &mut Collector<'f>) -> Regions<'f> {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.landmarks, &now.landmarks);
    let pairs = paired(old, new);
    let mut regions = Regions::new(was, now);
    for (at, other) in pairs.new_of.iter().enumerate() {
        if let Some(other) = *other {
            regions.pair(old[at].place, new[other].place);
        }
    }
    let is_missing = |at: usize| pairs.new_of[at].is_none();
    let is_hidden = |at: usize| pairs.new_of[at].is_some_and(|other| new[other].sight.is_hidden());
    let was_shown = |at: usize| !old[at].sight.is_hidden();
    regions.lost = within(was, |at| was_shown(at) && (is_missing(at) || is_hidden(at)));
    let missing = within(was, |at| was_shown(at) && is_missing(at));
    let counts = contents(was, now, &regions.lost);
    for (at, landmark) in old.iter().enumerate() {
        let around = was.places.get(landmark.place as usize).map_or(0, |place| place.within);
        // A landmark that lost all of its content is hidden, because it has no size. Then what is
        // missing from it is reported as well.
        let emptied = is_missing(at) && !holds(&missing, around);
        if !was_shown(at) || regions.is_lost(around) && !emptied {
            continue;
        }
        let controls = counts.get(landmark.place as usize).copied().unwrap_or(0);
        let content = match controls {
            0 => String::new(),
            1 => ", with the one thing in it that could be used".to_owned(),
            count => format!(", with the {count} things in it that could be used"),
        };
        let before = Located::new(was, EntryKind::Landmark, old, at);
        match pairs.new_of[at] {
            None => {
                let description = format!("{} is no longer there{content}", before.label());
                found.report(
                    Change::missing(ChangeType::LandmarkMissing, before)
                        .severity(Severity::Error)
                        .describe(description)
                        .facts(|facts| facts.controls = controls),
                );
            }
            Some(other) => {
                let after = Located::new(now, EntryKind::Landmark, new, other);
                changed(found, before, after, (&content, controls));
            }
        }
    }
    for at in pairs.only_new().filter(|at| !new[*at].sight.is_hidden()) {
        let landmark = Located::new(now, EntryKind::Landmark, new, at);
        let change = Change::added(ChangeType::LandmarkAdded, landmark);
        let words = &landmark.words.0;
        found.report(change.facts(|facts| {
            // What it says is more use than a number.
            if landmark.name.is_empty() {
                let quoted = (!words.is_empty()).then(|| format!("'{words}'"));
                facts.called = Some(quoted.unwrap_or_default());
            }
        }));
    }
    hosts(found);
    regions
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

/// Returns for each place whether it is in one of the wanted landmarks.
fn within(structure: &Structure, wanted: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut places = vec![false; structure.places.len()];
    for (_, landmark) in structure.landmarks.iter().enumerate().filter(|(at, _)| wanted(*at)) {
        if let Some(place) = places.get_mut(landmark.place as usize) {
            *place = true;
        }
    }
    // A place comes after the places around it, so one pass reaches all of them.
    for at in 1..places.len() {
        places[at] |= places[structure.places[at].within as usize % places.len()];
    }
    places
}

fn shown(landmark: &Landmark) -> &'static str {
    if landmark.sight.is_hidden() { "hidden" } else { "shown" }
}

/// Returns for each place how many interactive elements are lost with it or with places inside it.
/// An element that is still on the page is not lost, wherever it is now.
fn contents(was: &Structure, now: &Structure, lost: &[bool]) -> Vec<usize> {
    let mut counts = vec![0; was.places.len()];
    if !lost.contains(&true) {
        return counts;
    }
    let shown = |structure: &'_ Structure| -> Vec<usize> {
        let all = structure.interactive.iter().enumerate();
        all.filter(|(_, element)| !element.sight.is_hidden()).map(|(at, _)| at).collect()
    };
    let name = |element: &InteractiveElement| key(&[&element.kind, &normalize(&element.text)]);
    let mut there: HashMap<u64, usize> = HashMap::new();
    for at in shown(now) {
        *there.entry(name(&now.interactive[at])).or_default() += 1;
    }
    let is_lost =
        |element: &InteractiveElement| lost.get(element.place as usize).copied().unwrap_or(false);
    // Elements outside of the lost places are paired first.
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

fn changed<'f>(
    found: &mut Collector<'f>,
    old: Located<'f, Landmark>,
    new: Located<'f, Landmark>,
    (content, controls): (&str, usize),
) {
    if let (false, Sight::Hidden(why)) = (old.sight.is_hidden(), &new.sight) {
        let description = format!("{} is hidden ({why}){content}", old.label());
        found.report(
            Change::changed(ChangeType::ElementHidden, old, new, description)
                .severity(Severity::Error)
                .subject(old.subject())
                .ignored(old.ignored)
                .facts(|facts| {
                    facts.called = old.called();
                    (facts.sight, facts.controls) = (new.sight.clone(), controls);
                }),
        );
    } else if !new.sight.is_hidden() && normalize(&old.name) != normalize(&new.name) {
        let description =
            format!("Landmark '{}' is now called '{}' (was '{}')", new.kind, new.name, old.name);
        found.report(
            Change::changed(ChangeType::ElementRenamed, old, new, description)
                .ignored(new.ignored)
                .values(json!({"text": old.name}), json!({"text": new.name})),
        );
    }
}

fn hosts(found: &mut Collector<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    for host in &was.hosts {
        if now.hosts.iter().all(|other| other.tag != host.tag) {
            let description = format!("No '{}' is left (was {})", host.tag, host.count);
            let host = Located { structure: was, at: None, entry: host };
            found.report(Change::missing(ChangeType::LandmarkMissing, host).describe(description));
        }
    }
}
