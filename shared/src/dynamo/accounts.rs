use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{Put, ReturnValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem};

use super::account_change::express;
use super::account_item::{decode, decode_usage, encode, encode_usage};
use super::expression::Expression;
use super::item::{Attributes, Item, key, number, text};
use super::transaction::{Cancelled, put_new, transact, transact_once};
use super::{Dynamo, StoreError, Verdict, keys, verdict};
use crate::types::{Account, AccountChange, AccountKey, Credits, DayUsage, OrgId, Tier, Timestamp};

/// The accounts of organizations and anonymous sessions, and organizations' past usage.
#[derive(Clone, Debug)]
pub struct Accounts(Dynamo);

/// Why an account change was not, or may not have been, applied.
#[derive(Debug)]
pub enum ApplyFailure {
    /// Something that the change relied on no longer holds: not applied, and this is the account now.
    Stale(Option<Box<Account>>),
    /// Others were there first: not applied.
    Contended,
    /// Nobody knows whether it was applied.
    Unknown,
    /// Not applied, and trying again does not help.
    Store(StoreError),
}

impl Accounts {
    /// Takes the accounts of a database.
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Reads an account as it is now.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn read(&self, account: &AccountKey) -> Result<Option<Account>, StoreError> {
        self.item(&self.0.client, account).await?.as_ref().map(decode).transpose()
    }

    /// Reads an account as it is now, in one try: for a caller that tries again by itself.
    pub(crate) async fn read_once(&self, account: &AccountKey) -> Result<Option<Account>, StoreError> {
        self.item(&self.0.once, account).await?.as_ref().map(decode).transpose()
    }

    /// Creates an organization's account; `false` when there is one already.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn create(&self, org: &OrgId, account: &Account) -> Result<bool, StoreError> {
        let mut item = account_key(&AccountKey::Org(org.clone()));
        item.extend(encode(account));
        match transact(&self.0, vec![put_new(&self.0.accounts, item)]).await {
            Ok(()) => Ok(true),
            Err(Cancelled::Condition(_)) => Ok(false),
            Err(Cancelled::Verdict(verdict)) => Err(verdict.into()),
        }
    }

    /// Opens an anonymous session with its token's digest, unless one is open: then that one is returned.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn open_session(
        &self,
        key: &AccountKey,
        account: &Account,
        token_digest: &str,
        now: Timestamp,
    ) -> Result<(Account, String), StoreError> {
        let mut item = account_key(key);
        item.extend(encode(account));
        item.insert("token".to_owned(), text(token_digest));
        let put = self
            .0
            .client
            .put_item()
            .table_name(&self.0.accounts)
            .set_item(Some(item))
            // The time to live lags, so an ended session may still lie there.
            .condition_expression("attribute_not_exists(pk) OR #ttl <= :now")
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":now", number(now.unix_seconds()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        match put.send().await {
            Ok(_) => Ok((account.clone(), token_digest.to_owned())),
            Err(error) => {
                let Some(open) = error.as_service_error().and_then(|error| match error {
                    aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(failed) => {
                        failed.item()
                    }
                    _ => None,
                }) else {
                    return Err(error.into());
                };
                Ok((decode(open)?, Attributes(open).text("token")?.to_owned()))
            }
        }
    }

    /// Reads a session that is open at `now`, with its token's digest.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn read_session(
        &self,
        key: &AccountKey,
        now: Timestamp,
    ) -> Result<Option<(Account, String)>, StoreError> {
        let Some(item) = self.item(&self.0.client, key).await? else {
            return Ok(None);
        };
        let account = decode(&item)?;
        if account.ends_at.is_none_or(|end| end <= now) {
            return Ok(None);
        }
        Ok(Some((account, Attributes(&item).text("token")?.to_owned())))
    }

    /// Applies a change, in one try: one `UpdateItem`, or one transaction on the first change of a day.
    ///
    /// # Errors
    ///
    /// What is known of a change that was not answered with success.
    pub async fn apply(&self, account: &AccountKey, change: &AccountChange) -> Result<Account, ApplyFailure> {
        if change.usage.as_ref().is_some_and(|usage| usage.rollover.is_some()) {
            return self.apply_with_rollover(account, change).await;
        }
        let expression = express(change);
        let update = self
            .0
            .once
            .update_item()
            .table_name(&self.0.accounts)
            .set_key(Some(account_key(account)))
            .update_expression(expression.update())
            .set_condition_expression(expression.condition())
            .set_expression_attribute_names(expression.names())
            .set_expression_attribute_values(expression.values())
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        match update.send().await {
            Ok(output) => {
                // It was applied; the account is read again where its answer is not readable.
                output.attributes.and_then(|item| decode(&item).ok()).ok_or(ApplyFailure::Unknown)
            }
            Err(error) => Err(match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => stale(failed.item()),
                _ => verdict(&error).into(),
            }),
        }
    }

    /// Returns the writes of a change, for a transaction that does more than charge.
    pub(super) fn writes(&self, account: &AccountKey, change: &AccountChange) -> Vec<TransactWriteItem> {
        let mut writes = vec![express(change).into_write(
            &self.0.accounts,
            account_key(account),
            ReturnValuesOnConditionCheckFailure::AllOld,
        )];
        let rollover = change.usage.as_ref().and_then(|usage| usage.rollover.as_ref());
        writes.extend(rollover.map(|past| {
            let mut item = key(keys::account(account), keys::usage_day(past.day));
            item.extend(encode_usage(&past.usage).map(|(name, value)| (name.to_owned(), value)));
            let put = Put::builder().table_name(&self.0.accounts).set_item(Some(item)).build();
            TransactWriteItem::builder().put(put.expect("table and item are set")).build()
        }));
        writes
    }

    /// Reads the usage of an organization's past days in a month, `YYYY-MM`, oldest first.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn past_usage(&self, org: &OrgId, month: &str) -> Result<Vec<DayUsage>, StoreError> {
        let output = self
            .0
            .client
            .query()
            .table_name(&self.0.accounts)
            .key_condition_expression("pk = :pk AND begins_with(sk, :month)")
            .expression_attribute_values(":pk", text(keys::organization(org)))
            .expression_attribute_values(":month", text(keys::usage(month)))
            .consistent_read(true)
            .send()
            .await?;
        let days = output.items.unwrap_or_default();
        days.iter()
            .map(|item| {
                let attributes = Attributes(item);
                let day = attributes.text("sk")?.rsplit('#').next().unwrap_or_default();
                let day = day.parse().map_err(|()| StoreError::Corrupt("sk"))?;
                Ok(DayUsage { day, usage: decode_usage(attributes)? })
            })
            .collect()
    }

    /// Sets an organization's tier and monthly cap; `false` when there is no such organization.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn set_tier(&self, org: &OrgId, tier: Tier, cap: Credits) -> Result<bool, StoreError> {
        let mut expression = Expression::default();
        expression.set("tier", text(tier.as_str()));
        expression.set("cap", number(cap));
        expression.require("attribute_exists(pk)".to_owned());
        let update = self
            .0
            .client
            .update_item()
            .table_name(&self.0.accounts)
            .set_key(Some(account_key(&AccountKey::Org(org.clone()))))
            .update_expression(expression.update())
            .set_condition_expression(expression.condition())
            .set_expression_attribute_names(expression.names())
            .set_expression_attribute_values(expression.values());
        match update.send().await {
            Ok(_) => Ok(true),
            Err(error)
                if error.as_service_error().is_some_and(UpdateItemError::is_conditional_check_failed_exception) =>
            {
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn item(&self, client: &Client, account: &AccountKey) -> Result<Option<Item>, StoreError> {
        let get = client.get_item().table_name(&self.0.accounts).set_key(Some(account_key(account)));
        Ok(get.consistent_read(true).send().await?.item)
    }

    async fn apply_with_rollover(&self, account: &AccountKey, change: &AccountChange) -> Result<Account, ApplyFailure> {
        match transact_once(&self.0, self.writes(account, change)).await {
            // A transaction returns no items.
            Ok(()) => {
                self.read_once(account).await.map_err(|_| ApplyFailure::Unknown)?.ok_or(ApplyFailure::Stale(None))
            }
            Err(Cancelled::Condition(failed)) => Err(stale(failed.first().and_then(|failed| failed.item.as_ref()))),
            Err(Cancelled::Verdict(verdict)) => Err(verdict.into()),
        }
    }
}

impl From<Verdict> for ApplyFailure {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Contended(_) => Self::Contended,
            Verdict::Unknown(_) => Self::Unknown,
            Verdict::Refused(why) => Self::Store(StoreError::Refused(why)),
        }
    }
}

fn stale(item: Option<&Item>) -> ApplyFailure {
    match item.map(decode).transpose() {
        Ok(account) => ApplyFailure::Stale(account.map(Box::new)),
        Err(error) => ApplyFailure::Store(error),
    }
}

fn account_key(account: &AccountKey) -> Item {
    key(keys::account(account), keys::ACCOUNT)
}
