//! A person and their organization, as the API returns them.

use accounting::{
    ACCOUNT_API_CALLS_PER_MINUTE, Account, AccountKey, Credits, MAX_LIVE_KEYS, OrgId, Timestamp,
};
use gateway::{ApiError, App};
use serde::Serialize;
use store::{
    Accounts, Credentials, Email, MAX_LIVE_TILE_GRANTS, MAX_MEMBERS, MemberId, Membership, OrgName,
    OrgProfile, Person, PersonName, Role,
};

use crate::sign_up_refusal::ShownSignUp;

/// A person, with their organization if they belong to one. See `PersonAccount` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct PersonAccount {
    person: ShownPerson,
    organization: Option<Organization>,
    /// Whether the person can create an organization. `None` if they already belong to an organization.
    sign_up: Option<ShownSignUp>,
}

#[derive(Debug, Serialize)]
struct ShownPerson {
    member_id: MemberId,
    name: Option<PersonName>,
    email: Option<Email>,
    email_verified: bool,
}

/// An organization, as returned to its members. See `PersonOrganization` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Organization {
    org_id: OrgId,
    name: Option<OrgName>,
    role: Role,
    tier: &'static str,
    signed_up_at: Option<Timestamp>,
    suspended_at: Option<Timestamp>,
    limits: Limits,
    credits: CreditsLeft,
}

/// Limits for the organization as a whole, except `account_calls_per_minute`, which applies to each person.
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
    /// When the next grant expires. `None` if no active grant expires.
    expires_at: Option<Timestamp>,
}

impl PersonAccount {
    /// Creates the response for a person who belongs to an organization.
    pub(crate) fn of_member(person: &Person, organization: Organization) -> Self {
        Self { person: ShownPerson::new(person), organization: Some(organization), sign_up: None }
    }

    /// Creates the response for a person without an organization. `refusal` is the reason why they can't sign
    /// up, or `None` if they can.
    pub(crate) fn without_organization(person: &Person, refusal: Option<ApiError>) -> Self {
        Self { person: ShownPerson::new(person), organization: None, sign_up: Some(refusal.into()) }
    }
}

impl ShownPerson {
    fn new(person: &Person) -> Self {
        Self {
            member_id: person.subject.member_id(),
            name: person.name.clone(),
            email: person.email.clone(),
            email_verified: person.verified_email().is_some(),
        }
    }
}

impl Organization {
    /// Reads a member's organization and its account from the database.
    pub(crate) async fn read(app: &App, membership: &Membership) -> Result<Self, ApiError> {
        let (accounts, credentials) =
            (Accounts::new(app.dynamo.clone()), Credentials::new(app.dynamo.clone()));
        let key = AccountKey::Org(membership.org.clone());
        let (account, profile) = tokio::try_join!(accounts.read(&key), credentials.profile(&membership.org))?;
        let account = account.ok_or_else(ApiError::internal)?;
        Ok(Self::new(membership, profile, &account, app.clock.now()))
    }

    /// Creates the response from the stored data of a member's organization.
    pub(crate) fn new(
        membership: &Membership,
        profile: OrgProfile,
        account: &Account,
        now: Timestamp,
    ) -> Self {
        let (Membership { org, role }, OrgProfile { name, signed_up_at }) = (membership, profile);
        let tier = account.holder.tier();
        Self {
            org_id: org.clone(),
            name,
            role: *role,
            tier: tier.name(),
            signed_up_at,
            suspended_at: account.suspended_at,
            limits: Limits {
                calls_per_minute: tier.calls_per_minute(),
                account_calls_per_minute: ACCOUNT_API_CALLS_PER_MINUTE,
                live_keys: MAX_LIVE_KEYS,
                live_tile_grants: MAX_LIVE_TILE_GRANTS,
                members: MAX_MEMBERS,
            },
            credits: credits_left(account, account.moment(now)),
        }
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
