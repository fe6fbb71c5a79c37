//! Runs the operations in a batch. Each operation is charged and refunded like a separate call, but only the
//! batch counts toward the rate limit.
//!
//! See `docs/decisions/0068-batches.md`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use accounting::{Account, Credits, Price, Product};
use store::{AssetId, Assets, Family, IdempotencyKey, KeyLookup, KeyUse, RequestId, UnusedKey};
use tokio::time::Instant;

use super::admit::{Admitting, CALLER_DEADLINE, caught, run};
use super::idempotency::CreateKey;
use crate::admission::{Admission, Identity};
use crate::app::App;
use crate::error::ApiError;

/// An admitted batch, which the handler uses to run its operations. Only admission creates this value.
#[derive(Clone, Debug)]
pub struct Batch {
    app: App,
    identity: Identity,
    product: Product,
    assets: Assets,
    request: RequestId,
    /// The time after which no more operations are charged. It leaves enough time for a charge and a refund
    /// before the function times out.
    charge_until: Instant,
    /// The time by which each operation must respond.
    deadline: Instant,
    spent: Arc<Mutex<Spent>>,
}

/// The total cost of the operations that have run so far, and the account's latest state.
#[derive(Clone, Debug, Default)]
pub(super) struct Spent {
    pub(super) credits: Credits,
    /// The account after the latest charge or refund.
    pub(super) account: Option<Account>,
    /// Why an operation wasn't charged, for example because too few credits remain. Later operations get the
    /// same error without another attempt.
    refused: Option<ApiError>,
}

/// The result and cost of one operation.
#[derive(Debug)]
pub struct Settled<T> {
    pub result: Result<T, ApiError>,
    pub credits_used: Credits,
    /// Whether the operation repeats an earlier one with the same idempotency key.
    pub is_repeat: bool,
}

/// An operation's idempotency key and its serialized form. A repeated operation must consist of the same
/// bytes.
#[derive(Clone, Debug)]
pub struct OperationKey {
    pub key: IdempotencyKey,
    pub sent: Vec<u8>,
}

impl Batch {
    pub(super) fn new(admitting: &Admitting<'_>, family: Family, identity: &Identity) -> Self {
        let app = admitting.app.clone();
        Self {
            identity: identity.clone(),
            product: admitting.terms.product,
            assets: Assets::new(app.dynamo.clone(), family),
            request: admitting.request_id,
            charge_until: admitting.deadline - admitting.time_to_settle(),
            deadline: admitting.deadline,
            spent: Arc::default(),
            app,
        }
    }

    pub(super) fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Charges an operation and runs it by calling `perform`. If an earlier operation with the same key has
    /// taken effect, calls `repeat` with its asset's ID instead, free of charge. Refunds operations that end
    /// in a server error. `place` is the operation's position in the batch.
    ///
    /// Returns an error without calling either function if it's too late to charge, the key can't be looked
    /// up, the key was used with a different operation, or the charge is refused.
    pub async fn run<T, P, R>(
        &self,
        place: u8,
        key: &OperationKey,
        perform: impl FnOnce(UnusedKey) -> P,
        repeat: impl FnOnce(AssetId) -> R,
    ) -> Settled<T>
    where
        P: Future<Output = Result<T, ApiError>>,
        R: Future<Output = Result<T, ApiError>>,
    {
        if Instant::now() >= self.charge_until {
            return Settled::free(ApiError::not_started());
        }
        let found = match self.look_up(key, self.charge_until).await {
            Ok(found) => found,
            Err(error) => return Settled::free(error),
        };
        let repeats = matches!(found, KeyLookup::Used(KeyUse::SameBody(_)));
        if let Some(refused) = self.spent().refused.clone().filter(|_| !repeats) {
            return Settled::free(refused);
        }
        let mut admission =
            match self.charge(place, if repeats { Price::Free } else { Price::OfProduct }).await {
                Ok(admission) => admission,
                Err(error) => return Settled::free(error),
            };
        let (result, is_repeat) = match found {
            KeyLookup::Used(KeyUse::SameBody(id)) => (self.in_time(repeat(id)).await, true),
            KeyLookup::Used(KeyUse::OtherBody) => (Err(CreateKey::reused()), false),
            KeyLookup::Unused(unused) => {
                let result = self.in_time(perform(unused)).await;
                self.unless_done_by_another(result, key, repeat).await
            }
        };
        let is_server_error = result.as_ref().is_err_and(|error| error.code.status().is_server_error());
        if is_server_error || is_repeat {
            self.app.admissions.refund(&mut admission).await;
        }
        self.add(&admission);
        Settled { result, credits_used: admission.credits(), is_repeat }
    }

    async fn look_up(&self, key: &OperationKey, until: Instant) -> Result<KeyLookup, ApiError> {
        let OperationKey { key, sent } = key;
        let org = self.identity.org().ok_or_else(ApiError::internal)?;
        let deadline = until.min(Instant::now() + CALLER_DEADLINE);
        let found = async { Ok(self.assets.look_up_key(org, key.clone(), sent).await?) };
        run(self.product, deadline, found).await
    }

    async fn charge(&self, place: u8, price: Price) -> Result<Admission, ApiError> {
        let admissions = &self.app.admissions;
        let request = self.request.of_operation(place);
        let pending = admissions.prepare_operation(&self.identity, self.product, price, request);
        caught(admissions.charge(pending)).await.map_err(|refused| {
            let mut spent = self.spent();
            if let Some(account) = refused.account {
                spent.account = Some(*account);
            }
            spent.refused = refused.error.refusal.is_some().then(|| (*refused.error).clone());
            *refused.error
        })
    }

    /// If an operation failed because another one with the same key took effect at the same time, returns the
    /// result of `repeat` instead. Also returns whether `repeat` was called.
    async fn unless_done_by_another<T, R: Future<Output = Result<T, ApiError>>>(
        &self,
        result: Result<T, ApiError>,
        key: &OperationKey,
        repeat: impl FnOnce(AssetId) -> R,
    ) -> (Result<T, ApiError>, bool) {
        if !result.as_ref().is_err_and(|error| error.code.status().is_client_error()) {
            return (result, false);
        }
        match self.look_up(key, self.deadline).await {
            Ok(KeyLookup::Used(KeyUse::SameBody(id))) => (self.in_time(repeat(id)).await, true),
            Ok(KeyLookup::Used(KeyUse::OtherBody) | KeyLookup::Unused(_)) => (result, false),
            Err(error) => (Err(error), false),
        }
    }

    async fn in_time<T>(&self, work: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
        run(self.product, self.deadline, work).await
    }

    fn add(&self, admission: &Admission) {
        let mut spent = self.spent();
        spent.credits += admission.credits();
        spent.account = admission.account().cloned();
    }
}

impl<T> Settled<T> {
    fn free(error: ApiError) -> Self {
        Self { result: Err(error), credits_used: 0, is_repeat: false }
    }
}
