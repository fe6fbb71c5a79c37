//! Bearer subjects: each maps to one organization, whose list names it.

use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem};

use super::client::Dynamo;
use super::credentials::Credentials;
use super::error::StoreError;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use super::query::query_all;
use super::transaction::{TransactionFailure, transact};
use crate::types::{OrgId, Timestamp};

/// How often a mapping looks again because another one changed the same subject.
const MAX_LOOKS: usize = 5;

/// A bearer subject in the list of its organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedSubject {
    /// The token's `iss`.
    pub issuer: String,
    /// The token's `sub`.
    pub subject: String,
    /// When it was mapped to the organization last.
    pub mapped_at: Timestamp,
}

impl Credentials {
    /// Finds the organization that a bearer subject was mapped to.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn subject(&self, issuer: &str, subject: &str) -> Result<Option<OrgId>, StoreError> {
        let item = self.get(key(keys::subject(issuer, subject), keys::SUBJECT)).await?;
        item.as_ref().map(|item| Attributes(item).parsed("org")).transpose()
    }

    /// Maps a bearer subject to an organization, in place of any other, and moves it from that one's list to
    /// its own in the same transaction.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn map_subject(&self, org: &OrgId, mapped: &MappedSubject) -> Result<(), StoreError> {
        for _ in 0..MAX_LOOKS {
            let before = self.subject(&mapped.issuer, &mapped.subject).await?;
            match transact(&self.0, self.mapping(org, mapped, before)).await {
                Ok(()) => return Ok(()),
                // It was mapped or unmapped since.
                Err(TransactionFailure::Conditions(_)) => {}
                Err(TransactionFailure::Call(failure)) => return Err(failure.into()),
            }
        }
        Err(StoreError::Contended("others map the same subject; try again"))
    }

    /// Takes a bearer subject from an organization; `false` when it is not mapped to that one.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn unmap_subject(&self, org: &OrgId, issuer: &str, subject: &str) -> Result<bool, StoreError> {
        let by_subject = key(keys::subject(issuer, subject), keys::SUBJECT);
        // It is in no list when it was mapped before there were lists.
        let writes =
            vec![self.delete(by_subject, Some(org)), self.delete(key_in_list(org, issuer, subject), None)];
        match transact(&self.0, writes).await {
            Ok(()) => Ok(true),
            Err(TransactionFailure::Conditions(_)) => Ok(false),
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }

    /// Lists the bearer subjects of an organization, in no particular order. One that was mapped before there
    /// were lists is not among them until it is mapped again.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn subjects(&self, org: &OrgId) -> Result<Vec<MappedSubject>, StoreError> {
        let Dynamo { client, credentials, .. } = &self.0;
        let items = query_all(client, credentials, &keys::organization(org), keys::SUBJECT_LIST).await?;
        items.iter().map(decode).collect()
    }

    /// Makes the writes of a mapping, on the condition that the subject is mapped as it was before.
    fn mapping(&self, org: &OrgId, mapped: &MappedSubject, before: Option<OrgId>) -> Vec<TransactWriteItem> {
        let MappedSubject { issuer, subject, mapped_at } = mapped;
        let mut by_subject = key(keys::subject(issuer, subject), keys::SUBJECT);
        by_subject.insert("org".to_owned(), text(org.as_str()));
        let put = Put::builder().table_name(&self.0.credentials).set_item(Some(by_subject));
        let put = match &before {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(before) => put
                .condition_expression("org = :before")
                .expression_attribute_values(":before", text(before.as_str())),
        };
        let mut in_list = key_in_list(org, issuer, subject);
        in_list.extend([
            ("issuer".to_owned(), text(issuer)),
            ("subject".to_owned(), text(subject)),
            ("mapped".to_owned(), number(mapped_at.unix_millis())),
        ]);
        let list = Put::builder().table_name(&self.0.credentials).set_item(Some(in_list));
        let mut writes: Vec<_> = [put, list]
            .map(|put| put.build().expect("table and item are set"))
            .map(|put| TransactWriteItem::builder().put(put).build())
            .into();
        let other = before.filter(|before| before != org);
        writes.extend(other.map(|other| self.delete(key_in_list(&other, issuer, subject), None)));
        writes
    }

    /// Makes a deletion, on the condition that the item is of an organization where one is named.
    fn delete(&self, item_key: Item, of: Option<&OrgId>) -> TransactWriteItem {
        let delete = Delete::builder().table_name(&self.0.credentials).set_key(Some(item_key));
        let delete = of.into_iter().fold(delete, |delete, org| {
            let delete = delete.condition_expression("org = :org");
            delete.expression_attribute_values(":org", text(org.as_str()))
        });
        TransactWriteItem::builder().delete(delete.build().expect("table and key are set")).build()
    }
}

fn key_in_list(org: &OrgId, issuer: &str, subject: &str) -> Item {
    // The partition of a subject is its name, too.
    key(keys::organization(org), keys::subject(issuer, subject))
}

fn decode(item: &Item) -> Result<MappedSubject, StoreError> {
    let attributes = Attributes(item);
    Ok(MappedSubject {
        issuer: attributes.text("issuer")?.to_owned(),
        subject: attributes.text("subject")?.to_owned(),
        mapped_at: Timestamp::from_unix_millis(attributes.number("mapped")?),
    })
}
