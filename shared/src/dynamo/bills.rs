//! What leaves an account when a day or a month ends: past days' usage, and past months' bills.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::Client;

use super::account_change::Rollover;
use super::account_item::{decode_usage, encode_usage};
use super::accounts::Accounts;
use super::error::StoreError;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use super::query::query_all;
use crate::types::{
    Account, AccountKey, Bill, BillTotals, Day, DayUsage, Deductions, Month, OrgId, Timestamp, Usage,
    UsageLine, sum_of_usage,
};

/// An account, and what its months cost that have not left it yet.
#[derive(Clone, Debug)]
pub struct Statement {
    pub account: Account,
    /// The current month's bill as it stands.
    pub bill: Bill,
    /// The bill of the month of the account's last call, when that month is over and no call has come since.
    pub ended: Option<Bill>,
}

/// An organization's bills.
#[derive(Clone, Debug)]
pub struct Bills {
    /// The current month's as it stands; `None` when the month has ended since the account was read.
    pub open: Option<Bill>,
    /// Those of past months, newest first.
    pub closed: Vec<Bill>,
}

/// A past month's bill with the last day that has usage in it: that day has no item of its own.
pub(super) struct StoredBill {
    pub(super) bill: Bill,
    pub(super) last_day: Day,
}

impl Accounts {
    /// Reads an organization's account with what its month costs; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn statement(&self, org: &OrgId, now: Timestamp) -> Result<Option<Statement>, StoreError> {
        let key = AccountKey::Org(org.clone());
        let mut seen = self.read(&key).await?;
        while let Some(account) = seen {
            let days = self.days(&self.0.client, org, account.today.day.month()).await?;
            if !days.iter().any(|day| day.day == account.today.day) {
                return Ok(Some(Statement::new(account, &days, now)));
            }
            // Either the day has ended in between, or a wrong clock has left an item of it.
            let day = account.today.day;
            seen = self.read(&key).await?;
            if let Some(account) = seen.take_if(|account| account.today.day == day) {
                return Ok(Some(Statement::new(account, &days, now)));
            }
        }
        Ok(None)
    }

    /// Reads an organization's bills; `None` when there is no such organization.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn bills(&self, org: &OrgId, now: Timestamp) -> Result<Option<Bills>, StoreError> {
        // The account first: a month that ends in between is then read twice, but never missed.
        let Some(Statement { bill, ended, .. }) = self.statement(org, now).await? else {
            return Ok(None);
        };
        let mut closed: BTreeMap<Month, Bill> = ended.into_iter().map(|bill| (bill.month, bill)).collect();
        for item in &self.query(&self.0.client, org, keys::BILL).await? {
            let StoredBill { bill, .. } = decode_bill(item)?;
            closed.insert(bill.month, bill);
        }
        let open = Some(bill).filter(|bill| !closed.contains_key(&bill.month));
        Ok(Some(Bills { open, closed: closed.into_values().rev().collect() }))
    }

    /// Reads the usage of an organization's past days in a month, oldest first.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn past_usage(&self, org: &OrgId, month: Month) -> Result<Vec<DayUsage>, StoreError> {
        let mut days = self.days(&self.0.client, org, month).await?;
        let sk = keys::bill(month);
        if let Some(item) = self.query(&self.0.client, org, &sk).await?.first() {
            add_last_day(&mut days, decode_bill(item)?);
        }
        Ok(days)
    }

    /// Makes the item into which a day leaves an account. Nothing changes what it is made from while the day
    /// stands in the account.
    pub(super) async fn rollover_item(
        &self,
        account: &AccountKey,
        rollover: &Rollover,
    ) -> Result<Item, StoreError> {
        let Some(org) = account.org() else {
            return Err(StoreError::Missing("organization"));
        };
        let leaving = rollover.day();
        let month = leaving.day.month();
        // Whoever tries the step tries again.
        let mut days = self.days(&self.0.once, org, month).await?;
        add_day(&mut days, leaving.clone());
        Ok(match rollover {
            Rollover::Day(_) => {
                // A wrong clock may have left an item of the day before.
                let whole = days.into_iter().find(|day| day.day == leaving.day);
                encode_day(org, &whole.unwrap_or_else(|| leaving.clone()))
            }
            Rollover::Month { metered, deductions, .. } => {
                let usage = sum_of_usage(days.iter().map(|day| &day.usage));
                encode_bill(org, leaving.day, &Bill::new(month, usage, *metered, *deductions))
            }
        })
    }

    /// Reads the days of a month that have items of their own, oldest first.
    async fn days(&self, client: &Client, org: &OrgId, month: Month) -> Result<Vec<DayUsage>, StoreError> {
        let items = self.query(client, org, &keys::usage_of_month(month)).await?;
        items.iter().map(decode_day).collect()
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

/// Adds the last day of a month that is over to the days of the month that have items of their own.
pub(super) fn add_last_day(days: &mut Vec<DayUsage>, StoredBill { bill, last_day }: StoredBill) {
    let usage = without(bill.usage, days.iter().filter(|day| day.day.month() == bill.month));
    add_day(days, DayUsage { day: last_day, usage });
}

/// Adds usage to a day of days that are in order.
pub(super) fn add_day(days: &mut Vec<DayUsage>, added: DayUsage) {
    match days.iter_mut().find(|day| day.day == added.day) {
        Some(day) => day.usage = sum_of_usage([&day.usage, &added.usage]),
        None => {
            days.push(added);
            days.sort_by_key(|day| day.day);
        }
    }
}

/// Takes the usage of days out of their month's.
fn without<'a>(mut month: Usage, days: impl IntoIterator<Item = &'a DayUsage>) -> Usage {
    for (name, line) in days.into_iter().flat_map(|day| &day.usage) {
        if let Some(of_month) = month.get_mut(name) {
            of_month.calls -= line.calls;
            of_month.credits -= line.credits;
        }
    }
    month.retain(|_, line| *line != UsageLine::default());
    month
}

fn encode_day(org: &OrgId, DayUsage { day, usage }: &DayUsage) -> Item {
    let mut item = key(keys::organization(org), keys::usage_of_day(*day));
    item.extend(encode_usage(usage).map(|(name, value)| (name.to_owned(), value)));
    item
}

pub(super) fn decode_day(item: &Item) -> Result<DayUsage, StoreError> {
    let attributes = Attributes(item);
    Ok(DayUsage { day: of_sort_key(attributes)?, usage: decode_usage(attributes)? })
}

fn encode_bill(org: &OrgId, last_day: Day, bill: &Bill) -> Item {
    let Bill { month, usage, totals } = bill;
    let BillTotals { metered, prepaid, refunds, credit_notes, carried_in, carried_forward, cents } = totals;
    let mut item = key(keys::organization(org), keys::bill(*month));
    item.extend(encode_usage(usage).map(|(name, value)| (name.to_owned(), value)));
    let attributes = [
        ("day", text(last_day.to_string())),
        ("metered", number(metered)),
        ("prepaid", number(prepaid)),
        ("refunds", number(refunds)),
        ("notes", number(credit_notes)),
        ("carried", number(carried_in)),
        ("forward", number(carried_forward)),
        ("cents", number(cents)),
    ];
    item.extend(attributes.map(|(name, value)| (name.to_owned(), value)));
    item
}

pub(super) fn decode_bill(item: &Item) -> Result<StoredBill, StoreError> {
    let attributes = Attributes(item);
    let totals = BillTotals {
        metered: attributes.number("metered")?,
        prepaid: attributes.number("prepaid")?,
        refunds: attributes.number("refunds")?,
        credit_notes: attributes.number("notes")?,
        carried_in: attributes.number("carried")?,
        carried_forward: attributes.number("forward")?,
        cents: attributes.number("cents")?,
    };
    let bill = Bill { month: of_sort_key(attributes)?, usage: decode_usage(attributes)?, totals };
    Ok(StoredBill { bill, last_day: attributes.parsed("day")? })
}

/// Reads the day or the month that ends a sort key.
fn of_sort_key<T: std::str::FromStr>(attributes: Attributes<'_>) -> Result<T, StoreError> {
    let text = attributes.text("sk")?.rsplit('#').next().unwrap_or_default();
    text.parse().map_err(|_| StoreError::Corrupt("sk"))
}
