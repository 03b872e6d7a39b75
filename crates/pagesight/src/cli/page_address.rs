//! Completes the page that a person names at the command line: a host without a scheme, or a file.

use std::path::{Path, PathBuf};

use anyhow::bail;
use pagesight_session::completed_url;
use url::Url;

/// How paths begin that are certainly no host.
const PATHS: [&str; 4] = ["./", "../", "/", "~"];
/// How the names of files end that look like hosts.
const ENDINGS: [&str; 4] = [".html", ".htm", ".xhtml", ".svg"];

/// Returns the URL of a page: of a host such as `localhost:4000`, and of a file such as
/// `./index.html`. Leaves everything else to whoever opens it.
pub(crate) fn completed(given: &str) -> anyhow::Result<String> {
    if given.contains("://") {
        return Ok(given.to_owned());
    }
    let (path, rest) = path_of(given);
    let is_path =
        PATHS.iter().any(|start| given.starts_with(start)) || given == "." || given == "..";
    if is_path || path.is_file() {
        return file_url(given, &path, rest);
    }
    let host = given.split(['/', '?', '#']).next().unwrap_or_default();
    if ENDINGS.iter().any(|ending| host.ends_with(ending)) {
        bail!("{given}: there is no such file; give the path of a page, or a URL");
    }
    Ok(completed_url(given).unwrap_or_else(|| given.to_owned()))
}

/// Splits a path from the parameters and the fragment after it.
fn path_of(given: &str) -> (PathBuf, &str) {
    let whole = PathBuf::from(given);
    let at = given.find(['?', '#']).filter(|_| !whole.exists());
    at.map_or((whole, ""), |at| (PathBuf::from(&given[..at]), &given[at..]))
}

fn file_url(given: &str, path: &Path, rest: &str) -> anyhow::Result<String> {
    if path.is_dir() {
        let index = path.join("index.html");
        bail!("{given} is a folder; give a file in it, such as {}", index.display());
    }
    if !path.is_file() {
        bail!(
            "{given}: there is no such file; for a page of a server give its address, such as http://localhost:3000{}",
            if given.starts_with('/') { given } else { "/" }
        );
    }
    // An absolute path always has a URL.
    let url = std::path::absolute(path).ok().and_then(|path| Url::from_file_path(path).ok());
    Ok(url.map_or_else(|| given.to_owned(), |url| format!("{url}{rest}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_files_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a page.html");
        std::fs::write(&file, "<h1>Page</h1>").unwrap();
        let path = file.display().to_string();
        let url = format!("file://{}", path.replace(' ', "%20"));
        for (given, whole) in [
            ("http://localhost:4000/a", "http://localhost:4000/a"),
            ("file:///x", "file:///x"),
            ("localhost:4000/a?b", "http://localhost:4000/a?b"),
            ("example.com", "https://example.com"),
            ("about:blank", "about:blank"),
            ("javascript:1", "javascript:1"),
            ("x", "x"),
            (&path, &url),
            (&format!("{path}?a#b"), &format!("{url}?a#b")),
        ] {
            assert_eq!(completed(given).unwrap(), whole, "{given}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().display().to_string();
        for (given, says) in [
            (
                "/orders",
                "/orders: there is no such file; for a page of a server give its address, such as http://localhost:3000/orders",
            ),
            ("./missing.html", "./missing.html: there is no such file; for a page of a server"),
            (
                "missing.html",
                "missing.html: there is no such file; give the path of a page, or a URL",
            ),
            (&here, "is a folder; give a file in it, such as "),
            ("..", ".. is a folder; give a file in it, such as ../index.html"),
        ] {
            let error = completed(given).unwrap_err().to_string();
            assert!(error.contains(says), "{given}: {error}");
        }
    }
}
