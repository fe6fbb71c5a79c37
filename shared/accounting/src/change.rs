//! What a decision makes of an account: the account after it, and what is written beside it.
use crate::{
    Account, BillingName, Credits, DayUsage, Deductions, Draw, Grant, GrantEnd, GrantId, GrantKind, Holder,
    LimitedCaller, Timestamp, Usage,
};

/// What one entry makes of an account, written whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The account after it.
    pub account: Account,
    /// What a charge draws from each grant; empty for anything else.
    pub draws: Vec<Draw>,
    /// What the history of the organization's prepaid grants is told.
    pub history: Vec<GrantEvent>,
    /// The day or the month that leaves the account.
    pub rollover: Option<Rollover>,
    /// The caller whose calls are limited besides the account's, and the limit of calls a minute.
    pub caller_limit: Option<(LimitedCaller, u32)>,
}

/// Why a change is declined, and what is changed all the same: a call may count although it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined<R> {
    pub reason: R,
    pub change: Option<Box<Change>>,
}

/// What happens to a prepaid grant, each to another grant within one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantEvent {
    Joined {
        id: GrantId,
        grant: Grant,
        at: Timestamp,
    },
    Ended {
        id: GrantId,
        /// The grant as it was then.
        grant: Grant,
        how: GrantEnd,
        at: Timestamp,
    },
}

/// How a day's usage leaves the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rollover {
    /// It moves to an item of its own.
    Day(DayUsage),
    /// Its month is over: it moves into the month's bill.
    Month {
        /// The month's last day with a charge.
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
    /// Starts from an account, of which nothing is changed yet.
    pub fn of(account: &Account) -> Self {
        Self {
            account: account.clone(),
            draws: Vec::new(),
            history: Vec::new(),
            rollover: None,
            caller_limit: None,
        }
    }

    /// Returns the credits that are drawn.
    pub fn credits(&self) -> Credits {
        self.draws.iter().map(|draw| draw.credits).sum()
    }

    /// Returns the credits that were left in grants that it revokes.
    pub fn revoked(&self) -> Credits {
        let left = |event: &GrantEvent| match event {
            GrantEvent::Ended { grant, how: GrantEnd::Revoked, .. } => grant.left,
            GrantEvent::Ended { .. } | GrantEvent::Joined { .. } => 0,
        };
        self.history.iter().map(left).sum()
    }

    /// Adds a prepaid grant.
    pub(super) fn join(&mut self, id: GrantId, grant: Grant, at: Timestamp) {
        self.tell(GrantEvent::Joined { id: id.clone(), grant: grant.clone(), at });
        self.account.grants.insert(id, grant);
    }

    /// Tells the history how a grant ended. Metered credits have their bill, and sessions no history.
    pub(super) fn tell_end(&mut self, id: &GrantId, grant: &Grant, how: GrantEnd, at: Timestamp) {
        if grant.kind != GrantKind::Metered {
            self.tell(GrantEvent::Ended { id: id.clone(), grant: grant.clone(), how, at });
        }
    }

    /// Removes grants; what is left in them expires. The end of an empty one was told when it became empty.
    pub(super) fn remove(&mut self, leaves: impl Fn(&GrantId, &Grant) -> bool) {
        let gone: Vec<_> = self.account.grants.extract_if(.., |id, grant| leaves(id, grant)).collect();
        for (id, grant) in gone {
            self.account.totals.expired += grant.left;
            if let Some(expired_at) = grant.expires_at.filter(|_| grant.left > 0) {
                self.tell_end(&id, &grant, GrantEnd::Expired, expired_at);
            }
        }
    }

    /// Removes the metered grants of other months, whose bills keep what was drawn from them.
    pub(super) fn remove_metered_of_other_months(&mut self, moment: Timestamp) {
        let this_month = GrantId::metered(moment.day().month());
        self.remove(|id, grant| grant.kind == GrantKind::Metered && *id != this_month);
    }

    /// Books calls and credits on the day of a moment; credits are negative for a refund. Sessions keep no
    /// usage.
    pub(super) fn book(&mut self, name: &BillingName, calls: i64, credits: i64, moment: Timestamp) {
        if matches!(self.account.holder, Holder::Session { .. }) {
            return;
        }
        self.roll_over(moment);
        let line = self.account.today.usage.entry(name.clone()).or_default();
        line.calls += calls;
        line.credits += credits;
    }

    /// Lets the latest day leave the account when another begins, with its month if that is over.
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

    fn tell(&mut self, event: GrantEvent) {
        if self.account.is_organizations() {
            self.history.push(event);
        }
    }
}

impl Rollover {
    /// Returns the day that leaves, with its usage.
    pub fn day(&self) -> &DayUsage {
        match self {
            Self::Day(day) | Self::Month { last_day: day, .. } => day,
        }
    }
}
