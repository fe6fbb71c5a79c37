//! A process whose clock lags cannot move a rate window, a day or a month backwards.

use harness::{World, price};
use shared::admission::{Call, Charge, RateLimitOf, Refusal, StartingPoint, Step, StepId, decide};
use shared::dynamo::Accounts;
use shared::runtime::Clock;
use shared::types::{AccountKey, Product, RequestId, Tier, Timestamp};

use super::{admit, assert_whole, month, refusal, spend, with_key};

#[tokio::test]
async fn a_window_does_not_move_back_for_a_clock_that_is_behind() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    let (behind, _) = world.another_process_at(8, Clock::fixed(world.clock.now())).await;
    world.clock.advance(120_000);
    for _ in 0..5 {
        admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
        admit(&behind, Product::PlaceSearch, with_key(&org)).await.expect("admitted into the later minute");
    }
    let here = refusal(admit(&world.app, Product::PlaceSearch, with_key(&org)).await);
    assert_eq!(here, Refusal::RateLimited { limit: 10, retry_after: 30, of: RateLimitOf::Account });
    let there = refusal(admit(&behind, Product::PlaceSearch, with_key(&org)).await);
    assert_eq!(there, Refusal::RateLimited { limit: 10, retry_after: 150, of: RateLimitOf::Account });
    let account = world.account(&org).await;
    assert_eq!((account.window.minute, account.window.calls), (world.clock.now().minute(), 10));
    behind.clock.advance(120_000);
    world.clock.advance(30_000);
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("a new minute");
    assert_whole(&world.account(&org).await);
}

#[tokio::test]
async fn a_key_window_does_not_move_back_either() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let (behind, _) = world.another_process_at(8, Clock::fixed(world.clock.now())).await;
    world.clock.advance(60_000);
    let presented =
        shared::admission::RequestCredentials { search_key: Some(&org.key), ..Default::default() };
    for _ in 0..10 {
        admit(&world.app, Product::InventorySearch, presented).await.expect("admitted");
        admit(&behind, Product::InventorySearch, presented).await.expect("admitted");
    }
    let there = refusal(admit(&behind, Product::InventorySearch, presented).await);
    assert_eq!(there, Refusal::RateLimited { limit: 20, retry_after: 90, of: RateLimitOf::Key });
    assert_eq!(world.account(&org).await.totals.used, 20 * price(Product::InventorySearch));
}

#[tokio::test]
async fn a_day_does_not_move_back_for_a_clock_that_is_behind() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    world.clock.advance(at("2026-11-20T23:58:00Z").unix_millis() - world.clock.now().unix_millis());
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    let (behind, _) = world.another_process_at(8, Clock::fixed(at("2026-11-20T23:59:55Z"))).await;
    admit(&behind, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    world.clock.advance(at("2026-11-21T00:00:05Z").unix_millis() - world.clock.now().unix_millis());
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    for _ in 0..3 {
        admit(&behind, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    }
    let account = world.account(&org).await;
    assert_eq!(account.today.day.to_string(), "2026-11-21");
    assert_eq!(account.today.usage.values().map(|line| line.calls).sum::<i64>(), 4);
    let past =
        Accounts::new(world.app.dynamo.clone()).past_usage(&org.id, month("2026-11")).await.expect("usage");
    assert_eq!(past.len(), 1);
    assert_eq!(past[0].usage.values().map(|line| line.calls).sum::<i64>(), 2, "yesterday stays as it was");
}

#[tokio::test]
async fn a_month_does_not_move_back_for_a_clock_that_is_behind() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::PayAsYouGo, 0).await;
    world.operator.set_tier(&org.id, Tier::PayAsYouGo, Some(10)).await.expect("an organization");
    spend(&world.app, &org, 4).await.expect("November's credits");
    let (behind, _) = world.another_process_at(8, Clock::fixed(at("2026-11-30T23:59:55Z"))).await;
    world.clock.advance(at("2026-12-01T00:00:05Z").unix_millis() - world.clock.now().unix_millis());
    spend(&world.app, &org, 1).await.expect("December's credits");
    let account = spend(&behind, &org, 9).await.expect("December's, though it is November there");
    let left: Vec<_> = account.grants.iter().map(|(id, grant)| (id.as_str(), grant.left)).collect();
    assert_eq!(left, [("m202612", 0)]);
    assert_eq!(spend(&behind, &org, 1).await, Err(Refusal::QuotaExceeded { balance: 0, price: 1 }));
    assert_whole(&account);
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a moment")
}

#[tokio::test]
async fn a_day_that_a_wrong_clock_left_moves_to_its_own_item_and_takes_its_real_calls_later() {
    let world = World::new().await;
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    // As a process that nothing held back left it: two days ahead.
    let charge = Charge { name: Product::PlaceSearch.billing_name(), credits: 1 };
    let call = Call { charge, caller_limit: None, is_for_suspended: false };
    let ahead = world.clock.now().plus_days(2);
    let (accounts, key) = (Accounts::new(world.app.dynamo.clone()), AccountKey::Org(org.id.clone()));
    let id = StepId::charge(RequestId::from_random(world.app.random.bytes()));
    let step = Step { accounts: &accounts, random: &world.app.random, key: &key, id };
    let made = step.settle(StartingPoint::Unread, |_, _| true, |account| decide(account, &call, ahead)).await;
    assert!(made.is_ok(), "{made:?}");
    // Right clocks go on at once, and count in their own minute and day.
    for _ in 0..10 {
        admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    }
    let refused = refusal(admit(&world.app, Product::PlaceSearch, with_key(&org)).await);
    assert_eq!(refused, Refusal::RateLimited { limit: 10, retry_after: 30, of: RateLimitOf::Account });
    for days in [1, 1, 1] {
        world.clock.advance(days * 24 * 60 * 60 * 1_000);
        admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    }
    let past = accounts.past_usage(&org.id, month("2026-11")).await.expect("usage");
    let calls = past.iter().map(|day| (day.day.to_string(), day.usage.values().map(|line| line.calls).sum()));
    let days: Vec<(String, i64)> = calls.collect();
    // The wrong clock's call stands with the one that came when it was that day.
    assert_eq!(
        days,
        [("2026-11-20", 11), ("2026-11-21", 1), ("2026-11-22", 2)]
            .map(|(day, calls)| (day.to_owned(), calls))
    );
    assert_whole(&world.account(&org).await);
}
