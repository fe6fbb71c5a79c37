//! The current time. Tests can set and advance it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use accounting::Timestamp;

/// The system clock or a clock for tests.
#[derive(Clone, Debug)]
pub enum Clock {
    System,
    /// A clock that only moves when a test advances it. The value is the time in Unix milliseconds.
    Fixed(Arc<AtomicI64>),
    /// The system clock plus an offset in milliseconds.
    Shifted(Arc<AtomicI64>),
}

impl Clock {
    /// Creates a fixed clock that shows `now`.
    pub fn fixed(now: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(now.unix_millis())))
    }

    /// Creates a clock that shows the system time until it's advanced.
    pub fn shifted() -> Self {
        Self::Shifted(Arc::default())
    }

    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => system_time(),
            Self::Fixed(millis) => Timestamp::from_unix_millis(millis.load(Ordering::SeqCst)),
            Self::Shifted(millis) => {
                Timestamp::from_unix_millis(system_time().unix_millis() + millis.load(Ordering::SeqCst))
            }
        }
    }

    /// Advances a fixed or shifted clock by `millis`. Has no effect on the system clock.
    pub fn advance(&self, millis: i64) {
        if let Self::Fixed(moved) | Self::Shifted(moved) = self {
            moved.fetch_add(millis, Ordering::SeqCst);
        }
    }
}

fn system_time() -> Timestamp {
    Timestamp::from_system(std::time::SystemTime::now())
}
