//! Admission: authentication, rate limits, charges, and refunds. The helpers in this module call admission
//! directly, without HTTP.

use std::collections::BTreeMap;

use accounting::{
    Account, AccountKey, Charge, Credits, Declined, Month, Price, Product, PurchaseRefusal, Refusal,
    decide_purchase,
};
use gateway::{Admission, App, NotAdmitted, RequestCredentials};
use harness::{Answer, TestOrg};
use store::{Accounts, EntryId, PostError, Posted, RequestId, post};

mod anonymous;
mod bearer;
mod caps;
mod clocks;
mod concurrency;
mod credits;
mod directory;
mod first_calls;
mod headers;
mod history;
mod item;
mod keys;
mod panics;
mod people;
mod products;
mod quota;
mod refunds;
mod replies;
mod revoked_credits;
mod server_errors;
mod skewed_clocks;
mod subjects;
mod suspension;
mod tiers;
mod year;

/// Returns credentials that consist of an organization's key in the `x-api-key` header.
fn with_key(org: &TestOrg) -> RequestCredentials<'_> {
    RequestCredentials { api_key: Some(&org.key), ..RequestCredentials::default() }
}

/// Authenticates and charges a call, without HTTP.
async fn admit(
    app: &App,
    product: Product,
    presented: RequestCredentials<'_>,
) -> Result<Admission, NotAdmitted> {
    let identified = app.admissions.identify(product, product.auth(), true, presented).await?;
    let request = RequestId::from_random(app.random.bytes());
    app.admissions.charge(app.admissions.prepare(identified, product, Price::OfProduct, request)).await
}

/// Returns the reason why the rate limit check or the balance check rejected a call. Panics if the call was
/// admitted or rejected for another reason.
fn refusal(result: Result<Admission, NotAdmitted>) -> Refusal {
    let refused = result.expect_err("rejected");
    refused.error.refusal.unwrap_or_else(|| panic!("rejected for another reason: {refused:?}"))
}

/// Charges credits for a measurement purchase, which doesn't count toward the rate limit.
async fn spend(app: &App, org: &TestOrg, credits: Credits) -> Result<Account, Refusal> {
    let accounts = Accounts::new(app.dynamo.clone());
    let key = AccountKey::Org(org.id.clone());
    let name = "campaign_measurement".parse().expect("valid name");
    let charge = Charge { name, credits };
    let entry = EntryId::charge(RequestId::from_random(app.random.bytes()));
    let now = app.clock.now();
    let decide = |account: &Account| {
        decide_purchase(account, &charge, now).map_err(|refused| {
            Declined::from(match refused {
                PurchaseRefusal::Suspended => Refusal::Suspended,
                PurchaseRefusal::InsufficientCredits(too_few) => too_few.into(),
            })
        })
    };
    match post(&accounts.ledger(&key), entry, None, |_, _| true, decide).await {
        Ok(Posted::Once { after, .. }) => Ok(after.account),
        Err(PostError::Declined(refusal, _)) => Err(refusal),
        other => panic!("the charge is not posted: {other:?}"),
    }
}

/// Counts responses by status.
fn counted(answers: &[Answer]) -> BTreeMap<u16, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        *counts.entry(answer.status.as_u16()).or_default() += 1;
    }
    counts
}

/// Asserts that granted = left + used + expired.
#[track_caller]
fn assert_whole(account: &Account) {
    let totals = account.totals;
    assert_eq!(totals.granted, account.left() + totals.used + totals.expired);
}

fn month(text: &str) -> Month {
    text.parse().expect("valid month")
}
