//! The result of a decision: the changed account and the records to write along with it.
use crate::{
    Account, Credits, DayUsage, Deductions, Drawdown, Grant, GrantEnd, GrantId, GrantKind, Holder,
    LimitedCaller, Meter, Timestamp, Usage,
};

/// The effects of one ledger entry on an account. They're written in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The account after the change.
    pub account: Account,
    /// The credits drawn from each grant. Empty unless the change is a charge.
    pub draws: Vec<Drawdown>,
    /// The events to add to the organization's grant history, which covers only prepaid grants.
    pub history: Vec<GrantEvent>,
    /// The day or month to close, if this change is the first one booked on a new day.
    pub rollover: Option<Rollover>,
    /// The caller and its limit in calls per minute, for products that limit each caller.
    pub caller_limit: Option<(LimitedCaller, u32)>,
}

/// A declined call. `change` is set if the call still counts against the rate limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined<R> {
    pub reason: R,
    pub change: Option<Box<Change>>,
}

/// An event in a prepaid grant's history. A change records at most one event per grant.
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
    /// The day has ended, but its month hasn't. The day's usage is stored in an item of its own.
    Day(DayUsage),
    /// The month has also ended. Its bill is stored along with the last day's usage.
    Month {
        /// The usage on the month's last day with a charge or refund.
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
    /// Creates a change with no effects.
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

    /// Returns the unused credits in the grants that this change revokes.
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

    /// Adds the end of a prepaid grant to the organization's grant history. Skips metered grants, because
    /// bills already record metered credits, and sessions, because they have no history.
    pub(super) fn record_end(&mut self, id: &GrantId, grant: &Grant, how: GrantEnd, at: Timestamp) {
        if grant.kind != GrantKind::Metered {
            self.record(GrantEvent::Ended { id: id.clone(), grant: grant.clone(), how, at });
        }
    }

    /// Removes the grants for which `leaves` returns true, and counts their remaining credits as expired.
    /// Empty grants aren't recorded as expired, because their end was recorded when they were used up.
    pub(super) fn remove(&mut self, leaves: impl Fn(&GrantId, &Grant) -> bool) {
        let gone: Vec<_> = self.account.grants.extract_if(.., |id, grant| leaves(id, grant)).collect();
        for (id, grant) in gone {
            self.account.totals.expired += grant.left;
            if let Some(expired_at) = grant.expires_at.filter(|_| grant.left > 0) {
                self.record_end(&id, &grant, GrantEnd::Expired, expired_at);
            }
        }
    }

    /// Removes all metered grants except the one for the month that contains `moment`. Bills already record
    /// their use.
    pub(super) fn remove_metered_of_other_months(&mut self, moment: Timestamp) {
        let this_month = GrantId::metered(moment.day().month());
        self.remove(|id, grant| grant.kind == GrantKind::Metered && *id != this_month);
    }

    /// Adds calls and credits to the usage on the day of `moment`. If this is a new day, the account's
    /// previous day is closed first. Credits are negative for refunds. Does nothing for sessions, because
    /// their usage isn't recorded.
    pub(super) fn book(&mut self, name: &Meter, calls: i64, credits: i64, moment: Timestamp) {
        if matches!(self.account.holder, Holder::Session { .. }) {
            return;
        }
        self.roll_over(moment);
        let line = self.account.today.usage.entry(name.clone()).or_default();
        line.calls += calls;
        line.credits += credits;
    }

    /// Closes the account's latest day if `moment` is on another day, and its month if `moment` is in another
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
    /// Returns the usage on the day that ended.
    pub fn day(&self) -> &DayUsage {
        match self {
            Self::Day(day) | Self::Month { last_day: day, .. } => day,
        }
    }
}
