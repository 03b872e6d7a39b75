//! Writes the icon table of `pagesight-core`; `icons/table.rs` there describes the form.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use anyhow::Context;
use serde::Deserialize;

use crate::product::TABLE_VERSION;

/// The content of the sets, as `lab/icons/table.mjs` writes it.
#[derive(Deserialize)]
pub struct IconSources {
    pub drawings: Vec<SourceDrawing>,
    /// Every character of every icon font.
    pub glyphs: Vec<SourceGlyph>,
    /// Names that give way to all others.
    pub misleading: HashSet<String>,
}

/// A drawing of a set.
#[derive(Deserialize)]
pub struct SourceDrawing {
    pub source: String,
    pub name: String,
    /// The text of the drawing.
    pub svg: String,
}

/// A character of an icon font.
#[derive(Deserialize)]
pub struct SourceGlyph {
    family: String,
    code: u32,
    name: String,
}

/// Returns the bytes of the table. `hashes` are those of the drawings; a drawing may have none.
pub fn encode(sources: &IconSources, hashes: &[Option<String>]) -> anyhow::Result<Vec<u8>> {
    let mut drawings: BTreeMap<u64, &str> = BTreeMap::new();
    for (drawing, hash) in sources.drawings.iter().zip(hashes) {
        let Some(hash) = hash else { continue };
        let hash = u64::from_str_radix(hash, 16).context("a hash is a hex number")?;
        keep_better(&mut drawings, hash, &drawing.name, &sources.misleading);
    }
    let families: BTreeSet<&str> =
        sources.glyphs.iter().map(|glyph| glyph.family.as_str()).collect();
    let families: Vec<&str> = families.into_iter().collect();
    let mut glyphs: BTreeMap<u32, &str> = BTreeMap::new();
    for glyph in &sources.glyphs {
        let family = families.iter().position(|key| *key == glyph.family).unwrap_or_default();
        let key = u32::try_from(family)? << 24 | glyph.code;
        keep_better(&mut glyphs, key, &glyph.name, &sources.misleading);
    }
    let names: BTreeSet<&str> = drawings.values().chain(glyphs.values()).copied().collect();
    let numbers: HashMap<&str, u16> = names
        .iter()
        .enumerate()
        .map(|(at, name)| Ok((*name, u16::try_from(at).context("too many names")?)))
        .collect::<anyhow::Result<_>>()?;
    let (texts, places) = pool(&names);

    let mut bytes = b"psicons\0".to_vec();
    bytes.extend(TABLE_VERSION.to_le_bytes());
    for count in [families.len(), names.len(), drawings.len(), glyphs.len(), texts.len()] {
        bytes.extend(u32::try_from(count)?.to_le_bytes());
    }
    for family in &families {
        bytes.push(u8::try_from(family.len())?);
        bytes.extend(family.bytes());
    }
    for name in &names {
        let place = u32::try_from(places[name])? << 8 | u32::try_from(name.len())?;
        bytes.extend(place.to_le_bytes());
    }
    drawings.keys().for_each(|hash| bytes.extend(&hash.to_be_bytes()[2..]));
    drawings.values().for_each(|name| bytes.extend(numbers[name].to_le_bytes()));
    glyphs.keys().for_each(|key| bytes.extend(key.to_le_bytes()));
    glyphs.values().for_each(|name| bytes.extend(numbers[name].to_le_bytes()));
    bytes.extend(texts);
    Ok(bytes)
}

/// Keeps the shorter of two names for the same thing; a misleading one only if there is no other.
fn keep_better<'a, K: Ord>(
    names: &mut BTreeMap<K, &'a str>,
    key: K,
    name: &'a str,
    misleading: &HashSet<String>,
) {
    let rank = |name: &'a str| (misleading.contains(name), name.len(), name);
    let kept = names.entry(key).or_insert(name);
    if rank(name) < rank(kept) {
        *kept = name;
    }
}

/// Returns one text that contains all names, and the place of each. A name that is a part of a
/// longer one, from word to word, is not repeated.
fn pool<'a>(names: &BTreeSet<&'a str>) -> (Vec<u8>, HashMap<&'a str, usize>) {
    let mut texts: Vec<u8> = Vec::new();
    let mut parts: HashMap<&str, usize> = HashMap::new();
    let mut longest_first: Vec<&'a str> = names.iter().copied().collect();
    longest_first.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in longest_first {
        if parts.contains_key(name) {
            continue;
        }
        let start = texts.len();
        texts.extend(name.bytes());
        let borders: Vec<usize> = name.match_indices('-').map(|(at, _)| at).collect();
        for from in std::iter::once(0).chain(borders.iter().map(|at| at + 1)) {
            for to in borders.iter().copied().chain([name.len()]).filter(|to| *to > from) {
                parts.entry(&name[from..to]).or_insert(start + from);
            }
        }
    }
    let places = names.iter().map(|name| (*name, parts[name])).collect();
    (texts, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::IconTable;

    fn drawing(name: &str) -> SourceDrawing {
        SourceDrawing { source: String::new(), name: name.to_owned(), svg: String::new() }
    }

    #[test]
    fn the_table_is_read_back_with_the_better_names() {
        let glyph = |family: &str, code: u32, name: &str| SourceGlyph {
            family: family.to_owned(),
            code,
            name: name.to_owned(),
        };
        let sources = IconSources {
            drawings: vec![
                drawing("arrow-left"),
                drawing("room"),
                drawing("left"),
                drawing("pin"),
                drawing("x"),
                drawing("place"),
            ],
            glyphs: vec![
                glyph("b", 0xf101, "arrow"),
                glyph("a", 0xf_0001, "left"),
                glyph("b", 0xf101, "arrow-left"),
            ],
            misleading: HashSet::from(["room".to_owned()]),
        };
        let hash = |text: &str| Some(text.to_owned());
        let hashes = [
            hash("ffffffffffff"),
            hash("000000000001"),
            hash("00ff00000000"),
            hash("000000000002"),
            None,
            hash("000000000001"),
        ];
        let bytes = encode(&sources, &hashes).expect("it is encoded");
        let table = IconTable::read(&bytes).expect("it is read");
        assert_eq!(table.size(), (4, 2));
        assert_eq!(table.by_drawing("ffffffffffff"), Some("arrow-left"));
        assert_eq!(table.by_drawing("000000000001"), Some("place"));
        assert_eq!(table.by_drawing("00ff00000000"), Some("left"));
        assert_eq!(table.by_drawing("000000000003"), None);
        assert_eq!(table.by_glyph("b", 0xf101), Some("arrow"));
        assert_eq!(table.by_glyph("a", 0xf_0001), Some("left"));
        assert_eq!(table.by_glyph("a", 0xf101), None);
        // "left" and "arrow" are parts of "arrow-left".
        assert!(bytes.ends_with(b"arrow-leftplacepin"));
    }
}
