//! Random bytes and numbers. Tests can reproduce them with a seed.

use std::sync::{Arc, Mutex, PoisonError};

use ring::rand::{SecureRandom, SystemRandom};

/// A source of random bytes: the operating system's secure generator or a seeded one for tests.
#[derive(Clone, Debug)]
pub enum Random {
    System,
    Seeded(Arc<Mutex<fastrand::Rng>>),
}

impl Random {
    /// Creates a generator that returns the same output for the same seed.
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Mutex::new(fastrand::Rng::with_seed(seed))))
    }

    /// Returns `N` random bytes.
    ///
    /// # Panics
    ///
    /// Panics if the operating system can't provide random bytes, because secrets depend on them.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Self::System => SystemRandom::new().fill(&mut bytes).expect("the system provides random bytes"),
            Self::Seeded(rng) => rng.lock().unwrap_or_else(PoisonError::into_inner).fill(&mut bytes),
        }
        bytes
    }

    /// Returns a random number in `0..bound`, or 0 if `bound` is 0. Suitable for jitter, but not for secrets.
    pub fn below(&self, bound: u64) -> u64 {
        u64::from_le_bytes(self.bytes()) % bound.max(1)
    }
}
