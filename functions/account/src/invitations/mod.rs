//! `/v2/account/invitations`: owners invite people to their organization.

mod accept;
mod decide;
mod mail;

use accounting::{Day, OrgId, Timestamp};
use axum::Extension;
use axum::extract::State;
use decide::{Place, Placement, place};
use deserr::Deserr;
use gateway::{
    ApiError, App, AuthorizedMember, CallingPerson, Code, JsonBody, Named, NoContent, Parsed, PathId,
    PublicUrl, QueryParameters, Reply, Violations,
};
use mail::{Letter, MailState};
use serde::Serialize;
use store::{
    Credentials, Email, INVITATION_DAYS, Invitation, InvitationId, InvitationState, InvitationToken,
    MAX_MAILED_INVITATIONS, Member, Members, OrgProfile, Permission, Revocation, Role, StoreError,
};

use crate::acting_member::ActingMember;
use crate::mailer::Mailer;

pub(crate) use accept::accept;

/// The maximum number of attempts to store an invitation while other requests are changing the members.
const MAX_ATTEMPTS: usize = 8;

/// The body of a request to invite a person. See `InvitationRequest` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct InvitationBody {
    email: Parsed<Email>,
    role: Named<Role>,
}

/// An invitation, as the API returns it. See `Invitation` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ShownInvitation {
    invitation_id: InvitationId,
    email: Email,
    role: Role,
    state: InvitationState,
    created_at: Timestamp,
    created_by: ActingMember,
    expires_at: Timestamp,
}

/// A new invitation, including its token. No other response contains the token. See `NewInvitation` in
/// openapi.yaml.
#[derive(Serialize)]
pub(crate) struct NewInvitation {
    #[serde(flatten)]
    invitation: ShownInvitation,
    token: String,
    link: String,
    mail: MailState,
}

struct Invited {
    invitation: Invitation,
    /// The state of the email if it has already been sent or must not be sent. `None` if the caller still has
    /// to send it.
    mail: Option<MailState>,
    members: Members,
}

/// Responds with the organization's live and ended invitations, newest first.
pub(crate) async fn list(
    State(app): State<App>,
    caller: CallingPerson,
    parameters: QueryParameters,
) -> Result<Reply<Vec<ShownInvitation>>, ApiError> {
    let owner = caller.with(Permission::ManageMembers)?;
    parameters.refuse_all()?;
    let credentials = Credentials::new(app.dynamo.clone());
    let (invitations, members) =
        tokio::try_join!(credentials.invitations(owner.org), credentials.members(owner.org))?;
    let now = app.clock.now();
    let shown = invitations.into_iter().map(|found| ShownInvitation::new(found, &members.list, now));
    Ok(Reply::new(shown.collect()))
}

/// Invites a person and emails them the link if the service sends email. The new invitation replaces a live
/// one to the same address. If the call repeats an earlier call whose link was emailed a short time ago, it
/// only adds a token to the earlier invitation, and doesn't send another email.
pub(crate) async fn create(
    State(app): State<App>,
    caller: CallingPerson,
    Extension(public_url): Extension<PublicUrl>,
    Extension(mailer): Extension<Option<Mailer>>,
    body: JsonBody,
) -> Result<Reply<NewInvitation>, ApiError> {
    let owner = caller.with(Permission::ManageMembers)?;
    let InvitationBody { email: Parsed(email), role: Named(role) } = body.read()?;
    let token = InvitationToken::from_random(app.random.bytes());
    let now = app.clock.now();
    let invitation = Invitation {
        id: InvitationId::from_random(app.random.bytes()),
        digest: token.digest(),
        email,
        role,
        created_by: owner.id,
        created_at: now,
        expires_at: now.plus_days(INVITATION_DAYS),
        mailed_at: None,
        end: None,
    };
    // Read the name first. If the read failed after the invitation was stored, the link would be lost.
    let profile = match &mailer {
        Some(_) => Credentials::new(app.dynamo.clone()).profile(owner.org).await?,
        None => OrgProfile::default(),
    };
    let mails_on = mailer.as_ref().map(|_| now.day());
    let Invited { invitation, mail, members } = invite(&app, owner.org, &invitation, mails_on).await?;
    let link = link(&app, &public_url, &token);
    let mail = match (mail, &mailer) {
        (Some(known), _) => known,
        (None, None) => MailState::Off,
        (None, Some(mailer)) => {
            let (inviter, org_name) = (caller.person(), profile.name.as_ref());
            let letter = Letter { inviter, org_name, invitation: &invitation, link: &link };
            letter.send(&app, mailer, owner.org).await
        }
    };
    let invitation = ShownInvitation::new(invitation, &members.list, app.clock.now());
    Ok(Reply::new(NewInvitation { invitation, token: token.reveal().to_owned(), link, mail }).with_secret())
}

/// Revokes an invitation. Also succeeds if the invitation has already expired or been revoked.
pub(crate) async fn revoke(
    State(app): State<App>,
    caller: CallingPerson,
    path: PathId<InvitationId>,
) -> Result<NoContent, ApiError> {
    let owner = caller.with(Permission::ManageMembers)?;
    let id = path.or_else(unknown)?;
    let (credentials, now) = (Credentials::new(app.dynamo.clone()), app.clock.now());
    match credentials.revoke_invitation(owner.org, &id, owner.subject, now).await? {
        Revocation::Done => return Ok(NoContent),
        Revocation::Forbidden => return Err(AuthorizedMember::required()),
        Revocation::Ended | Revocation::Unknown => {}
    }
    match credentials.invitation(owner.org, &id).await?.ok_or_else(unknown)?.state(now) {
        InvitationState::Accepted => Err(ApiError::new(
            Code::StateConflict,
            "the invitation was already accepted; remove the member with \
             `DELETE /v2/account/members/{member_id}`",
        )),
        InvitationState::Live => {
            Err(StoreError::Contended("another request is changing the invitation; try again").into())
        }
        InvitationState::Revoked | InvitationState::Expired => Ok(NoContent),
    }
}

/// Stores a new invitation if the rules allow it, or adds its token to the invitation that the request
/// repeats. `mails_on` is the current day if the service sends email. The link isn't emailed if the
/// organization has reached its limit for that day.
async fn invite(
    app: &App,
    org: &OrgId,
    new: &Invitation,
    mails_on: Option<Day>,
) -> Result<Invited, ApiError> {
    let credentials = Credentials::new(app.dynamo.clone());
    for _ in 0..MAX_ATTEMPTS {
        let members = credentials.members(org).await?;
        let invitations = credentials.invitations(org).await?;
        let is_over = mails_on.is_some_and(|day| members.mailed_on(day) >= MAX_MAILED_INVITATIONS);
        let mails_on = mails_on.filter(|_| !is_over);
        match place(new, &members.list, invitations)? {
            Placement::Repeats(invitation) => {
                if credentials.add_token(org, &invitation, &new.digest, &members).await? {
                    return Ok(Invited { invitation, mail: Some(MailState::Sent), members });
                }
            }
            Placement::New(Place { replaces, forgets }) => {
                if credentials.invite(org, new, &replaces, &forgets, &members, mails_on).await? {
                    let mail = is_over.then_some(MailState::LimitReached);
                    return Ok(Invited { invitation: new.clone(), mail, members });
                }
            }
        }
    }
    Err(StoreError::Contended("other requests are changing the members; try again").into())
}

/// Returns the URL of the page where an invitation is accepted. The token comes after `#`, so the browser
/// doesn't send it to the server.
fn link(app: &App, public_url: &PublicUrl, token: &InvitationToken) -> String {
    let page = match &app.config.portal_url {
        Some(url) => format!("{url}/"),
        None => public_url.of("/portal/invitation"),
    };
    format!("{page}#invitation={}", token.reveal())
}

fn unknown() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no invitation with this id")
}

impl ShownInvitation {
    fn new(invitation: Invitation, members: &[Member], now: Timestamp) -> Self {
        let state = invitation.state(now);
        let Invitation { id, email, role, created_by, created_at, expires_at, .. } = invitation;
        let created_by = ActingMember::new(created_by, members);
        Self { invitation_id: id, email, role, state, created_at, created_by, expires_at }
    }
}
