//! Checks how the agents on a machine are found.

use super::*;

#[test]
fn agents_are_found_by_files_folders_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let (home, programs) = (folder.path().join("home"), folder.path().join("bin"));
    fs::create_dir_all(&home).unwrap();
    fs::create_dir_all(&programs).unwrap();
    let mut machine = machine(&home, folder.path(), Os::Linux);
    machine.path = vec![folder.path().join("missing"), programs.clone()];
    let found = |machine: &Machine| -> Vec<&str> {
        let is_there = |agent: &Agent| machine.evidence(*agent).is_some();
        Agent::ALL.into_iter().filter(is_there).map(Agent::id).collect()
    };
    assert_eq!(found(&machine), [""; 0]);

    fs::write(home.join(".claude.json"), "{}").unwrap();
    fs::create_dir_all(home.join(".config/Claude")).unwrap();
    fs::create_dir_all(home.join(".cursor")).unwrap();
    fs::write(programs.join("code"), "").unwrap();
    // A folder is not a program.
    fs::create_dir_all(programs.join("gemini")).unwrap();
    assert_eq!(found(&machine), ["claude", "claude-desktop", "cursor", "vscode"]);
    assert_eq!(machine.evidence(Agent::VsCode), Some(programs.join("code")));

    machine.moved.push(("CODEX_HOME", home.clone()));
    machine.os = Os::Windows;
    fs::write(programs.join("gemini.exe"), "").unwrap();
    assert_eq!(found(&machine), ["claude", "cursor", "codex", "gemini"]);
}
