//! The member who created or revoked something, as shown to the organization's owners.

use serde::Serialize;
use store::{Email, Member, MemberId, PersonName};

/// A current or former member of the organization. See `ActingMember` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ActingMember {
    member_id: MemberId,
    /// `None` for former members and for members whose name is unknown.
    name: Option<PersonName>,
    /// `None` for former members and for members whose address is unknown.
    email: Option<Email>,
}

impl ActingMember {
    /// Creates an acting member, with the name and email address from the organization's list of members.
    pub(crate) fn new(id: MemberId, members: &[Member]) -> Self {
        let member = members.iter().find(|member| member.id() == id);
        Self {
            name: member.and_then(|member| member.name.clone()),
            email: member.and_then(|member| member.email.clone()),
            member_id: id,
        }
    }
}
