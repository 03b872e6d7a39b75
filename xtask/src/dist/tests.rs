//! Tests the parts of packages that can be tested without a build.

use std::process::Command;

use super::platforms::Platform;
use super::*;
use crate::project::root;

#[test]
fn platforms_differ_in_every_package_format() {
    let mut names: Vec<String> = PLATFORMS.iter().map(Platform::npm_package).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), PLATFORMS.len());
    let mut tags: Vec<&str> =
        PLATFORMS.iter().flat_map(|platform| platform.wheel_tags).copied().collect();
    let count = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), count);
}

#[test]
fn the_release_workflow_builds_and_publishes_every_platform() {
    let workflow = crate::project::root().join(".github/workflows/release.yml");
    let workflow = std::fs::read_to_string(workflow).unwrap();
    let rows = workflow.lines().filter_map(|line| line.trim().strip_prefix("- { target: "));
    let built: Vec<&str> = rows.filter_map(|row| Some(row.split_once(',')?.0)).collect();
    let known: Vec<&str> = PLATFORMS.iter().map(|platform| platform.target).collect();
    assert_eq!(built, known);
    let count = format!("test \"${{#programs[@]}}\" -eq {}\n", PLATFORMS.len());
    assert!(workflow.contains(&count), "{count}");
    // npm reads `dist/name` as a repository of GitHub.
    let globs = workflow.split_whitespace().filter(|word| word.contains(".tgz"));
    let globs: Vec<&str> = globs.filter(|word| word.contains("s=(")).collect();
    assert_eq!(globs.len(), 2);
    assert!(globs.iter().all(|glob| glob.contains("=(./dist/")), "{globs:?}");
}

/// Returns the jobs of the release workflow, each with its text.
fn release_jobs() -> Vec<(String, String)> {
    let workflow = std::fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let (_, jobs) = workflow.split_once("\njobs:\n").unwrap();
    let mut found: Vec<(String, String)> = Vec::new();
    for line in jobs.lines() {
        let name = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':'));
        match name.filter(|name| !name.starts_with([' ', '#'])) {
            Some(name) => found.push((name.to_owned(), String::new())),
            None => found.last_mut().unwrap().1.push_str(&format!("{line}\n")),
        }
    }
    found
}

#[test]
fn each_job_of_a_release_has_one_permission_to_write_and_runs_fixed_code() {
    let jobs = release_jobs();
    assert!(jobs.len() >= 10, "{jobs:?}");
    for (name, text) in &jobs {
        for (_, action) in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let commit = action.split(['@', ' ']).nth(1).unwrap_or_default();
            let is_commit = commit.len() == 40 && commit.bytes().all(|it| it.is_ascii_hexdigit());
            assert!(is_commit, "{name}: {action}");
        }
        let (identity, contents) =
            (text.contains("id-token: write"), text.contains("contents: write"));
        assert!(!(identity && contents), "{name} has two permissions");
        if identity || contents {
            assert!(text.contains("environment: release"), "{name}");
            let fetches = ["npx ", "cargo install", "pip install", "cargo xtask", "npm install"];
            let fetched = fetches.into_iter().find(|it| text.contains(it));
            assert_eq!(fetched, None, "{name} runs what it fetches");
            let publishes =
                ["npm publish", "cargo publish", "mcp-publisher publish", "pypi-publish"];
            let count = publishes.into_iter().filter(|it| text.contains(it)).count();
            assert!(count <= 1, "{name} publishes to {count} registries");
        }
    }
}

#[test]
fn a_program_of_a_different_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let write = |version: &str| {
        std::fs::write(&program, format!("#!/bin/sh\necho pagesight {version}\n")).unwrap();
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        check_program(&program)
    };
    write(VERSION).unwrap();
    assert!(write("9.9.9").unwrap_err().to_string().contains("--version must print"));
}

#[test]
fn a_zip_keeps_the_modes_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a/tool", "b.txt"].map(str::to_owned);
    std::fs::create_dir(folder.path().join("a")).unwrap();
    std::fs::write(folder.path().join(&names[0]), "#!/bin/sh\nexit 0\n").unwrap();
    std::fs::write(folder.path().join(&names[1]), [b'x'; 100_000]).unwrap();
    let mode = |mode| std::os::unix::fs::PermissionsExt::from_mode(mode);
    for (name, bits) in names.iter().zip([0o755, 0o644]) {
        std::fs::set_permissions(folder.path().join(name), mode(bits)).unwrap();
    }
    let path = folder.path().join("x.zip");
    wheel::zip(folder.path(), &names, &path).unwrap();
    let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n\
                  print([(i.filename, oct(i.external_attr >> 16), i.file_size) for i in z.infolist()])";
    let output = Command::new("python3").args(["-c", script]).arg(&path).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        printed.trim(),
        "[('a/tool', '0o100755', 17), ('b.txt', '0o100644', 100000)]",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A project would choose what npx runs if npx started there.
#[test]
fn the_plugin_starts_npx_in_its_own_folder_and_the_server_in_the_project() {
    let text = std::fs::read_to_string(root().join("plugin/.mcp.json")).unwrap();
    let entry: serde_json::Value = serde_json::from_str(&text).unwrap();
    let entry = &entry["mcpServers"]["pagesight"];
    assert_eq!(entry["command"], "/bin/sh");
    assert_eq!(entry["args"], serde_json::json!(["${CLAUDE_PLUGIN_ROOT}/start.sh"]));

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let (project, programs) = (folder.join("a project"), folder.join("programs"));
    for folder in [&project, &programs] {
        std::fs::create_dir(folder).unwrap();
    }
    let script = "#!/bin/sh\necho \"npx in $PWD: $1 $2\"\nwhile [ $# -gt 1 ]; do shift; done\n\
                  exec /bin/sh -c \"$1\"\n";
    for (name, text) in [("npx", script), ("pagesight", "#!/bin/sh\necho \"$* in $PWD\"\n")] {
        use std::os::unix::fs::PermissionsExt;
        std::fs::write(programs.join(name), text).unwrap();
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(programs.join(name), mode).unwrap();
    }
    let plugin = root().join("plugin").canonicalize().unwrap();
    let mut start = Command::new("/bin/sh");
    start.arg(plugin.join("start.sh")).current_dir(&project);
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let output = start.env("PATH", path).output().unwrap();
    let (plugin, project) = (plugin.display(), project.display());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("npx in {plugin}: --prefix {plugin}\nmcp in {project}\n"),
        "{output:?}"
    );
}

/// As root, Chromium would have no sandbox.
#[test]
fn the_container_runs_as_a_user() {
    let text = std::fs::read_to_string(root().join("packaging/Dockerfile")).unwrap();
    let user = text.lines().filter_map(|line| line.strip_prefix("USER ")).next_back();
    assert!(user.is_some_and(|user| !["root", "0"].contains(&user.trim())), "{text}");
    // With this capability, root in the container is root outside.
    let run = text.lines().find(|line| line.contains("docker run")).unwrap();
    assert!(!run.contains("--cap-add") && !run.contains("--privileged"), "{run}");
    assert!(run.contains("seccomp=") && run.contains("no-new-privileges"), "{run}");
    assert!(!text.contains("chromium-sandbox"), "the setuid helper: {text}");
}
