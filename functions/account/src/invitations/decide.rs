//! Whether somebody may be invited, and which invitations make room for theirs.

use store::{Invitation, InvitationState, MAX_LIVE_INVITATIONS, Member, Role};

/// How many invitations of an organization are remembered, live ones and ended ones together: the list is
/// shown whole.
const MAX_REMEMBERED: usize = 100;

/// The most invitations that one is replaced by another takes out of the list: a transaction has room for as
/// many.
const FORGOTTEN_AT_ONCE: usize = 20;

/// What a new invitation does to the others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Live ones of the same address: each person has one at most.
    pub(super) replaces: Vec<Invitation>,
    /// The oldest that have ended, where there are too many.
    pub(super) forgets: Vec<Invitation>,
}

/// Why somebody is not invited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Who invites is an owner no more.
    OwnersOnly,
    /// A member has the address.
    IsMember,
    /// There are as many live invitations as there can be.
    TooMany,
}

/// Decides on a new invitation by the members and the invitations that there are, newest first.
pub(super) fn place(
    new: &Invitation,
    members: &[Member],
    invitations: Vec<Invitation>,
) -> Result<Place, Refused> {
    let inviter = members.iter().find(|member| member.id() == new.created_by);
    if inviter.is_none_or(|inviter| inviter.role != Role::Owner) {
        return Err(Refused::OwnersOnly);
    }
    if members.iter().any(|member| member.email.as_ref() == Some(&new.email)) {
        return Err(Refused::IsMember);
    }
    let is_live = |invitation: &Invitation| invitation.state(new.created_at) == InvitationState::Live;
    let (live, ended): (Vec<_>, Vec<_>) = invitations.into_iter().partition(is_live);
    let (replaces, others): (Vec<_>, Vec<_>) =
        live.into_iter().partition(|invitation| invitation.email == new.email);
    if others.len() >= MAX_LIVE_INVITATIONS {
        return Err(Refused::TooMany);
    }
    let kept = MAX_REMEMBERED.saturating_sub(others.len() + replaces.len() + 1);
    let forgets = ended.into_iter().skip(kept).take(FORGOTTEN_AT_ONCE).collect();
    Ok(Place { replaces, forgets })
}
