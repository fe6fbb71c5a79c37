//! Accounts: read, opened, changed.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{Put, ReturnValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem};
use thiserror::Error;

use super::account_change::{AccountChange, GrantEvent, MarkedAccount, MarkedChange};
use super::account_item::{decode, decode_marked, encode};
use super::account_update::express;
use super::client::Dynamo;
use super::error::{CallFailure, StoreError};
use super::item::{Item, key, number};
use super::keys;
use super::transaction::{TransactionFailure, put_new, transact, transact_once};
use crate::types::{Account, AccountKey, OrgId, Timestamp};

/// The accounts of organizations and anonymous sessions, and organizations' past usage.
#[derive(Clone, Debug)]
pub struct Accounts(pub(super) Dynamo);

/// Why an account change was not, or may not have been, applied.
#[derive(Debug, Error)]
pub enum ApplyFailure {
    /// Something that the change relied on no longer holds: not applied, and this is the account now, if
    /// there is one.
    #[error("the account has changed since it was read")]
    Stale(Option<Box<MarkedAccount>>),
    /// Others were there first: not applied.
    #[error("others change the account at the same time")]
    Contended,
    /// Nobody knows whether it was applied.
    #[error("the database did not say whether the account was changed: {0}")]
    Unknown(String),
    /// Not applied, and trying again does not help.
    #[error(transparent)]
    Store(StoreError),
}

impl Accounts {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Finds out whether the table takes writes: writes an item that nobody reads, in one try.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn try_write(&self) -> Result<(), StoreError> {
        let mut item = key(keys::HEALTH, keys::HEALTH);
        item.insert("at".to_owned(), number(self.0.clock.now().unix_millis()));
        self.0.once.put_item().table_name(&self.0.accounts).set_item(Some(item)).send().await?;
        Ok(())
    }

    /// Reads an account as it is now.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn read(&self, account: &AccountKey) -> Result<Option<Account>, StoreError> {
        self.item(&self.0.client, account).await?.as_ref().map(decode).transpose()
    }

    /// Reads an account as it is now with its retry markers, for a step of it.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn read_marked(&self, account: &AccountKey) -> Result<Option<MarkedAccount>, StoreError> {
        self.item(&self.0.client, account).await?.as_ref().map(decode_marked).transpose()
    }

    /// Reads an account as it is now with its retry markers, in one try: for a caller that tries again by
    /// itself.
    pub(crate) async fn read_marked_once(
        &self,
        account: &AccountKey,
    ) -> Result<Option<MarkedAccount>, StoreError> {
        self.item(&self.0.once, account).await?.as_ref().map(decode_marked).transpose()
    }

    /// Creates an organization's account, with its entry in the directory and the beginning of its grants'
    /// history; `false` when there is an account already.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn create(&self, org: &OrgId, account: &Account, now: Timestamp) -> Result<bool, StoreError> {
        match transact(&self.0, self.creation(org, account, now)).await {
            Ok(()) => Ok(true),
            Err(TransactionFailure::Conditions(_)) => Ok(false),
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }

    /// Makes the writes that create an organization's account, on the condition that there is none yet: with
    /// its entry in the directory and the beginning of its grants' history.
    pub(super) fn creation(&self, org: &OrgId, account: &Account, now: Timestamp) -> Vec<TransactWriteItem> {
        let mut item = account_key(&AccountKey::Org(org.clone()));
        item.extend(encode(account));
        let mut writes = vec![put_new(&self.0.accounts, item), self.directory_entry(org, Some(now))];
        for (id, grant) in &account.grants {
            let joined = GrantEvent::Joined { id: id.clone(), grant: grant.clone(), at: now };
            writes.push(self.history_write(org, &joined));
        }
        writes
    }

    /// Applies a change, in one try: one `UpdateItem`; or one transaction on the first change of a day, and
    /// where the history of grants or the directory is written too.
    ///
    /// # Errors
    ///
    /// What is known of a change that was not answered with success.
    pub async fn apply(
        &self,
        account: &AccountKey,
        change: &MarkedChange,
    ) -> Result<MarkedAccount, ApplyFailure> {
        let AccountChange { usage, history, enters_directory, .. } = &change.change;
        let rolls_over = usage.as_ref().is_some_and(|usage| usage.rollover.is_some());
        if rolls_over || !history.is_empty() || *enters_directory {
            return self.apply_in_transaction(account, change).await;
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
                output
                    .attributes
                    .and_then(|item| decode_marked(&item).ok())
                    .ok_or_else(|| ApplyFailure::Unknown("its answer is not readable".to_owned()))
            }
            Err(error) => Err(match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => stale(failed.item()),
                _ => CallFailure::from(&error).into(),
            }),
        }
    }

    /// Returns the writes of a change, for a transaction that does more than charge.
    pub(super) async fn writes(
        &self,
        account: &AccountKey,
        change: &MarkedChange,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let mut writes = vec![express(change).into_write(
            &self.0.accounts,
            account_key(account),
            ReturnValuesOnConditionCheckFailure::AllOld,
        )];
        if let Some(rollover) = change.change.usage.as_ref().and_then(|usage| usage.rollover.as_ref()) {
            let item = self.rollover_item(account, rollover).await?;
            let put = Put::builder().table_name(&self.0.accounts).set_item(Some(item)).build();
            writes.push(TransactWriteItem::builder().put(put.expect("table and item are set")).build());
        }
        if let Some(org) = account.org() {
            writes.extend(change.change.history.iter().map(|event| self.history_write(org, event)));
            writes.extend(change.change.enters_directory.then(|| self.directory_entry(org, None)));
        }
        Ok(writes)
    }

    pub(super) async fn item(
        &self,
        client: &Client,
        account: &AccountKey,
    ) -> Result<Option<Item>, StoreError> {
        let get = client.get_item().table_name(&self.0.accounts).set_key(Some(account_key(account)));
        Ok(get.consistent_read(true).send().await?.item)
    }

    async fn apply_in_transaction(
        &self,
        account: &AccountKey,
        change: &MarkedChange,
    ) -> Result<MarkedAccount, ApplyFailure> {
        let writes = match self.writes(account, change).await {
            Ok(writes) => writes,
            Err(StoreError::Unavailable(_) | StoreError::TurnedAway(_)) => {
                return Err(ApplyFailure::Contended);
            }
            Err(error) => return Err(ApplyFailure::Store(error)),
        };
        match transact_once(&self.0, writes).await {
            // A transaction returns no items.
            Ok(()) => {
                let read = self
                    .read_marked_once(account)
                    .await
                    .map_err(|error| ApplyFailure::Unknown(error.to_string()))?;
                read.ok_or(ApplyFailure::Stale(None))
            }
            Err(TransactionFailure::Conditions(failed)) => {
                Err(stale(failed.first().and_then(|failed| failed.item.as_ref())))
            }
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }
}

impl From<CallFailure> for ApplyFailure {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::Contended(_) => Self::Contended,
            CallFailure::Unknown(why) => Self::Unknown(why),
            CallFailure::Refused(why) => Self::Store(StoreError::Refused(why)),
        }
    }
}

fn stale(item: Option<&Item>) -> ApplyFailure {
    match item.map(decode_marked).transpose() {
        Ok(account) => ApplyFailure::Stale(account.map(Box::new)),
        Err(error) => ApplyFailure::Store(error),
    }
}

pub(super) fn account_key(account: &AccountKey) -> Item {
    key(keys::account(account), keys::ACCOUNT)
}
