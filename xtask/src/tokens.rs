//! `cargo xtask tokens`: makes the table of o200k's vocabulary that `pagesight-core` embeds. A test
//! of that crate makes it from the crate `tiktoken`, so that neither this program nor the product
//! depends on it.

use std::process::Command;

/// The test that makes the table, and the variable that lets it write.
const TEST: &str = "text::tokens::make_table::tests::the_committed_table_is_made_from_the_crates";
const WRITE: &str = "PAGESIGHT_WRITE_TOKENS";

/// Writes the table, or only checks that the committed one is up to date.
pub fn run(check: bool) -> anyhow::Result<()> {
    let mut test = Command::new("cargo");
    test.args(["test", "--quiet", "--package", "pagesight-core", "--lib", "--", "--exact", TEST]);
    test.current_dir(crate::project::root()).env_remove(WRITE);
    if !check {
        test.env(WRITE, "1");
    }
    let made = test.status()?.success();
    anyhow::ensure!(made, "the table of tokens {}", if check { "is outdated" } else { "failed" });
    Ok(())
}
