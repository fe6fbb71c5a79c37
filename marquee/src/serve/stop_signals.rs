//! The signals at which the local process finishes its calls and ends.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ctrl-C, and the signal that service managers send. While this exists, neither ends the process by itself.
#[cfg(unix)]
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

#[cfg(unix)]
impl StopSignals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for the first signal; one that came since `listen` counts.
    pub(super) async fn recv(mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}

/// Ctrl-C.
#[cfg(windows)]
pub(super) struct StopSignals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl StopSignals {
    pub(super) fn listen() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    /// Waits for the signal; one that came since `listen` counts.
    pub(super) async fn recv(mut self) {
        self.0.recv().await;
    }
}
