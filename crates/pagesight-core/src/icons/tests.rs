//! The committed table, and the reader of its form.

use super::*;

/// Drawings of all sets, with their hashes; the page script's tests compute the same ones.
const DRAWINGS: &str = include_str!("../../../../tests/icons/drawings.json");

fn fixture() -> Vec<serde_json::Value> {
    serde_json::from_str(DRAWINGS).expect("the fixture is JSON")
}

#[test]
fn drawings_of_every_set_are_named() {
    for icon in fixture() {
        let (hash, name) = (icon["hash"].as_str().unwrap(), icon["name"].as_str().unwrap());
        assert_eq!(by_drawing(hash), Some(name), "{}", icon["set"]);
    }
}

#[test]
fn what_is_not_in_the_table_has_no_name() {
    for hash in ["000000000000", "ffffffffffff", "", "0", "trash", "+00000000000", "ffffffffffff0"]
    {
        assert_eq!(by_drawing(hash), None, "{hash}");
    }
    for icon in fixture() {
        let hash = icon["hash"].as_str().unwrap();
        assert_eq!(
            by_drawing(&hash.to_ascii_uppercase()).is_some(),
            !hash.contains(char::is_alphabetic)
        );
        // One digit more or less is a different drawing.
        let last = u64::from_str_radix(hash, 16).unwrap() ^ 1;
        assert_eq!(by_drawing(&format!("{last:012x}")), None);
    }
}

#[test]
fn glyphs_are_named_in_every_version_of_their_font() {
    let named = [
        ("\"Font Awesome 6 Free\"", 0xf1f8, "trash"),
        ("FontAwesome", 0xf1f8, "trash"),
        ("'Font Awesome 5 Pro', sans-serif", 0xf002, "search"),
        ("Font Awesome 7 Brands", 0xf09b, "github"),
        ("bootstrap-icons", 0xf5de, "trash"),
        ("\"Material Design Icons\"", 0xf_0a79, "trash-can"),
        ("Material Icons Outlined", 0xe872, "delete"),
        ("Material Symbols Rounded", 0xe872, "delete"),
        ("remixicon", 0xec2a, "delete-bin"),
        ("tabler-icons-300", 0xeb41, "trash"),
        ("lucide", 0xe18d, "trash"),
        ("codicon", 0xea81, "trash"),
        ("Glyphicons Halflings", 0xe020, "trash"),
        ("Arial, FontAwesome", 0xf1f8, "trash"),
    ];
    for (family, code_point, name) in named {
        assert_eq!(by_glyph(family, code_point), Some(name), "{family}");
    }
    for (family, code_point) in
        [("Arial", 0xf1f8), ("", 0xf1f8), ("FontAwesome", 0x41), ("FontAwesome", u32::MAX)]
    {
        assert_eq!(by_glyph(family, code_point), None, "{family}");
    }
    assert_eq!(by_glyph(&"x".repeat(100_000), 0xf1f8), None);
}

#[test]
fn the_head_is_understood_and_the_table_is_small() {
    let table = IconTable::read(BYTES).expect("the committed table is read");
    let (drawings, glyphs) = table.size();
    assert!(drawings > 35_000 && glyphs > 20_000, "{drawings} drawings, {glyphs} glyphs");
    assert!(BYTES.len() <= 1_000_000, "{} bytes", BYTES.len());
}

#[test]
fn every_name_is_a_plain_name() {
    let table = IconTable::read(BYTES).expect("the committed table is read");
    for name in table.all_names() {
        let name = name.expect("every entry has a name");
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(!name.is_empty() && name.len() <= 30 && name.bytes().all(letter), "{name}");
    }
}

#[test]
fn a_table_of_another_version_or_a_damaged_one_is_refused() {
    let mut newer = BYTES.to_vec();
    newer[8] = 2;
    assert!(IconTable::read(&newer).is_none());
    let mut longer = BYTES.to_vec();
    longer.push(0);
    assert!(IconTable::read(&longer).is_none());
    for length in [0, 7, 8, 20, 32, 40, 5_000, BYTES.len() - 1] {
        assert!(IconTable::read(&BYTES[..length]).is_none(), "{length}");
    }
    let mut huge = BYTES[..40].to_vec();
    huge[12..32].fill(0xff);
    assert!(IconTable::read(&huge).is_none());
}
