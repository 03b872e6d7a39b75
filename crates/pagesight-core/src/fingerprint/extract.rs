//! Extracts the fingerprint of a page.

use super::locations::{Boxes, Origins};
use super::model::{Depth, FINGERPRINT_VERSION, Fingerprint, Size, Structure, Wish};
use super::regions::Ground;
use super::{canonical, content, interactive, landmarks, selector, state};
use crate::page::{Page, Scope};

/// Takes the fingerprint of a page.
pub fn take(page: &Page, wish: &Wish<'_>) -> Fingerprint {
    read(page, wish).0
}

/// Takes the fingerprint of a page, and where everything in it lies.
pub fn take_with_boxes(page: &Page, wish: &Wish<'_>) -> (Fingerprint, Boxes) {
    let (made, origins) = read(page, wish);
    (made, origins.boxes(page))
}

fn read(page: &Page, wish: &Wish<'_>) -> (Fingerprint, Origins) {
    let ground = Ground::of(page, wish);
    let mut origins = Origins::default();
    let mut structure =
        Structure { state: state::read(&ground, &mut origins), ..Structure::default() };
    landmarks::read(&ground, &mut structure, &mut origins);
    if wish.depth != Depth::Minimal {
        content::read(&ground, &mut structure, &mut origins);
        interactive::read(&ground, &mut structure, &mut origins);
        if wish.depth == Depth::Detailed {
            content::texts(&ground, &mut structure, &mut origins);
        }
    }
    structure.frames = ground.frames;
    let loading = wish.loading || !structure.state.loading_indicators.is_empty();
    structure.places = ground.places;
    let url = match wish.part {
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
        captured_at: wish.captured_at.to_owned(),
        scope: if wish.scope.is_empty() { "full".to_owned() } else { wish.scope.to_owned() },
        depth: wish.depth,
        loading,
        truncated: page.truncated,
        deaf: page.deaf,
        structure,
        hash: String::new(),
    };
    made.hash = canonical::hash(&made);
    (made, origins)
}
