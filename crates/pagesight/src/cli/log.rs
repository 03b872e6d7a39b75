//! The log on standard error (`PAGESIGHT_LOG`). Values that must not be printed are hidden in it,
//! because the browser's own log contains messages of pages.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use pagesight_session::HiddenValues;

/// The values that the log must not contain. Set once, before a browser starts.
static HIDDEN: OnceLock<Arc<HiddenValues>> = OnceLock::new();

/// Hides values in everything that is logged from now on.
pub(crate) fn hide(values: Arc<HiddenValues>) {
    // Only the first command of the process sets it.
    let _ = HIDDEN.set(values);
}

pub(crate) fn start() {
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("PAGESIGHT_LOG")
                .unwrap_or_else(|_| "error".into()),
        )
        .with_writer(|| MaskedLog)
        .init();
}

/// Standard error without the hidden values. Each write is one whole entry.
struct MaskedLog;

impl Write for MaskedLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let hidden = HIDDEN.get().and_then(|values| values.hidden(&String::from_utf8_lossy(bytes)));
        match hidden {
            Some(text) => std::io::stderr().lock().write_all(text.as_bytes())?,
            None => std::io::stderr().lock().write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().lock().flush()
    }
}
