//! `GET /v2/account`: the person who calls, their organization, and what it may use.

use axum::extract::State;
use serde::Serialize;
use shared::App;
use shared::dynamo::Accounts;
use shared::http::{ApiError, CallingPerson, Reply};
use shared::types::{
    Account, AccountKey, Credits, Email, MAX_LIVE_KEYS, MAX_LIVE_TILE_GRANTS, MAX_MEMBERS, MemberId,
    Membership, OrgId, PORTAL_CALLS_PER_MINUTE, Person, Role, Timestamp,
};

/// `PersonAccount` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct PersonAccount {
    person: ShownPerson,
    organization: Option<Organization>,
}

#[derive(Debug, Serialize)]
struct ShownPerson {
    member_id: MemberId,
    email: Option<Email>,
    email_verified: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Organization {
    org_id: OrgId,
    role: Role,
    tier: &'static str,
    suspended_at: Option<Timestamp>,
    limits: Limits,
    credits: CreditsLeft,
}

/// The most that the organization and each of its people may use.
#[derive(Debug, Serialize)]
struct Limits {
    calls_per_minute: u32,
    account_calls_per_minute: u32,
    live_keys: usize,
    live_tile_grants: usize,
    members: usize,
}

#[derive(Debug, Serialize)]
struct CreditsLeft {
    balance: Credits,
    used: Credits,
    total: Credits,
    /// When the first of them expire.
    expires_at: Option<Timestamp>,
}

/// Answers with the person and their organization, if they belong to one.
pub(crate) async fn read(
    State(app): State<App>,
    caller: CallingPerson,
) -> Result<Reply<PersonAccount>, ApiError> {
    let person = caller.person();
    Ok(Reply::new(match caller.membership() {
        Some(membership) => PersonAccount::of_member(person, Organization::read(&app, membership).await?),
        None => PersonAccount { person: ShownPerson::new(person), organization: None },
    }))
}

impl PersonAccount {
    /// Shows a person who belongs to an organization.
    pub(crate) fn of_member(person: &Person, organization: Organization) -> Self {
        Self { person: ShownPerson::new(person), organization: Some(organization) }
    }
}

impl ShownPerson {
    fn new(person: &Person) -> Self {
        Self {
            member_id: person.subject.member_id(),
            email: person.email.clone(),
            email_verified: person.verified_email().is_some(),
        }
    }
}

impl Organization {
    /// Reads a member's organization as it is now.
    ///
    /// # Errors
    ///
    /// When the database does not answer, or the organization has no account.
    pub(crate) async fn read(app: &App, membership: &Membership) -> Result<Self, ApiError> {
        let Membership { org, role } = membership;
        let account = Accounts::new(app.dynamo.clone()).read(&AccountKey::Org(org.clone())).await?;
        let account = account.ok_or_else(ApiError::internal)?;
        let tier = account.holder.tier();
        Ok(Self {
            org_id: org.clone(),
            role: *role,
            tier: tier.name(),
            suspended_at: account.suspended_at,
            limits: Limits {
                calls_per_minute: tier.calls_per_minute(),
                account_calls_per_minute: PORTAL_CALLS_PER_MINUTE,
                live_keys: MAX_LIVE_KEYS,
                live_tile_grants: MAX_LIVE_TILE_GRANTS,
                members: MAX_MEMBERS,
            },
            credits: credits_left(&account, account.moment(app.clock.now())),
        })
    }
}

fn credits_left(account: &Account, now: Timestamp) -> CreditsLeft {
    CreditsLeft {
        balance: account.balance(None, now),
        used: account.totals.used,
        total: account.totals.granted,
        expires_at: account.live_grants(now).filter_map(|(_, grant)| grant.expires_at).min(),
    }
}
