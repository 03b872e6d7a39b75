//! Identifies the text of a baseline.

use sha2::{Digest, Sha256};

/// Returns the digest of a baseline by the text of its file. Line endings do not count, because git
/// may convert them.
pub(crate) fn digest(baseline: &str) -> String {
    let mut hash = Sha256::new();
    baseline.split('\r').for_each(|part| hash.update(part));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_endings_do_not_change_a_digest() {
        assert_eq!(digest("a\r\nb\r\n"), digest("a\nb\n"));
        assert_ne!(digest("ab"), digest("a\nb"));
        assert_eq!(digest("").len(), 64);
    }
}
