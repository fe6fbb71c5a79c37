//! Calls and credits by billing name, day by day.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{BillingName, Day};

/// One billing name's usage in one day. A refund is booked on the day that it happens, so credits may be
/// negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UsageLine {
    /// The calls charged, those too that cost 0 credits.
    pub calls: i64,
    /// The credits charged, less refunds.
    pub credits: i64,
}

pub type Usage = BTreeMap<BillingName, UsageLine>;

/// Adds the usage of several days, line by line.
pub fn sum_of_usage<'a>(days: impl IntoIterator<Item = &'a Usage>) -> Usage {
    let mut sum = Usage::new();
    for (name, line) in days.into_iter().flatten() {
        let of_name = sum.entry(name.clone()).or_default();
        of_name.calls += line.calls;
        of_name.credits += line.credits;
    }
    sum
}

/// One day's usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayUsage {
    /// The day in UTC.
    pub day: Day,
    /// What was used on it.
    pub usage: Usage,
}
