//! Names of icons by their drawing and by their glyph. A placeholder until there is a table.

/// Returns the name of the icon with this drawing.
pub fn by_drawing(_hash: &str) -> Option<&'static str> {
    None
}

/// Returns the name of the glyph of an icon font.
pub fn by_glyph(_family: &str, _code_point: u32) -> Option<&'static str> {
    None
}
