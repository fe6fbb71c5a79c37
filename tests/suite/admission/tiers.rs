//! What each tier grants, when those grants and caps expire or renew, and when a tier change takes effect.

use harness::{TestOrg, World, price};
use shared::admission::{RateLimitOf, Refusal};
use shared::types::{Credits, PrepaidKind, Product, Tier, Timestamp};

use super::{admit, assert_whole, refusal, spend, with_key};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

#[tokio::test]
async fn each_tier_has_its_rate_and_its_credits() {
    let world = World::new().await;
    for (tier, name, rate, credits) in [
        (Tier::Sandbox, "sandbox", 10, 2_000),
        (Tier::PayAsYouGo, "pay_as_you_go", 100, 20_000),
        (Tier::Enterprise, "enterprise", 1_000, 0),
    ] {
        let org = world.org_with(&format!("org_{name}"), tier, 0).await;
        let balance = world.get("/v2/billing/credits").key(&org.key).send().await;
        assert_eq!(balance.data()["tier"], name);
        assert_eq!(balance.data()["balance"], credits);
        assert_eq!(balance.number("x-ratelimit-limit"), rate);
        assert_eq!(balance.number("x-ratelimit-remaining"), rate - 1);
        for _ in 1..rate {
            admit(&world.app, Product::Markets, with_key(&org)).await.expect("admitted");
        }
        let over = world.get(SUMMARY).key(&org.key).send().await;
        assert_eq!(over.error(), (429, "RATE_LIMITED".to_owned()), "{name}");
        assert_eq!(over.number("retry-after"), 30);
        world.clock.advance(30_000);
        let status = if credits == 0 { 402 } else { 200 };
        assert_eq!(
            world.get(SUMMARY).key(&org.key).send().await.status,
            status,
            "the next minute is a new one"
        );
        world.clock.advance(30_000);
        assert_whole(&world.account(&org).await);
    }
}

#[tokio::test]
async fn the_sandbox_grant_lives_sixty_days_and_does_not_renew() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    let paid = price(Product::ScenarioCampaignCrud);
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.credits_remaining(), 2_000 - paid);
    days(&world, 60, -1_000);
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.credits_remaining(), 2_000 - 2 * paid);
    world.clock.advance(1_000);
    let expired = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!(expired.error(), (402, "QUOTA_EXCEEDED".to_owned()));
    assert_eq!(expired.number("x-credits-remaining"), 0);
    assert_eq!(expired.number("x-credits-used"), 0);
    for _ in 0..6 {
        days(&world, 30, 0);
        assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 402);
        assert_whole(&world.account(&org).await);
    }
}

#[tokio::test]
async fn an_expired_grant_leaves_the_account_a_day_later_at_the_earliest() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let expiry = world.clock.now().plus_days(3);
    world.operator.grant(&org.id, PrepaidKind::Promotional, 10, Some(expiry)).await.expect("a grant");
    spend(&world.app, &org, 4).await.expect("credits");
    // The days after which a call is made, and the grants and expired credits that it leaves.
    for (at, grants, expired) in
        [(expiry, 2, 0), (expiry.plus_days(1).plus_seconds(-1), 2, 0), (expiry.plus_days(1), 1, 6)]
    {
        move_to(&world, at);
        spend(&world.app, &org, 1).await.expect("credits");
        let account = world.account(&org).await;
        assert_eq!((account.grants.len(), account.totals.expired), (grants, expired), "at {at}");
        assert_whole(&account);
    }
    let account = world.account(&org).await;
    assert_eq!(account.balance(None, world.clock.now()), 1_000_000 - 3, "what expired was drawn on no more");
}

#[tokio::test]
async fn the_metered_cap_ends_with_the_month_and_comes_again() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::PayAsYouGo, 0).await;
    let paid = price(Product::ScenarioCampaignCrud);
    world.operator.set_tier(&org.id, Tier::PayAsYouGo, Some(3 * paid)).await.expect("an organization");
    for calls in [2, 1, 0] {
        assert_eq!(world.get(SUMMARY).key(&org.key).send().await.credits_remaining(), calls * paid);
    }
    let reached = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!(reached.error(), (402, "QUOTA_EXCEEDED".to_owned()), "the cap is reached");
    move_to(&world, moment("2026-11-30T23:59:59.999Z"));
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 402, "to the month's last moment");
    let mut granted = 3 * paid;
    for month in ["2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", "2027-03-15T12:00:00Z"] {
        move_to(&world, moment(month));
        let shown = world.get("/v2/billing/credits").key(&org.key).send().await;
        assert_eq!(shown.data()["balance"], 3 * paid, "{month}: the cap is there before its first charge");
        let answer = world.get(SUMMARY).key(&org.key).send().await;
        assert_eq!(answer.credits_remaining(), 2 * paid, "{month}");
        granted += 3 * paid;
        let account = world.account(&org).await;
        assert_eq!(account.totals.granted, granted, "{month}: the cap is granted once");
        assert_whole(&account);
    }
    assert_eq!(
        world.account(&org).await.totals.expired,
        4 * paid,
        "two calls of December's and two of January's"
    );
}

#[tokio::test]
async fn a_cap_that_does_not_cover_the_price_is_not_granted_in_part() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::PayAsYouGo, 1).await;
    world.operator.set_tier(&org.id, Tier::PayAsYouGo, Some(1)).await.expect("an organization");
    assert_eq!(spend(&world.app, &org, 3).await, Err(Refusal::QuotaExceeded { balance: 2, price: 3 }));
    let account = spend(&world.app, &org, 2).await.expect("one purchased and one metered credit");
    assert_eq!(account.left(), 0);
    assert_whole(&account);
}

#[tokio::test]
async fn a_tier_change_holds_from_the_next_decision_on() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    // Each process remembers the account; none is told of the change.
    for (tier, rate, balance) in [
        (Tier::PayAsYouGo, 100, 2_000 + 20_000),
        (Tier::Enterprise, 1_000, 2_000),
        (Tier::Sandbox, 10, 2_000),
        (Tier::PayAsYouGo, 100, 2_000 + 20_000),
    ] {
        world.operator.set_tier(&org.id, tier, None).await.expect("an organization");
        let answer = world.get("/v2/billing/credits").key(&org.key).send().await;
        assert_eq!(answer.number("x-ratelimit-limit"), rate, "{tier}");
        assert_eq!(answer.number("x-credits-remaining"), balance, "{tier}");
    }
    let nobody = "org_unknown".parse().expect("an id");
    assert!(
        world.operator.set_tier(&nobody, Tier::Sandbox, None).await.is_err(),
        "a change makes no account"
    );
}

#[tokio::test]
async fn a_higher_tier_ends_a_minute_that_was_full() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    for _ in 0..10 {
        assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    }
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 429);
    world.operator.set_tier(&org.id, Tier::Enterprise, None).await.expect("an organization");
    let (_, other) = world.another_process(8).await;
    let elsewhere = world.get(SUMMARY).key(&org.key).send_to(other).await;
    assert_eq!(
        elsewhere.number("x-ratelimit-remaining"),
        989,
        "at once where the full minute is not remembered"
    );
    world.clock.advance(30_000);
    let here = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!(here.number("x-ratelimit-remaining"), 999, "and everywhere from the next minute on");
}

#[tokio::test]
async fn an_organization_has_at_most_eight_live_grants() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Enterprise, 0).await;
    let grant =
        async |credits: Credits| world.operator.grant(&org.id, PrepaidKind::Promotional, credits, None).await;
    for _ in 0..8 {
        grant(2).await.expect("room");
    }
    assert!(grant(2).await.is_err_and(|error| error.to_string().contains("8 live grants")));
    assert_eq!(world.account(&org).await.totals.granted, 16, "a refused grant grants nothing");
    spend(&world.app, &org, 2).await.expect("credits");
    grant(5).await.expect("an empty grant makes room");
    let account = world.account(&org).await;
    assert_eq!((account.grants.len(), account.balance(None, world.clock.now())), (8, 19));
    assert_whole(&account);
    assert!(grant(2).await.is_err());
}

#[tokio::test]
async fn a_new_grant_does_not_bring_back_a_cap_that_is_used_up() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::PayAsYouGo, 0).await;
    world.operator.set_tier(&org.id, Tier::PayAsYouGo, Some(5)).await.expect("an organization");
    spend(&world.app, &org, 5).await.expect("the whole cap");
    for _ in 0..8 {
        world.operator.grant(&org.id, PrepaidKind::Purchased, 1, None).await.expect("room");
    }
    let account = spend(&world.app, &org, 8).await.expect("what was granted");
    assert_eq!(account.totals.granted, 13);
    assert_eq!(account.balance(None, world.clock.now()), 0);
    assert_eq!(spend(&world.app, &org, 1).await, Err(Refusal::QuotaExceeded { balance: 0, price: 1 }));
}

#[tokio::test]
async fn a_full_key_window_is_the_keys_own() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let other_key = TestOrg { key: world.key(&org.id, shared::types::Scopes::all()).await, ..org.clone() };
    let search = |key: &TestOrg| {
        let key = key.key.clone();
        let app = world.app.clone();
        async move {
            let presented =
                shared::admission::RequestCredentials { search_key: Some(&key), ..Default::default() };
            admit(&app, Product::InventorySearch, presented).await
        }
    };
    for _ in 0..20 {
        search(&org).await.expect("admitted");
    }
    let full = Refusal::RateLimited { limit: 20, retry_after: 30, of: RateLimitOf::Key };
    assert_eq!(refusal(search(&org).await), full);
    search(&other_key).await.expect("another key has its own window");
    admit(&world.app, Product::PlaceSearch, with_key(&org))
        .await
        .expect("another product is not limited by it");
    let used = 21 * price(Product::InventorySearch) + price(Product::PlaceSearch);
    assert_eq!(world.account(&org).await.totals.used, used, "the refused search cost nothing");
    world.clock.advance(30_000);
    search(&org).await.expect("a new minute");
}

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a moment")
}

fn move_to(world: &World, at: Timestamp) {
    world.clock.advance(at.unix_millis() - world.clock.now().unix_millis());
}

fn days(world: &World, days: i64, millis: i64) {
    world.clock.advance(days * 24 * 60 * 60 * 1_000 + millis);
}
