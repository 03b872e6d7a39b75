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
    use std::process::{Command, Output};

    /// Writes the launcher's package to a folder.
    fn launcher_at(folder: &Path, platforms: &Value) {
        let manifest = json!({"version": "1.2.3", "optionalDependencies": platforms});
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        write_json(&folder.join("package.json"), &manifest).unwrap();
        let launcher = crate::project::root().join("packaging/npm/launcher.js");
        std::fs::copy(launcher, folder.join("bin/pagesight.js")).unwrap();
    }

    /// Writes the package of this platform, with `echo` as the program, which is returned.
    fn program_at(modules: &Path, version: &str) -> std::path::PathBuf {
        let folder = modules.join(platform_name());
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        let manifest = json!({"name": platform_name(), "version": version});
        write_json(&folder.join("package.json"), &manifest).unwrap();
        std::fs::copy("/bin/echo", folder.join("bin").join(PROGRAM)).unwrap();
        folder.join("bin").join(PROGRAM)
    }

    fn platform_name() -> String {
        let script = "process.stdout.write(`@pagesight/${process.platform}-${process.arch}`)";
        let output = Command::new("node").args(["-e", script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    fn launch(launcher: &Path, home: &Path) -> Output {
        let mut node = Command::new("node");
        node.arg(launcher.join("bin/pagesight.js")).arg("started").env("HOME", home);
        node.env("NODE_PATH", home.join("modules")).output().unwrap()
    }

    fn starts(launcher: &Path, home: &Path) {
        let output = launch(launcher, home);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "started\n", "{output:?}");
    }

    fn refuses(launcher: &Path, home: &Path, says: &str) {
        let output = launch(launcher, home);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        assert!(error.contains(says) && error.lines().count() == 1, "{error}");
    }

    #[test]
    fn the_launcher_starts_the_program_of_its_own_installation() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let platforms = json!({platform_name(): "1.2.3"});
        // Beside the launcher's package, and in it.
        launcher_at(&at("flat/node_modules/pagesight"), &platforms);
        program_at(&at("flat/node_modules"), "1.2.3");
        starts(&at("flat/node_modules/pagesight"), folder.path());
        launcher_at(&at("nested/lib/pagesight"), &platforms);
        program_at(&at("nested/lib/pagesight/node_modules"), "1.2.3");
        starts(&at("nested/lib/pagesight"), folder.path());
        // pnpm links to its store, where both packages are links in one folder.
        let store = at("pnpm/node_modules/.pnpm/pagesight@1.2.3/node_modules");
        launcher_at(&store.join("pagesight"), &platforms);
        program_at(&at("pnpm/node_modules/.pnpm/linux/node_modules"), "1.2.3");
        std::fs::create_dir_all(store.join("@pagesight")).unwrap();
        let program = at("pnpm/node_modules/.pnpm/linux/node_modules").join(platform_name());
        for (target, link) in [
            (program, store.join(platform_name())),
            (store.join("pagesight"), at("pnpm/node_modules/pagesight")),
        ] {
            std::os::unix::fs::symlink(target, link).unwrap();
        }
        starts(&at("pnpm/node_modules/pagesight"), folder.path());
    }

    #[test]
    fn the_launcher_starts_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let launcher = at("node_modules/app/node_modules/pagesight");
        let platforms = json!({platform_name(): "1.2.3"});
        launcher_at(&launcher, &platforms);
        for elsewhere in ["modules", "node_modules", ".node_modules", ".node_libraries"] {
            program_at(&at(elsewhere), "1.2.3");
        }
        refuses(&launcher, folder.path(), "is not installed; install pagesight again");
        let program = program_at(launcher.parent().unwrap(), "1.2.4");
        refuses(&launcher, folder.path(), "1.2.3; install pagesight again");
        program_at(launcher.parent().unwrap(), "1.2.3");
        starts(&launcher, folder.path());
        std::fs::write(&program, "#!/bin/sh\necho script\n").unwrap();
        refuses(&launcher, folder.path(), "is not a program");
        launcher_at(&launcher, &json!({"@pagesight/other-cpu": "1.2.3"}));
        refuses(&launcher, folder.path(), "there is no program for ");
    }

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
