//! Where an entry stands: the regions and the landmarks around it.

use crate::fingerprint::Structure;

/// Returns the regions around a place, the outermost first: `main > section:Projects`.
pub(super) fn location(structure: &Structure, place: u32) -> String {
    let mut labels: Vec<&str> = Vec::new();
    let mut at = place;
    while let Some(here) = structure.places.get(at as usize).filter(|_| at != 0) {
        labels.push(&here.label);
        // A place comes after the places around it; anything else is a damaged file.
        if here.within >= at {
            break;
        }
        at = here.within;
    }
    // For a deeply nested place, the first and the last regions are enough.
    if labels.len() > 5 {
        labels.drain(2..labels.len() - 2);
    }
    labels.reverse();
    labels.join(" > ")
}

/// Returns the keys of the landmarks around a place.
pub(super) fn landmarks_around(structure: &Structure, place: u32) -> Vec<String> {
    let mut keys = Vec::new();
    let mut at = structure.places.get(place as usize).map_or(0, |place| place.landmark);
    while at != 0 && keys.len() < 20 {
        keys.extend(landmark_at(structure, at).map(|at| structure.landmarks[at].key.clone()));
        let within = structure.places.get(at as usize).map_or(0, |place| place.within);
        let next = structure.places.get(within as usize).map_or(0, |place| place.landmark);
        if next >= at {
            break;
        }
        at = next;
    }
    keys
}

/// Returns the index of the landmark that makes this place. Landmarks are in document order, as
/// places are.
fn landmark_at(structure: &Structure, place: u32) -> Option<usize> {
    structure.landmarks.binary_search_by_key(&place, |landmark| landmark.place).ok()
}
