//! The log on standard error (`PAGESIGHT_LOG`). Values that must not be printed are hidden in it,
//! because the browser's own log contains messages of pages.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};

use pagesight_browser::lock;
use pagesight_session::HiddenValues;

/// The values that the log must not contain.
static HIDDEN: LazyLock<Mutex<HiddenValues>> = LazyLock::new(Mutex::default);

/// Hides values in everything that is logged from now on.
pub(crate) fn hide(values: Arc<HiddenValues>) {
    lock(&HIDDEN).extend(&values);
}

/// Hides the parameters of the address of a browser.
pub(crate) fn hide_parameters(address: &str) {
    if let Some((_, parameters)) = address.split_once('?') {
        lock(&HIDDEN).add("connect", parameters);
    }
}

/// The filter of `--verbose`: all that pagesight itself has to say.
const VERBOSE: &str = "warn,pagesight=debug,pagesight_session=debug,pagesight_browser=debug,pagesight_check=debug,pagesight_team=debug,pagesight_browser::log=warn";

/// Starts the log. PAGESIGHT_LOG wins over `--verbose`.
pub(crate) fn start(verbose: bool) {
    let filter = if verbose { VERBOSE } else { "error" };
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("PAGESIGHT_LOG")
                .unwrap_or_else(|_| filter.into()),
        )
        .with_writer(|| MaskedLog)
        .init();
}

/// Standard error without the hidden values. Each write is one whole entry.
struct MaskedLog;

impl Write for MaskedLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let hidden = lock(&HIDDEN).hidden(&String::from_utf8_lossy(bytes));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_of_an_address_are_hidden() {
        hide_parameters("ws://grid:3000");
        hide_parameters("ws://grid:3000/?token=word&slow=1");
        let hidden = lock(&HIDDEN).hidden("GET /?token=word&slow=1 HTTP/1.1");
        assert_eq!(hidden.as_deref(), Some("GET /?${connect} HTTP/1.1"));
    }
}
