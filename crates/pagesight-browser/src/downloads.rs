//! File names of downloads: safe on every system, and never the name of an existing file. Changes
//! only the download folder, which is removed with the browser.

use std::path::{Path, PathBuf};

/// The longest file name, in bytes.
const LONGEST_NAME: usize = 120;
/// The largest download, in bytes; a larger one is cancelled.
pub(crate) const LARGEST: u64 = 1 << 30;

/// Renames a file that the engine saved under a different name, and returns its new path.
pub(crate) fn settle(saved: &Path, name: &str) -> PathBuf {
    let Some(folder) = saved.parent() else { return saved.to_owned() };
    // The browser creates it with the mode that the user's other files have.
    #[cfg(unix)]
    let _ = std::fs::set_permissions(saved, std::os::unix::fs::PermissionsExt::from_mode(0o600));
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
    let reserved = ["con", "prn", "aux", "nul"];
    let stem = plain.split('.').next().unwrap_or_default().to_lowercase();
    match plain.as_str() {
        "" => "download".to_owned(),
        _ if reserved.contains(&stem.as_str()) => format!("_{plain}"),
        _ => plain,
    }
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
            ("größe.csv", "größe.csv"),
        ] {
            assert_eq!(safe(given), expected, "{given:?}");
        }
        let long = safe(&format!("{}.tar", "ü".repeat(500)));
        assert!(long.len() <= LONGEST_NAME && long.ends_with(".tar"), "{long}");
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
