//! A cache that a warm process keeps between calls.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use accounting::Timestamp;
use lru::LruCache;

/// The maximum number of entries in a cache, which is enough for the callers that a process serves at a time.
const MAX_ENTRIES: NonZeroUsize = NonZeroUsize::new(2_000).expect("the limit is not zero");

/// A cache with a time to live for entries. When it's full, it evicts the least recently used entry.
#[derive(Debug)]
pub struct TtlCache<K: Eq + Hash, V> {
    entries: Mutex<LruCache<K, Entry<V>>>,
    ttl_seconds: i64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    inserted_at: Timestamp,
}

impl<K: Eq + Hash, V: Clone> TtlCache<K, V> {
    /// Creates an empty cache whose entries live for `ttl_seconds`.
    pub fn new(ttl_seconds: i64) -> Self {
        Self { entries: Mutex::new(LruCache::new(MAX_ENTRIES)), ttl_seconds }
    }

    /// Returns a key's value, or `None` if the key is missing or its entry has expired at `now`.
    pub fn get(&self, key: &K, now: Timestamp) -> Option<V> {
        let mut entries = self.lock();
        let Entry { value, inserted_at } = entries.get(key)?;
        // If the clock is set back, the entry counts as expired, so that its lifetime isn't extended.
        let lives = *inserted_at <= now && now < inserted_at.plus_seconds(self.ttl_seconds);
        lives.then(|| value.clone())
    }

    /// Stores a value that was read at `now`, and replaces the key's previous value.
    pub fn insert(&self, key: K, value: V, now: Timestamp) {
        self.lock().put(key, Entry { value, inserted_at: now });
    }

    /// Removes a key's entry, if it exists.
    pub fn remove(&self, key: &K) {
        self.lock().pop(key);
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<K, Entry<V>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_seconds(seconds)
    }

    #[test]
    fn entries_expire_and_are_ignored_if_the_clock_moves_back() {
        let cache = TtlCache::new(30);
        cache.insert("key", 1, at(100));
        for (now, found) in [(99, None), (100, Some(1)), (129, Some(1)), (130, None)] {
            assert_eq!(cache.get(&"key", at(now)), found, "at {now}");
        }
        cache.insert("key", 2, at(129));
        assert_eq!(cache.get(&"key", at(158)), Some(2));
        assert_eq!(cache.get(&"other", at(100)), None);
        cache.remove(&"key");
        assert_eq!(cache.get(&"key", at(158)), None);
    }

    #[test]
    fn full_cache_evicts_the_least_recently_used_entry() {
        let cache = TtlCache::new(30);
        for number in 0..MAX_ENTRIES.get() {
            cache.insert(number, number, at(0));
        }
        assert_eq!(cache.get(&0, at(1)), Some(0));
        cache.insert(MAX_ENTRIES.get(), 0, at(1));
        assert_eq!(
            (cache.get(&0, at(1)), cache.get(&1, at(1)), cache.get(&2, at(1))),
            (Some(0), None, Some(2))
        );
    }
}
