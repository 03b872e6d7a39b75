//! Writes the npm packages: `pagesight` with the launcher, and one package with the program per
//! platform, which npm chooses by `os`, `cpu` and `libc`. No install script, no download.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::platforms::{PLATFORMS, Platform};
use super::registry;
use super::release::{
    DESCRIPTION, LICENCE, PROGRAM, REPOSITORY, Release, VERSION, run_tool, write_json,
};

/// Writes both packages.
pub fn write(release: &Release) -> anyhow::Result<()> {
    let launcher = release.package("npm/pagesight")?;
    release.copy("packaging/npm/launcher.js", &launcher.join("bin/pagesight.js"))?;
    let program = release.package(&format!("npm/{}", release.platform.short_name()))?;
    release.copy_program(&program.join("bin"))?;
    pack(release, &launcher, &launcher_manifest())?;
    pack(release, &program, &platform_manifest(&release.platform))
}

fn pack(release: &Release, folder: &Path, manifest: &Value) -> anyhow::Result<()> {
    write_json(&folder.join("package.json"), manifest)?;
    release.copy("packaging/README.md", &folder.join("README.md"))?;
    let mut npm = std::process::Command::new("npm");
    npm.args(["pack", "--ignore-scripts", "--pack-destination"]).arg(&release.folder);
    run_tool(npm.current_dir(folder))?;
    Ok(())
}

fn launcher_manifest() -> Value {
    let mut manifest = shared("pagesight");
    manifest["mcpName"] = json!(registry::NAME);
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
    manifest["files"] = json!([format!("bin/{PROGRAM}")]);
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
