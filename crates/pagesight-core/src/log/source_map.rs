//! Source maps (version 3): finds the source position of a position in a bundle. Reads the
//! mappings as far as the last position and keeps nothing.

use serde::Deserialize;

/// A position in the source that a bundle was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalPosition {
    /// The source file, as it may be printed: without the bundler's prefixes.
    pub source: String,
    /// The line; the first is 1.
    pub line: u32,
    /// The column; the first is 1.
    pub column: u32,
}

/// A map, read but not decoded.
#[derive(Debug, Deserialize)]
pub struct SourceMap {
    #[serde(default)]
    version: u32,
    #[serde(default, rename = "sourceRoot")]
    source_root: Option<String>,
    #[serde(default)]
    sources: Vec<Option<String>>,
    #[serde(default)]
    mappings: String,
    /// Maps of parts of the script.
    #[serde(default)]
    sections: Vec<MapSection>,
}

#[derive(Debug, Deserialize)]
struct MapSection {
    offset: MapOffset,
    map: Option<SourceMap>,
}

#[derive(Debug, Deserialize)]
struct MapOffset {
    line: u32,
    column: u32,
}

impl SourceMap {
    /// Reads a map; `None` if it is not one that is understood. Servers may put a line before it
    /// that makes it invalid JavaScript.
    pub fn parse(text: &str) -> Option<SourceMap> {
        let text = text.trim_start_matches('\u{feff}');
        let text = match text.strip_prefix(")]}'") {
            Some(rest) => rest.split_once('\n').map_or("", |(_, rest)| rest),
            None => text,
        };
        let map: SourceMap = serde_json::from_str(text).ok()?;
        (map.version == 3).then_some(map)
    }

    /// Returns the source positions of positions in the script; lines and columns count from 1.
    /// All are found in one pass. `None` if `goes_on` said that there is no more time.
    pub fn originals(
        &self,
        positions: &[(u32, u32)],
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<Option<OriginalPosition>>> {
        let zero_based = |(at, (line, column)): (usize, &(u32, u32))| {
            Some(WantedPosition {
                line: line.checked_sub(1)?,
                column: column.saturating_sub(1),
                index: at,
            })
        };
        let mut wanted: Vec<WantedPosition> =
            positions.iter().enumerate().filter_map(zero_based).collect();
        wanted.sort_unstable_by_key(|position| (position.line, position.column));
        let mut originals = vec![None; positions.len()];
        self.find(&wanted, 0, goes_on, &mut originals).then_some(originals)
    }

    /// Finds sorted positions; returns false if there is no more time.
    fn find(
        &self,
        wanted: &[WantedPosition],
        depth: u8,
        goes_on: &dyn Fn() -> bool,
        originals: &mut [Option<OriginalPosition>],
    ) -> bool {
        if self.sections.is_empty() {
            let root = self.source_root.as_deref().unwrap_or_default();
            return mapped(&self.mappings, wanted, goes_on, |index, (source, line, column)| {
                originals[index] = self.original_position(root, source, line, column);
            });
        }
        if depth >= 4 {
            return true;
        }
        // Sections are in the order of their offsets, so positions of one are beside each other.
        let section_of = |position: &WantedPosition| {
            self.sections.partition_point(|section| {
                (section.offset.line, section.offset.column) <= (position.line, position.column)
            })
        };
        wanted.chunk_by(|a, b| section_of(a) == section_of(b)).all(|group| {
            let section = group.first().and_then(|first| section_of(first).checked_sub(1));
            let Some(section) = section.and_then(|at| self.sections.get(at)) else { return true };
            let within = |position: &WantedPosition| {
                let line = position.line.checked_sub(section.offset.line)?;
                let column = match line {
                    0 => position.column.checked_sub(section.offset.column)?,
                    _ => position.column,
                };
                Some(WantedPosition { line, column, index: position.index })
            };
            let inner: Vec<WantedPosition> = group.iter().filter_map(within).collect();
            let map = section.map.as_ref();
            map.is_none_or(|map| map.find(&inner, depth + 1, goes_on, originals))
        })
    }

    fn original_position(
        &self,
        root: &str,
        source: i64,
        line: i64,
        column: i64,
    ) -> Option<OriginalPosition> {
        let source = self.sources.get(usize::try_from(source).ok()?)?.as_deref()?;
        Some(OriginalPosition {
            source: short_source(root, source),
            line: u32::try_from(line).ok()?.checked_add(1)?,
            column: u32::try_from(column).ok()?.checked_add(1)?,
        })
    }
}

/// A position in a script that is looked up; line and column count from 0.
struct WantedPosition {
    line: u32,
    column: u32,
    /// The index of its original position in the answer.
    index: usize,
}

/// How many segments are read between two looks at the clock.
const SEGMENTS: usize = 10_000;

/// Calls `found` with the source, line and column of the last mapping at or before each position in
/// its line. Stops at what cannot be read. Returns false if there is no more time.
fn mapped(
    mappings: &str,
    wanted: &[WantedPosition],
    goes_on: &dyn Fn() -> bool,
    mut found: impl FnMut(usize, (i64, i64, i64)),
) -> bool {
    let mut state = (0i64, 0i64, 0i64);
    let (mut left, mut read) = (wanted, 0usize);
    for (at, segments) in mappings.split(';').enumerate() {
        let (mut generated, mut best) = (0i64, None);
        for segment in segments.split(',').filter(|segment| !segment.is_empty()) {
            read += 1;
            if read.is_multiple_of(SEGMENTS) && !goes_on() {
                return false;
            }
            let mut numbers = VlqNumbers(segment.bytes());
            let Some(column) = numbers.next().and_then(|delta| generated.checked_add(delta)) else {
                return true;
            };
            generated = column;
            while let Some((first, rest)) = left.split_first()
                && first.line as usize == at
                && generated > i64::from(first.column)
            {
                best.into_iter().for_each(|original| found(first.index, original));
                left = rest;
            }
            // A segment without a source ends what the one before it maps.
            best = None;
            if let Some(source) = numbers.next() {
                let Some(next) = moved(state, source, &mut numbers) else { return true };
                state = next;
                best = Some(state);
            }
        }
        while let Some((first, rest)) = left.split_first()
            && first.line as usize == at
        {
            best.into_iter().for_each(|original| found(first.index, original));
            left = rest;
        }
        if left.is_empty() {
            return true;
        }
    }
    true
}

fn moved(
    (source, line, column): (i64, i64, i64),
    delta: i64,
    numbers: &mut VlqNumbers<'_>,
) -> Option<(i64, i64, i64)> {
    let source = source.checked_add(delta)?;
    let line = line.checked_add(numbers.next()?)?;
    Some((source, line, column.checked_add(numbers.next()?)?))
}

/// The numbers of a segment, in base 64 VLQ.
struct VlqNumbers<'m>(std::str::Bytes<'m>);

impl Iterator for VlqNumbers<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        let (mut value, mut shift) = (0i64, 0u32);
        loop {
            let digit = i64::from(match self.0.next()? {
                byte @ b'A'..=b'Z' => byte - b'A',
                byte @ b'a'..=b'z' => byte - b'a' + 26,
                byte @ b'0'..=b'9' => byte - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            });
            if shift > 30 {
                return None;
            }
            value |= (digit & 31) << shift;
            shift += 5;
            if digit & 32 == 0 {
                let size = value >> 1;
                return Some(if value & 1 == 1 { -size } else { size });
            }
        }
    }
}

/// Returns a source without the scheme of a bundler, without the way up to the project, and
/// without parameters.
fn short_source(root: &str, source: &str) -> String {
    let joined = match source.contains("://") || root.is_empty() {
        true => source.to_owned(),
        false => format!("{}/{source}", root.trim_end_matches('/')),
    };
    let path = match joined.split_once("://") {
        // `webpack://app/./src/a.js`: the name of the app is not a folder.
        Some((scheme, rest)) if !scheme.starts_with("http") && scheme != "file" => {
            rest.split_once("/./").map_or(rest, |(_, path)| path)
        }
        Some((_, rest)) => rest.split_once('/').map_or(rest, |(_, path)| path),
        None => &joined,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> =
        path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    // The end of a long path says enough.
    parts[parts.len().saturating_sub(4)..].join("/")
}

/// Returns the address of the map that a script names in its last lines, if it names one.
pub fn named_in(script: &str) -> Option<&str> {
    let mut end = script.trim_end();
    for _ in 0..5 {
        let line_start = end.rfind('\n').map_or(0, |at| at + 1);
        let line = end[line_start..].trim();
        for mark in ["//# sourceMappingURL=", "//@ sourceMappingURL=", "/*# sourceMappingURL="] {
            if let Some(at) = line.rfind(mark) {
                let url = line[at + mark.len()..].trim().trim_end_matches("*/").trim();
                return (!url.is_empty() && !url.contains([' ', '"', '\''])).then_some(url);
            }
        }
        end = end[..line_start].trim_end();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    impl SourceMap {
        fn original(&self, line: u32, column: u32) -> Option<OriginalPosition> {
            self.originals(&[(line, column)], &|| true).unwrap().pop().unwrap()
        }
    }

    fn place(source: &str, line: u32, column: u32) -> Option<OriginalPosition> {
        Some(OriginalPosition { source: source.to_owned(), line, column })
    }

    #[test]
    fn positions_are_found() {
        // Line 1: column 1 is a.ts:1:1, column 10 is a.ts:3:5. Line 2: column 1 is b.ts:2:1.
        let text = r#"{"version":3,"sources":["../src/a.ts","webpack://app/./src/b.ts?x=1"],"mappings":"AAAA,SAEI;ACDJ"}"#;
        let map = SourceMap::parse(text).unwrap();
        assert_eq!(map.original(1, 1), place("src/a.ts", 1, 1));
        assert_eq!(map.original(1, 9), place("src/a.ts", 1, 1));
        assert_eq!(map.original(1, 10), place("src/a.ts", 3, 5));
        assert_eq!(map.original(2, 40), place("src/b.ts", 2, 1));
        assert_eq!(map.original(3, 1), None);
        assert_eq!(map.original(0, 1), None);
        let all = map.originals(&[(2, 1), (0, 1), (1, 12), (1, 1), (1, 12), (9, 9)], &|| true);
        let (first, third) = (place("src/a.ts", 1, 1), place("src/a.ts", 3, 5));
        let expected = vec![place("src/b.ts", 2, 1), None, third.clone(), first, third, None];
        assert_eq!(all, Some(expected));
    }

    #[test]
    fn a_large_map_is_left_when_there_is_no_more_time() {
        let mappings = "AAAA,".repeat(SEGMENTS + 1);
        let text = format!(r#"{{"version":3,"sources":["a"],"mappings":"{mappings}"}}"#);
        let map = SourceMap::parse(&text).unwrap();
        assert_eq!(map.originals(&[(1, 5)], &|| false), None);
        assert!(map.originals(&[(1, 5)], &|| true).is_some());
    }

    #[test]
    fn parts_of_a_script_have_their_own_maps() {
        let part = r#"{"version":3,"sourceRoot":"/p","sources":["c.ts"],"mappings":"AAEA"}"#;
        let text = format!(
            r#"{{"version":3,"sections":[{{"offset":{{"line":4,"column":2}},"map":{part}}}]}}"#
        );
        let map = SourceMap::parse(&text).unwrap();
        assert_eq!(map.original(5, 3), place("p/c.ts", 3, 1));
        assert_eq!(map.original(1, 1), None);
    }

    #[test]
    fn damaged_maps_map_nothing() {
        for text in ["", "[]", "{}", r#"{"version":2,"mappings":"AAAA"}"#, "{\"version\":3"] {
            assert!(SourceMap::parse(text).is_none(), "{text}");
        }
        for mappings in ["!!", "A!", "AAAA,gggggggggggggg", "AEAA", "A"] {
            let text = format!(r#"{{"version":3,"sources":["a"],"mappings":"{mappings}"}}"#);
            assert_eq!(
                SourceMap::parse(&text).unwrap().original(1, 500_000_000),
                None,
                "{mappings}"
            );
        }
        let guarded = ")]}'\n{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"AAAA\"}";
        assert_eq!(SourceMap::parse(guarded).unwrap().original(1, 1), place("a", 1, 1));
    }

    #[test]
    fn a_script_names_its_map_at_its_end() {
        assert_eq!(named_in("x()\n//# sourceMappingURL=app.js.map\n\n"), Some("app.js.map"));
        assert_eq!(named_in("x() /*# sourceMappingURL=a.map */"), Some("a.map"));
        assert_eq!(named_in("//# sourceMappingURL=a.map\n1\n2\n3\n4\n5\n6"), None);
        assert_eq!(named_in("x = '//# sourceMappingURL=' + y"), None);
        assert_eq!(named_in(""), None);
    }
}
