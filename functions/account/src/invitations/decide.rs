//! Whether somebody may be invited, and which invitations make room for theirs.

use gateway::{ApiError, Code, Manager};
use store::{Invitation, InvitationState, MAX_LIVE_INVITATIONS, Member, Permission};

/// How many invitations of an organization are remembered, live ones and ended ones together: the list is
/// shown whole.
const MAX_REMEMBERED: usize = 100;

/// The most invitations that one is replaced by another takes out of the list: a transaction has room for as
/// many.
const FORGOTTEN_AT_ONCE: usize = 20;

/// What a new invitation does to the others.
pub(super) struct Place {
    /// Live ones of the same address: each person has one at most.
    pub(super) replaces: Vec<Invitation>,
    /// The oldest that have ended, where there are too many.
    pub(super) forgets: Vec<Invitation>,
}

/// Decides on a new invitation by the members and the invitations that there are, newest first.
///
/// # Errors
///
/// When whoever invites is an owner no more, a member has the address, or there is no room.
pub(super) fn place(
    new: &Invitation,
    members: &[Member],
    invitations: Vec<Invitation>,
) -> Result<Place, ApiError> {
    let inviter = members.iter().find(|member| member.id() == new.created_by);
    if inviter.is_none_or(|inviter| !inviter.role.may(Permission::ManageMembers)) {
        return Err(Manager::required());
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
    if others.len() >= MAX_LIVE_INVITATIONS {
        return Err(ApiError::new(
            Code::LimitReached,
            format!(
                "your organization has {MAX_LIVE_INVITATIONS} live invitations, which is the limit; revoke \
                 one, or wait until one is accepted or expires"
            ),
        ));
    }
    let kept = MAX_REMEMBERED.saturating_sub(others.len() + replaces.len() + 1);
    let forgets = ended.into_iter().skip(kept).take(FORGOTTEN_AT_ONCE).collect();
    Ok(Place { replaces, forgets })
}
