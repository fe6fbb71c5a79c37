//! Reads, creates, and changes accounts.
use accounting::{Account, AccountKey, Change, GrantEvent, OrgId, Timestamp};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem};
use thiserror::Error;

use super::account_item::StoredAccount;
use super::account_update::express;
use super::client::Dynamo;
use super::entry::EntryId;
use super::error::StoreError;
use super::item::{Item, NewItem, Stored, key};
use super::keys;
use super::query::read;
use super::transaction::{TransactionFailure, happened, put, put_new, transact, transact_once};

/// The accounts of organizations and anonymous sessions, and organizations' past usage, bills, and grant
/// history.
#[derive(Clone, Debug)]
pub struct Accounts(pub(super) Dynamo);

/// Why an entry wasn't posted or why its outcome is unknown.
#[derive(Debug, Error)]
pub enum EntryFailure {
    /// The account has changed since it was read, so the entry wasn't posted. Contains the current account,
    /// if any.
    #[error("another request changed the account after it was read")]
    Stale(Option<Box<StoredAccount>>),
    /// The database failed. After [`StoreError::Unavailable`], it's unknown whether the entry was posted.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Accounts {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Checks whether the table accepts writes, by writing an item that nothing reads. Doesn't retry.
    pub async fn try_write(&self) -> Result<(), StoreError> {
        let item = NewItem::of_key(keys::HEALTH, keys::HEALTH).with("at", &self.0.clock.now()).build();
        self.0.once.put_item().table_name(&self.0.accounts).set_item(Some(item)).send().await?;
        Ok(())
    }

    /// Reads the current account. Returns `None` if it doesn't exist.
    pub async fn read(&self, account: &AccountKey) -> Result<Option<Account>, StoreError> {
        Ok(self.read_stored(account).await?.map(|stored| stored.account))
    }

    /// Reads the current account with its version, which is required for posting an entry.
    pub async fn read_stored(&self, account: &AccountKey) -> Result<Option<StoredAccount>, StoreError> {
        read(&self.0.client, &self.0.accounts, account_key(account)).await
    }

    /// Like [`Self::read_stored`], but doesn't retry. For callers with their own retries.
    pub async fn read_once(&self, account: &AccountKey) -> Result<Option<StoredAccount>, StoreError> {
        read(&self.0.once, &self.0.accounts, account_key(account)).await
    }

    /// Creates an organization's account, its entry in the directory, and the first entries of its grant
    /// history. Returns `false` if the account already exists.
    pub async fn create(&self, org: &OrgId, account: &Account, now: Timestamp) -> Result<bool, StoreError> {
        happened(transact(&self.0, self.creation(org, account, now)).await)
    }

    /// Returns the writes that create an organization's account, its entry in the directory, and the first
    /// entries of its grant history, on the condition that the account doesn't exist.
    pub(super) fn creation(&self, org: &OrgId, account: &Account, now: Timestamp) -> Vec<TransactWriteItem> {
        let item = new_item(&AccountKey::Org(org.clone()), account);
        let mut writes = vec![put_new(&self.0.accounts, item.build()), self.directory_entry(org, now)];
        for (id, grant) in &account.grants {
            let joined = GrantEvent::Added { id: id.clone(), grant: grant.clone(), at: now };
            writes.push(self.history_write(org, &joined));
        }
        writes
    }

    /// Posts an entry without retrying and returns the account after the write. Sends a single `UpdateItem`,
    /// or a transaction if a day or month ends or the grant history changes. If `entry` is `None`, the write
    /// only prevents earlier writes from taking effect.
    pub async fn write(
        &self,
        account: &AccountKey,
        seen: &StoredAccount,
        entry: Option<EntryId>,
        change: &Change,
    ) -> Result<StoredAccount, EntryFailure> {
        if change.rollover.is_some() || !change.history.is_empty() {
            return self.write_in_transaction(account, seen, entry, change).await;
        }
        let expression = express(seen, entry, change);
        let update = expression
            .into_update(&self.0.once, &self.0.accounts, account_key(account))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        match update.send().await {
            // The entry was posted. If the response is unreadable, the caller reads the account again.
            Ok(output) => output
                .attributes
                .and_then(|item| StoredAccount::load(&item).ok())
                .ok_or_else(|| StoreError::Unavailable("the response cannot be read".to_owned()).into()),
            Err(error) => Err(match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => stale(failed.item()),
                _ => StoreError::from(error).into(),
            }),
        }
    }

    /// Returns the writes that post an entry, so that a transaction can combine them with other writes.
    pub(super) async fn writes(
        &self,
        account: &AccountKey,
        seen: &StoredAccount,
        entry: Option<EntryId>,
        change: &Change,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let expression = express(seen, entry, change).returning_item();
        let mut writes = vec![expression.into_write(&self.0.accounts, account_key(account))];
        if let Some(org) = account.org() {
            if let Some(rollover) = &change.rollover {
                let items = self.rollover_items(org, rollover).await?;
                writes.extend(items.into_iter().map(|item| put(&self.0.accounts, item)));
            }
            writes.extend(change.history.iter().map(|event| self.history_write(org, event)));
        }
        Ok(writes)
    }

    async fn write_in_transaction(
        &self,
        account: &AccountKey,
        seen: &StoredAccount,
        entry: Option<EntryId>,
        change: &Change,
    ) -> Result<StoredAccount, EntryFailure> {
        let writes = self.writes(account, seen, entry, change).await.map_err(|error| match error {
            StoreError::Unavailable(_) => StoreError::Contended(
                "the items to be written along with the account cannot be read at the moment",
            ),
            error => error,
        })?;
        match transact_once(&self.0, writes).await {
            // A change with a rollover or history events always replaces the account.
            Ok(()) => Ok(seen.replaced(entry, change)),
            Err(TransactionFailure::Conditions(failed)) => {
                Err(stale(failed.first().and_then(|failed| failed.item.as_ref())))
            }
            Err(TransactionFailure::Call(error)) => Err(error.into()),
        }
    }
}

fn stale(item: Option<&Item>) -> EntryFailure {
    match item.map(StoredAccount::load).transpose() {
        Ok(account) => EntryFailure::Stale(account.map(Box::new)),
        Err(error) => EntryFailure::Store(error),
    }
}

pub(super) fn account_key(account: &AccountKey) -> Item {
    key(keys::account(account), keys::ACCOUNT)
}

/// Returns the item for a new account.
pub(super) fn new_item(key: &AccountKey, account: &Account) -> NewItem {
    NewItem::of_key(keys::account(key), keys::ACCOUNT).with_all(&StoredAccount::new(account.clone()))
}
