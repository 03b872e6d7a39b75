//! Checks that `install` adds the entry, leaves everything else as it was, and writes only what it
//! showed.

mod find;
mod http;
mod program;
mod remove;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::{Value, json};
use toml_edit::DocumentMut;

use crate::cli::arguments::{Cli, Command};
use crate::commands::install::agent::{Agent, InstallScope, InstallTarget, ServerEntry};
use crate::commands::install::edit::{ConfigEdit, SHOWN, apply, prepare, preview, with_entry};
use crate::commands::install::machine::{Machine, Os};

pub(crate) fn mcp() -> Vec<String> {
    vec!["mcp".to_owned()]
}

pub(crate) fn stdio(command: &str, args: &[String]) -> ServerEntry {
    ServerEntry::Stdio { command: command.to_owned(), args: args.to_vec() }
}

pub(crate) fn ours() -> ServerEntry {
    stdio("/opt/pagesight", &mcp())
}

pub(crate) fn add(agent: Agent, existing: &str) -> String {
    let once = with_entry(agent, Some(existing), &ours()).unwrap();
    let twice = with_entry(agent, Some(&once), &ours()).unwrap();
    assert_eq!(once, twice, "a second time must change nothing");
    once
}

fn refusal(agent: Agent, existing: &str) -> String {
    with_entry(agent, Some(existing), &ours()).unwrap_err().to_string()
}

fn machine(home: &Path, cwd: &Path, os: Os) -> Machine {
    Machine { home: home.to_owned(), cwd: cwd.to_owned(), os, moved: Vec::new(), path: Vec::new() }
}

#[test]
fn a_new_file_holds_just_the_entry() {
    let new = |agent| with_entry(agent, None, &ours()).unwrap();
    let typed = r#"{
  "mcpServers": {
    "pagesight": {
      "type": "stdio",
      "command": "/opt/pagesight",
      "args": ["mcp"]
    }
  }
}
"#;
    assert_eq!(new(Agent::Claude), typed);
    assert_eq!(new(Agent::Cursor), typed);
    assert_eq!(new(Agent::VsCode), typed.replace("mcpServers", "servers"));
    assert_eq!(new(Agent::Gemini), typed.replace("      \"type\": \"stdio\",\n", ""));
    assert_eq!(
        new(Agent::Codex),
        "[mcp_servers.pagesight]\ncommand = \"/opt/pagesight\"\nargs = [\"mcp\"]\n"
    );
    for agent in [Agent::Claude, Agent::Codex] {
        assert_eq!(add(agent, " \n"), new(agent));
    }
}

#[test]
fn arguments_and_odd_paths_are_passed_on() {
    let args = ["mcp", "--browser", "firefox", "--profile", "a \"b\" é"].map(str::to_owned);
    let path = r"C:\Program Files\pagesight\pagesight.exe";
    let json = with_entry(Agent::Claude, None, &stdio(path, &args)).unwrap();
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["mcpServers"]["pagesight"]["command"], path);
    assert_eq!(value["mcpServers"]["pagesight"]["args"], json!(args));
    let toml = with_entry(Agent::Codex, None, &stdio(path, &args)).unwrap();
    let document: DocumentMut = toml.parse().unwrap();
    assert_eq!(document["mcp_servers"]["pagesight"]["command"].as_str(), Some(path));
    assert_eq!(document["mcp_servers"]["pagesight"]["args"][4].as_str(), Some("a \"b\" é"));
}

#[test]
fn tabs_and_windows_line_ends_are_kept() {
    let text = add(Agent::Cursor, "{\r\n\t\"mcpServers\": {}\r\n}\r\n");
    assert!(text.contains("\r\n\t\t\"pagesight\": {\r\n\t\t\t\"type\""), "{text:?}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    for existing in
        ["model = \"x\"\r\n", "model = \"x\"\r\n[mcp_servers.pagesight]\r\ncommand = 'old'\r\n"]
    {
        let text = add(Agent::Codex, existing);
        assert!(text.starts_with("model = \"x\"\r\n"), "{text:?}");
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    }
}

#[test]
fn an_entry_that_is_right_is_not_reformatted() {
    let existing =
        r#"{"mcpServers": {"pagesight": {"args": ["mcp"],   "command": "/opt/pagesight"}}}"#;
    assert_eq!(add(Agent::Gemini, existing), existing);
    let existing =
        "[mcp_servers.pagesight]\nargs = [ 'mcp', ] # mine\ncommand = '/opt/pagesight'\n";
    assert_eq!(add(Agent::Codex, existing), existing);
}

#[test]
fn what_does_not_parse_is_refused() {
    for (existing, reason) in [
        ("{\"a\": 1", "Unterminated object on line 1 column 1"),
        ("{\"a\": \"//", "Unterminated string literal on line 1 column 7"),
        ("{} {}", "Text cannot contain more than one JSON value on line 1 column 4"),
        ("/", "Unexpected token on line 1 column 1"),
        ("{\n  a: 1\n}", "Expected string for object property on line 2 column 3"),
        ("{\"a\": 1 \"b\": 2}", "Expected comma on line 1 column 8"),
        ("{\"a\": 'x'}", "Single-quoted strings are not allowed on line 1 column 7"),
        ("{\"a\": /* 1}", "Unterminated comment block on line 1 column 7"),
    ] {
        let expected = format!("it is not valid JSON ({reason}); repair it and try again");
        assert_eq!(refusal(Agent::Claude, existing), expected);
    }
    let deep = "[".repeat(100_000);
    assert!(refusal(Agent::Claude, &deep).contains("nesting depth"));
    assert!(refusal(Agent::Codex, "a = \n").contains("not valid TOML (TOML parse error at line 1"));
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    for (agent, existing, says) in [
        (Agent::Claude, "[]", "the file is not a table"),
        (Agent::Claude, "{\"mcpServers\": []}", "mcpServers is not a table"),
        (Agent::Claude, "{\"mcpServers\": null}", "mcpServers is not a table"),
        (Agent::Claude, "{\"mcpServers\": {\"pagesight\": 1}}", "mcpServers.pagesight is not"),
        (Agent::Codex, "mcp_servers = 1", "mcp_servers is not a table"),
        (Agent::Codex, "mcp_servers.pagesight = 1", "mcp_servers.pagesight is not"),
    ] {
        let refused = refusal(agent, existing);
        assert!(refused.starts_with(says), "{existing}: {refused}");
    }
}

#[test]
fn toml_around_the_entry_stays_byte_for_byte() {
    let ours = "\n[mcp_servers.pagesight]\ncommand = \"/opt/pagesight\"\nargs = [\"mcp\"]\n";
    for existing in [
        "# mine\nmodel   = \"x\"  # why\n\n[mcp_servers.other]\ncommand = \"npx\" # keep\n\n[tui]\na = 'a'\n# end\n",
        "# only a comment\n",
    ] {
        assert_eq!(add(Agent::Codex, existing), [existing, ours].concat());
    }
    assert_eq!(add(Agent::Codex, "a = 1"), ["a = 1\n", ours].concat());
}

#[test]
fn an_older_toml_entry_keeps_its_comments_and_extras() {
    let existing = "[mcp_servers.pagesight] # eyes\ncommand = '/old' # where\nenv = { A = 'b' }\nargs = ['mcp', '--headed']\n";
    let expected = "[mcp_servers.pagesight] # eyes\ncommand = \"/opt/pagesight\" # where\nenv = { A = 'b' }\nargs = [\"mcp\"]\n";
    assert_eq!(add(Agent::Codex, existing), expected);
}

#[test]
fn toml_written_in_other_ways_works_too() {
    for existing in [
        "mcp_servers = { other = { command = 'x' } }\n",
        "mcp_servers.other.command = 'x'\n[tui]\na = 1\n",
        "[mcp_servers]\nother = { command = 'x' }\n\n[tui]\na = 1\n",
        "[mcp_servers]\n[mcp_servers.other]\ncommand = 'x'\n",
    ] {
        let document: DocumentMut = add(Agent::Codex, existing).parse().unwrap();
        assert_eq!(document["mcp_servers"]["other"]["command"].as_str(), Some("x"), "{existing}");
        assert_eq!(
            document["mcp_servers"]["pagesight"]["command"].as_str(),
            Some("/opt/pagesight"),
            "{existing}"
        );
    }
}

#[test]
fn every_agent_has_its_place() {
    let (home, cwd) = (Path::new("/home/ada"), Path::new("/src/app"));
    let file = |agent, scope, os| {
        machine(home, cwd, os).file(agent, scope).to_string_lossy().replace('\\', "/")
    };
    for (agent, user, project) in [
        (Agent::Claude, "/home/ada/.claude.json", "/src/app/.mcp.json"),
        (Agent::Cursor, "/home/ada/.cursor/mcp.json", "/src/app/.cursor/mcp.json"),
        (Agent::VsCode, "/home/ada/.config/Code/User/mcp.json", "/src/app/.vscode/mcp.json"),
        (Agent::Codex, "/home/ada/.codex/config.toml", "/src/app/.codex/config.toml"),
        (Agent::Gemini, "/home/ada/.gemini/settings.json", "/src/app/.gemini/settings.json"),
    ] {
        assert_eq!(file(agent, InstallScope::User, Os::Linux), user);
        assert_eq!(file(agent, InstallScope::Project, Os::Linux), project);
        assert_eq!(file(agent, InstallScope::Project, Os::Windows), project);
    }
    for (os, expected) in [
        (Os::Linux, "/home/ada/.config/Claude/claude_desktop_config.json"),
        (Os::Mac, "/home/ada/Library/Application Support/Claude/claude_desktop_config.json"),
        (Os::Windows, "/home/ada/AppData/Roaming/Claude/claude_desktop_config.json"),
    ] {
        assert_eq!(file(Agent::ClaudeDesktop, InstallScope::User, os), expected);
    }
    let code = |os| file(Agent::VsCode, InstallScope::User, os);
    assert_eq!(code(Os::Mac), "/home/ada/Library/Application Support/Code/User/mcp.json");
    assert_eq!(code(Os::Windows), "/home/ada/AppData/Roaming/Code/User/mcp.json");
}

#[test]
fn folders_that_the_user_moved_are_followed() {
    let mut machine = machine(Path::new("/home/ada"), Path::new("/src/app"), Os::Linux);
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "APPDATA"]
    {
        machine.moved.push((name, PathBuf::from("/moved").join(name)));
    }
    let user = |agent| machine.file(agent, InstallScope::User).to_string_lossy().replace('\\', "/");
    assert_eq!(user(Agent::Claude), "/moved/CLAUDE_CONFIG_DIR/.claude.json");
    assert_eq!(user(Agent::Cursor), "/home/ada/.cursor/mcp.json");
    assert_eq!(user(Agent::VsCode), "/moved/XDG_CONFIG_HOME/Code/User/mcp.json");
    assert_eq!(user(Agent::Codex), "/moved/CODEX_HOME/config.toml");
    assert_eq!(user(Agent::Gemini), "/moved/GEMINI_CLI_HOME/.gemini/settings.json");
    assert_eq!(
        machine.file(Agent::Codex, InstallScope::Project),
        Path::new("/src/app/.codex/config.toml")
    );
}

#[test]
fn agents_are_named_as_the_command_line_promises() {
    let names = Agent::ALL.map(Agent::id);
    assert_eq!(names, ["claude", "claude-desktop", "cursor", "vscode", "codex", "gemini"]);
    let target = |name: &str| {
        let line = Cli::try_parse_from(["pagesight", "install", name]).unwrap();
        let Command::Install(arguments) = line.command else { panic!("{name}") };
        arguments.target.unwrap()
    };
    assert_eq!(names.map(target), Agent::ALL.map(InstallTarget::Agent));
    assert_eq!(target("skill"), InstallTarget::Skill);
}

#[test]
fn an_edit_is_shown_made_and_then_has_nothing_left_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let machine = machine(folder.path(), folder.path(), Os::Linux);
    for agent in Agent::ALL {
        for scope in [InstallScope::User, InstallScope::Project] {
            let folder = tempfile::tempdir().unwrap();
            let machine = Machine {
                home: folder.path().join("home"),
                cwd: folder.path().join("app"),
                ..machine.clone()
            };
            let first = prepare(agent, scope, &machine, &ours()).unwrap();
            assert!(first.before.is_none() && first.changes());
            assert!(!first.path.exists(), "preparing writes nothing");
            apply(&first).unwrap();
            assert_eq!(Some(fs::read_to_string(&first.path).unwrap()), first.after);
            let again = prepare(agent, scope, &machine, &ours()).unwrap();
            assert!(!again.changes());
            assert_eq!(
                preview(&again),
                format!("{} already has this entry\n", first.path.display())
            );
            apply(&again).unwrap();
            assert_eq!(
                fs::read_dir(first.path.parent().unwrap()).unwrap().count(),
                1,
                "no temporary file is left"
            );
        }
    }
}

#[test]
fn a_refusal_names_the_file_and_leaves_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".mcp.json");
    fs::write(&path, "{ // mine\n").unwrap();
    let machine = machine(folder.path(), folder.path(), Os::Linux);
    let refused =
        prepare(Agent::Claude, InstallScope::Project, &machine, &ours()).unwrap_err().to_string();
    assert!(
        refused.starts_with(&format!("{} was not changed: it is not valid JSON", path.display())),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "{ // mine\n");

    fs::write(&path, [b'{', 0xff, b'}']).unwrap();
    let refused =
        prepare(Agent::Claude, InstallScope::Project, &machine, &ours()).unwrap_err().to_string();
    assert!(refused.contains("could not be read"), "{refused}");
}

#[test]
fn a_file_that_changed_meanwhile_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let machine = machine(folder.path(), folder.path(), Os::Linux);
    let made = prepare(Agent::Claude, InstallScope::User, &machine, &ours()).unwrap();
    fs::write(&made.path, "{\"new\": true}").unwrap();
    assert!(apply(&made).unwrap_err().to_string().contains("changed by another program"));
    assert_eq!(fs::read_to_string(&made.path).unwrap(), "{\"new\": true}");
}

#[test]
fn the_preview_shows_only_what_changes() {
    let before = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"mcpServers\": {\n    \"x\": {}\n  },\n  \"d\": 4,\n  \"e\": 5\n}\n";
    let after = with_entry(Agent::Gemini, Some(before), &ours()).unwrap();
    let edit = ConfigEdit {
        path: PathBuf::from("settings.json"),
        before: Some(before.to_owned()),
        after: Some(after),
        project: None,
    };
    let expected = r#"settings.json, line 4
    "c": 3,
    "mcpServers": {
-     "x": {}
+     "x": {},
+     "pagesight": {
+       "command": "/opt/pagesight",
+       "args": ["mcp"]
+     }
    },
    "d": 4,
"#;
    assert_eq!(preview(&edit), expected);

    let edit = ConfigEdit { before: None, after: Some("a\nb\n".to_owned()), ..edit };
    assert_eq!(preview(&edit), "settings.json (new file)\n+ a\n+ b\n");
    let edit = ConfigEdit {
        before: Some("a\nb\n".to_owned()),
        after: Some("a\na\nb\n".to_owned()),
        ..edit
    };
    assert_eq!(preview(&edit), "settings.json, line 1\n  a\n+ a\n  b\n");
    let long = "é".repeat(1000);
    let edit = ConfigEdit { before: None, after: Some(long.clone()), ..edit };
    assert_eq!(preview(&edit), format!("settings.json (new file)\n+ {}…\n", &long[..2 * SHOWN]));
    let address = "[\"mcp\", \"--connect\", \"ws://me:word@grid:3000?token=word\"]".to_owned();
    let edit = ConfigEdit { before: None, after: Some(address), ..edit };
    let shown = "[\"mcp\", \"--connect\", \"ws://grid:3000?token=…\"]";
    assert_eq!(preview(&edit), format!("settings.json (new file)\n+ {shown}\n"));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use crate::commands::install::edit::prepare_removal;
    use crate::commands::install::receipts::InstallReceipts;
    use crate::commands::install::skill;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn the_mode_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let machine = machine(folder.path(), folder.path(), Os::Linux);
        for wanted in [0o600, 0o664] {
            let path = folder.path().join(".claude.json");
            fs::write(&path, "{}").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
            apply(&prepare(Agent::Claude, InstallScope::User, &machine, &ours()).unwrap()).unwrap();
            assert_eq!(mode(&path), wanted);
        }
    }

    #[test]
    fn a_read_only_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let machine = machine(folder.path(), folder.path(), Os::Linux);
        let path = folder.path().join(".claude.json");
        fs::write(&path, "{}").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let made = prepare(Agent::Claude, InstallScope::User, &machine, &ours()).unwrap();
        assert!(
            apply(&made)
                .unwrap_err()
                .to_string()
                .ends_with("is read-only; make it writable and try again")
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
    }

    /// A repository may have links: they must not lead `--project` to files of the user.
    #[test]
    fn links_do_not_lead_out_of_a_project() {
        let folder = tempfile::tempdir().unwrap();
        let (home, project) = (folder.path().join("home"), folder.path().join("project"));
        fs::create_dir_all(home.join(".cursor")).unwrap();
        fs::create_dir_all(project.join("config")).unwrap();
        fs::write(home.join(".claude.json"), "{}").unwrap();
        fs::write(project.join("config/vscode.json"), "{}").unwrap();
        let machine = machine(&home, &project, Os::Linux);
        symlink(home.join(".claude.json"), project.join(".mcp.json")).unwrap();
        symlink("../home/.cursor", project.join(".cursor")).unwrap();
        symlink(home.join("new"), project.join(".gemini")).unwrap();
        symlink(&home, project.join(".claude")).unwrap();
        let of = |agent| prepare(agent, InstallScope::Project, &machine, &ours());
        for agent in [Agent::Claude, Agent::Cursor, Agent::Gemini] {
            let refused = of(agent).unwrap_err().to_string();
            assert!(refused.contains("is a link that leads out of "), "{refused}");
            let receipts = InstallReceipts::empty();
            assert!(prepare_removal(agent, InstallScope::Project, &machine, &receipts).is_err());
        }
        assert!(skill::prepare(InstallScope::Project, &machine).is_err());
        // A link that stays inside is followed; one that is put there later is not.
        fs::create_dir(project.join(".vscode")).unwrap();
        let link = project.join(".vscode/mcp.json");
        symlink("../config/vscode.json", &link).unwrap();
        let edit = of(Agent::VsCode).unwrap();
        apply(&edit).unwrap();
        assert!(fs::read_to_string(project.join("config/vscode.json")).unwrap().contains("opt"));
        fs::remove_file(&link).unwrap();
        symlink(home.join(".claude.json"), &link).unwrap();
        assert!(apply(&ConfigEdit { before: Some("{}".to_owned()), ..edit }).is_err());
        assert_eq!(fs::read_to_string(home.join(".claude.json")).unwrap(), "{}");
        assert_eq!(fs::read_dir(&home).unwrap().count(), 2, "nothing was written there");
        assert!(prepare(Agent::Cursor, InstallScope::User, &machine, &ours()).is_ok());
    }

    #[test]
    fn symlinks_stay_and_what_they_point_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let machine = machine(&folder.path().join("home"), folder.path(), Os::Linux);
        let dotfiles = folder.path().join("dotfiles");
        fs::create_dir_all(&dotfiles).unwrap();
        fs::create_dir_all(&machine.home).unwrap();
        let link = machine.home.join(".claude.json");
        symlink("../dotfiles/claude.json", &link).unwrap();
        // At first the target does not exist, then it does.
        for command in ["/opt/one", "/opt/two"] {
            apply(
                &prepare(Agent::Claude, InstallScope::User, &machine, &stdio(command, &mcp()))
                    .unwrap(),
            )
            .unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert!(fs::read_to_string(dotfiles.join("claude.json")).unwrap().contains(command));
        }
    }
}
