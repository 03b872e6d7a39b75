//! Waits for Ctrl-C and for termination signals, so that the browser is closed with the program.

/// Returns when the process is asked to end.
#[cfg(unix)]
pub(crate) async fn ended_by_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hang_up)) =
        (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
}

/// Returns when the process is asked to end.
#[cfg(not(unix))]
pub(crate) async fn ended_by_signal() {
    let _ = tokio::signal::ctrl_c().await;
}

/// Runs the work to its end. A signal ends it with this error.
pub(crate) async fn until_signal<T>(
    work: impl Future<Output = anyhow::Result<T>>,
    error: &'static str,
) -> anyhow::Result<T> {
    tokio::select! {
        done = work => done,
        () = ended_by_signal() => Err(anyhow::Error::msg(error)),
    }
}
