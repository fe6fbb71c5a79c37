//! Rules for new invitations, which can replace or delete earlier ones.

use gateway::{ApiError, AuthorizedMember, Code};
use store::{Invitation, InvitationState, MAX_LIVE_INVITATIONS, Member, Permission};

/// The maximum number of invitations stored per organization, including ended ones. This limits the length of
/// the list that the API returns.
const MAX_REMEMBERED: usize = 100;

/// The maximum number of ended invitations to delete in one transaction. DynamoDB limits the size of
/// transactions.
const FORGOTTEN_AT_ONCE: usize = 20;

/// The time after an invitation email is sent, in seconds, during which another request by the same owner for
/// the same address and role counts as a repeat.
const REPEATED_WITHIN_SECONDS: i64 = 10 * 60;

/// The outcome of a request for an invitation.
pub(super) enum Placement {
    /// The request repeats the one that created this open invitation, whose link was already emailed. To keep
    /// that link valid, the caller adds another token to the invitation instead of replacing it.
    Repeats(Invitation),
    New(Place),
}

/// The earlier invitations that a new invitation affects.
pub(super) struct Place {
    /// Live invitations to the same address, which the new one replaces. There is at most one.
    pub(super) replaces: Vec<Invitation>,
    /// The oldest ended invitations, which are deleted to stay within the maximum.
    pub(super) forgets: Vec<Invitation>,
}

/// Checks whether a new invitation is allowed, and determines which earlier invitations it repeats, replaces,
/// or deletes. `invitations` are the organization's invitations, newest first.
///
/// # Errors
///
/// Returns an error if the inviter is no longer an owner, if a member already has the address, or if the
/// organization has too many open invitations.
pub(super) fn place(
    new: &Invitation,
    members: &[Member],
    invitations: Vec<Invitation>,
) -> Result<Placement, ApiError> {
    let inviter = members.iter().find(|member| member.id() == new.created_by);
    if inviter.is_none_or(|inviter| !inviter.role.may(Permission::ManageMembers)) {
        return Err(AuthorizedMember::required());
    }
    if members.iter().any(|member| member.email.as_ref() == Some(&new.email)) {
        return Err(ApiError::new(
            Code::AlreadyInOrganization,
            "a member of your organization already has this address; change their role with \
             `PATCH /v2/account/members/{member_id}`",
        ));
    }
    let is_live = |invitation: &Invitation| invitation.state(new.created_at) == InvitationState::Live;
    let (live, ended): (Vec<_>, Vec<_>) = invitations.into_iter().partition(is_live);
    let (replaces, others): (Vec<_>, Vec<_>) =
        live.into_iter().partition(|invitation| invitation.email == new.email);
    if let Some(earlier) = replaces.iter().find(|earlier| repeats(new, earlier)) {
        return Ok(Placement::Repeats(earlier.clone()));
    }
    if others.len() >= MAX_LIVE_INVITATIONS {
        return Err(ApiError::new(
            Code::LimitReached,
            format!(
                "your organization has {MAX_LIVE_INVITATIONS} open invitations, which is the limit; revoke \
                 one, or wait until one is accepted or expires"
            ),
        ));
    }
    let kept = MAX_REMEMBERED.saturating_sub(others.len() + replaces.len() + 1);
    let forgets = ended.into_iter().skip(kept).take(FORGOTTEN_AT_ONCE).collect();
    Ok(Placement::New(Place { replaces, forgets }))
}

fn repeats(new: &Invitation, earlier: &Invitation) -> bool {
    let is_recent =
        earlier.mailed_at.is_some_and(|at| new.created_at < at.plus_seconds(REPEATED_WITHIN_SECONDS));
    is_recent && earlier.role == new.role && earlier.created_by == new.created_by
}
