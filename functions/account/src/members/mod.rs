//! `/v2/account/members`: an organization's members, their roles, and the keys, tile grants, client links,
//! and webhooks that they created.
//!
//! See `docs/decisions/0040-members-and-invitations.md`.

mod change;
mod decide;
mod made;

use accounting::Timestamp;
use axum::extract::State;
use change::MemberChange;
use decide::{Change, Refused};
use deserr::Deserr;
use gateway::{ApiError, App, CallingPerson, JsonBody, Named, PathId, QueryParameters, Reply, Violations};
use made::{Made, RevokedKinds};
use serde::Serialize;
use store::{Credentials, Email, Member, MemberId, Permission, PersonName, Role, Subject};

/// The body of a request to change a member's role. See `MemberEdit` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct MemberEdit {
    role: Named<Role>,
}

/// A member, as returned by the API. See `Member` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ShownMember {
    member_id: MemberId,
    name: Option<PersonName>,
    email: Option<Email>,
    role: Role,
    joined_at: Timestamp,
    is_you: bool,
}

/// A member with their active keys, tile grants, client links, and webhooks. See `MemberAndMade` in
/// openapi.yaml.
#[derive(Serialize)]
pub(crate) struct MemberAndMade {
    /// The member. `None` if they have left the organization.
    member: Option<ShownMember>,
    #[serde(flatten)]
    made: Made,
}

/// A removed member, with the keys, tile grants, client links, and webhooks that remain, and those that were
/// revoked or deleted. See `RemovedMember` in openapi.yaml.
#[derive(Serialize)]
pub(crate) struct RemovedMember {
    #[serde(flatten)]
    left: MemberAndMade,
    revoked: Made,
}

type MemberPath = PathId<MemberId>;

/// Responds with all members of the caller's organization, owners first. All members can see their
/// colleagues.
pub(crate) async fn list(
    State(app): State<App>,
    caller: CallingPerson,
    parameters: QueryParameters,
) -> Result<Reply<Vec<ShownMember>>, ApiError> {
    let org = &caller.membership().ok_or_else(ApiError::internal)?.org;
    parameters.refuse_all()?;
    let mut members = Credentials::new(app.dynamo.clone()).members(org).await?.list;
    members.sort_by_cached_key(|member| (member.role, member.joined_at, member.id()));
    let asker = caller.person().subject.member_id();
    let shown = members.into_iter().map(|member| ShownMember::new(member, &asker));
    Ok(Reply::new(shown.collect()))
}

/// Responds with a member and the active keys, tile grants, client links, and webhooks that they created.
/// Former members are found only if any of these exist.
pub(crate) async fn read(
    State(app): State<App>,
    caller: CallingPerson,
    path: MemberPath,
) -> Result<Reply<MemberAndMade>, ApiError> {
    let owner = caller.with(Permission::ManageMembers)?;
    let id = member_id(path)?;
    let members = Credentials::new(app.dynamo.clone()).members(owner.org).await?.list;
    let member = members.into_iter().find(|member| member.id() == id);
    let member = member.map(|member| ShownMember::new(member, &owner.id));
    let made = Made::live(&app, owner.org, &id).await?;
    if member.is_none() && made.is_empty() {
        return Err(Refused::Unknown.into());
    }
    Ok(Reply::new(MemberAndMade { member, made }).with_secret())
}

/// Changes a member's role.
pub(crate) async fn edit(
    State(app): State<App>,
    caller: CallingPerson,
    path: MemberPath,
    body: JsonBody,
) -> Result<Reply<ShownMember>, ApiError> {
    let owner = caller.with(Permission::ManageMembers)?;
    let MemberEdit { role: Named(role) } = body.read()?;
    let target = member_id(path)?;
    let change = Change::SetRole(role);
    let change = MemberChange { org: owner.org, asker: &owner.id, target: &target, change };
    Ok(Reply::new(ShownMember::new(change.make(&app).await??, &owner.id)))
}

/// Removes a member or lets the caller leave. On request, also revokes the member's keys, tile grants, and
/// client links, and deletes the member's webhooks. If a call fails partway, repeating it completes the
/// remaining steps.
pub(crate) async fn remove(
    State(app): State<App>,
    caller: CallingPerson,
    path: MemberPath,
    parameters: QueryParameters,
) -> Result<Reply<RemovedMember>, ApiError> {
    let kinds = RevokedKinds::read(&parameters)?;
    let target = member_id(path)?;
    let by = &caller.person().subject;
    let asker = by.member_id();
    let org = &caller.membership().ok_or_else(ApiError::internal)?.org;
    let change = Change::Remove { revokes: kinds.is_any() };
    let removal = MemberChange { org, asker: &asker, target: &target, change };
    let removed = if asker == target {
        leave(&app, removal, kinds, by).await?
    } else {
        remove_other(&app, removal, kinds, by).await?
    };
    Ok(Reply::new(removed).with_secret())
}

/// Revokes the requested kinds of resources and then removes the caller. In the opposite order, the caller
/// couldn't retry a failed call.
async fn leave(
    app: &App,
    leaving: MemberChange<'_>,
    kinds: RevokedKinds,
    by: &Subject,
) -> Result<RemovedMember, ApiError> {
    let MemberChange { org, asker, target, .. } = leaving;
    if let Some(refused) = leaving.refusal(app).await? {
        return Err(refused.into());
    }
    let mut made = Made::live(app, org, target).await?;
    let revoked = made.revoke(kinds, app, org, by).await?;
    let member = Some(ShownMember::new(leaving.make(app).await??, asker));
    Ok(RemovedMember { left: MemberAndMade { member, made }, revoked })
}

/// Removes another member and then revokes the requested kinds of resources that the member created. If
/// revoking fails, the member has already been removed, and an owner can repeat the call.
async fn remove_other(
    app: &App,
    removal: MemberChange<'_>,
    kinds: RevokedKinds,
    by: &Subject,
) -> Result<RemovedMember, ApiError> {
    let MemberChange { org, asker, target, .. } = removal;
    let member = match removal.make(app).await? {
        Ok(member) => Some(ShownMember::new(member, asker)),
        Err(Refused::Unknown) => None,
        Err(refused) => return Err(refused.into()),
    };
    let mut made = Made::live(app, org, target).await?;
    if member.is_none() && made.is_empty() {
        return Err(Refused::Unknown.into());
    }
    let revoked = made.revoke(kinds, app, org, by).await?;
    Ok(RemovedMember { left: MemberAndMade { member, made }, revoked })
}

impl ShownMember {
    fn new(member: Member, caller: &MemberId) -> Self {
        let member_id = member.id();
        let Member { subject: _, role, name, email, joined_at } = member;
        Self { is_you: member_id == *caller, member_id, name, email, role, joined_at }
    }
}

fn member_id(path: MemberPath) -> Result<MemberId, ApiError> {
    path.or_else(|| Refused::Unknown.into())
}
