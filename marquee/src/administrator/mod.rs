//! What the administrator does with organizations, keys and credits, on the database of any `App`.

mod error;

use accounting::{
    Account, AccountKey, Bill, Change, Credits, Declined, GrantEnd, GrantId, KeyId, NotRevocable, OrgId,
    Plan, PrepaidGrant, PrepaidKind, Tier, Timestamp, TooManyGrants, add_grant, change_plan,
    organization_account, resume, revoke_grant, suspend,
};
use gateway::App;
use store::{
    Accounts, ApiKey, AppliedEvent, AssetId, Assets, Bills, Credentials, EntryId, Family, GrantLife,
    GrantState, Key, Mapping, Member, MintFailure, MintedKey, NewKey, PostError, Posted, RequestId,
    Revocation, Role, Statement, Subject, TileGrants, post,
};

pub use error::AdministratorError;

/// The monthly cap of a pay-as-you-go organization that was given none, in credits.
const DEFAULT_CAP: Credits = 20_000;

/// The administrator's use cases, one method each.
#[derive(Clone, Debug)]
pub struct Administrator {
    app: App,
    pub accounts: Accounts,
    pub credentials: Credentials,
    tile_grants: TileGrants,
}

/// An organization about to be created.
#[derive(Clone, Debug)]
pub struct NewOrg {
    pub id: OrgId,
    pub tier: Tier,
    /// The cap of a pay-as-you-go organization, in credits; `None` for the default of 20,000.
    pub monthly_cap: Option<Credits>,
}

impl Administrator {
    /// Works on the database of an app, with its clock and randomness.
    pub fn new(app: App) -> Self {
        let accounts = Accounts::new(app.dynamo.clone());
        let credentials = Credentials::new(app.dynamo.clone());
        let tile_grants = TileGrants::new(app.dynamo.clone());
        Self { app, accounts, credentials, tile_grants }
    }

    /// Creates an organization, with the credits of its tier. Returns `false` when its id is taken.
    pub async fn create_org(&self, org: NewOrg) -> Result<bool, AdministratorError> {
        let NewOrg { id, tier, monthly_cap } = org;
        let now = self.app.clock.now();
        let first_grant = GrantId::from_random(self.app.random.bytes());
        let account = organization_account(plan(tier, monthly_cap), first_grant, now);
        Ok(self.accounts.create(&id, &account, now).await?)
    }

    /// Reads an organization's account.
    pub async fn account(&self, org: &OrgId) -> Result<Account, AdministratorError> {
        let account = self.accounts.read(&AccountKey::Org(org.clone())).await?;
        account.ok_or_else(|| AdministratorError::UnknownOrg(org.clone()))
    }

    /// Reads an organization's account with what its month costs.
    pub async fn statement(&self, org: &OrgId) -> Result<Statement, AdministratorError> {
        let statement = self.accounts.statement(org, self.app.clock.now()).await?;
        statement.ok_or_else(|| AdministratorError::UnknownOrg(org.clone()))
    }

    /// Suspends an organization: its calls are refused at once, its tiles within 30 seconds. Returns `false`
    /// when it was suspended already.
    pub async fn suspend(&self, org: &OrgId) -> Result<bool, AdministratorError> {
        let now = self.app.clock.now();
        Ok(self.post(org, |account| Ok(suspend(account, now))).await?.is_some())
    }

    /// Ends an organization's suspension; functions that remember it refuse its calls and its tiles for up to
    /// 30 seconds more. Returns `false` when it was not suspended.
    pub async fn resume(&self, org: &OrgId) -> Result<bool, AdministratorError> {
        Ok(self.post(org, |account| Ok(resume(account))).await?.is_some())
    }

    /// Sets an organization's tier and cap, which bind from the next call on; a pay-as-you-go organization
    /// keeps its cap when none is named.
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

    /// Reads an organization's bills, newest first.
    pub async fn bills(&self, org: &OrgId) -> Result<Vec<Bill>, AdministratorError> {
        let bills = self.accounts.bills(org, self.app.clock.now()).await?;
        let Bills { open, closed } = bills.ok_or_else(|| AdministratorError::UnknownOrg(org.clone()))?;
        Ok(open.into_iter().chain(closed).collect())
    }

    /// Reads what measurement events did to an asset in the last 400 days, in the order in which they were
    /// applied; to a deleted one too.
    pub async fn applied_events(
        &self,
        org: &OrgId,
        family: Family,
        asset: AssetId,
    ) -> Result<Vec<AppliedEvent>, AdministratorError> {
        self.account(org).await?;
        Ok(Assets::new(self.app.dynamo.clone(), family).applied_events(org, asset).await?)
    }

    /// Takes what is left of a prepaid grant away, and returns how many credits that were: 0 when it was
    /// revoked before.
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

    /// Reads what became of each prepaid grant of an organization, in the order in which they joined.
    pub async fn credits_history(&self, org: &OrgId) -> Result<Vec<GrantLife>, AdministratorError> {
        let account = self.account(org).await?;
        let now = account.moment(self.app.clock.now());
        Ok(self.accounts.grant_lives(org, &account, now).await?)
    }

    /// Adds a person to an organization, in place of any other, or gives them another role there, and returns
    /// the role. Without one, a member keeps theirs, and anybody else becomes a plain member.
    pub async fn add_member(
        &self,
        org: &OrgId,
        subject: Subject,
        role: Option<Role>,
    ) -> Result<Role, AdministratorError> {
        self.account(org).await?;
        let mapping = Mapping { subject, role, email: None, at: self.app.clock.now() };
        Ok(self.credentials.map_subject(org, &mapping).await?)
    }

    /// Removes a person from an organization; functions that remember them accept their tokens for up to 30
    /// seconds more.
    pub async fn remove_member(&self, org: &OrgId, subject: Subject) -> Result<(), AdministratorError> {
        self.account(org).await?;
        if self.credentials.remove_member(org, None, &subject).await? {
            return Ok(());
        }
        Err(AdministratorError::UnknownSubject { org: org.clone(), subject })
    }

    /// Lists the members of an organization.
    pub async fn members(&self, org: &OrgId) -> Result<Vec<Member>, AdministratorError> {
        self.account(org).await?;
        let mut members = self.credentials.members(org).await?.list;
        members.sort_by(|one, other| one.subject.cmp(&other.subject));
        Ok(members)
    }

    /// Grants credits, once however the database answers.
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

    /// Revokes all live tile grants of an organization, and returns how many there were; functions that cache
    /// one show its tiles for up to 30 seconds more.
    pub async fn revoke_tile_grants(&self, org: &OrgId) -> Result<usize, AdministratorError> {
        self.account(org).await?;
        Ok(self.tile_grants.revoke_all(org, self.app.clock.now()).await?)
    }

    /// Mints a key. The clear text is returned here and kept nowhere.
    pub async fn mint_key(&self, org: &OrgId, new: &NewKey) -> Result<MintedKey, AdministratorError> {
        self.account(org).await?;
        let minted = self.credentials.mint(org, new, None, self.app.clock.now()).await;
        minted.map_err(|failure| match failure {
            MintFailure::TooMany => AdministratorError::TooManyKeys(org.clone()),
            MintFailure::Forbidden => unreachable!("the administrator may mint"),
            MintFailure::Store(error) => error.into(),
        })
    }

    /// Lists an organization's keys, newest first: those that live, and the last that have ended.
    pub async fn keys(&self, org: &OrgId) -> Result<Vec<Key>, AdministratorError> {
        self.account(org).await?;
        Ok(self.credentials.list(org).await?)
    }

    /// Tells whether a key is known and has not ended.
    pub async fn is_live(&self, key: &ApiKey) -> Result<bool, AdministratorError> {
        let found = self.credentials.key(&key.digest()).await?;
        Ok(found.is_some_and(|key| key.is_live(self.app.clock.now())))
    }

    /// Revokes a key; functions that remember it accept it for up to 30 seconds more.
    pub async fn revoke_key(&self, org: &OrgId, id: &KeyId) -> Result<(), AdministratorError> {
        self.account(org).await?;
        match self.credentials.revoke(org, id, None, self.app.clock.now()).await? {
            Revocation::Done => Ok(()),
            Revocation::Ended | Revocation::Unknown => {
                Err(AdministratorError::UnknownKey { org: org.clone(), key: id.clone() })
            }
            Revocation::Forbidden => unreachable!("the administrator may revoke"),
        }
    }

    /// Posts an entry to an organization's account, once however the database answers, and returns what was
    /// changed; `None` when there was nothing to change.
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
            Ok(Posted::InDoubt(_)) => {
                Err(AdministratorError::Unanswered("the account has changed since".to_owned()))
            }
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
