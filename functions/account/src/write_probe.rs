//! Checks whether the database accepts writes. Health checks within 10 s share the result of one write.
//!
//! See `docs/decisions/0036-faults-and-health.md`.

use std::sync::Arc;

use accounting::Timestamp;
use gateway::App;
use store::Accounts;
use tokio::sync::Mutex;

/// How long a result is cached, in milliseconds. Each process makes at most one test write in this time, and
/// only during a health check.
const TTL_MILLIS: i64 = 10_000;

/// The cached result of the latest test write, shared by all clones.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteProbe(Arc<Mutex<Option<Probed>>>);

#[derive(Clone, Copy, Debug)]
struct Probed {
    at: Timestamp,
    is_written: bool,
}

impl WriteProbe {
    /// Returns whether the database accepts writes. Makes a test write unless a recent result is cached.
    /// Concurrent callers share one write.
    pub(crate) async fn takes_writes(&self, app: &App) -> bool {
        let mut probed = self.0.lock().await;
        let now = app.clock.now();
        let age = |probed: &Probed| now.unix_millis() - probed.at.unix_millis();
        if let Some(known) = probed.filter(|known| (0..TTL_MILLIS).contains(&age(known))) {
            return known.is_written;
        }
        let written = Accounts::new(app.dynamo.clone()).try_write().await;
        if let Err(error) = &written {
            tracing::error!(event = "database_degraded", %error);
        }
        *probed = Some(Probed { at: now, is_written: written.is_ok() });
        written.is_ok()
    }
}
