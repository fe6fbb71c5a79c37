//! Randomness, which a test can repeat.

use std::sync::{Arc, Mutex, PoisonError};

use ring::rand::{SecureRandom, SystemRandom};

/// Gives random bytes: the system's secure ones, or a test's repeatable ones.
#[derive(Clone, Debug)]
pub enum Random {
    /// The operating system's secure generator.
    System,
    /// A generator of a fixed seed.
    Seeded(Arc<Mutex<fastrand::Rng>>),
}

impl Random {
    /// Makes a generator that repeats itself for the same seed.
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Mutex::new(fastrand::Rng::with_seed(seed))))
    }

    /// Returns `N` random bytes.
    ///
    /// # Panics
    ///
    /// When the operating system has no randomness to give: nothing secret may be made then.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Self::System => SystemRandom::new().fill(&mut bytes).expect("the system gives random bytes"),
            Self::Seeded(rng) => rng.lock().unwrap_or_else(PoisonError::into_inner).fill(&mut bytes),
        }
        bytes
    }

    /// Returns a number in `0..bound`, for jitter and never for secrets.
    pub fn below(&self, bound: u64) -> u64 {
        u64::from_le_bytes(self.bytes()) % bound.max(1)
    }
}
