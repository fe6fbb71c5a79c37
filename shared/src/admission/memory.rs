use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::types::Timestamp;

/// How many entries are remembered before all are forgotten: enough for a process's busy callers.
const MAX_ENTRIES: usize = 2_000;

/// What a warm process remembers, with the moment at which it learned it.
#[derive(Debug)]
pub struct Memory<K, V>(Mutex<HashMap<K, (V, Timestamp)>>);

impl<K: Eq + Hash, V: Clone> Default for Memory<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Eq + Hash, V: Clone> Memory<K, V> {
    /// Makes an empty memory.
    pub fn new() -> Self {
        Self(Mutex::new(HashMap::new()))
    }

    /// Recalls a value that was learned within the last `seconds`.
    pub fn recall(&self, key: &K, now: Timestamp, seconds: i64) -> Option<V> {
        let entries = self.lock();
        let (value, learned) = entries.get(key)?;
        // A clock that was set back must not prolong what is remembered.
        (*learned <= now && now < learned.plus_seconds(seconds)).then(|| value.clone())
    }

    /// Remembers a value learned at `now`.
    pub fn remember(&self, key: K, value: V, now: Timestamp) {
        let mut entries = self.lock();
        if entries.len() >= MAX_ENTRIES && !entries.contains_key(&key) {
            entries.clear();
        }
        entries.insert(key, (value, now));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (V, Timestamp)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
