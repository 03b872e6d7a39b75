//! Writes the wheel for PyPI: the program as a script, and the metadata. The format is small, and
//! writing it here packs the same program as the other packages without a second build.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::platforms::Platform;
use super::release::{
    DESCRIPTION, LICENCE, LICENCE_FILES, PROGRAM, REPOSITORY, Release, VERSION, run_tool,
};

/// Zips files of the current folder with their modes, all with the same time, so that the same
/// input gives the same bytes.
const ZIP: &str = "\
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for name in sys.argv[2:]:
        entry = zipfile.ZipInfo.from_file(name)
        entry.date_time = (1980, 1, 1, 0, 0, 0)
        entry.compress_type = zipfile.ZIP_DEFLATED
        with open(name, 'rb') as file:
            archive.writestr(entry, file.read())
";

/// Writes the wheel.
pub fn write(release: &Release) -> anyhow::Result<()> {
    let folder = release.work.join("wheel");
    let info = format!("pagesight-{VERSION}.dist-info");
    let scripts = format!("pagesight-{VERSION}.data/scripts");
    release.copy_program(&folder.join(&scripts))?;
    let mut names = vec![format!("{scripts}/{PROGRAM}")];
    for name in LICENCE_FILES {
        let to = format!("{info}/licenses/{name}");
        release.copy(name, &folder.join(&to))?;
        names.push(to);
    }
    let readme = std::fs::read_to_string(release.root.join("packaging/README.md"))?;
    for (name, text) in [("METADATA", metadata(&readme)?), ("WHEEL", tags(&release.platform)?)] {
        let to = format!("{info}/{name}");
        std::fs::write(folder.join(&to), text)?;
        names.push(to);
    }
    let record = format!("{info}/RECORD");
    let mut rows = String::new();
    for name in &names {
        let contents = std::fs::read(folder.join(name))?;
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(&contents));
        writeln!(rows, "{name},sha256={hash},{}", contents.len())?;
    }
    writeln!(rows, "{record},,")?;
    std::fs::write(folder.join(&record), rows)?;
    names.push(record);
    let tags = release.platform.wheel_tags.join(".");
    let path = release.folder.join(format!("pagesight-{VERSION}-py3-none-{tags}.whl"));
    zip(&folder, &names, &path)
}

/// Packs files of a folder.
pub fn zip(folder: &Path, names: &[String], to: &Path) -> anyhow::Result<()> {
    let mut python = Command::new("python3");
    python.args(["-c", ZIP]).arg(to).args(names).current_dir(folder);
    run_tool(&mut python)?;
    Ok(())
}

fn metadata(readme: &str) -> anyhow::Result<String> {
    let mut text = String::from("Metadata-Version: 2.4\nName: pagesight\n");
    writeln!(text, "Version: {VERSION}\nSummary: {DESCRIPTION}")?;
    writeln!(text, "License-Expression: {LICENCE}")?;
    for name in LICENCE_FILES {
        writeln!(text, "License-File: {name}")?;
    }
    writeln!(text, "Project-URL: Source, {REPOSITORY}\nRequires-Python: >=3.7")?;
    writeln!(text, "Description-Content-Type: text/markdown\n\n{readme}")?;
    Ok(text)
}

fn tags(platform: &Platform) -> anyhow::Result<String> {
    let mut text = String::from("Wheel-Version: 1.0\nGenerator: pagesight xtask\n");
    text.push_str("Root-Is-Purelib: false\n");
    for tag in platform.wheel_tags {
        writeln!(text, "Tag: py3-none-{tag}")?;
    }
    Ok(text)
}
