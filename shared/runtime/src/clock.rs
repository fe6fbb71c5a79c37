//! The current time, which tests can set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use accounting::Timestamp;

/// The system's clock, or a fixed clock for tests.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The system's clock.
    System,
    /// A clock that moves only when a test advances it, in Unix milliseconds.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// Creates a fixed clock that shows `now`.
    pub fn fixed(now: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(now.unix_millis())))
    }

    /// Returns the current time.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::from_system(std::time::SystemTime::now()),
            Self::Fixed(millis) => Timestamp::from_unix_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves a fixed clock by `millis`. Has no effect on the system's clock.
    pub fn advance(&self, millis: i64) {
        if let Self::Fixed(now) = self {
            now.fetch_add(millis, Ordering::SeqCst);
        }
    }
}
