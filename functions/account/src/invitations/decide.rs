//! Rules for new invitations, and the earlier invitations that they replace.

use gateway::{ApiError, AuthorizedMember, Code};
use store::{Invitation, InvitationState, MAX_LIVE_INVITATIONS, Member, Permission};

/// The maximum number of live and ended invitations kept per organization. A list returns all of them.
const MAX_REMEMBERED: usize = 100;

/// The maximum number of ended invitations that one transaction deletes, because the size of a transaction is
/// limited.
const FORGOTTEN_AT_ONCE: usize = 20;

/// The effects of a new invitation on earlier ones.
pub(super) struct Place {
    /// Live invitations to the same address. Each person has at most one.
    pub(super) replaces: Vec<Invitation>,
    /// The oldest ended invitations that exceed the maximum.
    pub(super) forgets: Vec<Invitation>,
}

/// Decides on a new invitation. `invitations` are the organization's invitations, newest first.
///
/// # Errors
///
/// Returns an error if the inviting person is no longer an owner, if a member already has the address, or if
/// the organization has too many live invitations.
pub(super) fn place(
    new: &Invitation,
    members: &[Member],
    invitations: Vec<Invitation>,
) -> Result<Place, ApiError> {
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
