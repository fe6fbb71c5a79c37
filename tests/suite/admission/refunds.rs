//! A refund goes back to the grants it came from, even if they have expired or left the account since.

use harness::{TestOrg, World, price};
use shared::admission::{Admission, Refusal};
use shared::types::{Account, Credits, GrantKind, PrepaidKind, Product, Tier};

use super::{admit, assert_whole, refusal, spend, with_key};

const DAY: i64 = 24 * 60 * 60 * 1_000;

#[tokio::test]
async fn a_refund_returns_to_the_grants_that_were_drawn_on() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Enterprise, 4 + paid()).await;
    world.operator.grant(&org.id, PrepaidKind::Promotional, 1, None).await.expect("a grant");
    let before = world.account(&org).await;
    let markers_before = world.marked_account(&org).await.markers.taken();
    let mut admission = charge(&world, &org).await;
    assert_eq!(admission.credits(), paid());
    let account = refund(&world, &mut admission).await;
    assert_eq!(account.grants, before.grants, "what was drawn of each grant is back");
    assert_eq!(account.totals, before.totals);
    assert_eq!(admission.credits(), 0, "the call cost nothing in the end");
    let line = account.today.usage.values().next().copied().expect("a line");
    assert_eq!((line.calls, line.credits), (1, 0), "the call is counted, its credits are not");
    assert_eq!(account.window.calls, 1, "it counts towards the rate");
    let marked = world.marked_account(&org).await;
    assert_eq!(marked.markers.taken(), markers_before + 2, "the refund has a slot of its own");
    let again = refund(&world, &mut admission).await;
    assert_eq!(again, account, "nothing is left to give back");
    assert_eq!(world.marked_account(&org).await, marked);
}

#[tokio::test]
async fn a_refund_adds_a_removed_grant_again() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Enterprise, 0).await;
    world.operator.grant(&org.id, PrepaidKind::Promotional, paid(), None).await.expect("a grant");
    let mut admission = charge(&world, &org).await;
    for _ in 0..8 {
        world.operator.grant(&org.id, PrepaidKind::Purchased, 10, None).await.expect("room");
    }
    let without = world.account(&org).await;
    assert!(
        without.grants.values().all(|grant| grant.kind == GrantKind::Prepaid(PrepaidKind::Purchased)),
        "the empty grant made room"
    );
    let account = refund(&world, &mut admission).await;
    let promotional = GrantKind::Prepaid(PrepaidKind::Promotional);
    assert_eq!(account.balance(Some(promotional), world.clock.now()), paid());
    assert_eq!((account.totals.granted, account.totals.used), (80 + paid(), 0));
    spend(&world.app, &org, 80 + paid()).await.expect("all of it can be spent");
}

#[tokio::test]
async fn a_refund_into_an_expired_grant_lives_sixty_days_more() {
    // A day after its expiry the grant is still in the account; after three, a charge has removed it.
    for (days, is_gone) in [(1, false), (3, true)] {
        let world = World::new().await;
        let org = world.org_with("org_a", Tier::Enterprise, 10).await;
        let expiry = world.clock.now().plus_days(1);
        world.operator.grant(&org.id, PrepaidKind::Promotional, paid(), Some(expiry)).await.expect("a grant");
        let mut admission = charge(&world, &org).await;
        world.clock.advance(days * DAY);
        if is_gone {
            spend(&world.app, &org, 1).await.expect("credits");
        }
        let before = world.account(&org).await;
        assert_eq!(before.grants.len(), if is_gone { 1 } else { 2 });
        let account = refund(&world, &mut admission).await;
        let (now, promotional) = (world.clock.now(), GrantKind::Prepaid(PrepaidKind::Promotional));
        assert_eq!(account.balance(Some(promotional), now), paid(), "they can be spent");
        assert_eq!(account.balance(Some(promotional), now.plus_days(60).plus_seconds(-1)), paid());
        assert_eq!(account.balance(Some(promotional), now.plus_days(60)), 0);
        assert_eq!(account.totals.granted, before.totals.granted, "nothing is granted by it");
        assert_eq!(account.totals.expired, before.totals.expired);
    }
}

#[tokio::test]
async fn refunds_of_one_kind_share_a_grant_that_lives_as_long_as_the_latest() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Enterprise, 0).await;
    let mut admissions = Vec::new();
    for _ in 0..3 {
        let expiry = world.clock.now().plus_days(1);
        world.operator.grant(&org.id, PrepaidKind::Allocated, paid(), Some(expiry)).await.expect("room");
        admissions.push(charge(&world, &org).await);
    }
    for _ in 0..8 {
        world.operator.grant(&org.id, PrepaidKind::Purchased, 5, None).await.expect("room");
    }
    for mut admission in admissions {
        world.clock.advance(2 * DAY);
        refund(&world, &mut admission).await;
    }
    let account = world.account(&org).await;
    assert_eq!(account.grants.len(), 9, "eight are live, and one is of refunds");
    let allocated: Vec<_> = account
        .grants
        .values()
        .filter(|grant| grant.kind == GrantKind::Prepaid(PrepaidKind::Allocated))
        .collect();
    let end = world.clock.now().plus_days(60).unix_seconds();
    assert_eq!((allocated.len(), allocated[0].left), (1, 3 * paid()));
    assert_eq!(allocated[0].expires_at.map(shared::types::Timestamp::unix_seconds), Some(end));
    // Spent and given back again, they return to it, and it lives no longer for that.
    let mut admission = charge(&world, &org).await;
    world.clock.advance(DAY);
    assert_eq!(refund(&world, &mut admission).await.grants, account.grants);
    // A grant of refunds that has expired makes way for a new one of its name.
    let mut admission = charge(&world, &org).await;
    world.clock.advance(60 * DAY);
    let account = refund(&world, &mut admission).await;
    let allocated = GrantKind::Prepaid(PrepaidKind::Allocated);
    assert_eq!(account.balance(Some(allocated), world.clock.now()), paid());
    assert_eq!(account.totals.expired, 2 * paid());
}

#[tokio::test]
async fn a_refund_that_overtakes_a_leaving_grant_is_not_lost() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Enterprise, 10).await;
    let expiry = world.clock.now().plus_days(1);
    world.operator.grant(&org.id, PrepaidKind::Promotional, paid() + 1, Some(expiry)).await.expect("a grant");
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
    let account = spend(&world.app, &org, 1).await.expect("credits");
    assert_whole(&account);
    assert_eq!((account.totals.used, account.totals.expired, account.left()), (1, 1, 9 + paid()));
}

#[tokio::test]
async fn a_refund_is_booked_on_the_day_that_it_happens() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut admission = charge(&world, &org).await;
    world.clock.advance(DAY);
    let account = refund(&world, &mut admission).await;
    let line = account.today.usage.values().next().copied().expect("a line");
    assert_eq!((account.today.day.to_string(), line.calls), ("2026-11-21".to_owned(), 0));
    assert_eq!(line.credits, 0_i64.strict_sub_unsigned(paid()));
    let credits = world.get("/v2/billing/credits").key(&org.key).send().await;
    let month = &credits.data()["usage_month"];
    assert_eq!(month["credits"], 0, "{month}");
    assert_eq!(month["by_product"]["population_at_home"]["calls"], 1, "{month}");
}

#[tokio::test]
async fn a_refund_into_a_used_up_cap_can_be_spent_again_and_no_more_than_that() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::PayAsYouGo, 0).await;
    world.operator.set_tier(&org.id, Tier::PayAsYouGo, Some(paid())).await.expect("an organization");
    let mut admission = charge(&world, &org).await;
    let full = refusal(admit(&world.app, Product::PlaceSearch, with_key(&org)).await);
    assert_eq!(full, Refusal::QuotaExceeded { balance: 0, price: price(Product::PlaceSearch) });
    refund(&world, &mut admission).await;
    charge(&world, &org).await;
    let full = refusal(admit(&world.app, Product::PlaceSearch, with_key(&org)).await);
    assert_eq!(full, Refusal::QuotaExceeded { balance: 0, price: price(Product::PlaceSearch) });
    assert_eq!(world.account(&org).await.totals.granted, paid());
}

#[tokio::test]
async fn a_session_is_refunded_like_an_organization() {
    let world = World::new().await;
    let address = Some("203.0.113.9".parse().expect("an address"));
    let presented = shared::admission::RequestCredentials { address, ..Default::default() };
    let mut admission = admit(&world.app, Product::PopulationAtHome, presented).await.expect("admitted");
    world.app.admissions.refund(&mut admission).await;
    let account = admission.account().expect("an account");
    assert_eq!((account.left(), account.totals.used), (100 as Credits, 0));
    assert_whole(account);
}

/// Returns the price of the call that is refunded.
fn paid() -> Credits {
    price(Product::PopulationAtHome)
}

/// Makes a call that costs [`paid`].
async fn charge(world: &World, org: &TestOrg) -> Admission {
    admit(&world.app, Product::PopulationAtHome, with_key(org)).await.expect("admitted")
}

/// Refunds a call and returns the account as it is stored then.
async fn refund(world: &World, admission: &mut Admission) -> Account {
    world.app.admissions.refund(admission).await;
    let org = admission.identity().org().expect("an organization").clone();
    let account = world.operator.account(&org).await.expect("an account");
    assert_whole(&account);
    account
}
