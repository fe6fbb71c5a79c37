//! Posting an entry to an account's ledger, once however the database answers.
use std::time::Duration;

use accounting::{Account, AccountKey, Change, Declined};
use thiserror::Error;
use tokio::time::Instant;

use super::account_item::StoredAccount;
use super::accounts::{Accounts, EntryFailure};
use super::entry::EntryId;
use super::error::StoreError;

/// After how long no new try of an entry begins. A try reads and writes for a second each at most, and one more
/// read goes before the first entry of a month: so an entry ends within the 6 s that a function has left for
/// refunds after its handler's deadline.
const DEADLINE: Duration = Duration::from_secs(2);

/// After how long no new try begins of an entry that the database throttled, as one of too many for the
/// account: who waits longer takes instances from others and is not served sooner.
/// See docs/decisions/0061-contended-accounts.md.
const THROTTLED_DEADLINE: Duration = Duration::from_millis(500);

/// The longest pause between two tries, in milliseconds.
const LONGEST_PAUSE: u64 = 100;

/// How an entry was posted.
#[derive(Debug)]
pub enum Posted {
    /// Once.
    Once {
        /// The account after it, or after later entries.
        after: Box<StoredAccount>,
        change: Box<Change>,
        /// Whether the database turned a try away, for others: they soon change the account again.
        was_contended: bool,
    },
    /// A try was not answered and another entry is in its slot: the entry was posted once or never.
    InDoubt(Box<StoredAccount>),
}

/// Why an entry was not posted.
#[derive(Debug, Error)]
pub enum PostError<R> {
    /// It was declined by the account as it is, and no try of it can land any more.
    #[error("the posting was declined: {0}")]
    Declined(R, Box<StoredAccount>),
    #[error("no such account")]
    NoAccount,
    /// A try was never answered, and nobody knows whether it was posted.
    #[error("the database did not confirm whether the account changed: {0}")]
    Unanswered(String),
    /// It was not posted: the database refused or did not answer.
    #[error(transparent)]
    Store(StoreError),
}

/// What an entry is posted with: one account of the database, which is asked in one try each, and time that
/// passes. A simulation has its own.
pub trait Ledger {
    /// Reads the account.
    fn read(&self) -> impl Future<Output = Result<Option<StoredAccount>, StoreError>> + Send;

    /// Writes a change, as [`Accounts::write`] does.
    fn write(
        &self,
        seen: &StoredAccount,
        entry: Option<EntryId>,
        change: &Change,
    ) -> impl Future<Output = Result<StoredAccount, EntryFailure>> + Send;

    /// Waits for 1 ms to `longest` ms, by chance.
    fn pause(&self, longest: u64) -> impl Future<Output = ()> + Send;

    fn now(&self) -> Instant;
}

/// An account in the database.
struct StoredLedger<'a> {
    accounts: &'a Accounts,
    key: &'a AccountKey,
}

/// The tries of one entry.
struct Tries<'a, L> {
    ledger: &'a L,
    started: Instant,
    pauses: u32,
    was_contended: bool,
    was_throttled: bool,
}

/// What became of a try that was not answered.
enum Found {
    Posted(StoredAccount),
    /// It was not, and cannot be any more.
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

/// Posts the entry that `decide` makes of the account as it is. A cached account is good enough to try with;
/// what it declines is final only where `trust` says so, else the account is read.
///
/// # Errors
///
/// When `decide` declines, there is no account, or the database does not answer in time.
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

    /// Reads the account, in as many tries as there is time for.
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

    /// Prepares for the next try after a write that was not made: returns the account, where the failure told
    /// it. Else it is read again, which costs the account's partition less than a write that fails.
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

    /// Finds out what became of a write that was not answered, and keeps it from landing later: replacing the
    /// account changes the version that its condition names. `None` when there is no time left.
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

    /// Looks whether there is time for another try.
    fn check<R>(&self) -> Result<(), PostError<R>> {
        if self.has_time(if self.was_throttled { THROTTLED_DEADLINE } else { DEADLINE }) {
            return Ok(());
        }
        let busy = "others are always first, or the database does not answer";
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
