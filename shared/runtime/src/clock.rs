//! The time, which a test can set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use accounting::Timestamp;

/// Tells the time: the system's, or one that a test sets.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The system's clock.
    System,
    /// A clock that stands still until it is set, in Unix milliseconds.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// Makes a clock that stands at `now`.
    pub fn fixed(now: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(now.unix_millis())))
    }

    /// Returns the present moment.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::from_system(std::time::SystemTime::now()),
            Self::Fixed(millis) => Timestamp::from_unix_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves a fixed clock by `millis`; the system's clock is left alone.
    pub fn advance(&self, millis: i64) {
        if let Self::Fixed(now) = self {
            now.fetch_add(millis, Ordering::SeqCst);
        }
    }
}
