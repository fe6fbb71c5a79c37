use shared::App;
use shared::admission::{
    PrepaidGrant, Settled, StartingPoint, Step, StepId, TooManyGrants, Unsettled, add_grant, organization_account,
};
use shared::dynamo::{Accounts, Credentials, Key, MintFailure, NewKey, StoreError};
use shared::types::{
    Account, AccountKey, ApiKey, Credits, GrantId, KeyId, OrgId, Plan, PrepaidKind, RequestId, Scopes, Tier, Timestamp,
};

/// The monthly cap of a pay-as-you-go organization that names none, in credits.
const DEFAULT_CAP: Credits = 20_000;

/// What the operator does with organizations, keys and credits, here or in the cloud.
#[derive(Clone, Debug)]
pub struct Operator {
    app: App,
    accounts: Accounts,
    credentials: Credentials,
}

/// An organization about to be created.
#[derive(Clone, Debug)]
pub struct NewOrg {
    /// Its id.
    pub id: OrgId,
    /// Its tier.
    pub tier: Tier,
    /// Its monthly cap in credits, when it is pay-as-you-go; 20,000 when it names none.
    pub monthly_cap: Option<Credits>,
}

impl Operator {
    /// Takes an app's database.
    pub fn new(app: App) -> Self {
        let accounts = Accounts::new(app.dynamo.clone());
        let credentials = Credentials::new(app.dynamo.clone());
        Self { app, accounts, credentials }
    }

    /// Creates an organization; a sandbox one with its credits. `false` when there is one with its id.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn create_org(&self, org: NewOrg) -> Result<bool, String> {
        let NewOrg { id, tier, monthly_cap } = org;
        let now = self.app.clock.now();
        let first_grant = GrantId::from_random(self.app.random.bytes());
        let account = organization_account(plan(tier, monthly_cap), first_grant, now);
        self.accounts.create(&id, &account).await.map_err(text)
    }

    /// Reads an organization's account.
    ///
    /// # Errors
    ///
    /// When there is none, or the database does not answer.
    pub async fn account(&self, org: &OrgId) -> Result<Account, String> {
        let account = self.accounts.read(&AccountKey::Org(org.clone())).await.map_err(text)?;
        account.ok_or_else(|| unknown_org(org))
    }

    /// Sets an organization's tier and cap; a pay-as-you-go organization keeps its cap when none is named.
    ///
    /// # Errors
    ///
    /// When there is no such organization, or the database does not answer.
    pub async fn set_tier(&self, org: &OrgId, tier: Tier, monthly_cap: Option<Credits>) -> Result<(), String> {
        let stored = self.account(org).await?;
        let kept = stored.holder.monthly_cap();
        let found = self.accounts.set_plan(org, plan(tier, monthly_cap.or(kept))).await.map_err(text)?;
        if found { Ok(()) } else { Err(unknown_org(org)) }
    }

    /// Maps a bearer subject to an organization.
    ///
    /// # Errors
    ///
    /// When there is no such organization, or the database does not answer.
    pub async fn map_subject(&self, org: &OrgId, issuer: &str, subject: &str) -> Result<(), String> {
        self.account(org).await?;
        self.credentials.map_subject(issuer, subject, org).await.map_err(text)
    }

    /// Grants credits, once.
    ///
    /// # Errors
    ///
    /// When there are eight live grants, there is no such organization, or the database does not answer.
    pub async fn grant(
        &self,
        org: &OrgId,
        kind: PrepaidKind,
        credits: Credits,
        expires_at: Option<Timestamp>,
    ) -> Result<Account, String> {
        let key = AccountKey::Org(org.clone());
        let id = StepId::charge(RequestId::from_random(self.app.random.bytes()));
        let grant_id = GrantId::from_random(self.app.random.bytes());
        let new = PrepaidGrant { kind, credits, expires_at };
        let now = self.app.clock.now();
        let step = Step { accounts: &self.accounts, random: &self.app.random, key: &key, id };
        let plan = |account: &Account| add_grant(account, grant_id.clone(), new, now);
        let settled = step.settle(StartingPoint::Unread, |_, _| true, plan).await;
        match settled {
            Ok(Settled::Done { after, .. }) => Ok(after.account),
            Ok(Settled::InDoubt(_)) | Err(Unsettled::Unanswered) => {
                Err("the database did not answer in time; look at the balance before you try again".to_owned())
            }
            Err(Unsettled::Refused(TooManyGrants(live), _)) => {
                Err(format!("{org} has {live} live grants, the most there can be"))
            }
            Err(Unsettled::NoAccount) => Err(unknown_org(org)),
            Err(Unsettled::Store(error)) => Err(text(error)),
        }
    }

    /// Mints a key: the only moment at which it is seen.
    ///
    /// # Errors
    ///
    /// When there are ten live keys, there is no such organization, or the database does not answer.
    pub async fn mint_key(&self, org: &OrgId, label: &str, scopes: Scopes) -> Result<(ApiKey, Key), String> {
        self.account(org).await?;
        let api_key = ApiKey::from_random(self.app.random.bytes());
        let key = Key {
            org: org.clone(),
            id: KeyId::from_random(self.app.random.bytes()),
            scopes,
            label: label.to_owned(),
            last_four: api_key.last_four().to_owned(),
            created_at: self.app.clock.now(),
            revoked_at: None,
        };
        let new = NewKey { key: key.clone(), digest: api_key.digest() };
        self.credentials.mint(&new).await.map_err(|failure| match failure {
            MintFailure::TooMany => {
                format!("{org} has ten live keys, the most there can be; revoke one")
            }
            MintFailure::Store(error) => text(error),
        })?;
        Ok((api_key, key))
    }

    /// Lists an organization's keys, revoked ones too.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn keys(&self, org: &OrgId) -> Result<Vec<Key>, String> {
        self.credentials.list(org).await.map_err(text)
    }

    /// Tells whether a key is known and not revoked.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn is_live(&self, key: &ApiKey) -> Result<bool, String> {
        let found = self.credentials.key(&key.digest()).await.map_err(text)?;
        Ok(found.is_some_and(|key| key.revoked_at.is_none()))
    }

    /// Revokes a key.
    ///
    /// # Errors
    ///
    /// When the organization has no such live key, or the database does not answer.
    pub async fn revoke_key(&self, org: &OrgId, id: &KeyId) -> Result<(), String> {
        let revoked = self.credentials.revoke(org, id, self.app.clock.now()).await.map_err(text)?;
        if revoked { Ok(()) } else { Err(format!("{org} has no live key {id}")) }
    }
}

fn plan(tier: Tier, monthly_cap: Option<Credits>) -> Plan {
    match tier {
        Tier::Sandbox => Plan::Sandbox,
        Tier::PayAsYouGo => Plan::PayAsYouGo { monthly_cap: monthly_cap.unwrap_or(DEFAULT_CAP) },
        Tier::Enterprise => Plan::Enterprise,
    }
}

fn unknown_org(org: &OrgId) -> String {
    format!("there is no organization {org}; create it with `marquee org create`")
}

fn text(error: StoreError) -> String {
    error.to_string()
}
