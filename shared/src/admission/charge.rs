use super::decide::{Charge, Refusal, StepId, decide, refund, split};
use super::identify::{Denied, Identity};
use super::memory::Memory;
use super::notices::notice_low_credits;
use super::settle::{Settled, StartingPoint, Step, Unsettled};
use super::{Admissions, Bearer};
use crate::dynamo::{Accounts, Credentials, Dynamo, StoreError};
use crate::runtime::Issuer;
use crate::types::{
    Account, AccountChange, AccountKey, Audience, Credits, Draw, OrgId, Product, RequestId, Tier, Timestamp,
};

/// How long an account is remembered to try with, in seconds. What has changed since costs a second try.
const COPY_SECONDS: i64 = 600;

/// The proof that a caller was identified and the call is paid for. Only [`Admissions::charge`] makes one.
#[derive(Clone, Debug)]
pub struct Admission {
    identity: Identity,
    product: Product,
    request: RequestId,
    draws: Vec<Draw>,
    account: Option<Account>,
}

impl Admission {
    /// Returns who calls.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the credits that the call cost.
    pub fn credits(&self) -> Credits {
        self.draws.iter().map(|draw| draw.credits).sum()
    }

    /// Returns the caller's account after the charge; `None` on a public product.
    pub fn account(&self) -> Option<&Account> {
        self.account.as_ref()
    }
}

impl Admissions {
    /// Makes the admissions of a database, with an issuer of bearer tokens or without.
    pub fn new(dynamo: &Dynamo, issuer: Option<Issuer>) -> Self {
        Self {
            accounts: Accounts::new(dynamo.clone()),
            credentials: Credentials::new(dynamo.clone()),
            bearer: issuer.map(Bearer::new),
            keys: Memory::new(),
            subjects: Memory::new(),
            copies: Memory::new(),
            clock: dynamo.clock.clone(),
            random: dynamo.random.clone(),
        }
    }

    /// Charges a call, once, in one conditional write.
    ///
    /// # Errors
    ///
    /// When there are too many calls or too few credits, or the database does not answer. Nothing is charged then,
    /// except that [`Denied::Unanswered`] may leave a charge.
    pub async fn charge(&self, identity: Identity, product: Product, request: RequestId) -> Result<Admission, Denied> {
        let unmetered = product.audience() == Audience::Public;
        let Some(key) = identity.account().filter(|_| !unmetered) else {
            return Ok(Admission { identity, product, request, draws: Vec::new(), account: None });
        };
        let now = self.clock.now();
        let charge = charge_for(&identity, product);
        let copy = self.starting_point(&key, now);
        let id = StepId::charge(request);
        let settled = self
            .step(&key, id)
            .settle(copy, may_refuse_by_memory(now), |account, attempt| decide(account, &charge, id, attempt, now))
            .await;
        let (account, draws) = match settled {
            Ok(Settled::Done { account, change }) => {
                notice_low_credits(&key, &account, &change, now);
                (*account, split(&change))
            }
            Ok(Settled::InDoubt(account)) => {
                tracing::error!(event = "charge_in_doubt", request_id = %request, product = product.name());
                (*account, Vec::new())
            }
            Err(Unsettled::Refused(refusal, account)) => {
                self.copies.remember(key, (*account).clone(), now);
                return Err(Denied::Refused(refusal, account));
            }
            Err(Unsettled::NoAccount) => {
                return Err(Denied::Forbidden("your organization has no account".to_owned()));
            }
            Err(Unsettled::Unanswered) => {
                tracing::error!(event = "charge_unanswered", request_id = %request, product = product.name());
                return Err(Denied::Unanswered);
            }
            Err(Unsettled::Store(error)) => return Err(Denied::Store(error)),
        };
        self.copies.remember(key, account.clone(), now);
        Ok(Admission { identity, product, request, draws, account: Some(account) })
    }

    /// Gives a failed call's credits back, once. What cannot be given back is logged for the operator.
    pub async fn refund(&self, admission: &mut Admission) {
        let Some(key) = admission.identity.account().filter(|_| admission.credits() > 0) else {
            return;
        };
        let now = self.clock.now();
        let id = StepId::refund(admission.request);
        let name = admission.product.billing_name();
        let copy = self.starting_point(&key, now);
        let plan = |account: &Account, attempt: u8| -> Result<AccountChange, std::convert::Infallible> {
            Ok(refund(account, &admission.draws, &name, id, attempt, now))
        };
        match self.step(&key, id).settle(copy, |_, _| true, plan).await {
            Ok(Settled::Done { account, .. }) => {
                self.copies.remember(key, (*account).clone(), now);
                admission.account = Some(*account);
                admission.draws.clear();
            }
            Ok(Settled::InDoubt(_)) | Err(_) => {
                let (org, credits) = (admission.identity.org().map(ToString::to_string), admission.credits());
                tracing::error!(event = "refund_lost", request_id = %admission.request, org, credits);
            }
        }
    }

    /// Tells the operator when a charge that was not made here, such as a purchase, left an organization low on credits.
    pub async fn notice(&self, org: &OrgId, change: &AccountChange) {
        let key = AccountKey::Org(org.clone());
        match self.accounts.read(&key).await {
            Ok(Some(account)) => notice_low_credits(&key, &account, change, self.clock.now()),
            Ok(None) => {}
            Err(error) => tracing::warn!(event = "notice_lost", %org, %error),
        }
    }

    /// Reads an organization's tier.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn tier(&self, org: &OrgId) -> Result<Tier, StoreError> {
        let account = self.accounts.read(&AccountKey::Org(org.clone())).await?;
        Ok(account.ok_or(StoreError::Corrupt("account"))?.tier)
    }

    /// Looks at an account that is not charged: as it is remembered, else as it is; `None` when it cannot be read.
    pub(super) async fn glance(&self, key: &AccountKey) -> Option<Account> {
        let now = self.clock.now();
        match self.copies.recall(key, now, COPY_SECONDS) {
            Some(account) => Some(account),
            None => self.accounts.read_once(key).await.ok().flatten(),
        }
    }

    fn starting_point(&self, key: &AccountKey, now: Timestamp) -> StartingPoint {
        self.copies.recall(key, now, COPY_SECONDS).map_or(StartingPoint::Unread, StartingPoint::Remembered)
    }

    fn step<'a>(&'a self, key: &'a AccountKey, id: StepId) -> Step<'a> {
        Step { accounts: &self.accounts, random: &self.random, key, id }
    }
}

fn charge_for(identity: &Identity, product: Product) -> Charge {
    let key_limit = match identity {
        Identity::Key { id, .. } => product.key_limit().map(|limit| (id.clone(), limit)),
        Identity::Bearer { .. } | Identity::Session { .. } | Identity::Public => None,
    };
    Charge { name: product.billing_name(), credits: product.credits().into(), counts_as_call: true, key_limit }
}

/// A remembered account may refuse a call of the minute that it remembers, since calls are only ever added to it: a
/// flood then costs no reads. Credits may have been granted since, so for them it is read again.
fn may_refuse_by_memory(now: Timestamp) -> impl Fn(&Account, &Refusal) -> bool {
    move |account, refusal| match refusal {
        Refusal::RateLimited { .. } => account.window.minute == now.minute(),
        Refusal::QuotaExceeded { .. } => false,
    }
}
