//! Writes the npm packages: `pagesight` with the launcher, and one package with the program per
//! platform, which npm chooses by `os`, `cpu` and `libc`. No install script, no download.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::platforms::{PLATFORMS, Platform};
use super::release::{
    DESCRIPTION, LICENCE, LICENCE_FILES, REPOSITORY, Release, VERSION, copy_program, run_tool,
};

/// The name under which the MCP registry knows the server.
const REGISTRY_NAME: &str = "io.github.pagesight/pagesight";

/// Writes both packages and returns their paths.
pub fn write(release: &Release) -> anyhow::Result<Vec<PathBuf>> {
    let launcher = release.work.join("npm/pagesight");
    std::fs::create_dir_all(launcher.join("bin"))?;
    std::fs::copy(
        release.root.join("packaging/npm/launcher.js"),
        launcher.join("bin/pagesight.js"),
    )?;
    let program = release.work.join("npm").join(release.platform.short_name());
    std::fs::create_dir_all(program.join("bin"))?;
    copy_program(release, &program.join("bin").join(release.platform.program()))?;
    Ok(vec![
        pack(release, &launcher, &launcher_manifest())?,
        pack(release, &program, &platform_manifest(release.platform))?,
    ])
}

fn pack(release: &Release, folder: &Path, manifest: &Value) -> anyhow::Result<PathBuf> {
    let text = serde_json::to_string_pretty(manifest)?;
    std::fs::write(folder.join("package.json"), format!("{text}\n"))?;
    std::fs::copy(release.root.join("packaging/README.md"), folder.join("README.md"))?;
    for name in LICENCE_FILES {
        std::fs::copy(release.root.join(name), folder.join(name))?;
    }
    let arguments = ["pack", "--json", "--ignore-scripts", "--pack-destination"];
    let mut npm = std::process::Command::new("npm");
    npm.args(arguments).arg(&release.folder).current_dir(folder);
    let packed = run_tool(&mut npm)?;
    let packed: Value = serde_json::from_str(&packed)?;
    // npm 12 and later list the packages in an object instead of an array.
    let first = packed.get(0).or_else(|| packed.as_object()?.values().next());
    let name = first.and_then(|package| package["filename"].as_str());
    let name = name.ok_or_else(|| anyhow::anyhow!("npm pack did not name its file"))?;
    Ok(release.folder.join(name.replace('@', "").replace('/', "-")))
}

fn launcher_manifest() -> Value {
    let mut manifest = shared("pagesight");
    manifest["mcpName"] = json!(REGISTRY_NAME);
    manifest["bin"] = json!({"pagesight": "bin/pagesight.js"});
    manifest["files"] = json!(["bin/pagesight.js"]);
    manifest["engines"] = json!({"node": ">=18"});
    let platforms: Map<String, Value> =
        PLATFORMS.iter().map(|platform| (platform.npm_package(), json!(VERSION))).collect();
    manifest["optionalDependencies"] = platforms.into();
    manifest
}

fn platform_manifest(platform: &Platform) -> Value {
    let mut manifest = shared(&platform.npm_package());
    manifest["os"] = json!([platform.os]);
    manifest["cpu"] = json!([platform.cpu]);
    if !platform.libc.is_empty() {
        manifest["libc"] = json!(platform.libc);
    }
    manifest["files"] = json!([format!("bin/{}", platform.program())]);
    manifest["preferUnplugged"] = json!(true);
    manifest
}

fn shared(name: &str) -> Value {
    json!({
        "name": name,
        "version": VERSION,
        "description": DESCRIPTION,
        "license": LICENCE,
        "repository": {"type": "git", "url": format!("git+{REPOSITORY}.git")},
        "publishConfig": {"access": "public"},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_platform_has_one_optional_package_of_this_version() {
        let manifest = launcher_manifest();
        let optional = manifest["optionalDependencies"].as_object().unwrap();
        assert_eq!(optional.len(), PLATFORMS.len());
        for platform in &PLATFORMS {
            let package = platform_manifest(platform);
            assert_eq!(optional[package["name"].as_str().unwrap()], package["version"]);
        }
    }

    #[test]
    fn nothing_runs_when_it_is_installed() {
        for manifest in [launcher_manifest(), platform_manifest(&PLATFORMS[0])] {
            assert!(manifest.get("scripts").is_none());
        }
    }
}
