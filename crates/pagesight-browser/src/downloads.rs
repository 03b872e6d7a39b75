//! Downloads in the folder of a browser that we started: safe file names that are never those of
//! an existing file, and limits of their sizes. Changes only the download folder, which is removed
//! with the browser.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::api::events::DownloadLimit;
use crate::options::NameFilter;
use crate::sync::lock;

/// The longest file name, in bytes.
const LONGEST_NAME: usize = 120;
/// A small download counts as this many bytes, so that their number is bounded, too.
const LEAST: u64 = 1 << 16;

/// The length of the random part of an unfinished file's name.
#[cfg(any(not(unix), test))]
const RANDOM_PART: usize = 8;

/// The space that downloads of a browser may still take.
#[derive(Default)]
pub(crate) struct DownloadBudget(Mutex<Spent>);

#[derive(Default)]
struct Spent {
    saved: u64,
    running: HashMap<String, u64>,
}

impl DownloadBudget {
    /// Notes the size of a running download. Returns the limit that it exceeds.
    pub(crate) fn running(&self, id: &str, size: u64) -> Option<DownloadLimit> {
        let mut spent = lock(&self.0);
        spent.running.insert(id.to_owned(), size.max(LEAST));
        let all = spent.running.values().fold(spent.saved, |all, size| all.saturating_add(*size));
        match size > DownloadLimit::File.bytes() {
            true => Some(DownloadLimit::File),
            false => (all > DownloadLimit::Total.bytes()).then_some(DownloadLimit::Total),
        }
    }

    /// Notes a complete download. Returns the limit that it exceeds; then it does not count.
    pub(crate) fn saved(&self, id: &str, size: u64) -> Option<DownloadLimit> {
        let exceeded = self.running(id, size);
        let mut spent = lock(&self.0);
        let size = spent.running.remove(id).unwrap_or_default();
        if exceeded.is_none() {
            spent.saved = spent.saved.saturating_add(size);
        }
        exceeded
    }

    /// Notes that a download was stopped.
    pub(crate) fn stopped(&self, id: &str) {
        lock(&self.0).running.remove(id);
    }
}

/// The files of an engine that cannot cancel a download. Files that are too large are emptied while
/// they are written; they must not pass for complete downloads afterwards.
#[derive(Default)]
pub(crate) struct EmptiedFiles(Mutex<HashMap<FileIdentity, DownloadLimit>>);

/// The part of a file's identity that stays when the engine renames it.
#[cfg(unix)]
type FileIdentity = (u64, u64);
#[cfg(not(unix))]
type FileIdentity = PathBuf;

#[cfg(unix)]
fn identity(_: &Path, file: &Metadata) -> FileIdentity {
    (std::os::unix::fs::MetadataExt::dev(file), std::os::unix::fs::MetadataExt::ino(file))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> FileIdentity {
    common_name(path)
}

/// Returns what the paths of an unfinished and of a complete file have in common: while Firefox
/// writes `a.b.zip`, it is called `a.6MdGDoQF.b.zip.part`. A part of the name that only looks like
/// the random one is left out of both.
#[cfg(any(not(unix), test))]
fn common_name(path: &Path) -> PathBuf {
    let complete = if is_unfinished(path) { path.with_extension("") } else { path.to_owned() };
    let name = complete.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut parts = name.split('.');
    let stem = parts.next().unwrap_or_default().to_owned();
    let named = parts.filter(|part| part.chars().count() != RANDOM_PART);
    complete.with_file_name(named.fold(stem, |name, part| format!("{name}.{part}")))
}

/// Whether the engine still writes a file.
fn is_unfinished(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "part")
}

/// The state of a folder of downloads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DownloadsState {
    /// Whether a file is unfinished.
    pub(crate) is_written: bool,
    /// The size of all files.
    pub(crate) bytes: u64,
}

impl EmptiedFiles {
    /// Empties files that are too large, and unfinished files while all together are. The engine
    /// goes on writing after the end. Returns what was there.
    pub(crate) fn empty_too_large(&self, folder: &Path, largest: u64, most: u64) -> DownloadsState {
        // Each context has a folder inside.
        let (mut files, folders): (Vec<_>, Vec<_>) =
            entries_of(folder).into_iter().partition(|(_, entry)| entry.is_file());
        for (path, _) in folders.into_iter().filter(|(_, entry)| entry.is_dir()) {
            files.extend(entries_of(&path).into_iter().filter(|(_, entry)| entry.is_file()));
        }
        // The number of a file that is gone may be given to a new one.
        let there: HashSet<FileIdentity> =
            files.iter().map(|(path, file)| identity(path, file)).collect();
        lock(&self.0).retain(|known, _| there.contains(known));
        let bytes = files.iter().fold(0_u64, |all, (_, file)| all.saturating_add(file.len()));
        let is_written = files.iter().any(|(path, _)| is_unfinished(path));
        for (path, file) in files {
            let limit = match file.len() > largest {
                true => DownloadLimit::File,
                false if bytes > most && is_unfinished(&path) => DownloadLimit::Total,
                false => continue,
            };
            lock(&self.0).entry(identity(&path, &file)).or_insert(limit);
            let opened = std::fs::OpenOptions::new().write(true).open(&path);
            let _ = opened.and_then(|file| file.set_len(0));
        }
        DownloadsState { is_written, bytes }
    }

    /// Forgets all files, because no download runs.
    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }

    /// Returns the limit that a file exceeded when it was emptied.
    pub(crate) fn limit_of(&self, path: &Path, file: &Metadata) -> Option<DownloadLimit> {
        lock(&self.0).remove(&identity(path, file))
    }
}

/// Returns what is in a folder; links are not followed.
fn entries_of(folder: &Path) -> Vec<(PathBuf, Metadata)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?))).collect()
}

/// Renames a file that the engine saved under a different name, and returns its new path.
pub(crate) fn settle(saved: &Path, name: &str) -> PathBuf {
    let Some(folder) = saved.parent() else { return saved.to_owned() };
    make_private(saved);
    let name = safe(name);
    let (stem, ending) = match name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) {
        Some((stem, ending)) => (stem.to_owned(), format!(".{ending}")),
        None => (name, String::new()),
    };
    for n in 0..1000 {
        let numbered =
            if n == 0 { format!("{stem}{ending}") } else { format!("{stem} ({n}){ending}") };
        let place = folder.join(numbered);
        // Creating a link fails if the path exists, so no file is ever overwritten.
        if std::fs::hard_link(saved, &place).is_ok() {
            let _ = std::fs::remove_file(saved);
            return place;
        }
        if !place.exists() && std::fs::rename(saved, &place).is_ok() {
            return place;
        }
    }
    saved.to_owned()
}

/// Lets only its owner read a file. The browser creates it with the mode that the user's other
/// files have.
fn make_private(saved: &Path) {
    #[cfg(unix)]
    let _ = std::fs::set_permissions(saved, std::os::unix::fs::PermissionsExt::from_mode(0o600));
    #[cfg(not(unix))]
    let _ = saved;
}

/// Makes a file private that the engine saved under its own name, and renames it if the name may
/// not stay; returns its path.
pub(crate) fn renamed(saved: PathBuf, names: &NameFilter) -> PathBuf {
    make_private(&saved);
    let Some(name) = saved.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return saved;
    };
    let new = names.apply(&name);
    if new == name { saved } else { settle(&saved, &new) }
}

/// Replaces all characters of a name that have a meaning for a file system, a shell or a line of
/// output.
fn safe(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let fine = |c: char| c.is_alphanumeric() || "._-()+@, ".contains(c);
    let plain: String = last.chars().map(|c| if fine(c) { c } else { '_' }).collect();
    let mut plain =
        plain.trim().trim_start_matches(['.', '-']).trim_end_matches(['.', ' ']).to_owned();
    if plain.len() > LONGEST_NAME {
        // Keep the extension, which shows what kind of file it is.
        let ending =
            plain.rsplit_once('.').map(|(_, ending)| ending.to_owned()).filter(|e| e.len() <= 10);
        let ending = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
        let mut cut = LONGEST_NAME - ending.len();
        while !plain.is_char_boundary(cut) {
            cut -= 1;
        }
        plain = format!("{}{ending}", &plain[..cut]);
    }
    match plain.as_str() {
        "" => "download".to_owned(),
        _ if is_device(&plain) => format!("_{plain}"),
        _ => plain,
    }
}

/// Whether Windows takes a file name for a device, whatever its extension is.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = port.is_some_and(|port| {
        // Windows takes these superscripts for digits.
        port.chars().count() == 1
            && port.contains(|c| ('1'..='9').contains(&c) || "¹²³".contains(c))
    });
    is_port || ["con", "prn", "aux", "nul"].contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (given, expected) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\x\\y.txt", "y.txt"),
            (".bashrc", "bashrc"),
            ("a\nb\u{202e}.exe", "a_b_.exe"),
            ("-rf", "rf"),
            ("", "download"),
            ("..", "download"),
            ("NUL.txt", "_NUL.txt"),
            ("con", "_con"),
            ("Prn.a.txt", "_Prn.a.txt"),
            ("aux .txt", "_aux .txt"),
            ("COM1.txt", "_COM1.txt"),
            ("com¹", "_com¹"),
            ("lpt9", "_lpt9"),
            ("com0", "com0"),
            ("COM10.txt", "COM10.txt"),
            ("lpt", "lpt"),
            ("größe.csv", "größe.csv"),
        ] {
            assert_eq!(safe(given), expected, "{given:?}");
        }
        let long = safe(&format!("{}.tar", "ü".repeat(500)));
        assert!(long.len() <= LONGEST_NAME && long.ends_with(".tar"), "{long}");
    }

    #[test]
    fn downloads_are_limited_each_and_in_all() {
        let (file, total) = (DownloadLimit::File.bytes(), DownloadLimit::Total.bytes());
        let budget = DownloadBudget::default();
        assert_eq!(budget.running("a", file), None);
        assert_eq!(budget.running("a", file + 1), Some(DownloadLimit::File));
        assert_eq!(budget.saved("a", file + 1), Some(DownloadLimit::File));
        for n in 0..total / file {
            assert_eq!(budget.saved(&n.to_string(), file), None);
        }
        assert_eq!(budget.running("b", 1), Some(DownloadLimit::Total));
        budget.stopped("b");
        assert_eq!(budget.saved("c", 1), Some(DownloadLimit::Total));
    }

    #[test]
    fn many_small_downloads_are_limited() {
        let budget = DownloadBudget::default();
        let taken = (0..100_000).take_while(|n| budget.saved(&n.to_string(), 1).is_none()).count();
        assert!((1_000..10_000).contains(&taken), "{taken}");
    }

    #[test]
    fn files_that_are_too_large_are_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = [("small", 10_u64), ("large.part", 200), ("context/other.part", 60)];
        std::fs::create_dir(folder.path().join("context")).unwrap();
        for (name, size) in sizes {
            std::fs::write(folder.path().join(name), vec![b'x'; size as usize]).unwrap();
        }
        let now = || sizes.map(|(name, _)| folder.path().join(name).metadata().unwrap().len());
        let emptied = EmptiedFiles::default();
        let there = emptied.empty_too_large(folder.path(), 100, 1_000);
        assert_eq!(there, DownloadsState { is_written: true, bytes: 270 });
        assert_eq!(now(), [10, 0, 60]);
        emptied.empty_too_large(folder.path(), 100, 50);
        assert_eq!(now(), [10, 0, 0]);
        let limit = |name: &str| {
            let path = folder.path().join(name);
            emptied.limit_of(&path, &path.metadata().unwrap())
        };
        std::fs::rename(folder.path().join("large.part"), folder.path().join("large")).unwrap();
        assert_eq!(limit("large"), Some(DownloadLimit::File), "known under its new name");
        assert_eq!(limit("context/other.part"), Some(DownloadLimit::Total));
        assert_eq!(limit("small"), None);
        std::fs::remove_file(folder.path().join("context/other.part")).unwrap();
        let there = emptied.empty_too_large(folder.path(), 100, 50);
        assert_eq!(there, DownloadsState { is_written: false, bytes: 10 });
    }

    #[test]
    fn a_file_keeps_its_identity_when_it_is_complete() {
        let common = |path: &str| common_name(Path::new(path));
        for (unfinished, complete) in [
            ("a/report.pdf.part", "a/report.pdf"),
            ("a/report.6MdGDoQF.pdf.part", "a/report.pdf"),
            ("a/my.6MdGDoQF.report.zip.part", "a/my.report.zip"),
            ("a/my.6MdGDoQF.document.zip.part", "a/my.document.zip"),
            ("a/my.document.zip.part", "a/my.document.zip"),
            ("b.6MdGDoQF.part", "b"),
            ("b.part", "b"),
        ] {
            assert_eq!(common(unfinished), common(complete), "{unfinished}");
        }
        assert_ne!(common("a/report.pdf"), common("a/report.zip"));
        assert_ne!(common("a/report.pdf"), common("b/report.pdf"));
    }

    #[test]
    fn a_name_that_may_not_stay_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let names = NameFilter::new(|name| name.replace("hunter22", "${WORD}"));
        let saved = |name: &str| {
            let saved = folder.path().join(name);
            std::fs::write(&saved, "x").unwrap();
            let place = renamed(saved, &names);
            assert!(place.exists(), "{place:?}");
            place.file_name().unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(saved("a$b.txt"), "a$b.txt");
        assert_eq!(saved("of hunter22.txt"), "of __WORD_.txt");
        assert_eq!(saved("of hunter22.txt"), "of __WORD_ (1).txt");
        assert_eq!(NameFilter::default().apply("hunter22"), "hunter22");
    }

    #[cfg(unix)]
    #[test]
    fn a_download_is_private_under_its_own_name_too() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let saved = folder.path().join("report.pdf");
        std::fs::write(&saved, "x").unwrap();
        std::fs::set_permissions(&saved, PermissionsExt::from_mode(0o644)).unwrap();
        let place = renamed(saved.clone(), &NameFilter::default());
        assert_eq!(place, saved);
        assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let mut places = Vec::new();
        for n in 0..3 {
            let saved = folder.path().join(format!("guid-{n}"));
            std::fs::write(&saved, n.to_string()).unwrap();
            places.push(settle(&saved, "a/report.pdf"));
        }
        let names: Vec<_> =
            places.iter().map(|place| place.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["report.pdf", "report (1).pdf", "report (2).pdf"]);
        assert_eq!(std::fs::read_to_string(&places[1]).unwrap(), "1");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        #[cfg(unix)]
        for place in places {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
