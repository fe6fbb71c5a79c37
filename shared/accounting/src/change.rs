//! The result of a decision about an account: the changed account, and the records to write with it.
use crate::{
    Account, Credits, DayUsage, Deductions, Drawdown, Grant, GrantEnd, GrantId, GrantKind, Holder,
    LimitedCaller, Meter, Timestamp, Usage,
};

/// The effects of one ledger entry on an account. They're written together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The account after the change.
    pub account: Account,
    /// The credits that a charge draws from each grant. Empty for all other changes.
    pub draws: Vec<Drawdown>,
    /// The events to record in the history of the organization's prepaid grants.
    pub history: Vec<GrantEvent>,
    /// The day or month that this change ends, if any.
    pub rollover: Option<Rollover>,
    /// The caller, and its own limit in calls per minute, if the product has such a limit.
    pub caller_limit: Option<(LimitedCaller, u32)>,
}

/// A call that was declined. `change` is set if the call still counts against the rate limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined<R> {
    pub reason: R,
    pub change: Option<Box<Change>>,
}

/// An event in the history of a prepaid grant. A change has at most one event per grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantEvent {
    Added {
        id: GrantId,
        grant: Grant,
        at: Timestamp,
    },
    Ended {
        id: GrantId,
        /// The grant as it was when it ended.
        grant: Grant,
        how: GrantEnd,
        at: Timestamp,
    },
}

/// The records to write when a day ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rollover {
    /// Only the day has ended. Its usage is stored in a separate item.
    Day(DayUsage),
    /// The day's month has also ended. In addition to the day's usage, the month's bill is stored.
    Month {
        /// The last day in the month with a charge or a refund.
        last_day: DayUsage,
        /// The metered credits drawn in the month, less refunds.
        metered: Credits,
        deductions: Deductions,
    },
}

impl<R> From<R> for Declined<R> {
    fn from(reason: R) -> Self {
        Self { reason, change: None }
    }
}

impl Change {
    /// Creates a change that leaves the account as it is.
    pub fn of(account: &Account) -> Self {
        Self {
            account: account.clone(),
            draws: Vec::new(),
            history: Vec::new(),
            rollover: None,
            caller_limit: None,
        }
    }

    /// Returns the total number of credits drawn.
    pub fn credits(&self) -> Credits {
        self.draws.iter().map(|draw| draw.credits).sum()
    }

    /// Returns the number of credits that were left in the grants that this change revokes.
    pub fn revoked(&self) -> Credits {
        let left = |event: &GrantEvent| match event {
            GrantEvent::Ended { grant, how: GrantEnd::Revoked, .. } => grant.left,
            GrantEvent::Ended { .. } | GrantEvent::Added { .. } => 0,
        };
        self.history.iter().map(left).sum()
    }

    /// Adds a prepaid grant to the account, and records it in the organization's history.
    pub(super) fn join(&mut self, id: GrantId, grant: Grant, at: Timestamp) {
        self.record(GrantEvent::Added { id: id.clone(), grant: grant.clone(), at });
        self.account.grants.insert(id, grant);
    }

    /// Records the end of a prepaid grant in the organization's history. Does nothing for metered grants,
    /// because bills record metered credits, and for sessions, which don't have a history.
    pub(super) fn record_end(&mut self, id: &GrantId, grant: &Grant, how: GrantEnd, at: Timestamp) {
        if grant.kind != GrantKind::Metered {
            self.record(GrantEvent::Ended { id: id.clone(), grant: grant.clone(), how, at });
        }
    }

    /// Removes the grants that `leaves` selects. The credits left in these grants expire. An empty grant's
    /// end was already recorded when the grant became empty.
    pub(super) fn remove(&mut self, leaves: impl Fn(&GrantId, &Grant) -> bool) {
        let gone: Vec<_> = self.account.grants.extract_if(.., |id, grant| leaves(id, grant)).collect();
        for (id, grant) in gone {
            self.account.totals.expired += grant.left;
            if let Some(expired_at) = grant.expires_at.filter(|_| grant.left > 0) {
                self.record_end(&id, &grant, GrantEnd::Expired, expired_at);
            }
        }
    }

    /// Removes the metered grants of other months. Bills record the credits that were drawn from them.
    pub(super) fn remove_metered_of_other_months(&mut self, moment: Timestamp) {
        let this_month = GrantId::metered(moment.day().month());
        self.remove(|id, grant| grant.kind == GrantKind::Metered && *id != this_month);
    }

    /// Adds calls and credits to the usage of the day of `moment`, and first ends the latest day if it's a
    /// different day. Credits are negative for refunds. Does nothing for sessions, which don't record usage.
    pub(super) fn book(&mut self, name: &Meter, calls: i64, credits: i64, moment: Timestamp) {
        if matches!(self.account.holder, Holder::Session { .. }) {
            return;
        }
        self.roll_over(moment);
        let line = self.account.today.usage.entry(name.clone()).or_default();
        line.calls += calls;
        line.credits += credits;
    }

    /// Ends the latest day if `moment` is on another day. Also ends the month if `moment` is in another
    /// month.
    fn roll_over(&mut self, moment: Timestamp) {
        let day = moment.day();
        if self.account.today.day == day {
            return;
        }
        let last_day = std::mem::replace(&mut self.account.today, DayUsage { day, usage: Usage::new() });
        let month = last_day.day.month();
        if month == day.month() {
            self.rollover = Some(Rollover::Day(last_day));
            return;
        }
        let (metered, deductions) = (self.account.metered_used(month), self.account.deductions);
        self.account.deductions =
            Deductions { carried_in: deductions.carried_forward(metered), ..Deductions::default() };
        self.rollover = Some(Rollover::Month { last_day, metered, deductions });
    }

    fn record(&mut self, event: GrantEvent) {
        if self.account.belongs_to_organization() {
            self.history.push(event);
        }
    }
}

impl Rollover {
    /// Returns the day that ended, with its usage.
    pub fn day(&self) -> &DayUsage {
        match self {
            Self::Day(day) | Self::Month { last_day: day, .. } => day,
        }
    }
}
