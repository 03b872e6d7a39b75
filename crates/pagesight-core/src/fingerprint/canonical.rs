//! The canonical form of a fingerprint and its hash: the same for the same page on every machine,
//! in every run and in every browser. `docs/fingerprint.md` specifies it; a change here is a new
//! version of the form.

use std::fmt::Write;

use xxhash_rust::xxh3::xxh3_64;

use super::model::{FINGERPRINT_VERSION, Fingerprint, Sight, Structure};
use super::normalize::normalize;

/// Returns eight hexadecimal digits: the lower half of xxh3-64 (seed 0) of the canonical form.
pub(super) fn hash(fingerprint: &Fingerprint) -> String {
    format!("{:08x}", xxh3_64(canonical(fingerprint).as_bytes()) as u32)
}

/// Returns the canonical form: one line per entry, each part of the structure in document order.
pub(super) fn canonical(fingerprint: &Fingerprint) -> String {
    let structure = &fingerprint.structure;
    let mut out = format!(
        "pagesight {FINGERPRINT_VERSION}\nroute {}\nscope {}\ndepth {}\n",
        fingerprint.route,
        fingerprint.scope,
        fingerprint.depth.as_str()
    );
    let nesting = nesting(structure);
    // Writing to a string cannot fail.
    for landmark in
        structure.landmarks.iter().filter(|landmark| !landmark.ignored && there(&landmark.sight))
    {
        let _ = writeln!(
            out,
            "landmark {} {} {}",
            nesting.get(landmark.place as usize).copied().unwrap_or(0),
            landmark.kind,
            normalize(&landmark.name)
        );
    }
    for heading in
        structure.headings.iter().filter(|heading| !heading.ignored && there(&heading.sight))
    {
        let _ = writeln!(
            out,
            "heading {} {} {}",
            around(structure, heading.place),
            heading.level,
            without_dates(&heading.text)
        );
    }
    for list in structure.lists.iter().filter(|list| !list.ignored && there(&list.sight)) {
        let _ =
            writeln!(out, "list {} {} {}", around(structure, list.place), list.kind, list.items);
    }
    for table in structure.tables.iter().filter(|table| !table.ignored && there(&table.sight)) {
        let headers: Vec<_> = table.headers.iter().map(|header| normalize(header)).collect();
        let _ = writeln!(
            out,
            "table {} {}x{} {}",
            around(structure, table.place),
            table.rows,
            table.columns,
            headers.join("\t")
        );
    }
    // Whether an image has loaded does not matter: the structure of the page is the same.
    let images = structure.images.iter().filter(|image| !image.ignored && there(&image.sight));
    let (count, with_alt) = images
        .fold((0, 0), |(count, with), image| (count + 1, with + u32::from(!image.alt.is_empty())));
    let _ = writeln!(out, "images {count} {with_alt}");
    for element in structure
        .interactive
        .iter()
        .filter(|element| !element.ignored && !element.heard && there(&element.sight))
    {
        let _ = write!(
            out,
            "use {} {} {}",
            around(structure, element.place),
            element.kind,
            normalize(&element.text)
        );
        if let Some(href) = &element.href {
            let _ = write!(out, "\t{}", normalize(href));
        }
        if element.disabled {
            out.push_str("\tdisabled");
        }
        for state in element.states.iter().filter(|state| *state != "invalid") {
            let _ = write!(out, "\t{state}");
        }
        out.push('\n');
    }
    for text in structure.texts.iter().filter(|text| !text.ignored) {
        let _ = writeln!(out, "text {} {}", around(structure, text.place), normalize(&text.text));
    }
    let state = &structure.state;
    for (word, signs) in [
        ("error", &state.error_elements),
        ("empty", &state.empty_states),
        ("modal", &state.modals_open),
    ] {
        for sign in signs.iter().filter(|sign| !sign.ignored) {
            let _ = writeln!(out, "{word} {}", normalize(&sign.text));
        }
    }
    out
}

/// Whether an entry counts as present: visible, or hidden only by geometry, which differs between
/// viewports.
fn there(sight: &Sight) -> bool {
    match sight {
        Sight::Hidden(why) => matches!(why.as_str(), "clipped" | "off-screen"),
        _ => true,
    }
}

/// Returns for each place how many landmarks are around it, including itself.
fn nesting(structure: &Structure) -> Vec<u32> {
    let mut counts: Vec<u32> = vec![0; structure.places.len()];
    // A place comes after the places around it, so one pass is enough.
    for (at, place) in structure.places.iter().enumerate().skip(1) {
        let around =
            counts.get(place.within as usize).copied().filter(|_| (place.within as usize) < at);
        counts[at] = around.unwrap_or(0) + u32::from(place.landmark as usize == at);
    }
    counts
}

/// Returns the kind of the landmark around a place: its label without the name.
fn around(structure: &Structure, place: u32) -> &str {
    let landmark = structure.places.get(place as usize).map_or(0, |place| place.landmark);
    let label = structure.places.get(landmark as usize).map_or("", |place| place.label.as_str());
    match label.split(':').next().unwrap_or_default() {
        "" => "page",
        kind => kind,
    }
}

/// Returns a heading without dates and times; other numbers stay.
fn without_dates(text: &str) -> String {
    let made = normalize(text);
    if made.contains("[date]") || made.contains("[time]") || made.contains("[ago]") {
        made.into_owned()
    } else {
        text.to_owned()
    }
}
