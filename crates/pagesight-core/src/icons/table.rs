//! The form of the icon table: a head, then columns that are searched where they lie, so that
//! nothing is built at start. All numbers are little-endian, except for hashes.
//!
//! ```text
//! "psicons\0", u32 version, u32 families, u32 names, u32 drawings, u32 glyphs, u32 length of texts
//! families × (u8 length, the key)                         in the order of their numbers
//! names    × (u32: place in the texts << 8 | length)
//! drawings × 6 bytes of hash, ascending, first byte first
//! drawings × u16 name
//! glyphs   × (u32: family << 24 | code point), ascending
//! glyphs   × u16 name
//! the texts of the names
//! ```

/// The version of the form that this code reads.
pub const TABLE_VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"psicons\0";
/// Bytes of a hash.
const HASH: usize = 6;

/// A table of icon names over the bytes of a file.
#[derive(Clone, Debug)]
pub struct IconTable<'a> {
    families: Vec<&'a [u8]>,
    names: &'a [u8],
    hashes: &'a [u8],
    hash_names: &'a [u8],
    glyphs: &'a [u8],
    glyph_names: &'a [u8],
    texts: &'a [u8],
}

impl<'a> IconTable<'a> {
    /// Reads the head. Returns `None` if the bytes are not a table of this version, or if they are
    /// too few or too many.
    pub fn read(bytes: &'a [u8]) -> Option<IconTable<'a>> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut number = || {
            let (four, after) = rest.split_first_chunk::<4>()?;
            rest = after;
            usize::try_from(u32::from_le_bytes(*four)).ok()
        };
        if number()? != usize::try_from(TABLE_VERSION).ok()? {
            return None;
        }
        let (families, names, drawings, glyphs, texts) =
            (number()?, number()?, number()?, number()?, number()?);
        let mut keys = Vec::new();
        for _ in 0..families {
            let (length, after) = rest.split_first()?;
            let (key, after) = after.split_at_checked(usize::from(*length))?;
            keys.push(key);
            rest = after;
        }
        let mut column = |count: usize, width: usize| {
            let (column, after) = rest.split_at_checked(count.checked_mul(width)?)?;
            rest = after;
            Some(column)
        };
        let table = IconTable {
            families: keys,
            names: column(names, 4)?,
            hashes: column(drawings, HASH)?,
            hash_names: column(drawings, 2)?,
            glyphs: column(glyphs, 4)?,
            glyph_names: column(glyphs, 2)?,
            texts: column(texts, 1)?,
        };
        rest.is_empty().then_some(table)
    }

    /// Returns how many drawings and how many characters of fonts the table names.
    pub fn size(&self) -> (usize, usize) {
        (self.hashes.len() / HASH, self.glyphs.len() / 4)
    }

    /// Returns the name of the icon whose drawing has this hash: 12 lower-case hex digits.
    pub fn by_drawing(&self, hash: &str) -> Option<&'a str> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if hash.len() != 2 * HASH || !hash.bytes().all(digit) {
            return None;
        }
        let wanted = u64::from_str_radix(hash, 16).ok()?.to_be_bytes();
        let (hashes, _) = self.hashes.as_chunks::<HASH>();
        let at = hashes.binary_search_by(|hash| hash.as_slice().cmp(&wanted[2..])).ok()?;
        self.name(self.hash_names, at)
    }

    /// Returns the name of the icon that a character shows in the font family with this key.
    pub fn by_glyph(&self, family: &str, code_point: u32) -> Option<&'a str> {
        let family = self.families.iter().position(|key| *key == family.as_bytes())?;
        if code_point >= 1 << 24 {
            return None;
        }
        let wanted = u32::try_from(family).ok()? << 24 | code_point;
        let (glyphs, _) = self.glyphs.as_chunks::<4>();
        let at = glyphs.binary_search_by_key(&wanted, |glyph| u32::from_le_bytes(*glyph)).ok()?;
        self.name(self.glyph_names, at)
    }

    /// Returns the name that an entry of a column of names refers to.
    fn name(&self, column: &'a [u8], at: usize) -> Option<&'a str> {
        let number = u16::from_le_bytes(*column.as_chunks::<2>().0.get(at)?);
        let place = u32::from_le_bytes(*self.names.as_chunks::<4>().0.get(usize::from(number))?);
        let start = usize::try_from(place >> 8).ok()?;
        let text = self.texts.get(start..start + usize::try_from(place & 0xff).ok()?)?;
        std::str::from_utf8(text).ok()
    }

    /// Returns the names of all entries.
    #[cfg(test)]
    pub(super) fn all_names(&self) -> impl Iterator<Item = Option<&'a str>> {
        let (drawings, glyphs) = self.size();
        let drawings = (0..drawings).map(|at| self.name(self.hash_names, at));
        drawings.chain((0..glyphs).map(|at| self.name(self.glyph_names, at)))
    }
}
