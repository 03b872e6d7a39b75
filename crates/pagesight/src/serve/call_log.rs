//! Prints the clients of a process and their calls (`serve --log`). What a call was given is not
//! printed, because it may be a secret.

use std::time::Instant;

use pagesight_check::clock::time_of_day;
use pagesight_core::text::escape::safe;

use crate::cli::print;

/// The longest name of a client that is printed.
const LONGEST: usize = 60;

/// Whether clients and calls are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CallLog {
    #[default]
    Off,
    On,
}

impl CallLog {
    /// Prints that a workspace begins or ends.
    pub(super) fn workspace(self, name: &str, what: &str) {
        self.line(&format!("{}  {what}", shown(name)));
    }

    /// Runs a call, and prints the client, the call and how long it took.
    pub(super) async fn call<T>(
        self,
        workspace: &str,
        client: &str,
        call: &str,
        work: impl Future<Output = T>,
    ) -> T {
        let begun = Instant::now();
        let answer = work.await;
        let took = begun.elapsed().as_millis();
        self.line(&format!("{}  {}  {call}  {took} ms", shown(workspace), safe(client, LONGEST)));
        answer
    }

    fn line(self, text: &str) {
        if self == CallLog::On {
            print::log_line(&format!("{}  {text}", time_of_day()));
        }
    }
}

/// Returns the name of a workspace as `pagesight sessions` prints it.
fn shown(name: &str) -> String {
    safe(name.strip_prefix('/').unwrap_or(name), LONGEST)
}
