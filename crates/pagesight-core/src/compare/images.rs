//! Compares images.

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, hidden_by, placed_in};
use super::matching::key;
use crate::fingerprint::{EntryKind, Image, Sight, Structure, normalize};

/// Returns what an image is called: its text alternative, or else its file.
fn name(image: &Image) -> &str {
    match (image.alt.as_str(), image.file.as_str()) {
        ("", "") => "without a text",
        ("", file) => file,
        (alt, _) => alt,
    }
}

impl Entry for Image {
    placed_in!("images");

    fn subject(&self) -> Subject {
        Subject::new("image", name(self), "")
    }

    fn label(&self) -> String {
        format!("Image '{}'", name(self))
    }

    fn called(&self) -> Option<String> {
        Some(match (self.alt.as_str(), self.file.as_str()) {
            ("", "") => "without a text".to_owned(),
            _ => format!("'{}'", name(self)),
        })
    }
}

impl Comparable for Image {
    const SORT: EntryKind = EntryKind::Image;
    const KEYS: &'static [KeyOf<Image>] = &[
        |side, image| Some(key(&[side.region(image.place), &image.alt, &image.file])),
        |side, image| {
            (!image.file.is_empty())
                .then(|| key(&[side.region(image.place), &normalize(&image.file)]))
        },
        |side, image| {
            (!image.alt.is_empty())
                .then(|| key(&[side.region(image.place), &normalize(&image.alt)]))
        },
        |_, image| {
            (!image.file.is_empty() || !image.alt.is_empty())
                .then(|| key(&[&image.alt, &image.file]))
        },
    ];
    const NEIGHBOUR_KEY: KeyOf<Image> = |side, image| Some(key(&[side.region(image.place)]));

    fn entries(structure: &Structure) -> &[Image] {
        &structure.images
    }

    fn text(&self) -> &str {
        &self.alt
    }

    fn counts(&self) -> bool {
        matches!(self.sight, Sight::Shown | Sight::Waiting)
    }

    fn missing<'f>(old: Located<'f, Image>, _: &Context<'_, 'f>) -> ChangeDraft<'f> {
        Change::missing(ChangeType::ElementMissing, old).severity(severity_of_loss(&old, false))
    }

    fn changed<'f>(
        old: Located<'f, Image>,
        new: Located<'f, Image>,
        _: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        if new.broken && !old.broken {
            let pending = old.pending || new.pending;
            let description = format!("{} is broken", new.label());
            return Some(
                Change::changed(ChangeType::ImageBroken, old, new, description)
                    .severity(if pending { Severity::Info } else { Severity::Warning }),
            );
        }
        let why = hidden_by(&new.entry.sight).filter(|_| !new.broken)?;
        let description = format!("{} is hidden ({why})", old.label());
        Some(
            Change::changed(ChangeType::ElementHidden, old, new, description)
                .severity(severity_of_loss(&old, new.pending))
                .subject(old.subject())
                .facts(|facts| {
                    (facts.called, facts.sight) = (old.called(), new.entry.sight.clone());
                }),
        )
    }

    fn added(new: Located<'_, Image>) -> Option<ChangeDraft<'_>> {
        if !new.sight.is_shown() {
            return None;
        }
        if !new.broken {
            return Some(Change::added(ChangeType::ElementAdded, new));
        }
        let description = format!("{} is new and broken", new.label());
        Some(
            Change::added(ChangeType::ImageBroken, new)
                .severity(Severity::Warning)
                .describe(description),
        )
    }
}

/// An image without a text alternative is decoration, and an image that is still loading may have
/// no size yet.
fn severity_of_loss(old: &Image, pending: bool) -> Severity {
    if old.alt.is_empty() || old.pending || pending { Severity::Info } else { Severity::Warning }
}
