//! The log lines a test causes, captured per thread so that tests running side by side stay apart.

use std::io::Write;
use std::sync::{Arc, Mutex, Once, PoisonError};

use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

/// The log lines of the current thread, from its making on.
pub struct Logs {
    written: Written,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Starts to capture.
    pub fn capture() -> Self {
        keep_events_enabled();
        let written = Written::default();
        let subscriber = tracing_subscriber::fmt().json().with_writer(written.clone()).finish();
        Self { written, _guard: tracing::subscriber::set_default(subscriber) }
    }

    /// Returns the lines captured so far.
    pub fn lines(&self) -> Vec<String> {
        let bytes = self.written.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    /// Forgets the lines captured so far.
    pub fn clear(&self) {
        self.written.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the lines of one event.
    pub fn of(&self, event: &str) -> Vec<serde_json::Value> {
        let lines = self.lines().into_iter().filter_map(|line| serde_json::from_str(&line).ok());
        lines.filter(|line: &serde_json::Value| line["fields"]["event"] == event).collect()
    }
}

/// Gives the whole process a subscriber of the same level that keeps nothing.
///
/// Whether an event is of interest to anybody is remembered for the whole process: without this, a thread
/// that nobody listens to could have it remembered as of none, and another thread's lines would be missing.
pub(crate) fn keep_events_enabled() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let deaf = tracing_subscriber::fmt().with_writer(std::io::sink).finish();
        // An error says that there is one already.
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
