//! Tests files below an output root: what is refused, what is kept, and that no half file is left.

use super::*;

struct Case {
    base: tempfile::TempDir,
    root: OutputRoot,
}

impl Case {
    fn new() -> Case {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(base.path().join("out")).unwrap();
        std::fs::create_dir_all(base.path().join("elsewhere")).unwrap();
        let root = OutputRoot::new(&base.path().join("out")).unwrap();
        Case { base, root }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.base.path().join(path)
    }

    /// Checks and writes; both must agree.
    fn write(&self, path: &str, text: &str, existing: Existing) -> Result<(), OutputError> {
        let file = self.root.file(path)?;
        let checked = file.check(existing);
        let written = file.write(text.as_bytes(), existing);
        assert_eq!(checked, written, "{path}");
        written
    }

    /// Returns the names in the folder.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.at("out")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn files_are_written_below_the_folder_only() {
    let case = Case::new();
    case.write("a.txt", "a", Existing::Keep).unwrap();
    case.write("./deep/er/b.txt", "b", Existing::Keep).unwrap();
    let absolute = case.at("out/c.txt");
    case.write(absolute.to_str().unwrap(), "c", Existing::Keep).unwrap();
    assert_eq!(std::fs::read_to_string(case.at("out/deep/er/b.txt")).unwrap(), "b");
    assert_eq!(case.names(), ["a.txt", "c.txt", "deep"]);
    let outside = case.at("elsewhere/x.txt");
    let long = "x/".repeat(600) + "y.txt";
    for path in [
        "",
        ".",
        "..",
        "../x.txt",
        "deep/../../x.txt",
        "/etc/x.txt",
        "x.txt/",
        "a\nb.txt",
        "CLAUDE\u{200b}.md",
        outside.to_str().unwrap(),
        &long,
    ] {
        let error = case.write(path, "x", Existing::Replace).unwrap_err();
        assert!(matches!(error, OutputError::Outside { .. }), "{path}: {error}");
    }
    assert!(OutputRoot::new(&case.at("out/a.txt")).is_err());
    assert!(OutputRoot::new(&case.at("missing")).is_err());
}

#[test]
fn an_existing_file_is_kept_unless_it_is_to_be_replaced() {
    let case = Case::new();
    case.write("a.txt", "old", Existing::Keep).unwrap();
    let error = case.write("a.txt", "new", Existing::Keep).unwrap_err();
    assert!(matches!(error, OutputError::Exists { .. }), "{error}");
    assert_eq!(std::fs::read_to_string(case.at("out/a.txt")).unwrap(), "old");
    case.write("a.txt", "new", Existing::Replace).unwrap();
    assert_eq!(std::fs::read_to_string(case.at("out/a.txt")).unwrap(), "new");
    std::fs::create_dir(case.at("out/folder.txt")).unwrap();
    let error = case.write("folder.txt", "x", Existing::Replace).unwrap_err();
    assert!(matches!(error, OutputError::NotAFile { .. }), "{error}");
    let error = case.write("a.txt/b.txt", "x", Existing::Replace).unwrap_err();
    assert!(matches!(error, OutputError::NotAFolder { .. }), "{error}");
    assert_eq!(case.names(), ["a.txt", "folder.txt"], "nothing is left over");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_files_are_private() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let case = Case::new();
    std::fs::write(case.at("elsewhere/secret.txt"), "kept").unwrap();
    symlink(case.at("elsewhere"), case.at("out/folder")).unwrap();
    symlink(case.at("elsewhere/secret.txt"), case.at("out/file.txt")).unwrap();
    symlink(case.at("elsewhere/new.txt"), case.at("out/dangling.txt")).unwrap();
    for path in ["folder/secret.txt", "folder/new/x.txt", "file.txt", "dangling.txt"] {
        for existing in [Existing::Keep, Existing::Replace] {
            let error = case.write(path, "x", existing).unwrap_err();
            assert!(matches!(error, OutputError::Link { .. }), "{path}: {error}");
        }
    }
    assert_eq!(std::fs::read_to_string(case.at("elsewhere/secret.txt")).unwrap(), "kept");
    assert_eq!(std::fs::read_dir(case.at("elsewhere")).unwrap().count(), 1);
    let mode = |path: &str| std::fs::metadata(case.at(path)).unwrap().permissions().mode() & 0o777;
    case.write("deep/a.txt", "a", Existing::Keep).unwrap();
    assert_eq!([mode("out/deep"), mode("out/deep/a.txt")], [0o700, 0o600]);
    // A file that others can read or run does not stay so: its content comes from a page now.
    for old in [0o644, 0o755, 0o4711] {
        std::fs::set_permissions(case.at("out/deep/a.txt"), PermissionsExt::from_mode(old))
            .unwrap();
        case.write("deep/a.txt", "b", Existing::Replace).unwrap();
        assert_eq!(mode("out/deep/a.txt"), 0o600, "{old:o}");
    }
}

/// The text of a file is that of a page: nothing may run it or obey it.
#[test]
fn names_that_programs_or_agents_obey_are_refused() {
    let case = Case::new();
    let refused = |path: &str| case.write(path, "x", Existing::Replace).unwrap_err();
    let absolute = case.at("out/.git/x.txt");
    for path in [".envrc.txt", ".github/a.md", "a/.git/b.txt", "...txt", absolute.to_str().unwrap()]
    {
        assert!(matches!(refused(path), OutputError::Hidden { .. }), "{path}");
    }
    for path in [
        "run.sh",
        "Makefile",
        "a.toml",
        "flow.toml",
        "a.html.exe",
        "txt",
        "a.txt ",
        "a.txt.",
        "a.svg",
    ] {
        let error = refused(path);
        assert!(matches!(error, OutputError::Ending { .. }), "{path}: {error}");
        assert!(error.to_string().ends_with(" .webp, .html, .har, .flow.toml"), "{error}");
    }
    for path in [
        "CLAUDE.md",
        "claude.md",
        "docs/Agents.MD",
        "GEMINI.md",
        "skills/x/SKILL.md",
        "\u{17f}\u{212a}ill.md",
        "copilot-instructions.md",
        "CLAUDE.local.md",
        "agents.override.md",
        "x/rust.instructions.md",
    ] {
        let error = refused(path);
        assert!(matches!(error, OutputError::Instructions { .. }), "{path}: {error}");
    }
    assert!(case.names().is_empty(), "nothing is written");
    for ending in ENDINGS {
        case.write(&format!("a{ending}"), "x", Existing::Keep).unwrap();
        case.write(&format!("B{}", ending.to_uppercase()), "x", Existing::Keep).unwrap();
    }
    for path in ["a.b/c.d.txt", "my claude.md", "agents.md.txt", "./x.txt"] {
        case.write(path, "x", Existing::Keep).unwrap();
    }
}

/// `/dev/full` cannot be a folder, so a limit on the file size stands for a full disk: a process
/// that may write 4 kB at most.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_write_leaves_no_file() {
    let case = Case::new();
    if let Ok(folder) = std::env::var("PAGESIGHT_TEST_OUTPUT") {
        let root = OutputRoot::new(Path::new(&folder)).unwrap();
        let file = root.file("large.txt").unwrap();
        let error = file.write(&vec![b'x'; 1_000_000], Existing::Replace).unwrap_err();
        assert!(matches!(error, OutputError::Failed { .. }), "{error}");
        return;
    }
    std::fs::write(case.at("out/large.txt"), "old").unwrap();
    let program = std::env::current_exe().unwrap();
    let name = "files::output_root::tests::a_failed_write_leaves_no_file";
    // The shell ignores the signal that the limit sends, so that the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -f 8; exec {program:?} --exact {name}");
    let ended = std::process::Command::new("bash")
        .args(["-c", &script])
        .env("PAGESIGHT_TEST_OUTPUT", case.at("out"))
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success() && output.contains("1 passed"), "{output}");
    assert_eq!(case.names(), ["large.txt"], "no half file is left");
    assert_eq!(std::fs::read_to_string(case.at("out/large.txt")).unwrap(), "old");
}

#[test]
fn short_names_of_windows_are_known() {
    for part in ["CLAUDE~1", "COPILO~1.MD", "a~b~2"] {
        assert!(is_short_name(part), "{part}");
    }
    for part in ["a~b", "1~", "~", "a.txt"] {
        assert!(!is_short_name(part), "{part}");
    }
}
