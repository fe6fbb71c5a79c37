//! Tiers: their credits and rate limits, and when a new tier takes effect.

use accounting::{PrepaidKind, Product, Tier};
use harness::{World, price};

use super::{admit, assert_whole, spend, with_key};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

#[tokio::test]
async fn each_tier_has_its_own_rate_limit_and_credits() {
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
        // The limit resets in the next minute.
        assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, status);
        world.clock.advance(30_000);
        assert_whole(&world.account(&org).await);
    }
}

#[tokio::test]
async fn tier_change_applies_to_the_next_call() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    // The process has cached the account and isn't notified of the change.
    for (tier, rate, balance) in [
        (Tier::PayAsYouGo, 100, 2_000 + 20_000),
        (Tier::Enterprise, 1_000, 2_000),
        (Tier::Sandbox, 10, 2_000),
        (Tier::PayAsYouGo, 100, 2_000 + 20_000),
    ] {
        world.administrator.set_tier(&org.id, tier, None).await.expect("an organization");
        let answer = world.get("/v2/billing/credits").key(&org.key).send().await;
        assert_eq!(answer.number("x-ratelimit-limit"), rate, "{tier}");
        assert_eq!(answer.number("x-credits-remaining"), balance, "{tier}");
    }
    let unknown = "org_unknown".parse().expect("valid ID");
    // Setting the tier of an unknown organization doesn't create an account.
    assert!(world.administrator.set_tier(&unknown, Tier::Sandbox, None).await.is_err());
}

#[tokio::test]
async fn higher_tier_applies_within_a_full_minute() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    for _ in 0..10 {
        assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    }
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 429);
    world.administrator.set_tier(&org.id, Tier::Enterprise, None).await.expect("an organization");
    let (_, other) = world.another_process(8).await;
    let elsewhere = world.get(SUMMARY).key(&org.key).send_to(other).await;
    // A process that hasn't cached the full window applies the new tier immediately.
    assert_eq!(elsewhere.number("x-ratelimit-remaining"), 989);
    world.clock.advance(30_000);
    let here = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!(here.number("x-ratelimit-remaining"), 999, "the tier applies everywhere in the next minute");
}

#[tokio::test]
async fn ninth_live_grant_is_rejected_until_one_is_used_up() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 0).await;
    let grant = || world.administrator.grant(&org.id, PrepaidKind::Promotional, 2, None);
    for _ in 0..8 {
        grant().await.expect("added");
    }
    assert!(grant().await.is_err_and(|error| error.to_string().contains("8 active grants")));
    spend(&world.app, &org, 2).await.expect("enough credits");
    grant().await.expect("a used-up grant doesn't count");
    assert_eq!(world.account(&org).await.grants.len(), 8);
}

#[tokio::test]
async fn monthly_cap_renews_and_is_kept_unless_changed() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    let paid = price(Product::ScenarioCampaignCrud);
    for cap in [Some(3 * paid), None] {
        world.administrator.set_tier(&org.id, Tier::PayAsYouGo, cap).await.expect("an organization");
        let answer = world.get(SUMMARY).key(&org.key).send().await;
        assert_eq!(answer.credits_remaining(), 2 * paid);
        world.clock.advance(31 * 24 * 60 * 60 * 1_000);
        let shown = world.get("/v2/billing/credits").key(&org.key).send().await;
        // The balance includes the cap even before the month's first charge.
        assert_eq!(shown.data()["balance"], 3 * paid);
    }
    assert_eq!(world.account(&org).await.totals.granted, 6 * paid);
}
