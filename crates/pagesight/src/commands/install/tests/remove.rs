//! Checks that `--remove` takes out the entry: byte for byte if nothing else changed, and nothing
//! but the entry otherwise.

use super::*;
use crate::commands::install::edit::{has_entry, prepare_removal, without_entry};
use crate::commands::install::receipts::InstallReceipts;
use crate::commands::install::skill;

/// Configurations as users have them, in JSON.
const JSON: [&str; 12] = [
    "",
    " \n",
    "{}",
    "{}\n",
    "{\n  \"KEY\": {}\n}\n",
    "{\n\t\"KEY\": {\r\n\t}\r\n}\r\n",
    "{\"a\":1,\"KEY\":{\"x\":{\"command\":\"y\"}}}",
    "// mine\n{\n  \"KEY\": {\n    \"a\": { \"command\": \"//x\", \"args\": [\"\\\"/*\",] }, // one\n    /* two */ \"b\": {}, // three\n    // \"c\": {},\n  }, // four\n  // five\n}\n/* six */\n",
    "{\n  \"a\": 1 // last\n  // below\n}\n",
    "{\n  // mine\n  \"KEY\": {\n    // nothing yet\n  }\n}\n",
    "{\n  \"KEY\": { \"é\": { \"url\": \"http://x\" } },\n  \"inputs\": [],\n  \"last\": null\n}",
    "{ \"KEY\": {}, \"KEY\": { \"x\": {} } }",
];

const TOML: [&str; 7] = [
    "",
    "# only a comment\n",
    "a = 1",
    "# mine\nmodel   = \"x\"  # why\n\n[mcp_servers.other]\ncommand = \"npx\" # keep\n\n[tui]\na = 'a'\n# end\n",
    "model = \"x\"\r\n\r\n[mcp_servers.other]\r\ncommand = 'x'\r\n",
    "mcp_servers = { other = { command = 'x' } }\n",
    "[mcp_servers]\nother = { command = 'x' }\n\n[tui]\na = 1\n",
];

fn configurations(agent: Agent) -> Vec<String> {
    match agent {
        Agent::Codex => TOML.map(str::to_owned).to_vec(),
        _ => JSON.iter().map(|text| text.replace("KEY", agent.key())).collect(),
    }
}

fn entries(agent: Agent) -> Vec<ServerEntry> {
    let http = ServerEntry::Http { url: "http://127.0.0.1:4711/mcp".to_owned() };
    [Some(ours()), agent.has_http().then_some(http)].into_iter().flatten().collect()
}

#[test]
fn what_was_installed_is_removed_byte_for_byte() {
    for agent in Agent::ALL {
        for existing in configurations(agent) {
            let folder = tempfile::tempdir().unwrap();
            let machine = machine(folder.path(), folder.path(), Os::Linux);
            let path = machine.file(agent, InstallScope::User);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &existing).unwrap();
            let mut receipts = InstallReceipts::empty();
            // Installing twice, in different ways, is one change.
            for entry in entries(agent) {
                let edit = prepare(agent, InstallScope::User, &machine, &entry).unwrap();
                let created = apply(&edit).unwrap();
                let after = edit.after.as_deref().unwrap();
                receipts.add(&edit.path, edit.before.as_deref(), after, created);
                assert!(has_entry(agent, InstallScope::User, &machine).unwrap());
            }
            let edit = prepare_removal(agent, InstallScope::User, &machine, &receipts).unwrap();
            apply(&edit).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), existing, "{agent:?}");
            assert!(!has_entry(agent, InstallScope::User, &machine).unwrap());
        }
    }
}

#[test]
fn a_file_that_install_created_is_removed() {
    for agent in Agent::ALL {
        let folder = tempfile::tempdir().unwrap();
        let machine = machine(&folder.path().join("home"), folder.path(), Os::Linux);
        let mut receipts = InstallReceipts::empty();
        let edit = prepare(agent, InstallScope::User, &machine, &ours()).unwrap();
        let created = apply(&edit).unwrap();
        assert!(created.contains(&machine.home), "{created:?}");
        receipts.add(&edit.path, None, edit.after.as_deref().unwrap(), created);
        let edit = prepare_removal(agent, InstallScope::User, &machine, &receipts).unwrap();
        assert!(preview(&edit).contains("(is removed)\n- "), "{}", preview(&edit));
        apply(&edit).unwrap();
        assert!(!edit.path.exists());

        // With something else in it, the file stays.
        let edit = prepare(agent, InstallScope::User, &machine, &ours()).unwrap();
        apply(&edit).unwrap();
        let other = match agent {
            Agent::Codex => format!("model = 'x'\n{}", edit.after.unwrap()),
            _ => edit.after.unwrap().replacen('{', "{ \"theme\": 1,", 1),
        };
        fs::write(&edit.path, other).unwrap();
        apply(&prepare_removal(agent, InstallScope::User, &machine, &receipts).unwrap()).unwrap();
        let left = fs::read_to_string(&edit.path).unwrap();
        assert!(left.contains("model") || left.contains("theme"), "{left}");
        assert!(!left.contains("pagesight"), "{left}");
    }
}

#[test]
fn without_a_receipt_nothing_but_the_entry_goes() {
    for agent in Agent::ALL {
        for existing in configurations(agent) {
            for entry in entries(agent) {
                let with = with_entry(agent, Some(&existing), &entry).unwrap();
                let without = without_entry(agent, &with).unwrap().unwrap();
                assert!(!without.contains("pagesight"), "{agent:?}: {without}");
                assert_eq!(without_entry(agent, &without).unwrap(), None);
                // Adding it again proves that the rest is still valid, and complete.
                let again = with_entry(agent, Some(&without), &entry).unwrap();
                let words = |text: &str| text.replace([' ', '\t', '\r', '\n', ','], "");
                assert_eq!(words(&again), words(&with), "{agent:?}: {existing}");
                for comment in existing.lines().filter_map(|line| line.split_once("// ")) {
                    assert!(without.contains(comment.1), "{}: {without}", comment.1);
                }
            }
        }
    }
}

#[test]
fn comments_around_a_toml_entry_stay() {
    let text = "# head of the file\n\n[mcp_servers.pagesight] # eyes\ncommand = 'x'\nargs = [\n  \"[mcp]\",\n]\n\n[mcp_servers.pagesight.env]\nA = 'b'\n\n# about the next table\n[tui]\na = 1\n";
    assert_eq!(
        without_entry(Agent::Codex, text).unwrap().unwrap(),
        "# head of the file\n\n# about the next table\n[tui]\na = 1\n"
    );
    // A line in a string that looks like the entry is not the entry.
    let text = "note = '''\n[mcp_servers.pagesight]\nx = 1\n'''\nmcp_servers.pagesight.command = 'x'\nb = 2\n";
    let left = without_entry(Agent::Codex, text).unwrap().unwrap();
    assert_eq!(left, text.replace("mcp_servers.pagesight.command = 'x'\n", ""));
}

#[test]
fn what_is_broken_or_has_no_entry_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let machine = machine(folder.path(), folder.path(), Os::Linux);
    let receipts = InstallReceipts::empty();
    for agent in Agent::ALL {
        let remove = || prepare_removal(agent, InstallScope::User, &machine, &receipts);
        let path = machine.file(agent, InstallScope::User);
        assert!(!remove().unwrap().changes(), "there is no file");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for text in configurations(agent) {
            fs::write(&path, text).unwrap();
            assert!(!remove().unwrap().changes());
        }
        fs::write(&path, "{ \"pagesight\": ").unwrap();
        let refused = remove().unwrap_err().to_string();
        assert!(refused.contains("was not changed: it is not valid"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{ \"pagesight\": ");
    }
}

#[test]
fn the_skill_is_written_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let machine = machine(folder.path(), &folder.path().join("app"), Os::Linux);
    for scope in [InstallScope::User, InstallScope::Project] {
        let mut receipts = InstallReceipts::empty();
        let edit = skill::prepare(scope, &machine).unwrap();
        assert!(edit.path.ends_with(".claude/skills/pagesight/SKILL.md"));
        let created = apply(&edit).unwrap();
        receipts.add(&edit.path, None, skill::SKILL, created);
        assert!(!skill::prepare(scope, &machine).unwrap().changes());
        fs::write(&edit.path, "mine").unwrap();
        let changed = skill::prepare(scope, &machine).unwrap();
        assert!(preview(&changed).contains("- mine"), "the change is shown");
        let refused = skill::prepare_removal(scope, &machine, &receipts).unwrap_err();
        assert!(refused.to_string().ends_with("was changed since; remove it by hand"));
        fs::write(&edit.path, skill::SKILL).unwrap();
        apply(&skill::prepare_removal(scope, &machine, &receipts).unwrap()).unwrap();
        assert!(!edit.path.exists());
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_not_removed_and_a_link_stays() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let machine = machine(folder.path(), folder.path(), Os::Linux);
    for agent in Agent::ALL {
        let path = machine.file(agent, InstallScope::User);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let target = folder.path().join(format!("target-{}", agent.id()));
        symlink(&target, &path).unwrap();
        let edit = prepare(agent, InstallScope::User, &machine, &ours()).unwrap();
        apply(&edit).unwrap();
        let text = fs::read_to_string(&target).unwrap();
        let receipts = InstallReceipts::empty();
        let edit = prepare_removal(agent, InstallScope::User, &machine, &receipts).unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(apply(&edit).unwrap_err().to_string().contains("is read-only"));
        assert_eq!(fs::read_to_string(&target).unwrap(), text);
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        apply(&edit).unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        assert!(!fs::read_to_string(&target).unwrap().contains("pagesight"));
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
