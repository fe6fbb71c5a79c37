//! A refund returns credits exactly once, to the grants that paid for the call.

use accounting::{Account, Credits, PrepaidKind, Product, Tier};
use gateway::Admission;
use harness::{TestOrg, World, price};

use super::{admit, assert_whole, spend, with_key};

const DAY: i64 = 24 * 60 * 60 * 1_000;

#[tokio::test]
async fn refund_returns_credits_to_the_grants_that_paid() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 4 + paid()).await;
    world.administrator.grant(&org.id, PrepaidKind::Promotional, 1, None).await.expect("added");
    let before = world.account(&org).await;
    let entries_before = world.stored_account(&org).await.recent.iter().count();
    let mut admission = charge(&world, &org).await;
    assert_eq!(admission.credits(), paid());
    let account = refund(&world, &mut admission).await;
    assert_eq!(account.grants, before.grants, "the credits are back in each grant");
    assert_eq!(account.totals, before.totals);
    assert_eq!(admission.credits(), 0, "the call costs nothing after the refund");
    let line = account.today.usage.values().next().copied().expect("there is a usage line");
    assert_eq!((line.calls, line.credits), (1, 0), "the call is still counted, but its credits aren't");
    assert_eq!(account.window.calls, 1, "the call counts toward the rate limit");
    let stored = world.stored_account(&org).await;
    assert_eq!(stored.recent.iter().count(), entries_before + 2, "the refund is a separate entry");
    let again = refund(&world, &mut admission).await;
    assert_eq!(again, account, "a second refund changes nothing");
    assert_eq!(world.stored_account(&org).await, stored);
}

#[tokio::test]
async fn refund_racing_with_the_removal_of_its_grant_is_kept() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 10).await;
    let expiry = world.clock.now().plus_days(1);
    world
        .administrator
        .grant(&org.id, PrepaidKind::Promotional, paid() + 1, Some(expiry))
        .await
        .expect("added");
    let (other, _) = world.another_process(8).await;
    let mut overtaking =
        Some(admit(&other, Product::PopulationAtHome, with_key(&org)).await.expect("admitted"));
    world.clock.advance(2 * DAY);
    world.wire.interleave(move |sent| {
        let lets_leave =
            sent.body["UpdateExpression"].as_str().is_some_and(|update| update.contains("REMOVE"));
        let mut admission = overtaking.take_if(|_| lets_leave || sent.operation == "TransactWriteItems")?;
        let other = other.clone();
        Some(Box::pin(async move { other.admissions.refund(&mut admission).await }))
    });
    let account = spend(&world.app, &org, 1).await.expect("enough credits");
    assert_whole(&account);
    assert_eq!((account.totals.used, account.totals.expired, account.left()), (1, 1, 9 + paid()));
}

#[tokio::test]
async fn refunds_a_session() {
    let world = World::new().await;
    let address = Some("203.0.113.9".parse().expect("valid address"));
    let presented = gateway::RequestCredentials { address, ..Default::default() };
    let mut admission = admit(&world.app, Product::PopulationAtHome, presented).await.expect("admitted");
    world.app.admissions.refund(&mut admission).await;
    let account = admission.account().expect("an account");
    assert_eq!((account.left(), account.totals.used), (100 as Credits, 0));
    assert_whole(account);
}

/// The price of the refunded calls.
fn paid() -> Credits {
    price(Product::PopulationAtHome)
}

/// Admits a call that costs [`paid`] credits.
async fn charge(world: &World, org: &TestOrg) -> Admission {
    admit(&world.app, Product::PopulationAtHome, with_key(org)).await.expect("admitted")
}

/// Refunds a call and returns the stored account.
async fn refund(world: &World, admission: &mut Admission) -> Account {
    world.app.admissions.refund(admission).await;
    let org = admission.identity().org().expect("an organization").clone();
    let account = world.administrator.account(&org).await.expect("an account");
    assert_whole(&account);
    account
}
