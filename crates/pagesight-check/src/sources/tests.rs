//! Checks the names of listed pages, collisions, and that a plan lists pages of a command.

use super::listed::ListedPage;
use super::*;
use crate::plan::Overrides;
#[cfg(unix)]
use crate::visit::OwnBrowsers;
#[cfg(unix)]
use pagesight_session::LaunchOptions;

fn plan(text: &str) -> Plan {
    Plan::read(Path::new("pages.toml"), text, &Overrides::default(), &|_| None).unwrap()
}

/// Adds the pages of the sources, which need no browser.
#[cfg(unix)]
async fn listed(plan: &mut Plan) -> Result<Vec<String>, SourceError> {
    let browsers = Box::new(OwnBrowsers::new(plan, &LaunchOptions::default()));
    add_pages(plan, browsers, std::future::pending()).await
}

fn added(urls: &[(&str, Option<&str>)]) -> Result<Vec<String>, SourceError> {
    let text =
        "base_url = \"http://a\"\ncommand = \"true\"\n[[page]]\nname = \"own\"\nroute = \"/own\"\n";
    let mut plan = plan(text);
    let sources = std::mem::take(&mut plan.sources);
    let mut known = KnownPages::of(&plan.jobs);
    let page = |(url, name): &(&str, Option<&str>)| ListedPage {
        url: (*url).to_owned(),
        name: name.map(str::to_owned),
    };
    let listing = Listing { pages: urls.iter().map(page).collect(), ..Listing::default() };
    add(&mut plan, &mut known, &sources[0], listing)?;
    Ok(plan.jobs.iter().skip(1).map(|job| job.name.clone()).collect())
}

#[test]
fn names_derive_from_addresses_alone() {
    let urls = ["http://a/", "http://a/x/y?z=1", "http://a/own", "http://a/x/y?z=1"];
    let names = added(&urls.map(|url| (url, None))).unwrap();
    assert_eq!(names, ["home", "x-y-z-1"], "a page of the file, and one that is there twice");
    let long = |end: &str| format!("http://a/{}{end}", "long/".repeat(40));
    let (one, two) = (name_of_listed(&long("1")), name_of_listed(&long("2")));
    assert!(one != two && one.len() == two.len() && one.len() <= 100, "{one} {two}");
    assert_eq!(one, name_of_listed(&long("1").replace("http://a", "https://b:8080")));
}

#[test]
fn collisions_name_both_pages() {
    for pages in [["http://a/x-y", "http://a/x/y"], ["http://a/About", "http://a/about"]] {
        let error = added(&pages.map(|url| (url, None))).unwrap_err().to_string();
        assert!(error.contains(pages[0]) && error.contains(pages[1]), "{error}");
    }
    let error = added(&[("http://a/z", Some("OWN"))]).unwrap_err().to_string();
    assert!(error.contains("http://a/own and http://a/z"), "{error}");
}

#[test]
fn hostile_names_and_addresses_become_safe_names_or_errors() {
    for url in [
        "http://a/../../etc/passwd",
        "http://a/%2e%2e%2f",
        "http://a/a\\..\\b",
        "http://a/\u{202e}x",
        "http://a/.hidden",
        "http://a/<script>",
        "http://a/con:aux|nul",
        "http://a/a%00b",
    ] {
        let names = added(&[(url, None)]).unwrap();
        let name = &names[0];
        let fine = |c: char| c.is_alphanumeric() || "._-".contains(c);
        assert!(name.chars().all(fine) && !name.starts_with('.'), "{url}: {name}");
    }
    for name in ["a b", "../x\u{7}", "", "a\u{202e}b", &"x".repeat(200)] {
        assert!(added(&[("http://a/z", Some(name))]).is_err(), "{name:?}");
    }
    for url in ["file:///etc/passwd", "http://a/\u{1}"] {
        assert!(added(&[(url, None)]).is_err(), "{url}");
    }
    assert_eq!(added(&[("http://a/x?token=s3cr3t-s3cr3t", None)]).unwrap(), ["x-token"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_plan_lists_the_pages_of_its_sources() {
    let mut plan = plan(
        "base_url = \"http://a\"\nviewports = [\"800x600\", \"400x600\"]\n\
         [[source]]\ncommand = \"printf '/x\\\\n/y\\\\tnamed\\\\n/z\\\\n'\"\nexclude = [\"/z\"]\ntimeout_s = 5\n",
    );
    let notes = listed(&mut plan).await.unwrap();
    let jobs: Vec<(&str, u32)> =
        plan.jobs.iter().map(|job| (job.name.as_str(), job.viewport.width)).collect();
    assert_eq!(jobs, [("x", 800), ("x", 400), ("named", 800), ("named", 400)]);
    assert!(plan.jobs.iter().all(|job| job.limit.as_secs() == 5 && job.line == 3));
    assert!(notes[0].ends_with(": 2 pages"), "{notes:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_source_without_pages_is_an_error() {
    for (command, says) in
        [("true", "lists no pages"), ("echo /x; false", "failed"), ("echo x", "line 1")]
    {
        let mut plan = plan(&format!("base_url = \"http://a\"\ncommand = \"{command}\"\n"));
        let error = listed(&mut plan).await.unwrap_err().to_string();
        assert!(error.contains(says) && error.starts_with("pages.toml:1: "), "{error}");
    }
}
