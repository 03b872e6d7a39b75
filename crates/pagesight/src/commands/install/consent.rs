//! Shows a change, asks for consent, writes it and remembers what it replaced.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::edit::{self, ConfigEdit};
use super::machine::Machine;
use super::program::ProgramCopy;
use super::receipts::InstallReceipts;
use crate::cli::arguments::InstallArguments;
use crate::cli::print;
use crate::serve::settings::settings_path;

/// The outcome of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstallOutcome {
    Written,
    /// The user said no.
    Declined,
    /// It was only shown.
    Shown,
    /// There was nothing to change.
    Nothing,
}

/// The flags of the command, and the receipts.
pub(super) struct Installer {
    /// Whether entries are removed.
    pub(super) remove: bool,
    yes: bool,
    dry_run: bool,
    pub(super) receipts: InstallReceipts,
    /// Where the receipts are kept, if that is possible.
    file: Option<PathBuf>,
    /// The copy of the program that entries start.
    copy: Option<ProgramCopy>,
    /// The folder of such copies.
    programs: PathBuf,
}

impl Installer {
    /// Reads the receipts. Without them an entry can still be added and removed.
    pub(super) fn new(
        arguments: &InstallArguments,
        machine: &Machine,
        copy: Option<ProgramCopy>,
    ) -> Installer {
        let file = settings_path(|name| std::env::var_os(name))
            .map(|path| path.with_file_name("install.json"))
            .map_err(|error| error.to_string());
        let read = file.and_then(|file| Ok((InstallReceipts::read(&file)?, file)));
        let (receipts, file) = match read {
            Ok((receipts, file)) => (receipts, Some(file)),
            Err(reason) => {
                print::note(&format!(
                    "{reason}; --remove takes the entry out, but cannot restore the layout"
                ));
                (InstallReceipts::empty(), None)
            }
        };
        let InstallArguments { remove, yes, dry_run, .. } = *arguments;
        Installer { remove, yes, dry_run, receipts, file, copy, programs: machine.programs() }
    }

    /// Makes the copy of the program, if entries start one and may be written.
    pub(super) fn copy_program(&self) -> anyhow::Result<()> {
        match &self.copy {
            Some(copy) if !self.dry_run => copy.make(),
            _ => Ok(()),
        }
    }

    /// Reports whether somebody can say yes, or no yes is needed.
    pub(super) fn can_decide(&self) -> bool {
        self.yes || self.dry_run || std::io::stdin().is_terminal()
    }

    /// Shows the change, asks, writes it and keeps a receipt.
    pub(super) fn carry_out(
        &mut self,
        edit: &ConfigEdit,
        question: &str,
    ) -> anyhow::Result<InstallOutcome> {
        print::result(&edit::preview(edit));
        if self.dry_run {
            print::result("nothing was written (--dry-run)");
            return Ok(InstallOutcome::Shown);
        }
        if !self.can_decide() {
            bail!("nothing was written; run it in a terminal, or give --yes");
        }
        if !self.yes && !print::ask(question)? {
            return Ok(InstallOutcome::Declined);
        }
        self.copy_program()?;
        let created = edit::apply(edit)?;
        match &edit.after {
            Some(after) if !self.remove => {
                self.receipts.add(&edit.path, edit.before.as_deref(), after, created);
            }
            _ => {
                let folders = self.receipts.take(&edit.path);
                if edit.after.is_none() {
                    remove_empty(&folders);
                }
            }
        }
        if self.remove && self.file.is_some() && self.receipts.is_empty() {
            remove_programs(&self.programs);
        }
        if let Some(file) = &self.file
            && let Err(reason) = self.receipts.write(file)
        {
            print::note(&format!("{reason}; --remove will not restore the layout of the file"));
        }
        Ok(InstallOutcome::Written)
    }
}

/// Removes the copies of programs, of which there may be none, and the folder above if nothing else
/// is in it.
pub(super) fn remove_programs(programs: &Path) {
    if std::fs::remove_dir_all(programs).is_ok() {
        let _ = programs.parent().map(std::fs::remove_dir);
    }
}

/// Removes the folders that were created, as far as nothing else is in them.
fn remove_empty(folders: &[PathBuf]) {
    for folder in folders {
        if std::fs::remove_dir(folder).is_err() {
            return;
        }
    }
}
