//! Posts an entry to an account's ledger at most once, even when the database doesn't respond.
use std::time::Duration;

use accounting::{Account, AccountKey, Change, Declined};
use thiserror::Error;
use tokio::time::Instant;

use super::account_item::StoredAccount;
use super::accounts::{Accounts, EntryFailure};
use super::entry::EntryId;
use super::error::StoreError;

/// The time after which no new attempt to post an entry starts. In each attempt, the read and the write take
/// at most 1 s each, and the first entry of a month needs one more read. Posting an entry therefore finishes
/// within the 6 s that a function has for refunds after its handler's deadline.
const DEADLINE: Duration = Duration::from_secs(2);

/// The time after which no new attempt starts if the database has throttled an attempt. A call that waits
/// longer occupies an instance without being served sooner. See docs/decisions/0061-contended-accounts.md.
const THROTTLED_DEADLINE: Duration = Duration::from_millis(500);

/// The longest pause between two attempts, in milliseconds.
const LONGEST_PAUSE: u64 = 100;

/// The result of posting an entry.
#[derive(Debug)]
pub enum Posted {
    /// The entry was posted exactly once.
    Once {
        /// The account after this entry and possibly some later entries.
        after: Box<StoredAccount>,
        change: Box<Change>,
        /// Whether the database throttled an attempt or reported a conflict with a concurrent write. The
        /// account will probably change again soon.
        was_contended: bool,
    },
    /// An attempt got no response, and another entry has since overwritten this entry's slot in the list of
    /// recent entries. This entry was posted either once or not at all.
    InDoubt(Box<StoredAccount>),
}

/// Why an entry wasn't posted or why its outcome is unknown.
#[derive(Debug, Error)]
pub enum PostError<R> {
    /// The entry was declined, based on the current account or on a cached account that `trust` accepts.
    /// Earlier attempts can no longer take effect.
    #[error("the entry was declined: {0}")]
    Declined(R, Box<StoredAccount>),
    #[error("the account does not exist")]
    NoAccount,
    /// An attempt never got a response, so it's unknown whether the entry was posted.
    #[error("the database did not confirm whether the account changed: {0}")]
    Unanswered(String),
    /// The entry wasn't posted, because the database refused the call, the account was too busy, or the
    /// database didn't respond in time.
    #[error(transparent)]
    Store(StoreError),
}

/// Reads and writes one account without retrying, and provides a clock. Tests implement this trait with a
/// simulation.
pub trait Ledger {
    /// Reads the account. Returns `None` if it doesn't exist.
    fn read(&self) -> impl Future<Output = Result<Option<StoredAccount>, StoreError>> + Send;

    /// Writes a change. See [`Accounts::write`].
    fn write(
        &self,
        seen: &StoredAccount,
        entry: Option<EntryId>,
        change: &Change,
    ) -> impl Future<Output = Result<StoredAccount, EntryFailure>> + Send;

    /// Waits for a random time between 1 and `longest` ms.
    fn pause(&self, longest: u64) -> impl Future<Output = ()> + Send;

    fn now(&self) -> Instant;
}

/// An account's ledger in the database.
struct StoredLedger<'a> {
    accounts: &'a Accounts,
    key: &'a AccountKey,
}

/// The state of all attempts to post one entry.
struct Tries<'a, L> {
    ledger: &'a L,
    started: Instant,
    pauses: u32,
    was_contended: bool,
    was_throttled: bool,
}

/// The outcome of an attempt that got no response.
enum Found {
    Posted(StoredAccount),
    /// The entry wasn't posted, and the attempt can no longer take effect.
    NotPosted(StoredAccount),
    InDoubt(StoredAccount),
}

impl Accounts {
    /// Returns the ledger of an account, for [`post`].
    pub fn ledger<'a>(&'a self, key: &'a AccountKey) -> impl Ledger + Sync {
        StoredLedger { accounts: self, key }
    }
}

impl Ledger for StoredLedger<'_> {
    async fn read(&self) -> Result<Option<StoredAccount>, StoreError> {
        self.accounts.read_once(self.key).await
    }

    async fn write(
        &self,
        seen: &StoredAccount,
        entry: Option<EntryId>,
        change: &Change,
    ) -> Result<StoredAccount, EntryFailure> {
        self.accounts.write(self.key, seen, entry, change).await
    }

    async fn pause(&self, longest: u64) {
        tokio::time::sleep(Duration::from_millis(1 + self.accounts.0.random.below(longest))).await;
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Posts the entry that `decide` derives from the current account.
///
/// The first attempt may use a cached account. If `decide` declines the entry for a cached account, the
/// decision is final only if `trust` returns `true`. Otherwise, the account is read and `decide` is called
/// again.
pub async fn post<R>(
    ledger: &impl Ledger,
    entry: EntryId,
    cached: Option<StoredAccount>,
    trust: impl Fn(&Account, &R) -> bool,
    decide: impl Fn(&Account) -> Result<Change, Declined<R>>,
) -> Result<Posted, PostError<R>> {
    let mut tries = Tries::of(ledger);
    let (mut known, mut is_fresh) = (cached, false);
    loop {
        let seen = match known.take() {
            Some(seen) => seen,
            None => {
                is_fresh = true;
                tries.read().await?
            }
        };
        let (change, declined) = match decide(&seen.account) {
            Ok(change) => (Box::new(change), None),
            Err(Declined { reason, change: Some(change) }) => (change, Some(reason)),
            Err(Declined { reason, change: None }) if is_fresh || trust(&seen.account, &reason) => {
                return Err(PostError::Declined(reason, Box::new(seen)));
            }
            Err(_) => continue,
        };
        tries.check()?;
        let after = match ledger.write(&seen, Some(entry), &change).await {
            Ok(after) => after,
            Err(EntryFailure::Store(StoreError::Unavailable(why))) => match tries.find(entry, &seen).await {
                Some(Found::Posted(after)) => after,
                Some(Found::InDoubt(after)) => return Ok(Posted::InDoubt(Box::new(after))),
                Some(Found::NotPosted(now)) => {
                    (known, is_fresh) = (Some(now), true);
                    continue;
                }
                None => return Err(PostError::Unanswered(why)),
            },
            Err(failure) => {
                (known, is_fresh) = (tries.after(failure).await?, true);
                continue;
            }
        };
        let (after, was_contended) = (Box::new(after), tries.was_contended);
        return match declined {
            None => Ok(Posted::Once { after, change, was_contended }),
            Some(reason) => Err(PostError::Declined(reason, after)),
        };
    }
}

impl<'a, L: Ledger> Tries<'a, L> {
    fn of(ledger: &'a L) -> Self {
        let started = ledger.now();
        Self { ledger, started, pauses: 0, was_contended: false, was_throttled: false }
    }

    /// Reads the account, and retries failed reads until the deadline.
    async fn read<R>(&mut self) -> Result<StoredAccount, PostError<R>> {
        loop {
            match self.ledger.read().await {
                Ok(Some(account)) => return Ok(account),
                Ok(None) => return Err(PostError::NoAccount),
                Err(StoreError::Throttled(_)) => {
                    (self.was_contended, self.was_throttled) = (true, true);
                }
                Err(StoreError::Unavailable(_)) => {}
                Err(error) => return Err(PostError::Store(error)),
            }
            self.wait().await;
            self.check()?;
        }
    }

    /// Prepares the next attempt after a failed write. Returns the current account if the failure contains
    /// it. Otherwise, the caller reads the account, because a read uses less of the partition's capacity than
    /// another failed write.
    async fn after<R>(&mut self, failure: EntryFailure) -> Result<Option<StoredAccount>, PostError<R>> {
        match failure {
            EntryFailure::Stale(Some(now)) => return Ok(Some(*now)),
            EntryFailure::Stale(None) => return Err(PostError::NoAccount),
            EntryFailure::Store(error) if !error.is_passing() => return Err(PostError::Store(error)),
            EntryFailure::Store(error) => self.was_throttled |= matches!(error, StoreError::Throttled(_)),
        }
        self.was_contended = true;
        self.wait().await;
        Ok(None)
    }

    /// Determines whether a write that got no response took effect. If it didn't, replaces the account, so
    /// that the write can't take effect later: the replacement changes the version that the write's condition
    /// requires. Returns `None` if the deadline passes.
    async fn find(&mut self, entry: EntryId, seen: &StoredAccount) -> Option<Found> {
        let mut latest: Option<Box<StoredAccount>> = None;
        while self.has_time(DEADLINE) {
            let now = match latest.take() {
                Some(now) => now,
                None => match self.ledger.read().await {
                    Ok(Some(now)) => Box::new(now),
                    _ => {
                        self.wait().await;
                        continue;
                    }
                },
            };
            let in_slot = now.recent.in_slot_of(entry);
            if in_slot == Some(entry) {
                return Some(Found::Posted(*now));
            }
            if in_slot != seen.recent.in_slot_of(entry) {
                return Some(Found::InDoubt(*now));
            }
            if now.version.epoch != seen.version.epoch {
                return Some(Found::NotPosted(*now));
            }
            match self.ledger.write(&now, None, &Change::of(&now.account)).await {
                Ok(after) => latest = Some(Box::new(after)),
                Err(EntryFailure::Stale(now)) => latest = now,
                Err(_) => self.wait().await,
            }
        }
        None
    }

    /// Returns an error if there is no time for another attempt.
    fn check<R>(&self) -> Result<(), PostError<R>> {
        if self.has_time(if self.was_throttled { THROTTLED_DEADLINE } else { DEADLINE }) {
            return Ok(());
        }
        let busy = "the account is busy, or the database doesn't respond";
        Err(PostError::Store(StoreError::Unavailable(busy.to_owned())))
    }

    async fn wait(&mut self) {
        let longest = (5 << self.pauses.min(6)).min(LONGEST_PAUSE);
        self.pauses += 1;
        self.ledger.pause(longest).await;
    }

    fn has_time(&self, deadline: Duration) -> bool {
        self.ledger.now() < self.started + deadline
    }
}
