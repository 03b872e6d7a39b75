//! Writes the bundle for Claude Desktop (`.mcpb`), with the tool of its makers, which also checks
//! the manifest.

use std::process::Command;

use serde_json::{Value, json};

use super::platforms::Platform;
use super::release::{
    DESCRIPTION, LICENCE, PROGRAM, REPOSITORY, Release, VERSION, run_tool, write_json,
};

/// The tool that checks and packs, with the version that was tried.
const TOOL: &str = "@anthropic-ai/mcpb@2.1.2";

/// Writes the bundle.
pub fn write(release: &Release) -> anyhow::Result<()> {
    let folder = release.package("mcpb")?;
    release.copy_program(&folder.join("server"))?;
    write_json(&folder.join("manifest.json"), &manifest(&release.platform))?;
    let name = format!("pagesight-{VERSION}-{}.mcpb", release.platform.short_name());
    let path = release.folder.join(name);
    let tool = || {
        let mut npx = Command::new("npx");
        npx.args(["--yes", TOOL]).current_dir(&release.work);
        npx
    };
    run_tool(tool().arg("validate").arg(folder.join("manifest.json")))?;
    run_tool(tool().arg("pack").arg(&folder).arg(&path))?;
    anyhow::ensure!(path.is_file(), "mcpb pack did not write {}", path.display());
    Ok(())
}

fn manifest(platform: &Platform) -> Value {
    let program = format!("server/{PROGRAM}");
    json!({
        "manifest_version": "0.3",
        "name": "pagesight",
        "display_name": "pagesight",
        "version": VERSION,
        "description": DESCRIPTION,
        "author": {"name": "The pagesight authors", "url": REPOSITORY},
        "repository": {"type": "git", "url": REPOSITORY},
        "license": LICENCE,
        "server": {
            "type": "binary",
            "entry_point": program,
            "mcp_config": {"command": format!("${{__dirname}}/{program}"), "args": ["mcp"]},
        },
        "tools_generated": true,
        "compatibility": {"platforms": [platform.os]},
    })
}
