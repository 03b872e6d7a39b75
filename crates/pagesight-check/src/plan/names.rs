//! Makes the names of pages from their addresses.

use pagesight_core::text::address::{display, parts};

/// The longest name that is made.
const LONGEST: usize = 100;

/// Makes a name from a route: `/orders/list?page=2` becomes `orders-list-page-2`.
pub(crate) fn name_of(route: &str) -> String {
    let route = path_of(route);
    let mut name = String::new();
    for c in route.chars() {
        match c {
            c if c.is_alphanumeric() || c == '.' || c == '_' => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name: String = name.trim_matches(['-', '.']).chars().take(LONGEST).collect();
    if name.is_empty() { "home".to_owned() } else { name }
}

/// Makes the name of a page that a source lists. Unlike [`name_of`], a long address keeps what
/// makes it different: the name ends with a checksum of all of it.
pub(crate) fn name_of_listed(url: &str) -> String {
    let shown = display(url);
    let name = name_of(&shown);
    // `name_of` makes no name longer than its limit; a shorter one was not cut.
    if name.chars().count() < LONGEST {
        return name;
    }
    let begin: String = name.chars().take(LONGEST - 9).collect();
    let hash = crc32fast::hash(path_of(&shown).as_bytes());
    format!("{}-{hash:08x}", begin.trim_end_matches(['-', '.']))
}

/// Returns path, query and fragment of an address; a route stays as it is.
fn path_of(url: &str) -> &str {
    match parts(url) {
        Some((_, _, path)) if path.starts_with('/') => path,
        Some(_) => "",
        None => url,
    }
}
