//! Invitations to an organization: each lies in its organization's list, and is found by the digest of its
//! token.
//!
//! Inviting and accepting are decisions by the list of members, and are written on its version.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem};

use super::client::Dynamo;
use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use super::members::{Member, Members};
use super::query::query_all;
use super::standing::is_owner;
use super::transaction::{TransactionFailure, delete, happened, put_new, transact};
use crate::{Email, InvitationDigest, InvitationId, InvitationState, MemberId, Role, Subject};

/// How long an invitation is remembered after its end, in days.
const REMEMBERED_DAYS: i64 = 30;

/// An invitation as it was stored: never its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    /// The digest of its token.
    pub digest: InvitationDigest,
    /// Whose it is: nobody else can accept it.
    pub email: Email,
    /// What they will be.
    pub role: Role,
    /// The owner who invited.
    pub created_by: MemberId,
    pub created_at: Timestamp,
    /// Until when it can be accepted.
    pub expires_at: Timestamp,
    /// What ended it before that; `None` of one that nothing has.
    pub end: Option<InvitationEnd>,
}

/// What ended an invitation before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvitationEnd {
    Accepted { at: Timestamp, by: MemberId },
    Revoked { at: Timestamp },
}

/// What came of the revocation of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationRevocation {
    Done,
    /// It was accepted or revoked before, or has expired.
    Ended,
    /// Whoever revokes is no owner of the organization, or is one no longer.
    NotAnOwner,
}

/// An invitation that was found by its token.
#[derive(Clone, Debug)]
pub struct FoundInvitation {
    /// The organization that it is to.
    pub org: OrgId,
    pub invitation: Invitation,
}

/// How a person comes to an organization by an invitation.
#[derive(Clone, Debug)]
pub struct Acceptance<'a> {
    pub org: &'a OrgId,
    pub invitation: &'a InvitationId,
    /// Who accepts, as they are listed from then on.
    pub member: &'a Member,
    /// The members by whom it was decided.
    pub seen: &'a Members,
}

impl Invitation {
    pub fn state(&self, now: Timestamp) -> InvitationState {
        match self.end {
            Some(InvitationEnd::Accepted { .. }) => InvitationState::Accepted,
            Some(InvitationEnd::Revoked { .. }) => InvitationState::Revoked,
            None if self.expires_at <= now => InvitationState::Expired,
            None => InvitationState::Live,
        }
    }

    /// Returns the moment from which on it is as if it had never been.
    fn forgotten_at(&self) -> Timestamp {
        let ended_at = match self.end {
            Some(InvitationEnd::Accepted { at, .. } | InvitationEnd::Revoked { at }) => at,
            None => self.expires_at,
        };
        ended_at.plus_days(REMEMBERED_DAYS)
    }
}

impl Credentials {
    /// Lists an organization's invitations, newest first, those too that ended in the last 30 days.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn invitations(&self, org: &OrgId) -> Result<Vec<Invitation>, StoreError> {
        let Dynamo { client, credentials, .. } = &self.0;
        let items = query_all(client, credentials, &keys::organization(org), keys::INVITATION_LIST).await?;
        let mut invitations = items.iter().map(decode).collect::<Result<Vec<_>, _>>()?;
        // The time to live lags.
        let now = self.0.clock.now();
        invitations.retain(|invitation| invitation.forgotten_at() > now);
        invitations.sort_by(|one, other| {
            let newest = other.created_at.cmp(&one.created_at);
            newest.then_with(|| one.id.as_str().cmp(other.id.as_str()))
        });
        Ok(invitations)
    }

    /// Finds an organization's invitation.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn invitation(&self, org: &OrgId, id: &InvitationId) -> Result<Option<Invitation>, StoreError> {
        let found = self.get(key_in_list(org, id)).await?.as_ref().map(decode).transpose()?;
        let now = self.0.clock.now();
        Ok(found.filter(|invitation| invitation.forgotten_at() > now))
    }

    /// Finds an invitation by the digest of its token.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn invitation_by_token(
        &self,
        digest: &InvitationDigest,
    ) -> Result<Option<FoundInvitation>, StoreError> {
        let Some(item) = self.get(key(keys::invitation(digest), keys::INVITATION)).await? else {
            return Ok(None);
        };
        let (org, id) = (Attributes(&item).parsed("org")?, Attributes(&item).parsed("invitation_id")?);
        let invitation = self.invitation(&org, &id).await?;
        Ok(invitation.map(|invitation| FoundInvitation { org, invitation }))
    }

    /// Stores a new invitation, revokes those that it `replaces` and forgets others that have ended, all in
    /// one transaction; `false` when the members have changed since they were `seen`, or one that it replaces
    /// has ended.
    ///
    /// # Errors
    ///
    /// When the database does not answer: whether it was written is unknown.
    pub async fn invite(
        &self,
        org: &OrgId,
        new: &Invitation,
        replaces: &[Invitation],
        forgets: &[Invitation],
        seen: &Members,
    ) -> Result<bool, StoreError> {
        let mut by_token = key(keys::invitation(&new.digest), keys::INVITATION);
        by_token.extend([
            ("org".to_owned(), text(org.as_str())),
            ("invitation_id".to_owned(), text(new.id.as_str())),
            ("ttl".to_owned(), number(new.forgotten_at().unix_seconds())),
        ]);
        let mut in_list = key_in_list(org, &new.id);
        in_list.extend(encode(new));
        let table = &self.0.credentials;
        let mut writes =
            vec![put_new(table, by_token), put_new(table, in_list), self.version_bump(org, Some(seen))];
        let end = InvitationEnd::Revoked { at: new.created_at };
        writes.extend(replaces.iter().map(|old| self.ending(org, &old.id, &end)));
        writes.extend(forgets.iter().flat_map(|old| {
            [key_in_list(org, &old.id), key(keys::invitation(&old.digest), keys::INVITATION)]
                .map(|item_key| delete(table, item_key))
        }));
        happened(transact(&self.0, writes).await)
    }

    /// Revokes an invitation for an owner, whatever a process remembers of their role.
    ///
    /// # Errors
    ///
    /// When the database does not answer: whether it was revoked is unknown.
    pub async fn revoke_invitation(
        &self,
        org: &OrgId,
        id: &InvitationId,
        by: &Subject,
        now: Timestamp,
    ) -> Result<InvitationRevocation, StoreError> {
        let ending = self.ending(org, id, &InvitationEnd::Revoked { at: now });
        match transact(&self.0, vec![ending, is_owner(&self.0, org, by)]).await {
            Ok(()) => Ok(InvitationRevocation::Done),
            Err(failure) if failure.is_of(1) => Ok(InvitationRevocation::NotAnOwner),
            Err(TransactionFailure::Conditions(_)) => Ok(InvitationRevocation::Ended),
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }

    /// Takes a person into the organization of an invitation, which that uses up, in one transaction; `false`
    /// when the invitation has ended, the members have changed since they were seen, or the person has come
    /// to an organization.
    ///
    /// # Errors
    ///
    /// When the database does not answer: whether it happened is unknown.
    pub async fn accept_invitation(&self, acceptance: Acceptance<'_>) -> Result<bool, StoreError> {
        let Acceptance { org, invitation, member, seen } = acceptance;
        let end = InvitationEnd::Accepted { at: member.joined_at, by: member.id() };
        let mut writes = vec![self.ending(org, invitation, &end)];
        writes.extend(self.joining(org, member, None));
        writes.push(self.version_bump(org, Some(seen)));
        happened(transact(&self.0, writes).await)
    }

    /// Makes the write that ends an invitation, on the condition that it is live.
    fn ending(&self, org: &OrgId, id: &InvitationId, end: &InvitationEnd) -> TransactWriteItem {
        let mut expression = Expression::default();
        let at = match end {
            InvitationEnd::Accepted { at, by } => {
                expression.set("accepted", number(at.unix_millis()));
                expression.set("accepted_by", text(by.as_str()));
                at
            }
            InvitationEnd::Revoked { at } => {
                expression.set("revoked", number(at.unix_millis()));
                at
            }
        };
        expression.set("ttl", number(at.plus_days(REMEMBERED_DAYS).unix_seconds()));
        let (expires, now) = (expression.name("expires"), expression.value(number(at.unix_millis())));
        expression.require(format!(
            "attribute_exists(pk) AND attribute_not_exists(accepted) AND attribute_not_exists(revoked) \
             AND {expires} > {now}"
        ));
        let silent = ReturnValuesOnConditionCheckFailure::None;
        expression.into_write(&self.0.credentials, key_in_list(org, id), silent)
    }
}

fn key_in_list(org: &OrgId, id: &InvitationId) -> Item {
    key(keys::organization(org), keys::invitation_in_list(id))
}

fn encode(invitation: &Invitation) -> Item {
    let Invitation { id, digest, email, role, created_by, created_at, expires_at, end } = invitation;
    let mut item: Item = [
        ("invitation_id", text(id.as_str())),
        ("digest", text(digest.as_str())),
        ("email", text(email.as_str())),
        ("role", text(role.to_string())),
        ("created_by", text(created_by.as_str())),
        ("created", number(created_at.unix_millis())),
        ("expires", number(expires_at.unix_millis())),
        ("ttl", number(invitation.forgotten_at().unix_seconds())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    match end {
        None => {}
        Some(InvitationEnd::Accepted { at, by }) => item.extend([
            ("accepted".to_owned(), number(at.unix_millis())),
            ("accepted_by".to_owned(), text(by.as_str())),
        ]),
        Some(InvitationEnd::Revoked { at }) => {
            item.insert("revoked".to_owned(), number(at.unix_millis()));
        }
    }
    item
}

fn decode(item: &Item) -> Result<Invitation, StoreError> {
    let attributes = Attributes(item);
    let moment = |name| attributes.number(name).map(Timestamp::from_unix_millis);
    let ended = |name| attributes.optional_number(name).map(|at| at.map(Timestamp::from_unix_millis));
    let end = match (ended("accepted")?, ended("revoked")?) {
        (Some(at), _) => Some(InvitationEnd::Accepted { at, by: attributes.parsed("accepted_by")? }),
        (None, Some(at)) => Some(InvitationEnd::Revoked { at }),
        (None, None) => None,
    };
    Ok(Invitation {
        id: attributes.parsed("invitation_id")?,
        digest: attributes.parsed("digest")?,
        email: attributes.parsed("email")?,
        role: attributes.parsed("role")?,
        created_by: attributes.parsed("created_by")?,
        created_at: moment("created")?,
        expires_at: moment("expires")?,
        end,
    })
}
