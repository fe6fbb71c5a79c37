//! An administrator's operations on organizations, members, keys, and credits.

mod error;

use accounting::{
    Account, AccountKey, Bill, Change, Credits, Declined, GrantEnd, GrantId, KeyId, NotRevocable, OrgId,
    Plan, PrepaidGrant, PrepaidKind, Tier, Timestamp, TooManyGrants, add_grant, change_plan,
    organization_account, resume, revoke_grant, suspend,
};
use gateway::App;
use store::{
    Accounts, ApiKey, AppliedEvent, AssetId, Assets, Bills, CreateFailure, CreatedKey, Credentials, EntryId,
    Family, GrantLife, GrantState, Key, Member, NewKey, NewMember, PostError, Posted, RequestId, Revocation,
    Role, Statement, Subject, TileGrants, post,
};

pub use error::AdministratorError;

/// The default monthly cap for pay-as-you-go organizations, in credits.
const DEFAULT_CAP: Credits = 20_000;

/// Performs an administrator's operations directly on the tables.
#[derive(Clone, Debug)]
pub struct Administrator {
    app: App,
    pub accounts: Accounts,
    pub credentials: Credentials,
    tile_grants: TileGrants,
}

/// The settings for a new organization.
#[derive(Clone, Debug)]
pub struct NewOrg {
    pub id: OrgId,
    pub tier: Tier,
    /// The monthly cap in credits, for the pay-as-you-go tier. `None` means 20,000.
    pub monthly_cap: Option<Credits>,
}

impl Administrator {
    /// Creates an administrator that uses an app's database, clock, and random number generator.
    pub fn new(app: App) -> Self {
        let accounts = Accounts::new(app.dynamo.clone());
        let credentials = Credentials::new(app.dynamo.clone());
        let tile_grants = TileGrants::new(app.dynamo.clone());
        Self { app, accounts, credentials, tile_grants }
    }

    /// Creates an organization with its tier's initial credits. Returns `false` if the ID is already in use.
    pub async fn create_org(&self, org: NewOrg) -> Result<bool, AdministratorError> {
        let NewOrg { id, tier, monthly_cap } = org;
        let now = self.app.clock.now();
        let sign_up_grant = GrantId::from_random(self.app.random.bytes());
        let account = organization_account(plan(tier, monthly_cap), sign_up_grant, now);
        Ok(self.accounts.create(&id, &account, now).await?)
    }

    /// Returns an organization's account.
    pub async fn account(&self, org: &OrgId) -> Result<Account, AdministratorError> {
        let account = self.accounts.read(&AccountKey::Org(org.clone())).await?;
        account.ok_or_else(|| AdministratorError::UnknownOrg(org.clone()))
    }

    /// Returns an organization's account, with its bill for the current month.
    pub async fn statement(&self, org: &OrgId) -> Result<Statement, AdministratorError> {
        let statement = self.accounts.statement(org, self.app.clock.now()).await?;
        statement.ok_or_else(|| AdministratorError::UnknownOrg(org.clone()))
    }

    /// Suspends an organization. Its calls are refused immediately, and its tiles within 30 seconds. Returns
    /// `false` if it was already suspended.
    pub async fn suspend(&self, org: &OrgId) -> Result<bool, AdministratorError> {
        let now = self.app.clock.now();
        Ok(self.post(org, |account| Ok(suspend(account, now))).await?.is_some())
    }

    /// Resumes a suspended organization. Functions that have cached the suspension still refuse its calls and
    /// tiles for up to 30 seconds. Returns `false` if the organization wasn't suspended.
    pub async fn resume(&self, org: &OrgId) -> Result<bool, AdministratorError> {
        Ok(self.post(org, |account| Ok(resume(account))).await?.is_some())
    }

    /// Sets an organization's tier and monthly cap, starting with the next call. If `monthly_cap` is `None`,
    /// a pay-as-you-go organization keeps its cap.
    pub async fn set_tier(
        &self,
        org: &OrgId,
        tier: Tier,
        monthly_cap: Option<Credits>,
    ) -> Result<(), AdministratorError> {
        let change = |account: &Account| {
            let plan = plan(tier, monthly_cap.or(account.holder.monthly_cap()));
            Ok(Some(change_plan(account, plan)))
        };
        self.post(org, change).await?;
        Ok(())
    }

    /// Returns an organization's bills, newest first.
    pub async fn bills(&self, org: &OrgId) -> Result<Vec<Bill>, AdministratorError> {
        let bills = self.accounts.bills(org, self.app.clock.now()).await?;
        let Bills { open, closed } = bills.ok_or_else(|| AdministratorError::UnknownOrg(org.clone()))?;
        Ok(open.into_iter().chain(closed).collect())
    }

    /// Returns the measurement events that were applied to an asset in the last 400 days, oldest first. Also
    /// works for deleted assets.
    pub async fn applied_events(
        &self,
        org: &OrgId,
        family: Family,
        asset: AssetId,
    ) -> Result<Vec<AppliedEvent>, AdministratorError> {
        self.account(org).await?;
        Ok(Assets::new(self.app.dynamo.clone(), family).applied_events(org, asset).await?)
    }

    /// Revokes a prepaid grant's unused credits, and returns their number, which is 0 if the grant was
    /// already revoked.
    pub async fn revoke_credits(&self, org: &OrgId, grant: &GrantId) -> Result<Credits, AdministratorError> {
        let now = self.app.clock.now();
        let revoke = |account: &Account| {
            revoke_grant(account, grant, now).map(Some).map_err(|refused| match refused {
                NotRevocable::Metered => AdministratorError::MeteredGrant,
                NotRevocable::NotLive => {
                    AdministratorError::UnknownGrant { org: org.clone(), grant: grant.clone() }
                }
            })
        };
        let posted = self.post(org, revoke).await;
        if matches!(posted, Err(AdministratorError::UnknownGrant { .. })) {
            let is_revoked = |life: &GrantLife| life.state == GrantState::Ended(GrantEnd::Revoked);
            if self.credits_history(org).await?.iter().any(|life| life.id == *grant && is_revoked(life)) {
                return Ok(0);
            }
        }
        Ok(posted?.map_or(0, |change| change.revoked()))
    }

    /// Returns all of an organization's prepaid grants and their states, oldest first.
    pub async fn credits_history(&self, org: &OrgId) -> Result<Vec<GrantLife>, AdministratorError> {
        let account = self.account(org).await?;
        let now = account.moment(self.app.clock.now());
        Ok(self.accounts.grant_lives(org, &account, now).await?)
    }

    /// Adds a person to an organization, or changes their role. Removes them from any other organization that
    /// they belong to. If `role` is `None`, existing members keep their role, and new members become
    /// [`Role::Member`]. Returns the role.
    pub async fn add_member(
        &self,
        org: &OrgId,
        subject: Subject,
        role: Option<Role>,
    ) -> Result<Role, AdministratorError> {
        self.account(org).await?;
        let mapping = NewMember { subject, role, name: None, email: None, at: self.app.clock.now() };
        Ok(self.credentials.add_member(org, &mapping).await?)
    }

    /// Removes a person from an organization. Functions that have cached the membership still accept the
    /// person's tokens for up to 30 seconds.
    pub async fn remove_member(&self, org: &OrgId, subject: Subject) -> Result<(), AdministratorError> {
        self.account(org).await?;
        if self.credentials.remove_member(org, None, &subject).await? {
            return Ok(());
        }
        Err(AdministratorError::UnknownSubject { org: org.clone(), subject })
    }

    /// Returns an organization's members, sorted by issuer and subject.
    pub async fn members(&self, org: &OrgId) -> Result<Vec<Member>, AdministratorError> {
        self.account(org).await?;
        let mut members = self.credentials.members(org).await?.list;
        members.sort_by(|one, other| one.subject.cmp(&other.subject));
        Ok(members)
    }

    /// Grants credits to an organization. The credits are added only once, even if the database's response is
    /// lost.
    pub async fn grant(
        &self,
        org: &OrgId,
        kind: PrepaidKind,
        credits: Credits,
        expires_at: Option<Timestamp>,
    ) -> Result<GrantId, AdministratorError> {
        let grant_id = GrantId::from_random(self.app.random.bytes());
        let new = PrepaidGrant { kind, credits, expires_at };
        let now = self.app.clock.now();
        let add = |account: &Account| {
            add_grant(account, grant_id.clone(), new, now)
                .map(Some)
                .map_err(|TooManyGrants(live)| AdministratorError::TooManyGrants { org: org.clone(), live })
        };
        self.post(org, add).await?;
        Ok(grant_id)
    }

    /// Revokes all of an organization's active tile grants and returns their number. Functions that have
    /// cached a grant still serve its tiles for up to 30 seconds.
    pub async fn revoke_tile_grants(&self, org: &OrgId) -> Result<usize, AdministratorError> {
        self.account(org).await?;
        Ok(self.tile_grants.revoke_all(org, self.app.clock.now()).await?)
    }

    /// Creates an API key. The key's secret is only in the returned value, because the database contains only
    /// its digest.
    pub async fn create_key(&self, org: &OrgId, new: &NewKey) -> Result<CreatedKey, AdministratorError> {
        self.account(org).await?;
        let created = self.credentials.create(org, new, None, self.app.clock.now()).await;
        created.map_err(|failure| match failure {
            CreateFailure::TooMany => AdministratorError::TooManyKeys(org.clone()),
            CreateFailure::Forbidden => unreachable!("the administrator may create"),
            CreateFailure::Store(error) => error.into(),
        })
    }

    /// Returns an organization's active keys, and the last 100 keys that were revoked or have expired, newest
    /// first.
    pub async fn keys(&self, org: &OrgId) -> Result<Vec<Key>, AdministratorError> {
        self.account(org).await?;
        Ok(self.credentials.list(org).await?)
    }

    /// Returns whether a key exists and hasn't expired or been revoked.
    pub async fn is_live(&self, key: &ApiKey) -> Result<bool, AdministratorError> {
        let found = self.credentials.key(&key.digest()).await?;
        Ok(found.is_some_and(|key| key.is_live(self.app.clock.now())))
    }

    /// Revokes an API key. Functions that have cached the key still accept it for up to 30 seconds.
    pub async fn revoke_key(&self, org: &OrgId, id: &KeyId) -> Result<(), AdministratorError> {
        self.account(org).await?;
        match self.credentials.revoke(org, id, None, self.app.clock.now()).await? {
            Revocation::Done => Ok(()),
            Revocation::Ended | Revocation::Unknown => {
                Err(AdministratorError::UnknownKey { org: org.clone(), key: id.clone() })
            }
            Revocation::Forbidden => unreachable!("the administrator can revoke keys"),
        }
    }

    /// Posts a change to an organization's account. `decide` returns the change, or `None` if there is
    /// nothing to change; in that case, this also returns `None`. The change is posted only once, even if the
    /// database's response is lost.
    async fn post(
        &self,
        org: &OrgId,
        decide: impl Fn(&Account) -> Result<Option<Change>, AdministratorError>,
    ) -> Result<Option<Change>, AdministratorError> {
        let decide = |account: &Account| decide(account).map_err(Some)?.ok_or(Declined::from(None));
        let key = AccountKey::Org(org.clone());
        let entry = EntryId::charge(RequestId::from_random(self.app.random.bytes()));
        match post(&self.accounts.ledger(&key), entry, None, |_, _| true, decide).await {
            Ok(Posted::Once { change, .. }) => Ok(Some(*change)),
            Ok(Posted::InDoubt(_)) => Err(AdministratorError::Unanswered(
                "another request has since changed the account".to_owned(),
            )),
            Err(PostError::Unanswered(why)) => Err(AdministratorError::Unanswered(why)),
            Err(PostError::Declined(reason, _)) => reason.map_or(Ok(None), Err),
            Err(PostError::NoAccount) => Err(AdministratorError::UnknownOrg(org.clone())),
            Err(PostError::Store(error)) => Err(error.into()),
        }
    }
}

fn plan(tier: Tier, monthly_cap: Option<Credits>) -> Plan {
    match tier {
        Tier::Sandbox => Plan::Sandbox,
        Tier::PayAsYouGo => Plan::PayAsYouGo { monthly_cap: monthly_cap.unwrap_or(DEFAULT_CAP) },
        Tier::Enterprise => Plan::Enterprise,
    }
}
