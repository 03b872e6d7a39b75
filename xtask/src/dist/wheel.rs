//! Writes the wheel for PyPI: the program as a script, and the metadata. The format is small, and
//! writing it here packs the same program as the other packages without a second build.

use std::fmt::Write;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::platforms::Platform;
use super::release::{DESCRIPTION, LICENCE, LICENCE_FILES, REPOSITORY, Release, VERSION};
use super::zip::Zip;

/// A file of the wheel: its name, contents and permissions.
type Member = (String, Vec<u8>, u32);

/// Writes the wheel and returns its path.
pub fn write(release: &Release) -> anyhow::Result<PathBuf> {
    let readme = std::fs::read_to_string(release.root.join("packaging/README.md"))?;
    let program = std::fs::read(&release.program)?;
    let mut licences = Vec::new();
    for name in LICENCE_FILES {
        licences.push((name, std::fs::read(release.root.join(name))?));
    }
    let bytes = wheel(release, program, &readme, licences)?;
    let path = release.folder.join(file_name(release.platform));
    std::fs::write(&path, bytes)?;
    Ok(path)
}

fn file_name(platform: &Platform) -> String {
    format!("pagesight-{VERSION}-py3-none-{}.whl", platform.wheel_tags.join("."))
}

fn wheel(
    release: &Release,
    program: Vec<u8>,
    readme: &str,
    licences: Vec<(&str, Vec<u8>)>,
) -> anyhow::Result<Vec<u8>> {
    let info = format!("pagesight-{VERSION}.dist-info");
    let platform = release.platform;
    let script = format!("pagesight-{VERSION}.data/scripts/{}", platform.program());
    let mut members: Vec<Member> = vec![(script, program, 0o755)];
    for (name, text) in licences {
        members.push((format!("{info}/licenses/{name}"), text, 0o644));
    }
    members.push((format!("{info}/METADATA"), metadata(readme)?.into_bytes(), 0o644));
    members.push((format!("{info}/WHEEL"), tags(platform)?.into_bytes(), 0o644));
    let mut record = String::new();
    for (name, contents, _) in &members {
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(contents));
        writeln!(record, "{name},sha256={hash},{}", contents.len())?;
    }
    writeln!(record, "{info}/RECORD,,")?;
    members.push((format!("{info}/RECORD"), record.into_bytes(), 0o644));
    let mut zip = Zip::new(&release.work);
    for (name, contents, mode) in &members {
        zip.add(name, contents, *mode)?;
    }
    zip.finish()
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
