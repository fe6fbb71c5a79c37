//! Calls and credits by billing name and day.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Day, Meter};

/// The usage under one billing name, on one day or summed over several days. A refund is recorded on the day
/// when it's made, so `credits` can be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UsageLine {
    /// The number of charged calls, including calls that cost 0 credits.
    pub calls: i64,
    /// The credits charged, less refunds.
    pub credits: i64,
}

pub type Usage = BTreeMap<Meter, UsageLine>;

/// Returns the total usage over several days, by billing name.
pub fn sum_of_usage<'a>(days: impl IntoIterator<Item = &'a Usage>) -> Usage {
    let mut sum = Usage::new();
    for (name, line) in days.into_iter().flatten() {
        let of_name = sum.entry(name.clone()).or_default();
        of_name.calls += line.calls;
        of_name.credits += line.credits;
    }
    sum
}

/// The usage on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayUsage {
    /// The day in UTC.
    pub day: Day,
    /// The day's usage by billing name.
    pub usage: Usage,
}
