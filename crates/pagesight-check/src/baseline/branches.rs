//! The branch that baselines belong to, and the one that it falls back to.

use super::model::{BaselineError, Result};

/// The longest name of a branch.
const LONGEST: usize = 255;

/// A branch and its base. What a branch does not have is looked up in its base; what is saved
/// belongs to the branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches {
    branch: String,
    base: String,
}

impl Branches {
    /// Makes a pair of branches, if both names are valid.
    pub fn new(branch: &str, base: &str) -> Result<Branches> {
        for name in [branch, base] {
            let length = name.chars().count();
            if !(1..=LONGEST).contains(&length) || name.chars().any(char::is_control) {
                return Err(BaselineError::Branch(name.chars().take(LONGEST).collect()));
            }
        }
        Ok(Branches { branch: branch.to_owned(), base: base.to_owned() })
    }

    /// Returns the branch that saved baselines belong to.
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// Returns the branch that it falls back to.
    pub fn base(&self) -> &str {
        &self.base
    }
}
