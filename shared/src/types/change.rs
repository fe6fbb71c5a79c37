use super::{BillingName, Credits, Day, DayUsage, Draw, Grant, GrantId, KeyId, SlotMark, Tier};

/// One step of an account, applied whole or not at all, and only while what it relies on still holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountChange {
    /// The ring slot that makes the step happen at most once.
    pub mark: Mark,
    /// The tier that the decision relied on; a refund relies on none.
    pub tier: Option<Tier>,
    /// The organization's call.
    pub hit: Option<Hit>,
    /// The key's call, for products that limit each key.
    pub key_hit: Option<(KeyId, Hit)>,
    /// Windows of keys that have not searched lately, with the minute that was seen.
    pub forgotten_keys: Vec<(KeyId, i64)>,
    /// Grants that join the account.
    pub joining: Vec<(GrantId, Grant)>,
    /// Credits that leave grants.
    pub draws: Vec<Draw>,
    /// Credits that return to grants.
    pub returns: Vec<Draw>,
    /// Grants that leave the account, with what was seen left in them.
    pub leaving: Vec<(GrantId, Credits)>,
    /// What is added to the lifetime totals.
    pub totals: TotalsChange,
    /// What is added to the day's usage; sessions keep none.
    pub usage: Option<UsageChange>,
}

/// A change of a ring slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The slot's number.
    pub slot: u8,
    /// What the deciding copy showed in it.
    pub before: Option<SlotMark>,
    /// What the change leaves in it.
    pub after: SlotMark,
}

/// A call counted in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// The first call of a minute; `before` is the minute seen, `None` when there was no window.
    Opens {
        /// The minute seen.
        before: Option<i64>,
        /// The new minute.
        minute: i64,
    },
    /// A further call of a minute, while fewer than `limit` are counted.
    Counts {
        /// The minute.
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
    /// The billing name.
    pub name: BillingName,
    /// Calls to add.
    pub calls: i64,
    /// Credits to add; negative for a refund.
    pub credits: i64,
    /// The earlier day that must move to an item of its own first, as the deciding copy showed it.
    pub rollover: Option<DayUsage>,
}
