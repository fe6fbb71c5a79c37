//! Charges and refunds of calls, each in one conditional write.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt;

use super::admissions::Admissions;
use super::decide::{Call, Charge, Price, Refusal, decide};
use super::error::{AdmissionError, Forbidden};
use super::identity::{Identified, Identity};
use super::notices::notice_low_credits;
use super::refund::refund;
use super::settle::{Refused, Settled, StartingPoint, Unsettled};
use super::step::StepId;
use crate::dynamo::{AccountChange, MarkedAccount};
use crate::types::{
    Account, AccountKey, Audience, Credits, Draw, Holder, LimitedCaller, Product, RateWindow, RequestId,
    Timestamp,
};

/// The proof that a caller was identified and the call is paid for. Only [`Admissions::charge`] makes one.
#[derive(Clone, Debug)]
pub struct Admission {
    identity: Identity,
    product: Product,
    request: RequestId,
    draws: Vec<Draw>,
    account: Option<Account>,
    portal_calls: Option<RateWindow>,
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

    /// Returns the caller's minute of the portal with this call; `None` on any other product.
    pub fn portal_calls(&self) -> Option<RateWindow> {
        self.portal_calls
    }
}

/// A call that is about to be charged, and what is decided on it by the account as this process remembers it.
#[derive(Debug)]
pub struct PendingCharge {
    identity: Identity,
    product: Product,
    request: RequestId,
    now: Timestamp,
    prospect: Prospect,
}

#[derive(Debug)]
enum Prospect {
    /// Nothing is charged for it.
    Unmetered,
    /// It is one of the portal's: the organization's account is looked at, and not changed.
    Portal {
        account: Option<AccountKey>,
        calls: RateWindow,
    },
    /// The organization was suspended less than 30 s ago.
    Suspended(Box<Account>),
    Charge {
        key: AccountKey,
        call: Call,
        start: Box<StartingPoint<Refusal>>,
    },
}

impl PendingCharge {
    /// Tells whether the caller's account, as this process remembers it, does not admit the call.
    pub fn foresees_refusal(&self) -> bool {
        match &self.prospect {
            Prospect::Unmetered | Prospect::Portal { .. } => false,
            Prospect::Suspended(_) => true,
            Prospect::Charge { start, .. } => match &**start {
                StartingPoint::Cached(_, decision) => decision.is_err(),
                StartingPoint::Fresh(_) | StartingPoint::Unread => false,
            },
        }
    }

    /// Refuses a call of a suspended organization and one whose rate is reached, where this process remembers
    /// it. That costs nothing.
    ///
    /// # Errors
    ///
    /// The refusal.
    pub fn refuse_from_memory(&self) -> Result<(), AdmissionError> {
        let start = match &self.prospect {
            Prospect::Unmetered | Prospect::Portal { .. } => return Ok(()),
            Prospect::Suspended(account) => {
                return Err(AdmissionError::Refused(Refusal::Suspended, account.clone()));
            }
            Prospect::Charge { start, .. } => start,
        };
        let StartingPoint::Cached(MarkedAccount { account, .. }, decision) = &**start else {
            return Ok(());
        };
        match &**decision {
            Err(Refused { reason: reason @ Refusal::RateLimited { .. }, .. })
                if cache_may_refuse(self.now)(account, reason) =>
            {
                Err(AdmissionError::Refused(*reason, Box::new(account.clone())))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

impl Admissions {
    /// Decides on a call by the account as this process remembers it, if it does. Nothing is charged yet.
    pub fn prepare(
        &self,
        identified: Identified,
        product: Product,
        price: Price,
        request: RequestId,
    ) -> PendingCharge {
        let now = self.clock.now();
        let Identified { identity, portal_calls } = identified;
        let unmetered = product.audience() == Audience::Public;
        let prospect = match (portal_calls, identity.account().filter(|_| !unmetered)) {
            (Some(calls), account) => Prospect::Portal { account, calls },
            (None, Some(key)) => self.prospect(key, call_of(&identity, product, price), now),
            (None, None) => Prospect::Unmetered,
        };
        PendingCharge { identity, product, request, now, prospect }
    }

    fn prospect(&self, key: AccountKey, call: Call, now: Timestamp) -> Prospect {
        let suspended = self.suspended.get(&key, now).filter(|_| !call.is_for_suspended);
        if let Some(account) = suspended {
            return Prospect::Suspended(Box::new(account));
        }
        let start = match self.cached_accounts.get(&key, now) {
            Some(cached) => {
                let decision = decide(&cached.account, &call, now);
                StartingPoint::Cached(cached, Box::new(decision))
            }
            None => StartingPoint::Unread,
        };
        Prospect::Charge { key, call, start: Box::new(start) }
    }

    /// Charges a call, once, in one conditional write.
    ///
    /// # Errors
    ///
    /// When the organization is suspended, there are too many calls or too few credits, the database does not
    /// answer, or this process's clock is wrong. Nothing is charged then, except that
    /// [`AdmissionError::Unanswered`] may leave a charge.
    pub async fn charge(&self, pending: PendingCharge) -> Result<Admission, AdmissionError> {
        let PendingCharge { identity, product, request, now, prospect } = pending;
        let (key, call, start) = match prospect {
            Prospect::Unmetered => {
                let (draws, account, portal_calls) = (Vec::new(), None, None);
                return Ok(Admission { identity, product, request, draws, account, portal_calls });
            }
            Prospect::Portal { account, calls } => {
                // The call was counted a moment ago. What it changes may end by the clock.
                self.check_clock_by_latest_answer()?;
                let account = self.look_at(account, product).await?;
                let (draws, portal_calls) = (Vec::new(), Some(calls));
                return Ok(Admission { identity, product, request, draws, account, portal_calls });
            }
            Prospect::Suspended(account) => return Err(AdmissionError::Refused(Refusal::Suspended, account)),
            Prospect::Charge { key, call, start } => (key, call, *start),
        };
        self.check_clock(&key).await?;
        let settling = AssertUnwindSafe(self.settle_charge(&key, &call, start, request, now)).catch_unwind();
        let (after, change) = settling.await.unwrap_or_else(|_panic| {
            tracing::error!(event = "charge_in_doubt", request_id = %request, product = product.name());
            Err(AdmissionError::Panicked)
        })?;
        let account = Some(after.account.clone());
        let draws = change.as_ref().map_or_else(Vec::new, |change| change.all_draws());
        let mut admission = Admission { identity, product, request, draws, account, portal_calls: None };
        let noticed = catch_unwind(AssertUnwindSafe(|| {
            if let Some(change) = &change {
                notice_low_credits(&key, &after.account, change, now);
            }
        }));
        if noticed.is_err() {
            self.refund(&mut admission).await;
            return Err(AdmissionError::Panicked);
        }
        Ok(admission)
    }

    /// Reads the account of an organization whose member calls the portal, as it is now.
    async fn look_at(
        &self,
        account: Option<AccountKey>,
        product: Product,
    ) -> Result<Option<Account>, AdmissionError> {
        let Some(key) = account else { return Ok(None) };
        let account = self.accounts.read(&key).await?.ok_or(Forbidden::NoAccount)?;
        if account.suspended_at.is_some() && !product.is_for_suspended() {
            return Err(AdmissionError::Refused(Refusal::Suspended, Box::new(account)));
        }
        Ok(Some(account))
    }

    /// Makes the step that charges a call; without a change when nobody knows whether it was made.
    async fn settle_charge(
        &self,
        key: &AccountKey,
        call: &Call,
        start: StartingPoint<Refusal>,
        request: RequestId,
        now: Timestamp,
    ) -> Result<(MarkedAccount, Option<Box<AccountChange>>), AdmissionError> {
        let step = self.step(key, StepId::charge(request));
        let product = call.charge.name.as_str();
        match step.settle(start, cache_may_refuse(now), |account| decide(account, call, now)).await {
            Ok(Settled::Done { after, change, was_contended }) => {
                self.remember(key, &after, was_contended, now);
                Ok((*after, Some(change)))
            }
            Ok(Settled::InDoubt(after)) => {
                tracing::error!(event = "charge_in_doubt", request_id = %request, product);
                self.remember(key, &after, false, now);
                Ok((*after, None))
            }
            Err(Unsettled::Refused(refusal, seen)) => {
                let account = Box::new(seen.account.clone());
                if refusal == Refusal::Suspended {
                    self.suspended.insert(key.clone(), seen.account.clone(), now);
                }
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
            Err(Unsettled::Store(error)) => {
                self.cached_accounts.remove(key);
                Err(error.into())
            }
        }
    }

    /// Keeps an account to try with, unless so many change it that it will be another by the next call: a
    /// write that fails for that costs what one that is made does, and a read a fraction.
    fn remember(&self, key: &AccountKey, after: &MarkedAccount, was_contended: bool, now: Timestamp) {
        if was_contended {
            self.cached_accounts.remove(key);
        } else {
            self.cached_accounts.insert(key.clone(), after.clone(), now);
        }
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
    let caller = match identity {
        Identity::Key { id, .. } => Some(LimitedCaller::Key(id.clone())),
        Identity::Bearer { .. } => Some(LimitedCaller::People),
        Identity::Session { .. } | Identity::Public => None,
    };
    let caller_limit = caller.zip(product.caller_limit());
    let credits = match price {
        Price::OfProduct => product.credits().into(),
        Price::OfRepeat => 0,
    };
    let charge = Charge { name: product.billing_name(), credits };
    Call { charge, caller_limit, is_for_suspended: product.is_for_suspended() }
}

/// A cached account may refuse a call of the minute that it shows, since calls are only ever added to it: a
/// flood then costs no reads. A session gets no further credits but by refunds, so a spent one costs none
/// either. A suspension is cached on its own, for less long.
fn cache_may_refuse(now: Timestamp) -> impl Fn(&Account, &Refusal) -> bool {
    move |account, refusal| match refusal {
        Refusal::Suspended => false,
        Refusal::RateLimited { .. } => account.window.minute == now.minute(),
        Refusal::QuotaExceeded { .. } => matches!(account.holder, Holder::Session { .. }),
    }
}
