//! The accessibility rules that a page is tested with: `audit`, `audit_tags` and `audit_ignore` in
//! `pages.toml`.

use pagesight_core::fingerprint::AuditLevel;
use pagesight_session::AuditRequest;
use serde::Deserialize;

use super::error::SettingError;

/// The least impact of a violation that counts, as it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AuditSetting {
    #[default]
    Off,
    Minor,
    Moderate,
    Serious,
    Critical,
}

impl AuditSetting {
    fn level(self) -> Option<AuditLevel> {
        match self {
            AuditSetting::Off => None,
            AuditSetting::Minor => Some(AuditLevel::Minor),
            AuditSetting::Moderate => Some(AuditLevel::Moderate),
            AuditSetting::Serious => Some(AuditLevel::Serious),
            AuditSetting::Critical => Some(AuditLevel::Critical),
        }
    }

    /// Returns what is tested, if anything is.
    pub(super) fn request(
        self,
        tags: Vec<String>,
        ignored: Vec<String>,
    ) -> Result<Option<AuditRequest>, SettingError> {
        let lists = [("audit_tags", &tags), ("audit_ignore", &ignored)];
        for (name, given) in lists {
            let is_word = |word: &String| {
                !word.is_empty()
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
            };
            if let Some(wrong) = given.iter().find(|word| !is_word(word)) {
                return Err(SettingError::AuditWord { name, given: wrong.clone() });
            }
        }
        Ok(self.level().map(|level| AuditRequest { level, tags, ignored }))
    }
}
