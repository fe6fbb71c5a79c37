//! The accounts of anonymous sessions, each stored with the digest of its token's secret.
use accounting::{Account, AccountKey, Holder, SessionId, Timestamp};
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use super::account_item::StoredAccount;
use super::accounts::{Accounts, account_key, new_item};
use super::error::StoreError;
use super::item::{Stored, number, stored};
use super::query::read;

#[derive(Clone, Debug)]
pub struct OpenSession {
    pub account: StoredAccount,
    /// The digest of the token's secret.
    pub token_digest: String,
}

impl Accounts {
    /// Opens an anonymous session with a new account. If the session is already open, changes nothing and
    /// returns the open session.
    pub async fn open_session(
        &self,
        session: &SessionId,
        account: &Account,
        token_digest: String,
        now: Timestamp,
    ) -> Result<OpenSession, StoreError> {
        let item = new_item(&AccountKey::Session(session.clone()), account).with("token", &token_digest);
        let put = self
            .0
            .client
            .put_item()
            .table_name(&self.0.accounts)
            .set_item(Some(item.build()))
            // The item of an ended session may still exist.
            .condition_expression("attribute_not_exists(pk) OR #ttl <= :now")
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":now", number(now.unix_seconds()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = put.send().await else {
            return Ok(OpenSession { account: StoredAccount::new(account.clone()), token_digest });
        };
        match error.as_service_error() {
            Some(PutItemError::ConditionalCheckFailedException(failed)) if let Some(open) = failed.item() => {
                OpenSession::load(open)
            }
            _ => Err(error.into()),
        }
    }

    /// Reads a session. Returns `None` if it doesn't exist or has ended at `now`.
    pub async fn read_session(
        &self,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<Option<OpenSession>, StoreError> {
        let item_key = account_key(&AccountKey::Session(session.clone()));
        let session = read(&self.0.client, &self.0.accounts, item_key).await?;
        let is_open = |session: &OpenSession| matches!(session.account.account.holder, Holder::Session { ends_at } if ends_at > now);
        Ok(session.filter(is_open))
    }
}

stored!(OpenSession { token_digest: "token" } with account);
