//! Who did something for an organization, as its members see it.

use serde::Serialize;
use store::{Email, Member, MemberId};

/// A member of the organization, or one who was: `ActingMember` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ActingMember {
    member_id: MemberId,
    /// `None` for one who is no member any more, and for one whose address is not known.
    email: Option<Email>,
}

impl ActingMember {
    /// Shows somebody to those who know the members of the organization.
    pub(crate) fn new(id: MemberId, members: &[Member]) -> Self {
        let member = members.iter().find(|member| member.id() == id);
        Self { email: member.and_then(|member| member.email.clone()), member_id: id }
    }
}
