//! Captures log lines per thread, so that concurrent tests don't see each other's.

use std::io::Write;
use std::sync::{Arc, Mutex, Once, PoisonError};

use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

/// The lines that the current thread has logged since the capture started.
pub struct Logs {
    written: Written,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Starts capturing the current thread's log lines.
    pub fn capture() -> Self {
        keep_events_enabled();
        let written = Written::default();
        let subscriber = tracing_subscriber::fmt().json().with_writer(written.clone()).finish();
        Self { written, _guard: tracing::subscriber::set_default(subscriber) }
    }

    pub fn lines(&self) -> Vec<String> {
        let bytes = self.written.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    pub fn clear(&self) {
        self.written.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the lines for the given `event`.
    pub fn of(&self, event: &str) -> Vec<serde_json::Value> {
        let lines = self.lines().into_iter().filter_map(|line| serde_json::from_str(&line).ok());
        lines.filter(|line: &serde_json::Value| line["fields"]["event"] == event).collect()
    }
}

/// Installs a global subscriber that has the same level but discards its output.
///
/// The `tracing` crate caches, for the whole process, whether an event is enabled. Without a global
/// subscriber, a thread that isn't capturing could disable an event, and other threads would miss its lines.
pub(crate) fn keep_events_enabled() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let deaf = tracing_subscriber::fmt().with_writer(std::io::sink).finish();
        // Fails if a global subscriber is already installed.
        let _ = tracing::subscriber::set_global_default(deaf);
    });
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Written {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
