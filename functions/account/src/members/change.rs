//! Changes to members. Whether a change is allowed depends on the list of members, so the write succeeds only
//! if the list hasn't changed since it was read.

use accounting::OrgId;
use gateway::{ApiError, App, AuthorizedMember, Code};
use store::{Credentials, Member, MemberId, StoreError};

use super::decide::{Change, Refused, decide};

/// The maximum number of attempts to change a member while other requests are changing the list.
const MAX_ATTEMPTS: usize = 8;

/// A change to a member, and the person who requests it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberChange<'a> {
    pub(super) org: &'a OrgId,
    pub(super) asker: &'a MemberId,
    pub(super) target: &'a MemberId,
    pub(super) change: Change,
}

impl MemberChange<'_> {
    /// Returns the reason the change would be rejected at the moment, or `None` if it's allowed.
    pub(super) async fn refusal(self, app: &App) -> Result<Option<Refused>, StoreError> {
        let Self { org, asker, target, change } = self;
        let members = Credentials::new(app.dynamo.clone()).members(org).await?;
        Ok(decide(&members.list, asker, target, change).err())
    }

    /// Makes the change. Returns the member with the new role, or the removed member. Setting a role that the
    /// member already has succeeds without a write.
    pub(super) async fn make(self, app: &App) -> Result<Result<Member, Refused>, StoreError> {
        let Self { org, asker, target, change } = self;
        let credentials = Credentials::new(app.dynamo.clone());
        for _ in 0..MAX_ATTEMPTS {
            let members = credentials.members(org).await?;
            let member = match decide(&members.list, asker, target, change) {
                Ok(member) => member.clone(),
                Err(refused) => return Ok(Err(refused)),
            };
            let (is_written, after) = match change {
                Change::SetRole(role) if role == member.role => (true, member),
                Change::SetRole(role) => {
                    let is_written = credentials.set_role(org, &members, &member.subject, role).await?;
                    (is_written, Member { role, ..member })
                }
                Change::Remove { .. } => {
                    (credentials.remove_member(org, Some(&members), &member.subject).await?, member)
                }
            };
            if is_written {
                return Ok(Ok(after));
            }
        }
        Err(StoreError::Contended("other requests are changing the members; try again"))
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::OwnersOnly => AuthorizedMember::required(),
            Refused::Unknown => Self::new(Code::NotFound, "your organization has no member with this id"),
            Refused::LastOwner => Self::new(
                Code::StateConflict,
                "an organization with members requires an owner; make another member an owner first, or \
                 remove the other members and leave last",
            ),
        }
    }
}
