//! P3.2: drops attributes that mean nothing to a reader: styles, classes, handlers, sizes, and the
//! raw form of states that are printed as words. Attributes that identify or describe stay: `id`,
//! `name`, `href`, `aria-*`, `data-*` and the like.

use crate::pipeline::view::View;

/// Drops attributes that are not semantic.
pub(crate) fn apply(view: &mut View<'_>) {
    let page = view.page();
    // Names repeat: each is judged once.
    let mut verdicts: Vec<Option<bool>> = vec![None; page.strings.len()];
    for (at, (name, _)) in page.attributes.iter().enumerate() {
        let kept = verdicts[name.0 as usize].get_or_insert_with(|| is_semantic(page.text(*name)));
        if !*kept {
            view.drop_attribute(at as u32);
        }
    }
}

/// Whether an attribute says something to a reader.
pub(crate) fn is_semantic(name: &str) -> bool {
    matches!(
        name,
        "alt"
            | "href"
            | "id"
            | "name"
            | "placeholder"
            | "role"
            | "src"
            | "title"
            | "type"
            | "value"
    ) || name.starts_with("aria-")
        || name.starts_with("data-")
}
