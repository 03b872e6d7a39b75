//! The regions of both pages: which of them are lost, and a common name for each.

use crate::fingerprint::{Structure, normalize};

/// The regions of both pages.
pub(super) struct Regions<'f> {
    /// For each place of the old page whether it is in a landmark that is missing or hidden.
    pub(super) lost: Vec<bool>,
    pub(super) was: Side<'f>,
    pub(super) now: Side<'f>,
}

impl<'f> Regions<'f> {
    pub(super) fn new(was: &'f Structure, now: &'f Structure) -> Self {
        Regions { lost: Vec::new(), was: Side::new(was), now: Side::new(now) }
    }

    /// Whether this place of the old page was in a landmark that is missing or hidden.
    pub(super) fn is_lost(&self, place: u32) -> bool {
        holds(&self.lost, place)
    }

    /// Gives a landmark of the new page the name of its counterpart on the old page.
    pub(super) fn pair(&mut self, old: u32, new: u32) {
        if let (Some(name), Some(here)) =
            (self.was.names.get(old as usize), self.now.names.get_mut(new as usize))
        {
            here.clone_from(name);
        }
    }
}

/// Whether a place is marked.
pub(super) fn holds(places: &[bool], place: u32) -> bool {
    places.get(place as usize).copied().unwrap_or(false)
}

/// One of the two pages, and the common names of its regions.
pub(super) struct Side<'f> {
    pub(super) structure: &'f Structure,
    /// By the place of the landmark.
    names: Vec<String>,
}

impl<'f> Side<'f> {
    fn new(structure: &'f Structure) -> Side<'f> {
        let landmarks = structure.places.iter().enumerate().map(|(at, place)| {
            let is_landmark = at != 0 && place.landmark as usize == at;
            if is_landmark { normalize(&place.label).into_owned() } else { String::new() }
        });
        Side { structure, names: landmarks.collect() }
    }

    /// Returns the name of the nearest landmark around a place, without volatile parts. A renamed
    /// landmark has the same name on both pages.
    pub(super) fn region(&self, place: u32) -> &str {
        let landmark = self.structure.places.get(place as usize).map_or(0, |place| place.landmark);
        self.names.get(landmark as usize).map_or("", String::as_str)
    }
}
