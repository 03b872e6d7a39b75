//! The file `user.js` of a profile, which Firefox reads at every start. Our preferences are in a
//! marked block of it, so that they hold in a profile that was used before, too; the user's own
//! lines stay.

use std::io::{self, Write};
use std::path::Path;

/// The first line of the block.
const BEGIN: &str = "// Begin of the preferences of pagesight, replaced at every start.";
/// The last line of the block.
const END: &str = "// End of the preferences of pagesight.";

/// Writes our preferences into the `user.js` of a profile. The file is replaced, so that nothing is
/// written through a link.
pub(super) fn write(profile: &Path, preferences: &str) -> io::Result<()> {
    let path = profile.join("user.js");
    let old = match std::fs::metadata(&path) {
        Ok(file) if file.is_file() => std::fs::read(&path)?,
        Ok(_) => return Err(io::Error::other("user.js is not a file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let mut new = tempfile::NamedTempFile::new_in(profile)?;
    new.write_all(&with_block(&old, preferences))?;
    new.persist(&path).map(drop).map_err(|error| error.error)
}

/// Returns the text of `user.js` with our preferences. They come last, because the last value of a
/// preference counts. The lines are bytes, because those of the user may have any encoding.
fn with_block(old: &[u8], preferences: &str) -> Vec<u8> {
    let lines: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let is = |line: &[u8], mark: &str| line.trim_ascii() == mark.as_bytes();
    let mut new = Vec::new();
    let mut rest = lines.as_slice();
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        if is(line, BEGIN) {
            // Without its end, nothing shows which lines are ours; ours below replace them anyway.
            if let Some(end) = after.iter().position(|line| is(line, END)) {
                rest = &after[end + 1..];
            }
        } else if !is(line, END) {
            new.extend_from_slice(line);
        }
    }
    if !new.is_empty() && !new.ends_with(b"\n") {
        new.push(b'\n');
    }
    new.extend_from_slice(format!("{BEGIN}\n{preferences}{END}\n").as_bytes());
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(preferences: &str) -> String {
        format!("{BEGIN}\n{preferences}{END}\n")
    }

    fn updated(old: &str, preferences: &str) -> String {
        String::from_utf8(with_block(old.as_bytes(), preferences)).unwrap()
    }

    #[test]
    fn the_block_is_replaced_and_own_lines_stay() {
        let (one, two) = ("user_pref(\"a\", 1);\n", "user_pref(\"a\", 2);\n");
        assert_eq!(updated("", one), block(one));
        assert_eq!(updated(&block(one), two), block(two));
        let own = "// mine\r\nuser_pref(\"b\", 1);\n";
        assert_eq!(updated(own, one), format!("{own}{}", block(one)));
        // Ours come last, wherever they were, and only once.
        let around = format!("{own}{}user_pref(\"a\", 3);", block(one));
        let both = format!("{around}\n{}", block(one));
        let expected = format!("{own}user_pref(\"a\", 3);\n{}", block(two));
        assert_eq!(updated(&around, two), expected);
        assert_eq!(updated(&both, two), expected);
        assert_eq!(updated(&expected, two), expected);
        // A block without its end keeps the lines after it.
        assert_eq!(updated(&format!("{BEGIN}\n{own}"), two), format!("{own}{}", block(two)));
        assert_eq!(updated(&block(one).replace('\n', "\r\n"), two), block(two));
        assert!(with_block(b"// \xe9\n", one).starts_with(b"// \xe9\n"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (profile, other) = (folder.path().join("profile"), folder.path().join("other"));
        std::fs::create_dir(&profile).unwrap();
        std::fs::write(&other, "// mine\n").unwrap();
        let place = profile.join("user.js");
        std::os::unix::fs::symlink(&other, &place).unwrap();
        write(&profile, "").unwrap();
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "// mine\n");
        assert!(place.symlink_metadata().unwrap().is_file());
        let text = std::fs::read_to_string(&place).unwrap();
        assert_eq!(text, format!("// mine\n{}", block("")));
        assert_eq!(std::fs::read_dir(&profile).unwrap().count(), 1, "nothing else is left");
    }
}
