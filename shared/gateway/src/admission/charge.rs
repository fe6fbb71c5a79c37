//! Charges and refunds calls. Each charge or refund is a single conditional write.
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;

use accounting::{
    Account, AccountKey, AuthRequirement, Call, Change, Charge, Credits, Declined, Drawdown, Holder, Price,
    Product, RateWindow, Refusal, Timestamp, decide, refund,
};
use futures_util::FutureExt;
use store::{EntryId, PostError, Posted, RequestId, StoredAccount, post};

use super::admissions::Admissions;
use super::identity::{Identified, Identity};
use super::not_admitted::NotAdmitted;
use crate::error::ApiError;

/// Proof that a call was admitted, and that it was charged unless it's free. Only [`Admissions::charge`]
/// creates this value.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The call. If it was charged, its time is reliable, because the clock was checked before the charge.
    call: ProductCall,
    draws: Vec<Drawdown>,
    account: Option<Account>,
    account_api_calls: Option<RateWindow>,
}

impl Admission {
    pub fn identity(&self) -> &Identity {
        &self.call.identity
    }

    /// Returns the credits that the call was charged, minus any refund.
    pub fn credits(&self) -> Credits {
        self.draws.iter().map(|draw| draw.credits).sum()
    }

    /// Returns the account after the charge and any refund. `None` if the call doesn't involve an account.
    pub fn account(&self) -> Option<&Account> {
        self.account.as_ref()
    }

    /// Returns the caller's number of account API calls in the current minute, including this one. `None` if
    /// the account API limit doesn't apply to the call.
    pub fn account_api_calls(&self) -> Option<RateWindow> {
        self.account_api_calls
    }
}

#[derive(Clone, Debug)]
struct ProductCall {
    identity: Identity,
    product: Product,
    request: RequestId,
    now: Timestamp,
}

/// A call that hasn't been charged yet, and how to charge it according to the cached account.
#[derive(Debug)]
pub struct PendingCharge {
    call: ProductCall,
    billing: Billing,
}

/// How a call is charged.
#[derive(Debug)]
enum Billing {
    /// The call doesn't involve an account, so it's free.
    Free,
    /// An account API call. It only reads the organization's account.
    AccountApi { account: Option<AccountKey>, calls: RateWindow },
    /// The organization was suspended when its account was last read, less than 30 s ago.
    Suspended(Box<Account>),
    Metered {
        key: AccountKey,
        call: Call,
        cached: Option<Box<StoredAccount>>,
        /// Why the call would be refused, based on the cached account. `None` if it would be admitted or no
        /// account is cached.
        refusal: Option<Refusal>,
    },
}

impl PendingCharge {
    /// Returns whether the cached data predicts a refusal.
    pub fn foresees_refusal(&self) -> bool {
        match &self.billing {
            Billing::Free | Billing::AccountApi { .. } => false,
            Billing::Suspended(_) => true,
            Billing::Metered { refusal, .. } => refusal.is_some(),
        }
    }

    /// Refuses the call without accessing the database if the cached data proves that the organization is
    /// suspended or a rate limit is reached.
    pub fn refuse_from_memory(&self) -> Result<(), NotAdmitted> {
        match &self.billing {
            Billing::Suspended(account) => Err(NotAdmitted::refused(Refusal::Suspended, (**account).clone())),
            Billing::Metered { cached: Some(cached), refusal: Some(refusal), .. }
                if matches!(refusal, Refusal::RateLimited { .. })
                    && cache_may_refuse(self.call.now)(&cached.account, refusal) =>
            {
                Err(NotAdmitted::refused(*refusal, cached.account.clone()))
            }
            Billing::Free | Billing::AccountApi { .. } | Billing::Metered { .. } => Ok(()),
        }
    }
}

impl Admissions {
    /// Prepares a charge based on the cached account, if there is one. Nothing is charged yet.
    pub fn prepare(
        &self,
        identified: Identified,
        product: Product,
        price: Price,
        request: RequestId,
    ) -> PendingCharge {
        let now = self.clock.now();
        let Identified { identity, account_api_calls } = identified;
        let unmetered = product.auth() == AuthRequirement::Public;
        let billing = match (account_api_calls, identity.account().filter(|_| !unmetered)) {
            (Some(calls), account) => Billing::AccountApi { account, calls },
            (None, Some(key)) => self.metered(key, call_of(&identity, product, price), now),
            (None, None) => Billing::Free,
        };
        PendingCharge { call: ProductCall { identity, product, request, now }, billing }
    }

    /// Prepares the charge for an operation in a batch, like [`Self::prepare`]. The operation doesn't count
    /// toward rate limits.
    pub fn prepare_operation(
        &self,
        identity: &Identity,
        product: Product,
        price: Price,
        request: RequestId,
    ) -> PendingCharge {
        let (identity, now) = (identity.clone(), self.clock.now());
        let call = Call { is_counted: false, caller_limit: None, ..call_of(&identity, product, price) };
        let billing = identity.account().map_or(Billing::Free, |key| self.metered(key, call, now));
        PendingCharge { call: ProductCall { identity, product, request, now }, billing }
    }

    fn metered(&self, key: AccountKey, call: Call, now: Timestamp) -> Billing {
        let suspended = self.suspended.get(&key, now).filter(|_| !call.is_for_suspended);
        if let Some(account) = suspended {
            return Billing::Suspended(Box::new(account));
        }
        let cached = self.cached_accounts.get(&key, now).map(Box::new);
        let decided = cached.as_ref().map(|cached| decide(&cached.account, &call, now));
        let refusal = decided.and_then(Result::err).map(|declined| declined.reason);
        Billing::Metered { key, call, cached, refusal }
    }

    /// Charges a call at most once, in a single conditional write.
    ///
    /// Returns an error if the account doesn't exist, the organization is suspended, a rate limit is reached,
    /// too few credits remain, the database fails, or this process's clock is wrong. In these cases, nothing
    /// was charged unless the log contains `charge_unanswered` or `charge_in_doubt`.
    pub async fn charge(&self, pending: PendingCharge) -> Result<Admission, NotAdmitted> {
        let PendingCharge { call: of_product, billing } = pending;
        let ProductCall { product, request, now, .. } = of_product;
        let admission = |draws, account, account_api_calls| Admission {
            call: of_product,
            draws,
            account,
            account_api_calls,
        };
        let (key, call, cached) = match billing {
            Billing::Free => return Ok(admission(Vec::new(), None, None)),
            Billing::AccountApi { account, calls } => {
                // The call is already counted, but check the clock, because the handler may depend on it.
                self.accounts.check_clock_by_latest_answer()?;
                let account = self.read_unsuspended_account(account, product).await?;
                return Ok(admission(Vec::new(), account, Some(calls)));
            }
            Billing::Suspended(account) => return Err(NotAdmitted::refused(Refusal::Suspended, *account)),
            Billing::Metered { key, call, cached, refusal: _ } => (key, call, cached),
        };
        self.accounts.check_clock(&key).await?;
        let posting = AssertUnwindSafe(self.post_charge(&key, &call, cached, request, now)).catch_unwind();
        let (after, change) = posting.await.unwrap_or_else(|_panic| {
            tracing::error!(event = "charge_in_doubt", request_id = %request, product = product.name());
            Err(ApiError::internal().into())
        })?;
        let draws = change.as_ref().map_or_else(Vec::new, |change| change.draws.clone());
        let mut admission = admission(draws, Some(after.account), None);
        let noticing = AssertUnwindSafe(async {
            if let Some(change) = &change {
                self.accounts.notice_low_credits(&key, change, now).await;
            }
        });
        if noticing.catch_unwind().await.is_err() {
            self.refund(&mut admission).await;
            return Err(ApiError::internal().into());
        }
        Ok(admission)
    }

    /// Reads an organization's current account for an account API call. Refuses suspended organizations
    /// unless the product is available to them.
    async fn read_unsuspended_account(
        &self,
        account: Option<AccountKey>,
        product: Product,
    ) -> Result<Option<Account>, NotAdmitted> {
        let Some(key) = account else { return Ok(None) };
        let account = self.accounts.read(&key).await?.ok_or_else(no_account)?;
        if account.suspended_at.is_some() && !product.is_for_suspended() {
            return Err(NotAdmitted::refused(Refusal::Suspended, account));
        }
        Ok(Some(account))
    }

    /// Posts a call's charge. Returns the resulting account and the change. The change is `None` if it's
    /// unknown whether the charge was posted.
    async fn post_charge(
        &self,
        key: &AccountKey,
        call: &Call,
        cached: Option<Box<StoredAccount>>,
        request: RequestId,
        now: Timestamp,
    ) -> Result<(StoredAccount, Option<Box<Change>>), NotAdmitted> {
        let product = call.charge.name.as_str();
        let (entry, cached) = (EntryId::charge(request), cached.map(|cached| *cached));
        let decide = |account: &Account| decide(account, call, now);
        match post(&self.accounts.ledger(key), entry, cached, cache_may_refuse(now), decide).await {
            Ok(Posted::Once { after, change, was_contended }) => {
                self.remember(key, &after, was_contended, now);
                Ok((*after, Some(change)))
            }
            Ok(Posted::InDoubt(after)) => {
                tracing::error!(event = "charge_in_doubt", request_id = %request, product);
                self.remember(key, &after, false, now);
                Ok((*after, None))
            }
            Err(PostError::Declined(refusal, seen)) => {
                let account = seen.account.clone();
                if refusal == Refusal::Suspended {
                    self.suspended.insert(key.clone(), seen.account.clone(), now);
                }
                // Don't insert an unchanged account again, because this would extend its time to live.
                if self.cached_accounts.get(key, now).is_none_or(|cached| cached != *seen) {
                    self.cached_accounts.insert(key.clone(), *seen, now);
                }
                Err(NotAdmitted::refused(refusal, account))
            }
            Err(PostError::NoAccount) => Err(no_account()),
            Err(PostError::Unanswered(error)) => {
                tracing::error!(event = "charge_unanswered", request_id = %request, product, error);
                Err(ApiError::unavailable().into())
            }
            Err(PostError::Store(error)) => {
                self.cached_accounts.remove(key);
                Err(error.into())
            }
        }
    }

    /// Caches an account for the next charge, unless it's contended. A contended account will probably change
    /// before then, and a failed conditional write costs as much as a successful one, whereas a read costs
    /// only a fraction.
    fn remember(&self, key: &AccountKey, after: &StoredAccount, was_contended: bool, now: Timestamp) {
        if was_contended {
            self.cached_accounts.remove(key);
        } else {
            self.cached_accounts.insert(key.clone(), after.clone(), now);
        }
    }

    /// Refunds a call's credits, at most once. The admission then contains the new account and 0 credits. If
    /// the refund fails, logs `refund_lost` for the administrator and leaves the admission unchanged.
    pub async fn refund(&self, admission: &mut Admission) {
        let Some(key) = admission.identity().account().filter(|_| admission.credits() > 0) else {
            return;
        };
        // If the clock has become wrong since the charge, use the time of the charge.
        let clock = self.accounts.check_clock_by_latest_answer();
        let at = clock.map_or(admission.call.now, |()| self.clock.now());
        let name = admission.call.product.meter();
        let entry = EntryId::refund(admission.call.request);
        let decide =
            |account: &Account| Ok::<_, Declined<Infallible>>(refund(account, &admission.draws, &name, at));
        // Read the account again, because a cached account may lack recent grants. Refunds are rare, so the
        // extra read costs little.
        let ledger = self.accounts.ledger(&key);
        let posting = post(&ledger, entry, None, |_, _| true, decide);
        match AssertUnwindSafe(posting).catch_unwind().await {
            Ok(Ok(Posted::Once { after, .. })) => {
                admission.account = Some(after.account.clone());
                admission.draws.clear();
                self.cached_accounts.insert(key.clone(), *after, self.clock.now());
            }
            Ok(Ok(Posted::InDoubt(_)) | Err(_)) | Err(_) => {
                let (org, credits) =
                    (admission.identity().org().map(ToString::to_string), admission.credits());
                tracing::error!(event = "refund_lost", request_id = %admission.call.request, org, credits);
            }
        }
    }
}

fn no_account() -> NotAdmitted {
    NotAdmitted::forbidden("your organization has no account")
}

fn call_of(identity: &Identity, product: Product, price: Price) -> Call {
    let caller_limit = identity.limited_caller().zip(product.caller_limit());
    let credits = match price {
        Price::OfProduct => product.credits().into(),
        Price::Free => 0,
    };
    let charge = Charge { name: product.meter(), credits };
    Call { charge, caller_limit, is_for_suspended: product.is_for_suspended(), is_counted: true }
}

/// Returns a function that decides whether a cached account is enough to refuse a call, without a read. The
/// number of calls in a minute never decreases, so a rate limit stays reached until the minute ends. A
/// session's balance increases only through refunds, so an empty balance usually stays empty. Suspensions
/// have their own cache with a shorter time to live.
fn cache_may_refuse(now: Timestamp) -> impl Fn(&Account, &Refusal) -> bool {
    move |account, refusal| match refusal {
        Refusal::Suspended => false,
        Refusal::RateLimited { .. } => account.window.minute == now.minute(),
        Refusal::QuotaExceeded(_) => matches!(account.holder, Holder::Session { .. }),
    }
}
