//! An organization's usage day by day: the account has the latest day, a month's bill the month's last one,
//! and each other day has an item.

use super::accounts::Accounts;
use super::bills::{StoredBill, add_day, add_last_day, decode_bill, decode_day};
use super::error::StoreError;
use super::keys;
use super::query::query_between;
use crate::types::{AccountKey, Day, DayUsage, OrgId};

/// What has left the account of some months.
struct PastUsage {
    /// The days that have items, in order.
    days: Vec<DayUsage>,
    /// The bills of the months that are over.
    bills: Vec<StoredBill>,
}

impl Accounts {
    /// Reads an organization's usage on the days from one to another, both included, in their order; days
    /// without any are left out. `None` when there is no such organization.
    ///
    /// Whole months are read, since a month's last day with usage is what its bill has more than its other
    /// days: at most 31 small items for each month, in one query, and one bill for each in another.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn usage(&self, org: &OrgId, from: Day, to: Day) -> Result<Option<Vec<DayUsage>>, StoreError> {
        let key = AccountKey::Org(org.clone());
        // The account first: a day that ends in between is then read twice, but never missed.
        let mut seen = self.read(&key).await?;
        while let Some(mut account) = seen {
            let past = self.usage_of_months(org, from, to).await?;
            if past.knows_of(account.today.day) {
                // Either the day has ended in between, or a wrong clock has left an item of it.
                let day = account.today.day;
                seen = self.read(&key).await?;
                match seen.take_if(|account| account.today.day == day) {
                    Some(again) => account = again,
                    None => continue,
                }
            }
            let mut days = past.into_days();
            add_day(&mut days, account.today);
            days.retain(|day| (from..=to).contains(&day.day) && !day.usage.is_empty());
            return Ok(Some(days));
        }
        Ok(None)
    }

    /// Reads what has left the account of the months of two days and those between.
    async fn usage_of_months(&self, org: &OrgId, from: Day, to: Day) -> Result<PastUsage, StoreError> {
        let (first, last) = (from.month(), to.month());
        let after = to.start().next_month().day().month();
        let partition = keys::organization(org);
        let [days_from, days_to] = [first, after].map(keys::usage_of_month);
        let [bills_from, bills_to] = [first, last].map(keys::bill);
        let between = async |first: &str, last: &str| {
            query_between(&self.0.client, &self.0.accounts, &partition, [first, last]).await
        };
        let (days, bills) = tokio::try_join!(between(&days_from, &days_to), between(&bills_from, &bills_to))?;
        Ok(PastUsage {
            days: days.iter().map(decode_day).collect::<Result<_, _>>()?,
            bills: bills.iter().map(decode_bill).collect::<Result<_, _>>()?,
        })
    }
}

impl PastUsage {
    /// Tells whether a day has an item, or its month is over.
    fn knows_of(&self, day: Day) -> bool {
        self.days.iter().any(|known| known.day == day)
            || self.bills.iter().any(|StoredBill { bill, .. }| bill.month == day.month())
    }

    /// Returns all days, in order.
    fn into_days(self) -> Vec<DayUsage> {
        let Self { mut days, bills } = self;
        for bill in bills {
            add_last_day(&mut days, bill);
        }
        days
    }
}
