//! `POST /v2/account/organization`: a person creates an organization by signing up.
//!
//! See `docs/decisions/0038-sign-up.md`.

use accounting::{AccountKey, GrantId, OrgId, Plan, Timestamp, organization_account};
use axum::extract::State;
use deserr::Deserr;
use gateway::{ApiError, App, CallingPerson, ClientAddress, JsonBody, Parsed, Reply, Violations};
use store::{
    Accounts, Credentials, Email, Membership, OrgName, OrgProfile, Person, Role, SignUp, SignUpFailure,
    SignUpLimit, SignUps,
};

use crate::person_account::{Organization, PersonAccount};
use crate::sign_up_limits::limits;
use crate::sign_up_refusal::{
    already_in_organization, closed, email_not_verified, exhausted, signed_up_before,
};

/// The body of a sign-up request. See `SignUpRequest` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct SignUpBody {
    name: Parsed<OrgName>,
}

/// Creates an organization with the person as its owner. Repeated calls return the same organization.
pub(crate) async fn create(
    State(app): State<App>,
    caller: CallingPerson,
    client: ClientAddress,
    body: JsonBody,
) -> Result<Reply<PersonAccount>, ApiError> {
    let SignUpBody { name: Parsed(name) } = body.read()?;
    let person = caller.person();
    // The cached membership can be out of date: the person may have just left that organization.
    let membership = match caller.membership() {
        Some(_) => membership_now(&app, person).await?,
        None => None,
    };
    if let Some(membership) = membership {
        return answer_again(&app, person, &membership).await;
    }
    let (limits, email) = may_sign_up(&app, person, client)?;
    let sign_up = sign_up(&app, person, name, email.clone());
    let key = AccountKey::Org(sign_up.org.clone());
    // Check the clock, because the daily limits and the grant's expiry date depend on it.
    Accounts::new(app.dynamo.clone()).check_clock(&key).await.map_err(|_| ApiError::unavailable())?;
    match SignUps::new(app.dynamo.clone()).create(&sign_up, &limits).await {
        Ok(()) => {
            tracing::info!(event = "signed_up", org = %sign_up.org);
            Ok(Reply::new(made(person, sign_up)))
        }
        Err(SignUpFailure::Taken) => refuse_or_answer_again(&app, person, &email).await,
        Err(SignUpFailure::Exhausted(limit)) => Err(exhausted(&limit, sign_up.at)),
        Err(SignUpFailure::Store(error)) => Err(error.into()),
    }
}

/// Returns the reason a person without an organization can't sign up at the moment, or `None` if they can.
pub(crate) async fn refusal(
    app: &App,
    person: &Person,
    client: ClientAddress,
) -> Result<Option<ApiError>, ApiError> {
    let (limits, email) = match may_sign_up(app, person, client) {
        Ok(may) => may,
        Err(refusal) => return Ok(Some(refusal)),
    };
    let sign_ups = SignUps::new(app.dynamo.clone());
    let past = sign_ups.past(&person.subject, Some(&email)).await?;
    if past.org.is_some() || past.is_email_used {
        return Ok(Some(signed_up_before()));
    }
    let now = app.clock.now();
    let reached = sign_ups.exhausted(&limits, now.day()).await?;
    Ok(reached.map(|limit| exhausted(limit, now)))
}

/// Returns the daily limits that apply to the person, and the person's verified address. Doesn't access the
/// database. Returns an error if sign-up is off or the person has no verified address.
fn may_sign_up(
    app: &App,
    person: &Person,
    ClientAddress(client): ClientAddress,
) -> Result<([SignUpLimit; 3], Email), ApiError> {
    let allowed = app.config.self_sign_up.ok_or_else(closed)?;
    let email = person.verified_email().ok_or_else(email_not_verified)?;
    Ok((limits(allowed, email, client), email.clone()))
}

fn sign_up(app: &App, person: &Person, name: OrgName, email: Email) -> SignUp {
    let at = app.clock.now();
    // Expiry dates of grants are stored in whole seconds.
    let opened_at = Timestamp::from_unix_seconds(at.unix_seconds());
    SignUp {
        org: OrgId::from_random(app.random.bytes()),
        name,
        account: organization_account(Plan::Sandbox, GrantId::from_random(app.random.bytes()), opened_at),
        subject: person.subject.clone(),
        person_name: person.name.clone(),
        email,
        at,
    }
}

fn made(person: &Person, sign_up: SignUp) -> PersonAccount {
    let SignUp { org, name, account, at, .. } = sign_up;
    let membership = Membership { org, role: Role::Owner };
    let profile = OrgProfile { name: Some(name), signed_up_at: Some(at) };
    PersonAccount::of_member(person, Organization::new(&membership, profile, &account, at))
}

/// Handles a conflict. If a concurrent call by the same person has created an organization, responds with
/// that organization. Otherwise, returns an error that states why the person can't sign up.
async fn refuse_or_answer_again(
    app: &App,
    person: &Person,
    email: &Email,
) -> Result<Reply<PersonAccount>, ApiError> {
    if let Some(membership) = membership_now(app, person).await? {
        return answer_again(app, person, &membership).await;
    }
    let past = SignUps::new(app.dynamo.clone()).past(&person.subject, Some(email)).await?;
    if past.org.is_some() || past.is_email_used {
        return Err(signed_up_before());
    }
    // The cause of the conflict no longer exists, so the caller can try again.
    Err(ApiError::unavailable())
}

/// Responds with the member's organization if it's the one that they created by signing up. Otherwise,
/// returns an error.
async fn answer_again(
    app: &App,
    person: &Person,
    membership: &Membership,
) -> Result<Reply<PersonAccount>, ApiError> {
    let past = SignUps::new(app.dynamo.clone()).past(&person.subject, None).await?;
    if past.org.as_ref() != Some(&membership.org) {
        return Err(already_in_organization());
    }
    let organization = Organization::read(app, membership).await?;
    Ok(Reply::new(PersonAccount::of_member(person, organization)))
}

async fn membership_now(app: &App, person: &Person) -> Result<Option<Membership>, ApiError> {
    Ok(Credentials::new(app.dynamo.clone()).membership(&person.subject).await?)
}
