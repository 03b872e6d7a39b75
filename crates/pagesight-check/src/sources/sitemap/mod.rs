//! Reads sitemaps: lists of pages and indexes of further sitemaps, plain or packed with gzip. Every
//! dimension is bounded: bytes of a file, unpacked bytes, files, levels and entries.

use std::collections::{HashSet, VecDeque};
use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use pagesight_core::text::address::without_values;
use pagesight_core::text::escape;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::sources::error::SourceError;
use crate::sources::listed::{CheckedSite, ListedPage, Listing};

/// The most bytes of one file, packed and unpacked: the limit of the protocol.
const MOST_BYTES: usize = 50 << 20;
/// The most unpacked bytes of all files.
const MOST_IN_ALL: usize = 1 << 30;
const MOST_FILES: usize = 5_000;
/// How deep an index may refer to further indexes; the protocol allows one level.
const DEEPEST: usize = 3;
const LONGEST: usize = 8_192;

/// Reads one file of a site.
pub(super) trait SitemapFiles {
    /// Returns its bytes.
    async fn read(&mut self, url: &str, most: usize) -> Result<Vec<u8>, SourceError>;
}

/// An entry of a sitemap.
#[derive(Debug, PartialEq)]
enum SitemapEntry {
    Page(String),
    Sitemap(String),
}

/// Lists the pages of a sitemap and of those that it refers to. `origin` is the origin that the
/// sitemap writes instead of the one it is served from, and `wanted` chooses pages by their routes.
pub(super) async fn list(
    files: &mut impl SitemapFiles,
    url: &str,
    origin: Option<&str>,
    most: usize,
    wanted: impl Fn(&str) -> bool,
) -> Result<Listing, SourceError> {
    let site = CheckedSite::of(url).ok_or("a sitemap needs an http or https address")?;
    let written = origin.and_then(CheckedSite::of);
    let route = |found: &str| -> Option<String> {
        let own = site.route(found).or_else(|| written.as_ref()?.route(found));
        own.or_else(|| found.starts_with('/').then_some(found).filter(|it| !it.starts_with("//")))
            .map(str::to_owned)
    };
    let mut listing = Listing::default();
    let (mut seen, mut left) = (HashSet::from([url.to_owned()]), MOST_IN_ALL);
    let mut queue = VecDeque::from([(url.to_owned(), 0)]);
    while let Some((at, level)) = queue.pop_front() {
        let named = |reason: SourceError| SourceError::Sitemap {
            address: without_values(&at),
            reason: Box::new(reason),
        };
        let bytes = files.read(&at, MOST_BYTES).await.map_err(named)?;
        let mut found = |entry: SitemapEntry| match entry {
            SitemapEntry::Page(page) => match route(&page) {
                Some(route) if wanted(&route) => {
                    if listing.pages.len() >= most {
                        return Err(format!(
                            "it lists more than {most} pages; raise max, or list fewer with include"
                        )
                        .into());
                    }
                    listing.pages.push(ListedPage { url: site.url(&route), name: None });
                    Ok(())
                }
                Some(_) => Ok(()),
                None => {
                    listing.foreign += 1;
                    listing.first_foreign.get_or_insert(page);
                    Ok(())
                }
            },
            SitemapEntry::Sitemap(next) => {
                let Some(next) = route(&next).map(|route| site.url(&route)) else {
                    listing.foreign += 1;
                    listing.first_foreign.get_or_insert(next);
                    return Ok(());
                };
                // An index that refers to itself, or twice to one file, is read once.
                if !seen.insert(next.clone()) {
                    return Ok(());
                }
                if level >= DEEPEST {
                    return Err(
                        format!("indexes are nested more than {DEEPEST} levels deep").into()
                    );
                }
                if seen.len() > MOST_FILES {
                    return Err(format!("it refers to more than {MOST_FILES} files").into());
                }
                queue.push_back((next, level + 1));
                Ok(())
            }
        };
        let used = entries(&bytes, MOST_BYTES.min(left), &mut found).map_err(named)?;
        left -= used.min(left);
        // A short file cannot use up the rest on its own.
        if left == 0 {
            let most = MOST_IN_ALL >> 20;
            return Err(named(format!("all files together are larger than {most} MiB").into()));
        }
    }
    Ok(listing)
}

/// Reads the entries of a file. Returns its unpacked length.
fn entries(
    bytes: &[u8],
    most: usize,
    found: &mut dyn FnMut(SitemapEntry) -> Result<(), SourceError>,
) -> Result<usize, SourceError> {
    let unpacked: Box<dyn Read + '_> = match bytes.starts_with(&[0x1f, 0x8b]) {
        true => Box::new(MultiGzDecoder::new(bytes)),
        false => Box::new(bytes),
    };
    let mut input = BufReader::new(unpacked.take(most as u64 + 1));
    let read = parse(&mut input, found);
    match input.get_ref().limit() {
        0 => Err(format!("it unpacks to more than {} MiB", MOST_BYTES >> 20).into()),
        _ => read,
    }
}

fn parse(
    input: impl BufRead,
    found: &mut dyn FnMut(SitemapEntry) -> Result<(), SourceError>,
) -> Result<usize, SourceError> {
    let mut reader = Reader::from_reader(input);
    let mut buffer = Vec::new();
    // The open elements; an address is in the third.
    let mut open: Vec<String> = Vec::new();
    let mut text = String::new();
    let (mut depth, mut is_sitemap) = (0_usize, false);
    let damaged = |why: &dyn std::fmt::Display| {
        format!("it is damaged: {}", escape::safe(&why.to_string(), 200))
    };
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).map_err(|error| match error {
            quick_xml::Error::Io(error) => damaged(&error),
            error => damaged(&error),
        })?;
        let in_address = depth == 3 && open.len() == 3 && open[2] == "loc";
        match event {
            Event::Start(element) => {
                depth += 1;
                if depth <= 3 {
                    open.truncate(depth - 1);
                    open.push(element.local_name().as_ref().to_owned());
                    text.clear();
                }
                if depth == 1 {
                    is_sitemap = matches!(open[0].as_str(), "urlset" | "sitemapindex");
                }
            }
            Event::End(_) => {
                if in_address {
                    let address = text.trim().to_owned();
                    match (open[0].as_str(), open[1].as_str()) {
                        ("urlset", "url") => found(SitemapEntry::Page(address))?,
                        ("sitemapindex", "sitemap") => found(SitemapEntry::Sitemap(address))?,
                        _ => {}
                    }
                }
                depth = depth.saturating_sub(1);
                open.truncate(depth);
            }
            Event::Text(part) if in_address => text.push_str(&part.xml10_content()),
            Event::CData(part) if in_address => text.push_str(&part.xml10_content()),
            Event::GeneralRef(name) if in_address => {
                let c = match name.resolve_char_ref().map_err(|error| damaged(&error))? {
                    Some(c) => c,
                    None => match name.xml10_content().as_ref() {
                        "amp" => '&',
                        "lt" => '<',
                        "gt" => '>',
                        "quot" => '"',
                        "apos" => '\'',
                        unknown => {
                            return Err(damaged(&format!("unknown entity {unknown:?}")).into());
                        }
                    },
                };
                text.push(c);
            }
            Event::Eof => break,
            _ => {}
        }
        if text.len() > LONGEST {
            return Err(format!("an address is longer than {LONGEST} bytes").into());
        }
    }
    match (is_sitemap, depth) {
        (false, _) => {
            Err("it is not a sitemap; its root is neither urlset nor sitemapindex".into())
        }
        (true, 0) => Ok(reader.buffer_position() as usize),
        (true, _) => Err("it is damaged: it ends in the middle".into()),
    }
}

#[cfg(test)]
mod tests;
