//! One step of an account, made exactly once however the database answers.

use std::time::Duration;

use thiserror::Error;
use tokio::time::Instant;

use super::step::StepId;
use crate::dynamo::{
    AccountChange, Accounts, ApplyFailure, MarkedAccount, MarkedChange, RetryMarker, StoreError,
};
use crate::runtime::Random;
use crate::types::{Account, AccountKey};

/// After how long no new try of a step begins. A try reads, writes and, on the first step of a day, reads
/// before and after it writes, each for a second at most: so a step ends within the 6 s that a function has
/// left for refunds after its handler's deadline.
const DEADLINE: Duration = Duration::from_secs(2);

/// After how long no new try begins of a step that the database turned away, as one of too many for the
/// account: who waits longer takes instances from others and is not served sooner. See decision 61.
const CONTENTION_DEADLINE: Duration = Duration::from_millis(500);

/// The most tries; a retry marker numbers them in one byte.
const MAX_TRIES: usize = 200;

/// The longest pause between two tries, in milliseconds.
const LONGEST_PAUSE: u64 = 100;

/// How a step ended.
#[derive(Debug)]
pub enum Settled {
    /// It was made, once.
    Done {
        /// The account after it, or after later steps.
        after: Box<MarkedAccount>,
        change: Box<AccountChange>,
        /// Whether others kept a try of it from being made: they soon change the account again.
        was_contended: bool,
    },
    /// A try was not answered and its slot has been taken since: the step was made once or never.
    InDoubt(Box<MarkedAccount>),
}

/// That a step is not to be made as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused<R> {
    pub reason: R,
    /// What is done to the account all the same, on conditions under which the refusal is right. It needs no
    /// account just read.
    pub change: Option<Box<AccountChange>>,
}

/// What a step is to do to an account, or why it is refused.
pub type Decision<R> = Result<AccountChange, Refused<R>>;

impl<R> From<R> for Refused<R> {
    fn from(reason: R) -> Self {
        Self { reason, change: None }
    }
}

/// Why a step was not made.
#[derive(Debug, Error)]
pub enum Unsettled<R> {
    /// It was refused by the account as it is, and no try of it can land any more.
    #[error("the step is refused: {0}")]
    Refused(R, Box<MarkedAccount>),
    /// There is no such account.
    #[error("there is no such account")]
    NoAccount,
    /// A try was never answered, and nobody knows whether it was made.
    #[error("the database did not say whether the account was changed: {0}")]
    Unanswered(String),
    /// It was not made: the database refused or did not answer.
    #[error(transparent)]
    Store(StoreError),
}

/// What a step starts from.
#[derive(Debug)]
pub enum StartingPoint<R> {
    /// A cached account, and what was decided by it: good enough to try with, mostly not to refuse by.
    Cached(MarkedAccount, Box<Decision<R>>),
    /// An account just read.
    Fresh(MarkedAccount),
    /// Nothing: the account is read first.
    Unread,
}

/// What a step does outside itself: it asks the database, in one try each, and lets time pass.
///
/// A simulation has a database and a time of its own.
pub trait Effects {
    /// Reads the account.
    fn read(&self) -> impl Future<Output = Result<Option<MarkedAccount>, StoreError>> + Send;

    /// Applies a change to the account.
    fn apply(
        &self,
        change: &MarkedChange,
    ) -> impl Future<Output = Result<MarkedAccount, ApplyFailure>> + Send;

    /// Waits for 1 ms to `longest` ms, by chance.
    fn pause(&self, longest: u64) -> impl Future<Output = ()> + Send;

    fn now(&self) -> Instant;
}

/// A step, and what it is made on.
pub struct Step<'a> {
    /// Where the accounts are.
    pub accounts: &'a Accounts,
    /// For the pauses.
    pub random: &'a Random,
    pub key: &'a AccountKey,
    /// The step's identity.
    pub id: StepId,
}

/// An account, and what was decided by it unless it has just been read.
type Seen<R> = (MarkedAccount, Option<Decision<R>>);

enum Try<R> {
    Change(Box<AccountChange>),
    /// A refusal takes the slot too, whatever else it changes: an unanswered try cannot land after it.
    Refusal(R, Box<AccountChange>),
}

/// That a try was not answered.
struct Unanswered {
    /// What the slot held before the first such try.
    slot: Option<RetryMarker>,
    /// What kept the first from being answered.
    why: String,
}

impl<R> Try<R> {
    fn change(&self) -> AccountChange {
        match self {
            Self::Change(change) | Self::Refusal(_, change) => AccountChange::clone(change),
        }
    }
}

impl Step<'_> {
    /// Makes the step that `plan` decides on for the account as it is, as [`settle`] does.
    ///
    /// # Errors
    ///
    /// Those of [`settle`].
    pub async fn settle<R>(
        &self,
        start: StartingPoint<R>,
        trust: impl Fn(&Account, &R) -> bool,
        plan: impl Fn(&Account) -> Decision<R>,
    ) -> Result<Settled, Unsettled<R>> {
        settle(self, self.id, start, trust, plan).await
    }
}

impl Effects for Step<'_> {
    async fn read(&self) -> Result<Option<MarkedAccount>, StoreError> {
        self.accounts.read_marked_once(self.key).await
    }

    async fn apply(&self, change: &MarkedChange) -> Result<MarkedAccount, ApplyFailure> {
        self.accounts.apply(self.key, change).await
    }

    async fn pause(&self, longest: u64) {
        tokio::time::sleep(Duration::from_millis(1 + self.random.below(longest))).await;
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Makes the step that `plan` decides on for the account as it is.
///
/// A try that the database turns away changed nothing, and what was seen has grown old: the account is read
/// again.
///
/// After a try without an answer the account is read again. The step's own marker in its slot means that
/// it was made. The slot as before means that it was not, and the same condition keeps the unanswered try
/// from landing later. Another marker means that nobody can tell.
///
/// # Errors
///
/// When `plan` refuses (by a cached account only where `trust` accepts that), there is no account, or the
/// database does not answer.
pub async fn settle<R>(
    effects: &impl Effects,
    id: StepId,
    mut start: StartingPoint<R>,
    trust: impl Fn(&Account, &R) -> bool,
    plan: impl Fn(&Account) -> Decision<R>,
) -> Result<Settled, Unsettled<R>> {
    let started = effects.now();
    let mut tries: Vec<Try<R>> = Vec::new();
    let mut unanswered: Option<Unanswered> = None;
    let mut was_contended = false;
    let mut pauses = 0;
    while tries.len() < MAX_TRIES && effects.now() < started + time_to_try(was_contended, unanswered.as_ref())
    {
        let (seen, decided) = match look(effects, start).await {
            Ok(looked) => looked,
            Err(Unsettled::Store(ref failure @ (StoreError::TurnedAway(_) | StoreError::Unavailable(_)))) => {
                was_contended |= matches!(failure, StoreError::TurnedAway(_));
                pause(effects, &mut pauses).await;
                start = StartingPoint::Unread;
                continue;
            }
            Err(failure) => return Err(given_up(unanswered.as_ref(), failure)),
        };
        let slot = seen.markers.get(id.slot());
        if unanswered.as_ref().is_some_and(|first| first.slot != slot) {
            return found(id, slot, seen, tries, was_contended);
        }
        let fresh = decided.is_none();
        let next = match decided.unwrap_or_else(|| plan(&seen.account)) {
            Ok(change) => Try::Change(Box::new(change)),
            Err(Refused { reason, change: Some(change) }) => Try::Refusal(reason, change),
            Err(Refused { reason, change: None }) if fresh || trust(&seen.account, &reason) => {
                if unanswered.is_none() {
                    return Err(Unsettled::Refused(reason, Box::new(seen)));
                }
                Try::Refusal(reason, Box::default())
            }
            Err(_) => {
                start = StartingPoint::Unread;
                continue;
            }
        };
        let number = u8::try_from(tries.len()).unwrap_or(u8::MAX);
        let change = id.mark(next.change(), &seen.markers, number);
        start = match effects.apply(&change).await {
            Ok(after) => return ended(next, after, was_contended),
            Err(ApplyFailure::Stale(Some(now))) => StartingPoint::Fresh(*now),
            Err(ApplyFailure::Stale(None)) => {
                return Err(given_up(unanswered.as_ref(), Unsettled::NoAccount));
            }
            // A read costs the account's partition less than a write whose condition fails.
            Err(ApplyFailure::Contended) => {
                was_contended = true;
                pause(effects, &mut pauses).await;
                StartingPoint::Unread
            }
            Err(ApplyFailure::Unknown(why)) => {
                unanswered.get_or_insert(Unanswered { slot, why });
                pause(effects, &mut pauses).await;
                StartingPoint::Unread
            }
            Err(ApplyFailure::Store(error)) => {
                return Err(given_up(unanswered.as_ref(), Unsettled::Store(error)));
            }
        };
        tries.push(next);
    }
    let busy = StoreError::Unavailable("others are always first, or the database does not answer".to_owned());
    Err(given_up(unanswered.as_ref(), Unsettled::Store(busy)))
}

/// Returns for how long a step begins new tries: those that were never answered are looked after longer.
fn time_to_try(was_contended: bool, unanswered: Option<&Unanswered>) -> Duration {
    if was_contended && unanswered.is_none() { CONTENTION_DEADLINE } else { DEADLINE }
}

/// Returns the account, and what was decided by it unless it has just been read.
async fn look<R>(effects: &impl Effects, start: StartingPoint<R>) -> Result<Seen<R>, Unsettled<R>> {
    match start {
        StartingPoint::Fresh(account) => Ok((account, None)),
        StartingPoint::Cached(account, decision) => Ok((account, Some(*decision))),
        StartingPoint::Unread => match effects.read().await {
            Ok(Some(account)) => Ok((account, None)),
            Ok(None) => Err(Unsettled::NoAccount),
            Err(error) => Err(Unsettled::Store(error)),
        },
    }
}

/// Judges a slot that has changed since a try was not answered.
fn found<R>(
    id: StepId,
    slot: Option<RetryMarker>,
    account: MarkedAccount,
    mut tries: Vec<Try<R>>,
    was_contended: bool,
) -> Result<Settled, Unsettled<R>> {
    let number = slot.and_then(|marker| id.attempt_of(marker)).map(usize::from);
    match number.filter(|number| *number < tries.len()) {
        Some(number) => ended(tries.swap_remove(number), account, was_contended),
        None => Ok(Settled::InDoubt(Box::new(account))),
    }
}

async fn pause(effects: &impl Effects, pauses: &mut u32) {
    let longest = (5 << (*pauses).min(6)).min(LONGEST_PAUSE);
    *pauses += 1;
    effects.pause(longest).await;
}

/// A step that is given up may have been made all the same when a try of it was never answered.
fn given_up<R>(unanswered: Option<&Unanswered>, failure: Unsettled<R>) -> Unsettled<R> {
    unanswered.map_or(failure, |first| Unsettled::Unanswered(first.why.clone()))
}

fn ended<R>(made: Try<R>, after: MarkedAccount, was_contended: bool) -> Result<Settled, Unsettled<R>> {
    let after = Box::new(after);
    match made {
        Try::Change(change) => Ok(Settled::Done { after, change, was_contended }),
        Try::Refusal(reason, _) => Err(Unsettled::Refused(reason, after)),
    }
}
