//! Notices that the server of a watched page has new files while the page stays as it is. That is a
//! static site without a development server that reloads its pages: `watch` cannot see such a
//! change, and has to say so.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use pagesight_browser::download;
use tokio::time::Instant;
use url::{Host, Url};

/// How often the files are read, and how long a page may take to render what changed.
const INTERVAL: Duration = Duration::from_secs(2);
/// How long one file may be, and how long reading it may take.
const MOST_BYTES: usize = 4 << 20;
const LIMIT: Duration = Duration::from_secs(1);
/// How many scripts and styles of the document are read.
const MOST_FILES: usize = 20;

/// Files by their address, each with a hash of its content.
type Versions = BTreeMap<Url, u64>;

/// The files of a page: its document, and the scripts and styles that the document names.
pub(super) struct ServedFiles {
    page: Url,
    versions: Versions,
    next_look: Instant,
    /// A file that has changed. The page may still render it.
    changed: Option<Url>,
    /// Whether the versions have to be read again: the page has rendered something.
    outdated: bool,
}

impl ServedFiles {
    /// Reads the files of a page twice. Returns none if they cannot be compared: those of other
    /// machines are left alone, TLS and logins are the browser's, and some documents are different
    /// each time.
    pub(super) async fn of(page: &str) -> Option<ServedFiles> {
        let page = Url::parse(page).ok().filter(is_of_this_machine)?;
        let (first, second) = (read(&page).await?, read(&page).await?);
        let is_stable = |(file, version): &(Url, u64)| second.get(file) == Some(version);
        let versions: Versions = first.into_iter().filter(is_stable).collect();
        versions.contains_key(&page).then(|| ServedFiles {
            page,
            versions,
            next_look: Instant::now() + INTERVAL,
            changed: None,
            outdated: false,
        })
    }

    /// Waits until a file has changed and the page has not rendered it, and returns its path. May
    /// be dropped and called again at any time.
    pub(super) async fn unseen(&mut self) -> String {
        loop {
            tokio::time::sleep_until(self.next_look).await;
            self.next_look = Instant::now() + INTERVAL;
            if let Some(file) = self.changed.take() {
                return file.path().to_owned();
            }
            // The server may be down.
            let Some(now) = read(&self.page).await else { continue };
            self.look(&now);
        }
    }

    /// Compares the files with those of before.
    fn look(&mut self, now: &Versions) {
        let differs =
            |(file, version): &(&Url, &mut u64)| now.get(*file).is_some_and(|now| now != *version);
        let changed = self.versions.iter_mut().find(differs).map(|(file, _)| file.clone());
        for (file, version) in &mut self.versions {
            *version = now.get(file).copied().unwrap_or(*version);
        }
        if !std::mem::take(&mut self.outdated) {
            self.changed = changed;
        }
    }

    /// Records that the page has rendered something: it may be the change.
    pub(super) fn page_has_rendered(&mut self) {
        self.changed = None;
        self.outdated = true;
    }
}

fn is_of_this_machine(url: &Url) -> bool {
    match (url.scheme(), url.host()) {
        ("file", _) => true,
        ("http", Some(Host::Domain(name))) => name == "localhost" || name.ends_with(".localhost"),
        ("http", Some(Host::Ipv4(number))) => number.is_loopback(),
        ("http", Some(Host::Ipv6(number))) => number.is_loopback(),
        _ => false,
    }
}

/// Reads the document, and the scripts and styles that it names. `None` if the document cannot be
/// read.
async fn read(page: &Url) -> Option<Versions> {
    let document = content(page).await?;
    let mut versions = Versions::new();
    for file in named_files(page, &String::from_utf8_lossy(&document)) {
        if let Some(content) = content(&file).await {
            versions.insert(file, hash(&content));
        }
    }
    versions.insert(page.clone(), hash(&document));
    Some(versions)
}

async fn content(file: &Url) -> Option<Vec<u8>> {
    match file.to_file_path() {
        Ok(path) if file.scheme() == "file" => {
            let length = std::fs::metadata(&path).ok()?.len();
            if length > MOST_BYTES as u64 {
                return None;
            }
            std::fs::read(path).ok()
        }
        _ => Some(download(file.as_str(), MOST_BYTES, LIMIT).await.ok()?.bytes),
    }
}

fn hash(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

/// Returns the scripts and styles of the same origin that a document names.
fn named_files(page: &Url, document: &str) -> Vec<Url> {
    let is_kept = |file: &Url| {
        let path = file.path();
        let ending = path.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
        let same_place = file.scheme() == page.scheme() && file.origin() == page.origin()
            || file.scheme() == "file" && page.scheme() == "file";
        same_place && ["js", "mjs", "css"].contains(&ending)
    };
    let mut files: Vec<Url> = ["src=", "href="]
        .iter()
        .flat_map(|attribute| document.split(attribute).skip(1))
        .filter_map(|rest| {
            let quote = rest.chars().next().filter(|first| "\"'".contains(*first));
            let rest = rest.trim_start_matches(['"', '\'']);
            let end = |c: char| match quote {
                Some(quote) => c == quote,
                None => c.is_whitespace() || c == '>',
            };
            let mut file = page.join(rest.split(end).next()?.trim()).ok()?;
            file.set_fragment(None);
            is_kept(&file).then_some(file)
        })
        .collect();
    files.sort();
    files.dedup();
    files.truncate(MOST_FILES);
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn scripts_and_styles_of_the_same_origin_are_read() {
        let page = url("http://localhost:3000/a/index.html");
        let document = "<script src=app.js></script><script src='/b.mjs#x'></script>
            <script src=\"http://localhost:4000/c.js\"></script><link href=\"style.css?v=1\" rel=stylesheet>
            <a href=page.html>Page</a><img src=\"d.png\"><script src=app.js></script>";
        let found: Vec<String> =
            named_files(&page, document).into_iter().map(|file| file.to_string()).collect();
        let at = |path: &str| format!("http://localhost:3000/{path}");
        assert_eq!(found, [at("a/app.js"), at("a/style.css?v=1"), at("b.mjs")]);
    }

    #[test]
    fn only_files_of_this_machine_are_read() {
        for (address, is_read) in [
            ("http://localhost:3000/", true),
            ("http://app.localhost/", true),
            ("http://127.0.0.1/", true),
            ("http://[::1]:80/", true),
            ("file:///a/index.html", true),
            ("https://localhost/", false),
            ("http://example.com/", false),
            ("http://10.0.0.1/", false),
            ("data:text/html,x", false),
        ] {
            assert_eq!(is_of_this_machine(&url(address)), is_read, "{address}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_that_the_page_does_not_render_is_unseen() {
        let folder = tempfile::tempdir().unwrap();
        let (page, script) = (folder.path().join("index.html"), folder.path().join("app.js"));
        std::fs::write(&page, "<script src=app.js></script>").unwrap();
        std::fs::write(&script, "1").unwrap();
        let address = Url::from_file_path(&page).unwrap();
        let mut files = ServedFiles::of(address.as_str()).await.unwrap();
        let quiet = async |files: &mut ServedFiles| {
            tokio::time::timeout(4 * INTERVAL, files.unseen()).await.is_err()
        };
        assert!(quiet(&mut files).await, "nothing changed");

        // The page renders the change before it is noticed, and after that.
        std::fs::write(&page, "<script src=app.js></script>2").unwrap();
        files.page_has_rendered();
        assert!(quiet(&mut files).await, "it was rendered");
        std::fs::write(&page, "<script src=app.js></script>3").unwrap();
        let now = read(&address).await.unwrap();
        files.look(&now);
        assert_eq!(files.changed.as_ref(), Some(&address));
        files.page_has_rendered();
        assert!(quiet(&mut files).await, "it was rendered");

        std::fs::write(&script, "2").unwrap();
        assert_eq!(files.unseen().await, script.display().to_string());
        std::fs::remove_file(&page).unwrap();
        assert!(quiet(&mut files).await, "the server is down");
    }
}
