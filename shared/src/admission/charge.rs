//! Charges and refunds of calls, each in one conditional write.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt;

use super::admissions::Admissions;
use super::decide::{Call, Charge, Price, Refusal, decide};
use super::error::{AdmissionError, Forbidden};
use super::identity::Identity;
use super::notices::notice_low_credits;
use super::refund::refund;
use super::settle::{Refused, Settled, StartingPoint, Unsettled};
use super::step::StepId;
use crate::dynamo::{AccountChange, MarkedAccount};
use crate::types::{Account, AccountKey, Audience, Credits, Draw, Holder, Product, RequestId, Timestamp};

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
    /// Charges a call, once, in one conditional write.
    ///
    /// # Errors
    ///
    /// When there are too many calls or too few credits, the database does not answer, or this process's
    /// clock is wrong. Nothing is charged then, except that [`AdmissionError::Unanswered`] may leave a
    /// charge.
    pub async fn charge(
        &self,
        identity: Identity,
        product: Product,
        price: Price,
        request: RequestId,
    ) -> Result<Admission, AdmissionError> {
        let unmetered = product.audience() == Audience::Public;
        let Some(key) = identity.account().filter(|_| !unmetered) else {
            return Ok(Admission { identity, product, request, draws: Vec::new(), account: None });
        };
        self.check_clock(&key).await?;
        let now = self.clock.now();
        let call = call_of(&identity, product, price);
        let settling = AssertUnwindSafe(self.settle_charge(&key, &call, request, now)).catch_unwind();
        let (after, change) = settling.await.unwrap_or_else(|_panic| {
            tracing::error!(event = "charge_in_doubt", request_id = %request, product = product.name());
            Err(AdmissionError::Panicked)
        })?;
        let account = Some(after.account.clone());
        let draws = change.as_ref().map_or_else(Vec::new, |change| change.all_draws());
        let mut admission = Admission { identity, product, request, draws, account };
        let noticed = catch_unwind(AssertUnwindSafe(|| {
            if let Some(change) = &change {
                notice_low_credits(&key, &after.account, change, now);
            }
        }));
        self.cached_accounts.insert(key, after, now);
        if noticed.is_err() {
            self.refund(&mut admission).await;
            return Err(AdmissionError::Panicked);
        }
        Ok(admission)
    }

    /// Makes the step that charges a call; without a change when nobody knows whether it was made.
    async fn settle_charge(
        &self,
        key: &AccountKey,
        call: &Call,
        request: RequestId,
        now: Timestamp,
    ) -> Result<(MarkedAccount, Option<Box<AccountChange>>), AdmissionError> {
        let start = self.starting_point(key, now);
        let step = self.step(key, StepId::charge(request));
        let product = call.charge.name.as_str();
        match step.settle(start, cache_may_refuse(now), |account| decide(account, call, now)).await {
            Ok(Settled::Done { after, change }) => Ok((*after, Some(change))),
            Ok(Settled::InDoubt(after)) => {
                tracing::error!(event = "charge_in_doubt", request_id = %request, product);
                Ok((*after, None))
            }
            Err(Unsettled::Refused(refusal, seen)) => {
                let account = Box::new(seen.account.clone());
                // What is remembered must not grow younger by being looked at.
                if self.cached_accounts.get(key, now).is_none_or(|cached| cached != *seen) {
                    self.cached_accounts.insert(key.clone(), *seen, now);
                }
                Err(AdmissionError::Refused(refusal, account))
            }
            Err(Unsettled::NoAccount) => Err(Forbidden::NoAccount.into()),
            Err(Unsettled::Unanswered(error)) => {
                tracing::error!(event = "charge_unanswered", request_id = %request, product, error);
                Err(AdmissionError::Unanswered)
            }
            Err(Unsettled::Store(error)) => Err(error.into()),
        }
    }

    /// Tells whether the caller's account, as this process remembers it, does not admit a call.
    pub fn foresees_refusal(&self, identity: &Identity, product: Product) -> bool {
        self.foreseen_refusal(identity, product).is_some()
    }

    /// Refuses a call whose rate is reached in the account as this process remembers it. That costs nothing.
    ///
    /// # Errors
    ///
    /// The refusal.
    pub fn refuse_foreseen_rate(&self, identity: &Identity, product: Product) -> Result<(), AdmissionError> {
        let now = self.clock.now();
        match self.foreseen_refusal(identity, product) {
            Some((refusal @ Refusal::RateLimited { .. }, account))
                if cache_may_refuse(now)(&account, &refusal) =>
            {
                Err(AdmissionError::Refused(refusal, Box::new(account)))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn foreseen_refusal(&self, identity: &Identity, product: Product) -> Option<(Refusal, Account)> {
        let now = self.clock.now();
        let account = self.cached_accounts.get(&identity.account()?, now)?.account;
        let refused = decide(&account, &call_of(identity, product, Price::OfProduct), now).err()?;
        Some((refused.reason, account))
    }

    /// Gives a failed call's credits back, once. What cannot be given back is logged for the operator.
    pub async fn refund(&self, admission: &mut Admission) {
        let Some(key) = admission.identity.account().filter(|_| admission.credits() > 0) else {
            return;
        };
        let now = self.refund_moment();
        let name = admission.product.billing_name();
        // A remembered account may lack the grants that there are now, and refunds are rare.
        let start = StartingPoint::Unread;
        let step = self.step(&key, StepId::refund(admission.request));
        let plan =
            |account: &Account| Ok::<_, Refused<Infallible>>(refund(account, &admission.draws, &name, now));
        let settling = AssertUnwindSafe(step.settle(start, |_, _| true, plan)).catch_unwind();
        match settling
            .await
            .unwrap_or_else(|_panic| Err(Unsettled::Unanswered("the refund panicked".to_owned())))
        {
            Ok(Settled::Done { after, .. }) => {
                admission.account = Some(after.account.clone());
                admission.draws.clear();
                self.cached_accounts.insert(key, *after, now);
            }
            Ok(Settled::InDoubt(_)) | Err(_) => {
                let (org, credits) = (admission.identity.org().map(ToString::to_string), admission.credits());
                tracing::error!(event = "refund_lost", request_id = %admission.request, org, credits);
            }
        }
    }
}

fn call_of(identity: &Identity, product: Product, price: Price) -> Call {
    let key_limit = match identity {
        Identity::Key { id, .. } => product.key_limit().map(|limit| (id.clone(), limit)),
        Identity::Bearer { .. } | Identity::Session { .. } | Identity::Public => None,
    };
    let credits = match price {
        Price::OfProduct => product.credits().into(),
        Price::OfRepeat => 0,
    };
    Call { charge: Charge { name: product.billing_name(), credits }, key_limit }
}

/// A cached account may refuse a call of the minute that it shows, since calls are only ever added to it: a
/// flood then costs no reads. A session gets no further credits but by refunds, so a spent one costs none
/// either.
fn cache_may_refuse(now: Timestamp) -> impl Fn(&Account, &Refusal) -> bool {
    move |account, refusal| match refusal {
        Refusal::RateLimited { .. } => account.window.minute == now.minute(),
        Refusal::QuotaExceeded { .. } => matches!(account.holder, Holder::Session { .. }),
    }
}
