#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ctrl-C, and the signal that service managers stop with. While this is there, neither ends the process by itself.
#[cfg(unix)]
pub(super) struct Interrupts {
    interrupted: Signal,
    terminated: Signal,
}

#[cfg(unix)]
impl Interrupts {
    pub(super) fn heed() -> std::io::Result<Self> {
        Ok(Self { interrupted: signal(SignalKind::interrupt())?, terminated: signal(SignalKind::terminate())? })
    }

    /// Waits for the first, one that came since the beginning included.
    pub(super) async fn first(mut self) {
        tokio::select! {
            _ = self.interrupted.recv() => (),
            _ = self.terminated.recv() => (),
        }
    }
}

/// Ctrl-C.
#[cfg(windows)]
pub(super) struct Interrupts(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Interrupts {
    pub(super) fn heed() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    /// Waits for it, one that came since the beginning included.
    pub(super) async fn first(mut self) {
        self.0.recv().await;
    }
}
