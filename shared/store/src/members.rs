//! Members: the people of each organization, who belong to one at a time.
//!
//! A person is found by their subject, and listed by their organization. Every change of the members bumps the
//! version of the organization's lists in the same transaction, and so does whatever adds an invitation or an
//! API key: a decision by a whole list, such as whether the last owner may leave or there is room for one more
//! key, holds when it is written.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, Stored, attribute, key, number, stored, text};
use super::keys;
use super::transaction::{delete, happened, put, transact};
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

/// The members of an organization, as they were at one version of its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// In no particular order.
    pub list: Vec<Member>,
    /// How often the organization's lists had changed.
    pub(super) version: u64,
}

impl Credentials {
    /// Finds the organization of a person, and what they may do there.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn membership(&self, subject: &Subject) -> Result<Option<Membership>, StoreError> {
        let item = self.get(key(keys::subject(subject), keys::SUBJECT)).await?;
        item.as_ref().map(Membership::load).transpose()
    }

    /// Lists the members of an organization.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn members(&self, org: &OrgId) -> Result<Members, StoreError> {
        let version = self.list_version(org).await?;
        let items = self.query(org, keys::MEMBER_LIST).await?;
        Ok(Members { list: items.iter().map(Member::load).collect::<Result<_, _>>()?, version })
    }

    /// Reads the version of an organization's lists, which goes before reading a list: of one that changes
    /// meanwhile, it is the older version, which bars a decision by the newer list.
    pub(super) async fn list_version(&self, org: &OrgId) -> Result<u64, StoreError> {
        let item = self.get(key(keys::organization(org), keys::ORGANIZATION)).await?.unwrap_or_default();
        Ok(attribute::<Option<_>>(&item, "version")?.unwrap_or(0))
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
        let mut by_subject = Expression::default();
        by_subject.set("role", text(role.to_string()));
        by_subject.require_equal("org", text(org.as_str()));
        let mut in_list = Expression::default();
        in_list.set("role", text(role.to_string()));
        in_list.require("attribute_exists(pk)");
        let table = &self.0.credentials;
        let writes = vec![
            by_subject.into_write(table, key(keys::subject(subject), keys::SUBJECT)),
            in_list.into_write(table, key_in_list(org, subject)),
            self.version_bump(org, Some(seen.version)),
        ];
        happened(transact(&self.0, writes).await)
    }

    /// Takes a member from an organization; `false` when they do not belong to it, or the list has changed since
    /// it was `seen` by who decided on it.
    ///
    /// # Errors
    ///
    /// When the database does not answer: whether it was written is unknown.
    pub async fn remove_member(
        &self,
        org: &OrgId,
        seen: Option<&Members>,
        subject: &Subject,
    ) -> Result<bool, StoreError> {
        let mut writes = self.leaving(org, subject);
        writes.push(self.version_bump(org, seen.map(|members| members.version)));
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
            let member = match listed.as_ref().map(Member::load).transpose()? {
                Some(listed) => Member { role, ..listed },
                None => Member { subject: subject.clone(), role, email: email.clone(), joined_at: *at },
            };
            // A condition fails where they were mapped or unmapped, or got another role since.
            if happened(transact(&self.0, self.mapping(org, &member, before)).await)? {
                return Ok(role);
            }
        }
        Err(StoreError::Contended("another request is adding the same member; try again"))
    }

    /// Makes the writes by which a person comes to an organization, on the condition that they are what they
    /// were before, or belonged to none.
    pub(super) fn joining(
        &self,
        org: &OrgId,
        member: &Member,
        before: Option<&Membership>,
    ) -> [TransactWriteItem; 2] {
        let subject = keys::subject(&member.subject);
        let by_subject = NewItem::of_key(&subject, keys::SUBJECT).with("org", org).with("role", &member.role);
        let mut expression = Expression::default();
        match before {
            None => expression.require("attribute_not_exists(pk)"),
            Some(Membership { org, role }) => {
                expression.require_equal("org", text(org.as_str()));
                expression.require_equal("role", text(role.to_string()));
            }
        }
        let in_list = NewItem::of_key(keys::organization(org), subject).with_all(member);
        let table = &self.0.credentials;
        [expression.into_put(table, by_subject.build()), put(table, in_list.build())]
    }

    /// Makes the writes by which a person leaves an organization, on the condition that they belong to it.
    pub(super) fn leaving(&self, org: &OrgId, subject: &Subject) -> Vec<TransactWriteItem> {
        let mut belongs = Expression::default();
        belongs.require_equal("org", text(org.as_str()));
        let table = &self.0.credentials;
        vec![
            belongs.into_delete(table, key(keys::subject(subject), keys::SUBJECT)),
            delete(table, key_in_list(org, subject)),
        ]
    }

    /// Makes the write that a change of an organization's lists takes with it, on the condition that nothing
    /// else has changed them since they were `seen`; without one where the change depends on nobody but its
    /// person.
    pub(super) fn version_bump(&self, org: &OrgId, seen: Option<u64>) -> TransactWriteItem {
        let mut expression = Expression::default();
        let version = expression.name("version");
        match seen {
            None => {}
            Some(0) => expression.require(format!("attribute_not_exists({version})")),
            Some(seen) => expression.require_equal("version", number(seen)),
        }
        expression.add_at(version, 1);
        expression.into_write(&self.0.credentials, key(keys::organization(org), keys::ORGANIZATION))
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

stored!(Membership { org: "org", role: "role" });
stored!(Member { role: "role", email: "email", joined_at: "mapped" } with subject);
stored!(Subject { issuer: "issuer", subject: "subject" });
