//! Usage on past days and bills for past months. They're written to separate items when an account's day or
//! month ends.
use std::collections::BTreeMap;

use accounting::{
    Account, AccountKey, Bill, BillTotals, Day, DayUsage, Deductions, Month, OrgId, Rollover, Timestamp,
    Usage, sum_of_usage,
};
use aws_sdk_dynamodb::Client;

use super::accounts::Accounts;
use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Item, NewItem, Stored, end_of_sort_key, stored};
use super::keys;
use super::query::{query_all, query_between};

/// An account, with the bills that aren't stored in separate items yet.
#[derive(Clone, Debug)]
pub struct Statement {
    pub account: Account,
    /// The current month's bill so far.
    pub bill: Bill,
    /// The bill for the account's latest month, if that month has ended and its bill isn't stored yet.
    pub ended: Option<Bill>,
}

/// An organization's bills.
#[derive(Clone, Debug)]
pub struct Bills {
    /// The current month's bill so far, or `None` if the month ended after the account was read.
    pub open: Option<Bill>,
    /// The bills for past months, newest first.
    pub closed: Vec<Bill>,
}

impl Accounts {
    /// Reads an organization's account and the current month's bill. Returns `None` if the organization
    /// doesn't exist.
    pub async fn statement(&self, org: &OrgId, now: Timestamp) -> Result<Option<Statement>, StoreError> {
        let of_month = |today: Day| [today.first_of_month_before(0), today];
        let found = self.account_and_days(org, of_month).await?;
        Ok(found.map(|(account, days)| Statement::new(account, &days, now)))
    }

    /// Reads an organization's usage from `from` to `to`, inclusive, oldest first. Days without usage are
    /// omitted. Returns `None` if the organization doesn't exist.
    pub async fn usage(&self, org: &OrgId, from: Day, to: Day) -> Result<Option<Vec<DayUsage>>, StoreError> {
        let Some((account, mut days)) = self.account_and_days(org, |_today| [from, to]).await? else {
            return Ok(None);
        };
        days.push(account.today);
        days.retain(|day| (from..=to).contains(&day.day) && !day.usage.is_empty());
        Ok(Some(days))
    }

    /// Reads an organization's bills. Returns `None` if the organization doesn't exist.
    pub async fn bills(&self, org: &OrgId, now: Timestamp) -> Result<Option<Bills>, StoreError> {
        // Read the account first. If a month ends between the two reads, its bill is read twice but never
        // missed.
        let Some(Statement { bill, ended, .. }) = self.statement(org, now).await? else {
            return Ok(None);
        };
        let mut closed: BTreeMap<Month, Bill> = ended.into_iter().map(|bill| (bill.month, bill)).collect();
        for item in &self.query(&self.0.client, org, keys::BILL).await? {
            let bill = Bill::load(item)?;
            closed.insert(bill.month, bill);
        }
        let open = Some(bill).filter(|bill| !closed.contains_key(&bill.month));
        Ok(Some(Bills { open, closed: closed.into_values().rev().collect() }))
    }

    /// Reads an organization's usage on the past days of a month, oldest first.
    pub async fn past_usage(&self, org: &OrgId, month: Month) -> Result<Vec<DayUsage>, StoreError> {
        self.days_of_month(&self.0.client, org, month).await
    }

    /// Returns the items that a rollover writes: the day's usage and, at the end of a month, the month's
    /// bill. They can't be outdated when they're written, because the transaction requires that the account
    /// hasn't changed.
    pub(super) async fn rollover_items(
        &self,
        org: &OrgId,
        rollover: &Rollover,
    ) -> Result<Vec<Item>, StoreError> {
        let (partition, DayUsage { day, usage }) = (keys::organization(org), rollover.day());
        let past_day = NewItem::of_key(&partition, keys::usage_of_day(*day)).with_all(usage);
        let mut items = vec![past_day.build()];
        if let Rollover::Month { last_day, metered, deductions } = rollover {
            let month = last_day.day.month();
            // The caller retries, so this query doesn't.
            let days = self.days_of_month(&self.0.once, org, month).await?;
            let usage = sum_of_usage(days.iter().chain([last_day]).map(|day| &day.usage));
            let bill = Bill::new(month, usage, *metered, *deductions);
            items.push(NewItem::of_key(partition, keys::bill(month)).with_all(&bill).build());
        }
        Ok(items)
    }

    /// Reads an organization's account and its usage on past days. `range` receives the account's latest day
    /// and returns the first and last day to read.
    async fn account_and_days(
        &self,
        org: &OrgId,
        range: impl Fn(Day) -> [Day; 2],
    ) -> Result<Option<(Account, Vec<DayUsage>)>, StoreError> {
        let key = AccountKey::Org(org.clone());
        // Read the account first. Otherwise, a day that ends between the two reads could be missed. In this
        // order, the query finds that day, and both reads are repeated.
        while let Some(account) = self.read(&key).await? {
            let [first, last] = range(account.today.day).map(keys::usage_of_day);
            let Dynamo { client, accounts, .. } = &self.0;
            let items = query_between(client, accounts, &keys::organization(org), [&first, &last]).await?;
            let days: Vec<_> = items.iter().map(load_day).collect::<Result<_, _>>()?;
            if days.iter().all(|day| day.day != account.today.day) {
                return Ok(Some((account, days)));
            }
        }
        Ok(None)
    }

    /// Reads the usage of a month's past days, oldest first.
    async fn days_of_month(
        &self,
        client: &Client,
        org: &OrgId,
        month: Month,
    ) -> Result<Vec<DayUsage>, StoreError> {
        let items = self.query(client, org, &keys::usage_of_month(month)).await?;
        items.iter().map(load_day).collect()
    }

    pub(super) async fn query(
        &self,
        client: &Client,
        org: &OrgId,
        prefix: &str,
    ) -> Result<Vec<Item>, StoreError> {
        query_all(client, &self.0.accounts, &keys::organization(org), prefix).await
    }
}

impl Statement {
    fn new(account: Account, days: &[DayUsage], now: Timestamp) -> Self {
        let latest = account.bill(days.iter().map(|day| &day.usage));
        let current = account.moment(now).day().month();
        if latest.month == current {
            return Self { account, bill: latest, ended: None };
        }
        let deductions = Deductions { carried_in: latest.totals.carried_forward, ..Deductions::default() };
        Self { account, bill: Bill::new(current, Usage::new(), 0, deductions), ended: Some(latest) }
    }
}

fn load_day(item: &Item) -> Result<DayUsage, StoreError> {
    Ok(DayUsage { day: end_of_sort_key(item)?, usage: Stored::load(item)? })
}

stored!(Bill {} with usage, totals; key month);
stored!(BillTotals {
    metered: "metered",
    prepaid: "prepaid",
    refunds: "refunds",
    credit_notes: "notes",
    carried_in: "carried",
    carried_forward: "forward",
    cents: "cents",
});
