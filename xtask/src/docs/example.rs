//! The example of a page that is generated otherwise: it is written by hand, below a heading of its
//! own, and a test of the documentation runs it and fails if a page has none.

/// The heading of the example.
pub(super) const HEADING: &str = "## Example\n";

/// Returns a generated page with the example that the page had before.
pub(super) fn kept(page: &str, before: &str) -> String {
    page.replacen(HEADING, &format!("{HEADING}{}", of(before)), 1)
}

/// Returns what is below the heading of the example, up to the next heading.
fn of(page: &str) -> &str {
    let Some((_, rest)) = page.split_once(HEADING) else { return "\n" };
    let mut at = 0;
    let mut is_in_block = false;
    for line in rest.split_inclusive('\n') {
        is_in_block ^= line.starts_with("```");
        // A comment of a shell is no heading.
        if !is_in_block && line.starts_with("## ") {
            break;
        }
        at += line.len();
    }
    &rest[..at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_kept() {
        let page =
            |example: &str, help: &str| format!("# a\n\n{HEADING}{example}## Help\n{help}\n");
        let example = "\nOne.\n\n```sh run\n## no heading\n```\n\n";
        let made = page("", "new");
        assert_eq!(kept(&made, &page(example, "old")), page(example, "new"));
        assert_eq!(kept(&made, ""), page("\n", "new"));
    }
}
