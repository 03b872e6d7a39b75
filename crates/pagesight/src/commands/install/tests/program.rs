//! Checks how the entry starts a program that a package runner keeps in its cache.

use super::*;
use crate::commands::install::consent::remove_programs;
use crate::commands::install::program::{ProgramStart, missing_on_path, start};

const NPX: &str = "/home/a/.npm/_npx/ab12/node_modules/@pagesight/linux-x64/bin/pagesight";

fn here(folder: &Path) -> Machine {
    machine(folder, &folder.join("app"), Os::Linux)
}

#[test]
fn a_cached_program_is_started_by_its_runner() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    fs::create_dir_all(&cache).unwrap();
    fs::write(cache.join("CACHEDIR.TAG"), "").unwrap();
    let uv = |path: &str| cache.join(path).join("bin/pagesight");
    // A later version is not started unless it is installed.
    let pinned = format!("pagesight@{}", env!("CARGO_PKG_VERSION"));
    for program in [uv("archive-v0/x1"), uv("builds-v0/.tmpA"), uv("environments-v2/ab/x")] {
        let started = start(&program, &here(folder.path())).unwrap();
        let (command, args) = ("uvx".to_owned(), vec![pinned.clone()]);
        assert_eq!(started, ProgramStart { command, args, copy: None });
    }
    for installed in [
        "/usr/lib/node_modules/pagesight/node_modules/@pagesight/linux-x64/bin/pagesight",
        "/home/a/.local/share/uv/tools/pagesight/bin/pagesight",
        "/home/a/.local/share/pipx/venvs/pagesight/bin/pagesight",
        // No cache of uv is marked here.
        "/home/a/archive-v0/pagesight",
        "/home/a/0123456789abcdef/bin/pagesight",
        "/pagesight",
    ] {
        let started = start(Path::new(installed), &here(folder.path())).unwrap();
        let command = installed.to_owned();
        assert_eq!(started, ProgramStart { command, args: Vec::new(), copy: None });
    }
}

/// npx would run what the folder of the agent's project says.
#[test]
fn a_program_of_npx_is_copied_and_started_without_npx() {
    let folder = tempfile::tempdir().unwrap();
    let mut machine = here(folder.path());
    let version = env!("CARGO_PKG_VERSION");
    let end = format!("pagesight/programs/{version}/pagesight");
    for (os, data) in [(Os::Linux, ".local/share"), (Os::Mac, "Library/Application Support")] {
        machine.os = os;
        let started = start(Path::new(NPX), &machine).unwrap();
        let to = folder.path().join(data).join(&end);
        assert_eq!((started.command.as_str(), started.args.len()), (to.to_str().unwrap(), 0));
        assert!(!to.exists(), "nothing is written before consent");
        assert!(
            started.copy.unwrap().make().unwrap_err().to_string().contains("could not be read")
        );
    }
    machine.os = Os::Linux;
    machine.moved.push(("XDG_DATA_HOME", folder.path().join("data")));
    let program = folder.path().join("_npx/1/node_modules/@pagesight/linux-x64/bin/pagesight");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let to = folder.path().join("data").join(&end);
    for text in ["one", "two"] {
        fs::write(&program, text).unwrap();
        let started = start(&program, &machine).unwrap();
        assert_eq!(started.command, to.to_str().unwrap());
        started.copy.unwrap().make().unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), text);
    }
    #[cfg(unix)]
    for made in to.ancestors().take(4) {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(fs::metadata(made).unwrap().mode() & 0o777, 0o700, "{}", made.display());
    }
    // A program that runs from there stays there.
    let again = start(&to, &machine).unwrap();
    assert_eq!((again.command.as_str(), again.copy), (to.to_str().unwrap(), None));
    remove_programs(&machine.programs());
    assert!(!folder.path().join("data/pagesight").exists());
}

#[test]
fn a_program_that_cannot_be_started_again_is_refused() {
    for (program, says) in [
        ("/home/a/.cache/pipx/0f3a9c1d2b4e5f6/bin/pagesight", "`pipx install pagesight`"),
        ("/home/a/.local/pipx/.cache/0f3a9c1d2b4e5f6/bin/pagesight", "`pipx install pagesight`"),
        ("/home/a/.cache/pnpm/dlx/ab/cd/node_modules/x/bin/pagesight", "`pnpm add -g pagesight`"),
        ("/tmp/bunx-0-pagesight@latest/node_modules/x/bin/pagesight", "`bun add -g pagesight`"),
    ] {
        let refused = start(Path::new(program), &here(Path::new("/home/a"))).unwrap_err();
        let refused = refused.to_string();
        assert!(refused.contains(says), "{program}: {refused}");
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_cannot_be_written_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let odd = Path::new(std::ffi::OsStr::from_bytes(b"/opt/\xff/pagesight"));
    let refused = start(odd, &here(Path::new("/home/a"))).unwrap_err().to_string();
    assert!(refused.contains("is not UTF-8"), "{refused}");
}

#[cfg(unix)]
#[test]
fn the_skill_needs_the_program_on_the_path() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut machine = machine(folder.path(), folder.path(), Os::Linux);
    let program = Path::new("/opt/tools/pagesight");
    let put = |folder: &Path, mode: u32| {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("pagesight"), "").unwrap();
        fs::set_permissions(folder.join("pagesight"), fs::Permissions::from_mode(mode)).unwrap();
    };
    let plain = folder.path().join("plain");
    put(&plain, 0o644);
    let own = folder.path().join("_npx/1/node_modules/.bin");
    put(&own, 0o755);
    machine.path = vec![folder.path().join("missing"), plain.clone(), own];
    let says = missing_on_path(&machine, program).unwrap();
    assert!(says.ends_with("add /opt/tools to PATH where Claude Code is started"), "{says}");
    let npx = Path::new("/a/_npx/1/node_modules/@pagesight/linux-x64/bin/pagesight");
    let says = missing_on_path(&machine, npx).unwrap();
    assert!(says.ends_with("run `npm install -g pagesight`"), "{says}");
    put(&plain, 0o755);
    assert_eq!(missing_on_path(&machine, program), None);
}
