//! Pages of the benchmarks that are written in files: many in one file, each after a line `===
//! NAME`.

/// Returns the pages of a file, each with its name.
pub fn pages(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = file.split("\n=== ").skip(1);
    sections.map(|section| {
        let (name, page) = section.split_once('\n').unwrap_or((section, ""));
        (name, page.trim_end())
    })
}
