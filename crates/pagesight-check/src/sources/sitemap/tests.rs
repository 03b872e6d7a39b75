//! Checks what is read of sitemaps, and that hostile ones end with an error within their bounds.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

/// Files by their addresses.
struct Stored(HashMap<String, Vec<u8>>, usize);

impl SitemapFiles for Stored {
    async fn read(&mut self, url: &str, most: usize) -> Result<Vec<u8>, SourceError> {
        self.1 += 1;
        let file = self.0.get(url).cloned().ok_or("it answered 404")?;
        if file.len() > most { Err("it is too long".into()) } else { Ok(file) }
    }
}

fn stored(files: &[(&str, Vec<u8>)]) -> Stored {
    let named = |(name, bytes): &(&str, Vec<u8>)| (format!("http://a/{name}"), bytes.clone());
    Stored(files.iter().map(named).collect(), 0)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn pages(routes: &[&str]) -> Vec<u8> {
    let rows: String = routes
        .iter()
        .map(|route| format!("<url><loc>{route}</loc><lastmod>2026</lastmod></url>"))
        .collect();
    format!("<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{rows}</urlset>").into_bytes()
}

fn index(files: &[&str]) -> Vec<u8> {
    let rows: String =
        files.iter().map(|file| format!("<sitemap><loc>{file}</loc></sitemap>")).collect();
    format!("<sitemapindex>{rows}</sitemapindex>").into_bytes()
}

async fn listed(files: &mut Stored) -> Result<Listing, SourceError> {
    list(files, "http://a/sitemap.xml", None, 100, |_| true).await
}

fn urls(listing: &Listing) -> Vec<&str> {
    listing.pages.iter().map(|page| page.url.as_str()).collect()
}

#[tokio::test]
async fn indexes_packed_files_and_loops_are_followed_once() {
    let mut files = stored(&[
        (
            "sitemap.xml",
            index(&[
                "http://a/1.xml.gz",
                "http://a/sitemap.xml",
                "http://a/in.xml",
                "http://b/x.xml",
            ]),
        ),
        ("in.xml", index(&["http://a/1.xml.gz", "http://a/2.xml", "http://a/in.xml"])),
        (
            "1.xml.gz",
            packed(&pages(&[
                "http://a/p?x=1&amp;y=2",
                "http://a/q#part",
                "https://a/",
                "http://b/",
            ])),
        ),
        ("2.xml", pages(&["<![CDATA[http://a/c&d]]>", " http://a/&#228; ", "/route"])),
    ]);
    let listing = listed(&mut files).await.unwrap();
    assert_eq!(
        urls(&listing),
        ["http://a/p?x=1&y=2", "http://a/q", "http://a/c&d", "http://a/ä", "http://a/route"]
    );
    assert_eq!((listing.foreign, files.1), (3, 4), "each file is read once");
    assert_eq!(listing.first_foreign.as_deref(), Some("http://b/x.xml"));
}

#[tokio::test]
async fn images_of_a_page_are_no_pages() {
    let text = "<s:urlset xmlns:s='x' xmlns:image='y'><s:url><s:loc>http://a/p</s:loc>\
        <image:image><image:loc>http://a/i.png</image:loc></image:image></s:url></s:urlset>";
    let mut files = stored(&[("sitemap.xml", text.as_bytes().to_vec())]);
    assert_eq!(urls(&listed(&mut files).await.unwrap()), ["http://a/p"]);
}

#[tokio::test]
async fn an_origin_that_the_sitemap_writes_is_replaced() {
    let mut files =
        stored(&[("sitemap.xml", pages(&["https://example.com/p", "https://evil.example/"]))]);
    let origin = Some("https://example.com");
    let listing = list(&mut files, "http://a/sitemap.xml", origin, 9, |_| true).await.unwrap();
    assert_eq!((urls(&listing), listing.foreign), (vec!["http://a/p"], 1));
}

#[tokio::test]
async fn every_bound_is_an_error_with_a_sentence() {
    let zeros = packed(&vec![b' '; MOST_BYTES + 1]);
    let mut bomb = packed(b"<urlset>");
    bomb.extend(zeros);
    let many: Vec<String> = (0..101).map(|number| format!("http://a/{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let long = format!("http://a/{}", "x".repeat(LONGEST));
    let nested = |to: &str| index(&[&format!("http://a/{to}")]);
    for (files, says) in [
        (vec![("sitemap.xml", bomb)], "unpacks to more than 50 MiB"),
        (vec![("sitemap.xml", pages(&many))], "more than 100 pages; raise max"),
        (vec![("sitemap.xml", pages(&[&long]))], "longer than 8192 bytes"),
        (vec![("sitemap.xml", b"<html><body>Hello</body></html>".to_vec())], "not a sitemap"),
        (vec![("sitemap.xml", b"not xml".to_vec())], "not a sitemap"),
        (vec![("sitemap.xml", Vec::new())], "not a sitemap"),
        (vec![("sitemap.xml", b"<urlset><url><loc>http://a/".to_vec())], "damaged"),
        (vec![("sitemap.xml", pages(&["&unknown;"]))], "unknown entity"),
        (vec![("sitemap.xml", packed(&pages(&["http://a/"]))[..20].to_vec())], "damaged"),
        (
            vec![("sitemap.xml", index(&["http://a/gone.xml"]))],
            "gone.xml cannot be used: it answered 404",
        ),
        (
            vec![
                ("sitemap.xml", nested("1")),
                ("1", nested("2")),
                ("2", nested("3")),
                ("3", nested("4")),
                ("4", pages(&["http://a/"])),
            ],
            "nested more than 3 levels",
        ),
    ] {
        let error = listed(&mut stored(&files)).await.unwrap_err().to_string();
        assert!(error.contains(says) && !error.contains('\n'), "{says}: {error}");
    }
}
