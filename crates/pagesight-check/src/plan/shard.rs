//! Parts of the pages, for several machines.

use sha2::{Digest, Sha256};

/// One part of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, counted from 1.
    pub index: u32,
    /// How many parts there are.
    pub of: u32,
}

const MOST_SHARDS: u32 = 10_000;

impl Shard {
    /// Reports whether a page belongs to it. The first eight bytes of the SHA-256 of its name
    /// decide, so it is the same on every machine and in every version.
    pub fn has(self, name: &str) -> bool {
        let digest = Sha256::digest(name.as_bytes());
        let number = digest.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        number % u64::from(self.of) == u64::from(self.index - 1)
    }
}

/// A text is not a shard.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[error("give a number and a count, such as 2/5, up to {MOST_SHARDS}")]
pub struct ShardError;

impl std::str::FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<u32>().ok()).flatten()
        };
        let parts = text.split_once('/');
        let parts = parts.and_then(|(index, of)| Some((number(index)?, number(of)?)));
        match parts {
            Some((index, of)) if (1..=MOST_SHARDS).contains(&of) && (1..=of).contains(&index) => {
                Ok(Shard { index, of })
            }
            _ => Err(ShardError),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}
