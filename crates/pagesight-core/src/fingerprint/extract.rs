//! Extracts the fingerprint of a page.

use super::amounts;
use super::audit;
use super::canonical;
use super::content;
use super::exact;
use super::interactive;
use super::landmarks;
use super::layout;
use super::locations::{Boxes, Origins};
use super::model::{Depth, FINGERPRINT_VERSION, Fingerprint, FingerprintOptions, Size, Structure};
use super::regions::RegionMap;
use super::selector;
use super::state;
use crate::page::{Page, Scope};

/// Takes the fingerprint of a page.
pub fn extract(page: &Page, options: &FingerprintOptions<'_>) -> Fingerprint {
    read(page, options).0
}

/// Takes the fingerprint of a page, with the boxes of its entries.
pub fn extract_with_boxes(page: &Page, options: &FingerprintOptions<'_>) -> (Fingerprint, Boxes) {
    let (made, origins) = read(page, options);
    (made, origins.boxes(page))
}

fn read(page: &Page, options: &FingerprintOptions<'_>) -> (Fingerprint, Origins) {
    let ground = RegionMap::of(page, options);
    let mut origins = Origins::default();
    let mut structure =
        Structure { state: state::read(&ground, &mut origins), ..Structure::default() };
    landmarks::read(&ground, &mut structure, &mut origins);
    if options.depth != Depth::Minimal {
        content::read(&ground, &mut structure, &mut origins);
        interactive::read(&ground, &mut structure, &mut origins);
        if options.depth == Depth::Detailed {
            content::texts(&ground, &mut structure, &mut origins);
        }
        if options.numbers {
            amounts::read(&ground, &mut structure, &mut origins);
        }
    }
    exact::read(page, &ground, options.exact, &mut structure, &mut origins);
    if let Some(options) = &options.audit {
        audit::read(page, &ground, options, &mut structure, &mut origins);
    }
    if let Some(measures) = options.layout {
        layout::read(page, &ground, (measures, options.masked), &mut structure, &mut origins);
    }
    structure.frames = ground.frames;
    let loading = options.loading || !structure.state.loading_indicators.is_empty();
    structure.places = ground.places;
    let url = match options.scope {
        Scope::Node(id) => {
            let node = page.node(id);
            node.shown_document().unwrap_or(node.document()).url.as_str()
        }
        _ => page.url(),
    };
    let mut made = Fingerprint {
        version: FINGERPRINT_VERSION,
        url: url.to_owned(),
        route: selector::route(url),
        title: page.title.clone(),
        viewport: Size { width: page.viewport.0, height: page.viewport.1 },
        captured_at: options.captured_at.to_owned(),
        scope: if options.scope_text.is_empty() { "full" } else { options.scope_text }.to_owned(),
        depth: options.depth,
        loading,
        truncated: page.truncated,
        deaf: page.deaf,
        structure,
        hash: String::new(),
    };
    made.hash = canonical::hash(&made);
    (made, origins)
}
