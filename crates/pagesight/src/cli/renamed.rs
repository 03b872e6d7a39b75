//! Commands that were renamed: an error names the new one.

use std::ffi::OsStr;

/// The old name, and the new one.
const RENAMED: [(&str, &str); 3] =
    [("inspect", "look"), ("expand", "element"), ("screenshot", "shot")];

/// Returns what to say about a command that was renamed.
pub(crate) fn sentence(command: Option<&OsStr>) -> Option<String> {
    let given = command?.to_str()?;
    let (old, new) = RENAMED.iter().find(|(old, _)| *old == given)?;
    Some(format!("{old} is now called {new}; run pagesight {new}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::arguments::Cli;

    #[test]
    fn a_renamed_command_names_its_new_name() {
        let said = |word: &str| sentence(Some(OsStr::new(word)));
        assert_eq!(said("inspect").unwrap(), "inspect is now called look; run pagesight look");
        assert_eq!((said("look"), said("--help"), sentence(None)), (None, None, None));
        let commands = Cli::command();
        for (old, new) in RENAMED {
            assert!(commands.find_subcommand(old).is_none(), "{old}");
            assert!(commands.find_subcommand(new).is_some(), "{new}");
        }
    }
}
