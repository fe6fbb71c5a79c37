//! `POST /v2/account/invitations/accept`: a person joins the organization that invited them.

use accounting::{AccountKey, OrgId, Timestamp};
use axum::extract::State;
use deserr::Deserr;
use gateway::{ApiError, App, CallingPerson, Code, JsonBody, Reply, Violations};
use store::{
    Accounts, Credentials, Email, Invitation, InvitationEnd, InvitationState, InvitationToken, MAX_MEMBERS,
    Member, Membership, Permission, Person, StoreError,
};

use crate::person_account::{Organization, PersonAccount};

/// The maximum number of attempts to accept an invitation while other requests are changing the members.
const MAX_ATTEMPTS: usize = 8;

/// The body of a request to accept an invitation. See `Acceptance` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct AcceptanceBody {
    token: String,
}

/// An invited person, with the data that determines whether they can accept the invitation.
struct Candidate<'a> {
    person: &'a Person,
    email: &'a Email,
    /// The organization that the person belongs to now, if any.
    membership: Option<&'a Membership>,
    invited_to: &'a OrgId,
    invitation: &'a Invitation,
    /// The members of the inviting organization.
    members: &'a [Member],
    is_suspended: bool,
}

/// Adds the caller to the organization that invited them. Repeating the call returns the same response.
pub(crate) async fn accept(
    State(app): State<App>,
    caller: CallingPerson,
    body: JsonBody,
) -> Result<Reply<PersonAccount>, ApiError> {
    let AcceptanceBody { token } = body.read()?;
    let person = caller.person();
    let email = person.verified_email().ok_or_else(email_not_verified)?;
    // Reject malformed tokens without accessing the database.
    let token: InvitationToken = token.parse().map_err(|_| unknown())?;
    let credentials = Credentials::new(app.dynamo.clone());
    for _ in 0..MAX_ATTEMPTS {
        let found = credentials.invitation_by_token(&token.digest()).await?;
        let (org, invitation) = found.ok_or_else(unknown)?;
        let members = credentials.members(&org).await?;
        // Bypass the cache, so that people who have just left an organization can join another one
        // immediately.
        let membership = credentials.membership(&person.subject).await?;
        let now = app.clock.now();
        let account = Accounts::new(app.dynamo.clone()).read(&AccountKey::Org(org.clone())).await?;
        let candidate = Candidate {
            person,
            email,
            membership: membership.as_ref(),
            invited_to: &org,
            invitation: &invitation,
            members: &members.list,
            is_suspended: account.as_ref().is_none_or(|account| account.suspended_at.is_some()),
        };
        let member = Member {
            subject: person.subject.clone(),
            role: invitation.role,
            name: person.name.clone(),
            email: Some(email.clone()),
            joined_at: now,
        };
        if candidate.has_joined(now)?
            || credentials.accept_invitation(&org, &invitation.id, &member, &members).await?
        {
            let role = membership.map_or(invitation.role, |membership| membership.role);
            let (account, profile) =
                (account.ok_or_else(ApiError::internal)?, credentials.profile(&org).await?);
            let organization = Organization::new(&Membership { org, role }, profile, &account, now);
            return Ok(Reply::new(PersonAccount::of_member(person, organization)));
        }
    }
    Err(StoreError::Contended("other requests are changing the members; try again").into())
}

impl Candidate<'_> {
    /// Returns whether the person has already joined through this invitation.
    ///
    /// # Errors
    ///
    /// Returns an error if the person can't join. If the invitation is for another address, the error reveals
    /// neither that address nor the state of the invitation.
    fn has_joined(&self, now: Timestamp) -> Result<bool, ApiError> {
        let Self { person, email, membership, invited_to, invitation, members, is_suspended } = self;
        if invitation.email != **email {
            return Err(not_yours());
        }
        let is_member_there = membership.is_some_and(|membership| membership.org == **invited_to);
        if let Some(InvitationEnd::Accepted { by, .. }) = &invitation.end
            && is_member_there
            && *by == person.subject.member_id()
        {
            return Ok(true);
        }
        match invitation.state(now) {
            InvitationState::Live => {}
            InvitationState::Accepted => return Err(ended("has been used")),
            InvitationState::Revoked => return Err(ended("has been revoked or replaced by a newer one")),
            InvitationState::Expired => return Err(ended("has expired")),
        }
        if membership.is_some() {
            return Err(in_organization());
        }
        if members.len() >= MAX_MEMBERS {
            return Err(full());
        }
        // The inviter must still be an owner. Otherwise, a removed owner could rejoin with an invitation that
        // they created earlier.
        let inviter = members.iter().find(|member| member.id() == invitation.created_by);
        if inviter.is_none_or(|inviter| !inviter.role.may(Permission::ManageMembers)) {
            return Err(inviter_gone());
        }
        if *is_suspended { Err(suspended()) } else { Ok(false) }
    }
}

fn email_not_verified() -> ApiError {
    ApiError::new(
        Code::EmailNotVerified,
        "your email address is not verified; verify it where you sign in, then sign in again",
    )
}

fn unknown() -> ApiError {
    ApiError::new(
        Code::NotFound,
        "no such invitation; ask the person who invited you for the complete link or for a new invitation",
    )
}

/// Returns the error for an invitation to a different email address.
fn not_yours() -> ApiError {
    ApiError::new(
        Code::Forbidden,
        "this invitation is for a different email address; sign in with the invited address, or ask for your \
         own invitation",
    )
}

fn ended(how: &str) -> ApiError {
    let message = format!("this invitation {how}; ask the person who invited you for a new one");
    ApiError::new(Code::Gone, message)
}

fn in_organization() -> ApiError {
    ApiError::new(
        Code::AlreadyInOrganization,
        "you already belong to an organization; leave it first with `DELETE /v2/account/members/{member_id}` \
         and your own `member_id` from `GET /v2/account`",
    )
}

fn full() -> ApiError {
    let message = format!(
        "the organization has {MAX_MEMBERS} members, which is the limit; accept the invitation after a \
         member has left"
    );
    ApiError::new(Code::LimitReached, message)
}

/// Returns the error for an invitation whose creator is no longer an owner.
fn inviter_gone() -> ApiError {
    ApiError::new(
        Code::Gone,
        "the person who invited you is no longer an owner of the organization; ask one of its owners for a \
         new invitation",
    )
}

fn suspended() -> ApiError {
    ApiError::new(
        Code::OrganizationSuspended,
        "the organization that invited you is suspended; accept after the administrator resumes it",
    )
}
