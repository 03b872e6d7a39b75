//! Makes the names of pages from their addresses.

/// The longest name that is made.
const LONGEST: usize = 100;

/// Makes a name from a route: `/orders/list?page=2` becomes `orders-list-page-2`.
pub(crate) fn name_of(route: &str) -> String {
    let route = route
        .split_once("://")
        .map_or(route, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
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
    let shown = pagesight_core::text::address::display(url);
    let name = name_of(&shown);
    // `name_of` makes no name longer than its limit; a shorter one was not cut.
    if name.chars().count() < LONGEST {
        return name;
    }
    let begin: String = name.chars().take(LONGEST - 9).collect();
    let path = shown
        .split_once("://")
        .map_or(&*shown, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
    format!("{}-{:08x}", begin.trim_end_matches(['-', '.']), crc32fast::hash(path.as_bytes()))
}
