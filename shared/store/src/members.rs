//! Members: the people of each organization, who belong to one at a time.
//!
//! A person is found by their subject, and listed by their organization. Every change of a list bumps its
//! version in the same transaction, so that a decision by the whole list, such as whether its last owner may
//! leave, holds when it is written.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::{Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};

use super::client::Dynamo;
use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use super::query::query_all;
use super::transaction::{delete, happened, transact};
use crate::{Email, MemberId, Membership, Role, Subject};

/// How often a change of members looks again because another one was first.
const MAX_LOOKS: usize = 5;

/// A person in the list of their organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub subject: Subject,
    pub role: Role,
    /// The address by which the person was invited or signed up; `None` of one whom the operator mapped.
    pub email: Option<Email>,
    /// When the person came to the organization.
    pub joined_at: Timestamp,
}

/// How a person is taken into an organization.
#[derive(Clone, Debug)]
pub struct Mapping {
    pub subject: Subject,
    /// What they may do; `None` leaves a member as they are, and is [`Role::Member`] for anybody else.
    pub role: Option<Role>,
    pub email: Option<Email>,
    pub at: Timestamp,
}

impl Member {
    pub fn id(&self) -> MemberId {
        self.subject.member_id()
    }
}

/// The members of an organization, as they were at one version of their list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// In no particular order.
    pub list: Vec<Member>,
    /// How often the list had changed; `None` of one that has not since there are versions.
    version: Option<u64>,
}

impl Credentials {
    /// Finds the organization of a person, and what they may do there.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn membership(&self, subject: &Subject) -> Result<Option<Membership>, StoreError> {
        let item = self.get(key(keys::subject(subject), keys::SUBJECT)).await?;
        item.as_ref().map(decode_membership).transpose()
    }

    /// Lists the members of an organization. One who was mapped before there were lists is not among them
    /// until they are mapped again.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn members(&self, org: &OrgId) -> Result<Members, StoreError> {
        // The version is read first: of a list that changes meanwhile, it is the older one, which bars a
        // decision by the newer list.
        let version = self.get(key(keys::organization(org), keys::ORGANIZATION)).await?;
        let version = version.map(|item| Attributes(&item).number("version")).transpose()?;
        let Dynamo { client, credentials, .. } = &self.0;
        let items = query_all(client, credentials, &keys::organization(org), keys::MEMBER_LIST).await?;
        Ok(Members { list: items.iter().map(decode).collect::<Result<_, _>>()?, version })
    }

    /// Gives a member another role, unless the list has changed since it was `seen`: `false` then.
    ///
    /// # Errors
    ///
    /// When the database does not answer: whether it was written is unknown.
    pub async fn set_role(
        &self,
        org: &OrgId,
        seen: &Members,
        subject: &Subject,
        role: Role,
    ) -> Result<bool, StoreError> {
        let of_person = key(keys::subject(subject), keys::SUBJECT);
        let mut by_subject = Expression::default();
        by_subject.set("role", text(role.to_string()));
        by_subject.require_equal("org", text(org.as_str()));
        let mut in_list = Expression::default();
        in_list.set("role", text(role.to_string()));
        in_list.require("attribute_exists(pk)".to_owned());
        let (table, silent) = (&self.0.credentials, ReturnValuesOnConditionCheckFailure::None);
        let writes = vec![
            by_subject.into_write(table, of_person, silent.clone()),
            in_list.into_write(table, key_in_list(org, subject), silent),
            self.version_bump(org, Some(seen)),
        ];
        happened(transact(&self.0, writes).await)
    }

    /// Takes a member from an organization, unless the list has changed since it was `seen`: `false` then.
    ///
    /// # Errors
    ///
    /// When the database does not answer: whether it was written is unknown.
    pub async fn remove_member(
        &self,
        org: &OrgId,
        seen: &Members,
        subject: &Subject,
    ) -> Result<bool, StoreError> {
        let mut writes = self.leaving(org, subject);
        writes.push(self.version_bump(org, Some(seen)));
        happened(transact(&self.0, writes).await)
    }

    /// Takes a person into an organization, out of any other, and moves them from that one's list to its own
    /// in the same transaction. One who is in the list already keeps their address and when they came. Returns
    /// what they may do from now on.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn map_subject(&self, org: &OrgId, new: &Mapping) -> Result<Role, StoreError> {
        let Mapping { subject, role, email, at } = new;
        for _ in 0..MAX_LOOKS {
            let before = self.membership(subject).await?;
            let present = before.as_ref().filter(|before| before.org == *org);
            let listed = match present {
                Some(_) => self.get(key_in_list(org, subject)).await?,
                None => None,
            };
            let role = role.or(present.map(|present| present.role)).unwrap_or(Role::Member);
            let member = match listed.as_ref().map(decode).transpose()? {
                Some(listed) => Member { role, ..listed },
                None => Member { subject: subject.clone(), role, email: email.clone(), joined_at: *at },
            };
            // A condition fails where they were mapped or unmapped, or got another role since.
            if happened(transact(&self.0, self.mapping(org, &member, before)).await)? {
                return Ok(role);
            }
        }
        Err(StoreError::Contended("others map the same subject; try again"))
    }

    /// Takes a person from an organization; `false` when they do not belong to that one.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn unmap_subject(&self, org: &OrgId, subject: &Subject) -> Result<bool, StoreError> {
        let mut writes = self.leaving(org, subject);
        writes.push(self.version_bump(org, None));
        happened(transact(&self.0, writes).await)
    }

    /// Makes the writes by which a person comes to an organization, on the condition that they are what they
    /// were before, or belonged to none.
    pub(super) fn joining(
        &self,
        org: &OrgId,
        member: &Member,
        before: Option<&Membership>,
    ) -> [TransactWriteItem; 2] {
        let Member { subject, role, email, joined_at } = member;
        let mut by_subject = key(keys::subject(subject), keys::SUBJECT);
        by_subject
            .extend([("org".to_owned(), text(org.as_str())), ("role".to_owned(), text(role.to_string()))]);
        let put = Put::builder().table_name(&self.0.credentials).set_item(Some(by_subject));
        let put = match before {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(Membership { org, role }) => put
                .condition_expression("org = :org AND (#role = :role OR attribute_not_exists(#role))")
                .expression_attribute_names("#role", "role")
                .expression_attribute_values(":org", text(org.as_str()))
                .expression_attribute_values(":role", text(role.to_string())),
        };
        let mut in_list = key_in_list(org, subject);
        in_list.extend([
            ("issuer".to_owned(), text(&subject.issuer)),
            ("subject".to_owned(), text(&subject.subject)),
            ("role".to_owned(), text(role.to_string())),
            ("mapped".to_owned(), number(joined_at.unix_millis())),
        ]);
        in_list.extend(email.iter().map(|email| ("email".to_owned(), text(email.as_str()))));
        let list = Put::builder().table_name(&self.0.credentials).set_item(Some(in_list));
        [put, list]
            .map(|put| put.build().expect("table and item are set"))
            .map(|put| TransactWriteItem::builder().put(put).build())
    }

    /// Makes the writes by which a person leaves an organization, on the condition that they belong to it.
    pub(super) fn leaving(&self, org: &OrgId, subject: &Subject) -> Vec<TransactWriteItem> {
        let by_subject = key(keys::subject(subject), keys::SUBJECT);
        let of_person = Delete::builder()
            .table_name(&self.0.credentials)
            .set_key(Some(by_subject))
            .condition_expression("org = :org")
            .expression_attribute_values(":org", text(org.as_str()))
            .build()
            .expect("table and key are set");
        vec![
            TransactWriteItem::builder().delete(of_person).build(),
            // Who was mapped before there were lists is in none.
            delete(&self.0.credentials, key_in_list(org, subject)),
        ]
    }

    /// Makes the write that a change of a list of members takes with it, on the condition that nothing else
    /// has changed it since it was `seen`; without one where the change depends on nobody but its person.
    pub(super) fn version_bump(&self, org: &OrgId, seen: Option<&Members>) -> TransactWriteItem {
        let update = Update::builder()
            .table_name(&self.0.credentials)
            .set_key(Some(key(keys::organization(org), keys::ORGANIZATION)))
            .update_expression("ADD version :one")
            .expression_attribute_values(":one", number(1));
        let update = match seen.map(|members| members.version) {
            None => update,
            Some(None) => update.condition_expression("attribute_not_exists(version)"),
            Some(Some(version)) => update
                .condition_expression("version = :seen")
                .expression_attribute_values(":seen", number(version)),
        };
        let update = update.build().expect("table, key and expression are set");
        TransactWriteItem::builder().update(update).build()
    }

    /// Makes the writes of a mapping, on the condition that the person is what they were before.
    fn mapping(&self, org: &OrgId, member: &Member, before: Option<Membership>) -> Vec<TransactWriteItem> {
        let mut writes = self.joining(org, member, before.as_ref()).to_vec();
        writes.push(self.version_bump(org, None));
        if let Some(other) = before.map(|before| before.org).filter(|before| before != org) {
            writes.push(delete(&self.0.credentials, key_in_list(&other, &member.subject)));
            writes.push(self.version_bump(&other, None));
        }
        writes
    }
}

fn key_in_list(org: &OrgId, subject: &Subject) -> Item {
    // The partition of a person is the end of their name in the list, too.
    key(keys::organization(org), keys::subject(subject))
}

fn decode_membership(item: &Item) -> Result<Membership, StoreError> {
    let attributes = Attributes(item);
    Ok(Membership { org: attributes.parsed("org")?, role: decode_role(attributes)? })
}

fn decode(item: &Item) -> Result<Member, StoreError> {
    let attributes = Attributes(item);
    let email = attributes.optional_text("email")?.map(str::parse).transpose();
    Ok(Member {
        subject: Subject::new(attributes.text("issuer")?, attributes.text("subject")?),
        role: decode_role(attributes)?,
        email: email.map_err(|_| StoreError::Corrupt("email"))?,
        joined_at: Timestamp::from_unix_millis(attributes.number("mapped")?),
    })
}

/// Reads a role. Who was mapped before there were roles is a member: it takes the operator to make an owner.
fn decode_role(attributes: Attributes<'_>) -> Result<Role, StoreError> {
    match attributes.optional_text("role")? {
        None => Ok(Role::Member),
        Some(role) => role.parse().map_err(|_| StoreError::Corrupt("role")),
    }
}
