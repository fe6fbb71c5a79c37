//! The members of organizations. A person belongs to one organization at a time.
//!
//! Each person has two items: one under the person's subject, and one in the organization's list of members.
//! Every change to the members and every new invitation or API key also increments the version of the
//! organization's lists, in the same transaction. Changes that depend on a whole list, such as removing an
//! owner or creating a key, require that the version is unchanged.

use accounting::{Day, OrgId, Timestamp};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, Stored, attribute, key, number, stored, text};
use super::keys;
use super::transaction::{delete, happened, put, transact};
use crate::{Email, MemberId, Membership, Person, PersonName, Role, Subject};

/// The maximum number of attempts to add a member while concurrent changes interfere.
const MAX_ATTEMPTS: usize = 5;

/// A person in an organization's list of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub subject: Subject,
    pub role: Role,
    /// The name from the person's most recent token that contained one.
    pub name: Option<PersonName>,
    /// The verified address from the person's most recent token that contained one. `None` if an
    /// administrator added the person, and the person hasn't signed in since.
    pub email: Option<Email>,
    /// When the person joined the organization.
    pub joined_at: Timestamp,
}

/// A request to add a person to an organization.
#[derive(Clone, Debug)]
pub struct NewMember {
    pub subject: Subject,
    /// The role to assign. If it's `None`, an existing member keeps their role, and a new member gets
    /// [`Role::Member`].
    pub role: Option<Role>,
    pub name: Option<PersonName>,
    pub email: Option<Email>,
    pub at: Timestamp,
}

impl Member {
    pub fn id(&self) -> MemberId {
        self.subject.member_id()
    }
}

/// An organization's members at one version of its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// The members, in no particular order.
    pub list: Vec<Member>,
    /// The version of the organization's lists when the members were read.
    pub(super) version: u64,
    /// The number of invitations that were sent by email on the latest day on which any were sent.
    pub(super) mailed: Option<Mailed>,
}

/// The number of invitations that an organization sent by email on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mailed {
    pub(super) day: Day,
    pub(super) count: u32,
}

impl Members {
    /// Returns the number of invitations that the organization sent by email on a day.
    pub fn mailed_on(&self, day: Day) -> u32 {
        self.mailed.filter(|mailed| mailed.day == day).map_or(0, |mailed| mailed.count)
    }
}

impl Credentials {
    /// Reads a person's organization and role. Returns `None` if the person doesn't belong to an
    /// organization.
    pub async fn membership(&self, subject: &Subject) -> Result<Option<Membership>, StoreError> {
        let item = self.get(key(keys::subject(subject), keys::SUBJECT)).await?;
        item.as_ref().map(Membership::load).transpose()
    }

    /// Lists an organization's members, with the version of its lists.
    pub async fn members(&self, org: &OrgId) -> Result<Members, StoreError> {
        let lists = self.lists(org).await?;
        let items = self.query(org, keys::MEMBER_LIST).await?;
        let list = items.iter().map(Member::load).collect::<Result<_, _>>()?;
        Ok(Members { list, version: version(&lists)?, mailed: Option::<Mailed>::load(&lists)? })
    }

    /// Updates a member's stored name and verified address if they differ from the ones in the member's
    /// token. Does nothing if the person isn't a member.
    pub async fn refresh_member(&self, org: &OrgId, person: &Person) -> Result<(), StoreError> {
        let item_key = key_in_list(org, &person.subject);
        let Some(item) = self.get(item_key.clone()).await? else { return Ok(()) };
        let stored = Member::load(&item)?;
        let name = person.name.as_ref().filter(|name| stored.name.as_ref() != Some(name));
        let email = person.verified_email().filter(|email| stored.email.as_ref() != Some(email));
        if name.is_none() && email.is_none() {
            return Ok(());
        }
        let mut expression = Expression::default();
        expression.set_all(NewItem::default().with("name", &name.cloned()).with("email", &email.cloned()));
        expression.require("attribute_exists(pk)");
        let update = expression.into_update(&self.0.client, &self.0.credentials, item_key);
        match update.send().await {
            Ok(_) => Ok(()),
            Err(error) => match error.as_service_error() {
                // The member has been removed in the meantime.
                Some(UpdateItemError::ConditionalCheckFailedException(_)) => Ok(()),
                _ => Err(error.into()),
            },
        }
    }

    /// Reads the version of an organization's lists. Callers read the version before the list, so that a
    /// write that depends on the list fails if the list changes between the two reads.
    pub(super) async fn list_version(&self, org: &OrgId) -> Result<u64, StoreError> {
        version(&self.lists(org).await?)
    }

    /// Reads the item that contains the version of an organization's lists.
    async fn lists(&self, org: &OrgId) -> Result<Item, StoreError> {
        Ok(self.get(key(keys::organization(org), keys::ORGANIZATION)).await?.unwrap_or_default())
    }

    /// Changes a member's role. Returns `false` if the person isn't a member, or the organization's lists
    /// have changed since `seen`.
    ///
    /// After an error, it's unknown whether the role was changed.
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

    /// Removes a member from an organization. Returns `false` if the person isn't a member, or if the
    /// organization's lists have changed since `seen`. If `seen` is `None`, changes to the lists are ignored.
    ///
    /// After an error, it's unknown whether the member was removed.
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

    /// Adds a person to an organization and removes them from any other organization in the same
    /// transaction. Existing members keep their name, address, and joining date. Returns the role that the
    /// person now has.
    pub async fn add_member(&self, org: &OrgId, new: &NewMember) -> Result<Role, StoreError> {
        let NewMember { subject, role, name, email, at } = new;
        for _ in 0..MAX_ATTEMPTS {
            let before = self.membership(subject).await?;
            let present = before.as_ref().filter(|before| before.org == *org);
            let listed = match present {
                Some(_) => self.get(key_in_list(org, subject)).await?,
                None => None,
            };
            let role = role.or(present.map(|present| present.role)).unwrap_or(Role::Member);
            let member = match listed.as_ref().map(Member::load).transpose()? {
                Some(listed) => Member { role, ..listed },
                None => Member {
                    subject: subject.clone(),
                    role,
                    name: name.clone(),
                    email: email.clone(),
                    joined_at: *at,
                },
            };
            // The transaction fails if the person has been added, removed, or given another role in the
            // meantime.
            if happened(transact(&self.0, self.mapping(org, &member, before)).await)? {
                return Ok(role);
            }
        }
        Err(StoreError::Contended("another request is adding the same member; try again"))
    }

    /// Returns the writes that add a person to an organization, on the condition that the person's membership
    /// is still `before`.
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

    /// Returns the writes that remove a person from an organization, on the condition that the person is a
    /// member.
    pub(super) fn leaving(&self, org: &OrgId, subject: &Subject) -> Vec<TransactWriteItem> {
        let mut belongs = Expression::default();
        belongs.require_equal("org", text(org.as_str()));
        let table = &self.0.credentials;
        vec![
            belongs.into_delete(table, key(keys::subject(subject), keys::SUBJECT)),
            delete(table, key_in_list(org, subject)),
        ]
    }

    /// Returns the write that increments the version of an organization's lists. If `seen` is set, the write
    /// requires this version. `seen` is `None` for changes that don't depend on other items in the lists.
    pub(super) fn version_bump(&self, org: &OrgId, seen: Option<u64>) -> TransactWriteItem {
        self.version_bump_with(org, seen, Expression::default())
    }

    /// Like [`Self::version_bump`], but with additional changes to the item.
    pub(super) fn version_bump_with(
        &self,
        org: &OrgId,
        seen: Option<u64>,
        mut expression: Expression,
    ) -> TransactWriteItem {
        let version = expression.name("version");
        match seen {
            None => {}
            Some(0) => expression.require(format!("attribute_not_exists({version})")),
            Some(seen) => expression.require_equal("version", number(seen)),
        }
        expression.add_at(version, 1);
        expression.into_write(&self.0.credentials, key(keys::organization(org), keys::ORGANIZATION))
    }

    /// Returns the writes that add a person to an organization and remove them from any other, on the
    /// condition that the person's membership is still `before`.
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

fn version(lists: &Item) -> Result<u64, StoreError> {
    Ok(attribute::<Option<_>>(lists, "version")?.unwrap_or(0))
}

fn key_in_list(org: &OrgId, subject: &Subject) -> Item {
    // A person's partition key is also the sort key in the list.
    key(keys::organization(org), keys::subject(subject))
}

stored!(Membership { org: "org", role: "role" });
stored!(Member { role: "role", name: "name", email: "email", joined_at: "mapped" } with subject);
stored!(Subject { issuer: "issuer", subject: "subject" });

impl Stored for Option<Mailed> {
    fn store(&self, item: NewItem) -> NewItem {
        match self {
            Some(Mailed { day, count }) => item.with("mail_day", day).with("mails", count),
            None => item,
        }
    }

    fn load(item: &Item) -> Result<Self, StoreError> {
        let Some(day) = attribute(item, "mail_day")? else { return Ok(None) };
        Ok(Some(Mailed { day, count: attribute(item, "mails")? }))
    }
}
