//! Invitations to organizations. Each invitation is stored in its organization's list and can also be found
//! by the digest of its token.
//!
//! Whether an invitation can be created or accepted depends on the organization's members. These writes
//! therefore require that the version of the organization's lists is unchanged.

use std::cmp::Reverse;

use accounting::{Day, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, Stored, attribute, key, moment, stored};
use super::keys;
use super::members::{Mailed, Member, Members};
use super::standing::{Outcome, Revocation, is_member, transact_as};
use super::transaction::{delete, happened, put_new, transact};
use crate::{Email, InvitationId, InvitationState, MemberId, Permission, Role, SecretDigest, Subject};

/// How long an invitation is kept after it ends, in days.
const REMEMBERED_DAYS: i64 = 30;

/// A stored invitation, which never contains the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    /// The digest of the first token.
    pub digest: SecretDigest,
    /// The invited email address. Only a person with this address can accept the invitation.
    pub email: Email,
    /// The role that the person is assigned when they accept.
    pub role: Role,
    /// The owner who created the invitation.
    pub created_by: MemberId,
    pub created_at: Timestamp,
    /// When the invitation expires.
    pub expires_at: Timestamp,
    /// When the service sent the invitation by email, or `None` if it didn't.
    pub mailed_at: Option<Timestamp>,
    /// The event that ended the invitation before it expired, if any.
    pub end: Option<InvitationEnd>,
}

/// The event that ended an invitation before it expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvitationEnd {
    Accepted { at: Timestamp, by: MemberId },
    Revoked { at: Timestamp },
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

    /// Returns the time from which the invitation is treated as if it had never existed.
    fn forgotten_at(&self) -> Timestamp {
        let ended_at = match self.end {
            Some(InvitationEnd::Accepted { at, .. } | InvitationEnd::Revoked { at }) => at,
            None => self.expires_at,
        };
        ended_at.plus_days(REMEMBERED_DAYS)
    }
}

impl Credentials {
    /// Lists an organization's invitations, newest first, including those that ended in the last 30 days.
    pub async fn invitations(&self, org: &OrgId) -> Result<Vec<Invitation>, StoreError> {
        let items = self.query(org, keys::INVITATION_LIST).await?;
        let mut invitations = items.iter().map(Invitation::load).collect::<Result<Vec<_>, _>>()?;
        // Expired items may still exist.
        let now = self.0.clock.now();
        invitations.retain(|invitation| invitation.forgotten_at() > now);
        invitations.sort_by_cached_key(|found| (Reverse(found.created_at), found.id.to_string()));
        Ok(invitations)
    }

    /// Finds an organization's invitation by ID.
    pub async fn invitation(&self, org: &OrgId, id: &InvitationId) -> Result<Option<Invitation>, StoreError> {
        let found = self.get(key_in_list(org, id)).await?.as_ref().map(Invitation::load).transpose()?;
        let now = self.0.clock.now();
        Ok(found.filter(|invitation| invitation.forgotten_at() > now))
    }

    /// Finds an invitation and its organization by the digest of the token.
    pub async fn invitation_by_token(
        &self,
        digest: &SecretDigest,
    ) -> Result<Option<(OrgId, Invitation)>, StoreError> {
        let Some(item) = self.get(key(keys::invitation(digest), keys::INVITATION)).await? else {
            return Ok(None);
        };
        let (org, id) = (attribute(&item, "org")?, attribute(&item, "invitation_id")?);
        Ok(self.invitation(&org, &id).await?.map(|invitation| (org, invitation)))
    }

    /// Stores a new invitation, revokes the invitations in `replaces`, and deletes the invitations in
    /// `forgets`, in one transaction. If `mails_on` is set, the invitation also counts toward the number of
    /// invitations sent by email on that day. Returns `false` if the organization's lists have changed since
    /// `seen`, or if an invitation in `replaces` has ended.
    ///
    /// After an error, it's unknown whether the invitation was stored.
    pub async fn invite(
        &self,
        org: &OrgId,
        new: &Invitation,
        replaces: &[Invitation],
        forgets: &[Invitation],
        seen: &Members,
        mails_on: Option<Day>,
    ) -> Result<bool, StoreError> {
        let in_list = NewItem::of_key(keys::organization(org), keys::invitation_in_list(&new.id))
            .with_all(new)
            .time_to_live(new.forgotten_at());
        let table = &self.0.credentials;
        let mut mailed = Expression::default();
        if let Some(day) = mails_on {
            mailed
                .set_all(NewItem::default().with_all(&Some(Mailed { day, count: seen.mailed_on(day) + 1 })));
        }
        let mut writes = vec![
            self.finding(org, new, &new.digest),
            put_new(table, in_list.build()),
            self.version_bump_with(org, Some(seen.version), mailed),
        ];
        let end = InvitationEnd::Revoked { at: new.created_at };
        writes.extend(replaces.iter().map(|old| self.ending(org, &old.id, &end)));
        writes.extend(forgets.iter().flat_map(|old| {
            [key_in_list(org, &old.id), key(keys::invitation(&old.digest), keys::INVITATION)]
                .map(|item_key| delete(table, item_key))
        }));
        happened(transact(&self.0, writes).await)
    }

    /// Adds a token to an existing invitation. Earlier tokens stay valid. Returns `false` if the
    /// organization's lists have changed since `seen`.
    ///
    /// After an error, it's unknown whether the token was stored.
    pub async fn add_token(
        &self,
        org: &OrgId,
        invitation: &Invitation,
        token: &SecretDigest,
        seen: &Members,
    ) -> Result<bool, StoreError> {
        let writes = vec![self.finding(org, invitation, token), self.version_bump(org, Some(seen.version))];
        happened(transact(&self.0, writes).await)
    }

    /// Records that an invitation was sent by email. Does nothing if the invitation doesn't exist.
    pub async fn record_mail(&self, org: &OrgId, id: &InvitationId, at: Timestamp) -> Result<(), StoreError> {
        let mut expression = Expression::default();
        expression.set("mailed", moment(at));
        expression.require("attribute_exists(pk)");
        let writes = vec![expression.into_write(&self.0.credentials, key_in_list(org, id))];
        happened(transact(&self.0, writes).await).map(drop)
    }

    /// Revokes an invitation. `by` must be an owner at the time of the write. An unknown invitation is
    /// treated as ended.
    ///
    /// After an error, it's unknown whether the invitation was revoked.
    pub async fn revoke_invitation(
        &self,
        org: &OrgId,
        id: &InvitationId,
        by: &Subject,
        now: Timestamp,
    ) -> Result<Revocation, StoreError> {
        let ending = self.ending(org, id, &InvitationEnd::Revoked { at: now });
        let may_revoke = is_member(&self.0, org, by, Some(Permission::ManageMembers));
        Ok(match transact_as(&self.0, Some(may_revoke), vec![ending]).await? {
            Outcome::Done => Revocation::Done,
            Outcome::Forbidden => Revocation::Forbidden,
            Outcome::Stale => Revocation::Ended,
        })
    }

    /// Accepts an invitation and adds the person to the organization, in one transaction. Returns `false` if
    /// the invitation has ended, the organization's lists have changed since `seen`, or the person already
    /// belongs to an organization.
    ///
    /// After an error, it's unknown whether the invitation was accepted.
    pub async fn accept_invitation(
        &self,
        org: &OrgId,
        invitation: &InvitationId,
        member: &Member,
        seen: &Members,
    ) -> Result<bool, StoreError> {
        let end = InvitationEnd::Accepted { at: member.joined_at, by: member.id() };
        let mut writes = vec![self.ending(org, invitation, &end)];
        writes.extend(self.joining(org, member, None));
        writes.push(self.version_bump(org, Some(seen.version)));
        happened(transact(&self.0, writes).await)
    }

    /// Returns the write that lets an invitation be found by a new token.
    fn finding(&self, org: &OrgId, invitation: &Invitation, token: &SecretDigest) -> TransactWriteItem {
        let by_token = NewItem::of_key(keys::invitation(token), keys::INVITATION)
            .with("org", org)
            .with("invitation_id", &invitation.id)
            .time_to_live(invitation.forgotten_at());
        put_new(&self.0.credentials, by_token.build())
    }

    /// Returns the write that ends an invitation, on the condition that it hasn't already ended.
    fn ending(&self, org: &OrgId, id: &InvitationId, end: &InvitationEnd) -> TransactWriteItem {
        let mut expression = Expression::default();
        let (InvitationEnd::Accepted { at, .. } | InvitationEnd::Revoked { at }) = end;
        expression.set_all(NewItem::default().with_all(&Some(end.clone())));
        expression.set_time_to_live(at.plus_days(REMEMBERED_DAYS));
        let (expires, now) = (expression.name("expires"), expression.value(moment(*at)));
        expression.require(format!(
            "attribute_exists(pk) AND attribute_not_exists(accepted) AND attribute_not_exists(revoked) \
             AND {expires} > {now}"
        ));
        expression.into_write(&self.0.credentials, key_in_list(org, id))
    }
}

fn key_in_list(org: &OrgId, id: &InvitationId) -> Item {
    key(keys::organization(org), keys::invitation_in_list(id))
}

stored!(Invitation {
    id: "invitation_id",
    digest: "digest",
    email: "email",
    role: "role",
    created_by: "created_by",
    created_at: "created",
    expires_at: "expires",
    mailed_at: "mailed",
} with end);

impl Stored for Option<InvitationEnd> {
    fn store(&self, item: NewItem) -> NewItem {
        match self {
            Some(InvitationEnd::Accepted { at, by }) => item.with("accepted", at).with("accepted_by", by),
            Some(InvitationEnd::Revoked { at }) => item.with("revoked", at),
            None => item,
        }
    }

    fn load(item: &Item) -> Result<Self, StoreError> {
        if let Some(at) = attribute(item, "accepted")? {
            return Ok(Some(InvitationEnd::Accepted { at, by: attribute(item, "accepted_by")? }));
        }
        let revoked_at: Option<Timestamp> = attribute(item, "revoked")?;
        Ok(revoked_at.map(|at| InvitationEnd::Revoked { at }))
    }
}
