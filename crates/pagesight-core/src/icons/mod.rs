//! The names of icons, found by their drawing or by their character in an icon font. People read
//! the icon of a button without a name; this table is how pagesight does.
//!
//! The table is made from published icon sets by `cargo lab icons --write`; NOTICE lists them.

mod table;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

pub use table::{IconTable, TABLE_VERSION};

/// The table, as the lab wrote it.
static BYTES: &[u8] = include_bytes!("table.bin");
/// `None` only if the committed file is damaged, which a test rules out.
static TABLE: LazyLock<Option<IconTable<'static>>> = LazyLock::new(|| IconTable::read(BYTES));

/// Returns the plain name of the icon whose drawing has this hash: 12 lower-case hex digits, as the
/// page script computes them.
pub fn by_drawing(hash: &str) -> Option<&'static str> {
    TABLE.as_ref()?.by_drawing(hash)
}

/// Returns the plain name of the icon that this character shows in an icon font. `family` is the
/// value of `font-family`: one name or a list, with or without quotes.
pub fn by_glyph(family: &str, code_point: u32) -> Option<&'static str> {
    let table = TABLE.as_ref()?;
    family.split(',').find_map(|family| table.by_glyph(&family_key(family), code_point))
}

/// Words in the name of a font family that say which file of a font it is. The code points are the
/// same in all of them.
const FILE_WORDS: &[&str] = &[
    "free", "pro", "brands", "sharp", "solid", "regular", "light", "thin", "duotone", "outlined",
    "outline", "rounded", "round", "filled", "fill", "two", "tone", "icons", "icon", "symbols",
    "desktop", "webfont",
];
/// The longest name of a family that is looked up.
const LONGEST_FAMILY: usize = 60;

/// Returns the key of a font family: lower-case, without its version and without the words for a
/// file (`"Font Awesome 6 Free"` and `FontAwesome` are `fontawesome`).
fn family_key(family: &str) -> String {
    let family = family.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    if family.len() > LONGEST_FAMILY {
        return String::new();
    }
    let words = family.split(|letter: char| !letter.is_ascii_alphanumeric());
    words
        .filter(|word| {
            !FILE_WORDS.contains(word) && !word.bytes().all(|byte| byte.is_ascii_digit())
        })
        .collect()
}
