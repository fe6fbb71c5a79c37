//! What admission may do to an account, in the words of the account.

use super::retry_marker::{MarkerChange, RetryMarkers};
use crate::types::{
    Account, BillingName, Credits, Day, DayUsage, Deductions, Draw, Grant, GrantEnd, GrantId, Holder, KeyId,
    LimitedCaller, Plan, Timestamp,
};

/// An account as it is stored: with the retry markers of its recent steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedAccount {
    pub account: Account,
    pub markers: RetryMarkers,
}

impl MarkedAccount {
    /// Takes an account that no step has marked yet.
    pub(super) fn unmarked(account: Account) -> Self {
        Self { account, markers: RetryMarkers::default() }
    }
}

/// One step of an account, applied whole or not at all, and at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedChange {
    /// The marker that makes it happen at most once.
    pub marker: MarkerChange,
    /// What it does.
    pub change: AccountChange,
}

/// What a step does to an account, only while what it relies on still holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountChange {
    /// The holder whose tier and cap the decision relied on.
    pub holder: Option<Holder>,
    /// The credits granted so far that the decision relied on: before a refusal, and before metered credits
    /// are drawn, no further ones may have come.
    pub granted_seen: Option<Credits>,
    /// The credits used so far that it relied on in the same way: fewer are a refund.
    pub used_seen: Option<Credits>,
    /// Whether the decision relied on the organization not being suspended.
    pub unsuspended_seen: bool,
    /// What the organization has agreed to from now on.
    pub plan: Option<Plan>,
    /// The suspension that begins or ends.
    pub suspension: Option<SuspensionChange>,
    /// The call, in the window of all calls.
    pub window: Option<WindowChange>,
    /// The call in its caller's own window, for products that limit each key and all people together.
    pub caller_window: Option<(LimitedCaller, WindowChange)>,
    /// The windows of keys that have not searched lately, with the minute that was seen.
    pub removed_key_windows: Vec<(KeyId, i64)>,
    pub added_grants: Vec<(GrantId, Grant)>,
    /// Credits that are drawn from grants. All but the last take what was seen in theirs.
    pub draws: Vec<Draw>,
    /// Whether the last draw takes what was seen in its grant, too; else something must be left in it.
    pub last_draw_empties: bool,
    /// Credits that return to grants.
    pub returns: Vec<Draw>,
    /// Grants that become others, on the condition that they are as they were seen.
    pub replaced_grants: Vec<ReplacedGrant>,
    /// Grants that are removed, with what was seen left in them.
    pub removed_grants: Vec<(GrantId, Credits)>,
    /// What is added to the lifetime totals.
    pub totals: TotalsChange,
    /// What is added to the day's usage; sessions keep none.
    pub usage: Option<UsageChange>,
    /// Metered credits of the month that are refunded, as its bill counts them.
    pub refunds: Credits,
    /// Metered credits of earlier months that are refunded.
    pub credit_notes: Credits,
    /// What the history of the organization's prepaid grants is told.
    pub history: Vec<GrantEvent>,
    /// Whether the organization is entered into the directory, should it not be there.
    pub enters_directory: bool,
}

/// A suspension that begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspensionChange {
    Begin(Timestamp),
    End,
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
        /// `None` for a grant that was empty before: what is known of its end stays.
        at: Option<Timestamp>,
    },
}

/// A grant that becomes another under its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedGrant {
    pub id: GrantId,
    /// What it was seen to be.
    pub before: Grant,
    pub after: Grant,
}

/// A call counted in a rate window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowChange {
    /// The first call of a minute.
    Open {
        /// The minute of the window that was seen; `None` when there was none.
        before: Option<i64>,
        /// The new minute.
        minute: i64,
    },
    /// A further call of a minute, while fewer than `limit` are counted.
    Count {
        minute: i64,
        /// The most calls in it.
        limit: u32,
    },
}

/// What a step adds to the lifetime totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TotalsChange {
    /// To `granted`.
    pub granted: i64,
    /// To `used`; negative for a refund.
    pub used: i64,
    /// To `expired`.
    pub expired: i64,
}

/// What a step adds to the day's usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageChange {
    /// The day on which it is booked.
    pub day: Day,
    pub name: BillingName,
    /// Calls to add.
    pub calls: i64,
    /// Credits to add; negative for a refund.
    pub credits: i64,
    /// The other day that must leave the account first, as the deciding copy showed it.
    pub rollover: Option<Rollover>,
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

impl Rollover {
    /// Returns the day that leaves, with its usage.
    pub fn day(&self) -> &DayUsage {
        match self {
            Self::Day(day) | Self::Month { last_day: day, .. } => day,
        }
    }
}

impl AccountChange {
    /// Returns what each grant gives in a charge, the one too that the charge adds.
    pub fn all_draws(&self) -> Vec<Draw> {
        let added = self.added_grants.iter().filter(|(_, grant)| grant.left < grant.granted);
        let from_added = added.map(|(id, grant)| grant.draw(id, grant.granted - grant.left));
        self.draws.iter().cloned().chain(from_added).collect()
    }
}
