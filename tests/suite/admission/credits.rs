//! Charges: usage by product and day, and low-balance warnings.

use accounting::{Product, Tier};
use harness::{Logs, World, price};
use runtime::Clock;
use store::Accounts;

use super::{admit, assert_whole, month, with_key};

#[tokio::test]
async fn usage_is_counted_by_product_and_archived_by_day() {
    let world = std::sync::Arc::new(World::new().await);
    let org = world.org("org_a").await;
    // Sorted by meter.
    let made = [
        (Product::Markets, 4),
        (Product::PlaceReport, 1),
        (Product::PlaceSearch, 3),
        (Product::PopulationAtHome, 2),
    ];
    let yesterday = made.map(|(product, calls)| line(product, calls));
    for (product, calls) in made {
        for _ in 0..calls {
            admit(&world.app, product, with_key(&org)).await.expect("admitted");
        }
    }
    world.clock.advance(24 * 60 * 60 * 1_000);
    // Two processes concurrently send the first charges of the new day.
    let (other, _) = world.another_process(8).await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..40 {
        let app = if number % 2 == 0 { world.app.clone() } else { other.clone() };
        let org = org.clone();
        calls.spawn(async move {
            admit(&app, Product::PlaceSearch, with_key(&org)).await.map(|call| call.credits())
        });
    }
    for result in calls.join_all().await {
        assert_eq!(result.expect("admitted"), price(Product::PlaceSearch));
    }
    let account = world.account(&org).await;
    assert_eq!(account.today.day.to_string(), "2026-11-21");
    assert_eq!(lines(&account.today.usage), [line(Product::PlaceSearch, 40)]);
    let credits: i64 = yesterday.iter().map(|(_, _, credits)| credits).sum();
    assert_eq!(account.totals.used, credits.unsigned_abs() + 40 * price(Product::PlaceSearch));
    assert_whole(&account);
    let past =
        Accounts::new(world.app.dynamo.clone()).past_usage(&org.id, month("2026-11")).await.expect("read");
    assert_eq!(past.len(), 1);
    assert_eq!(past[0].day.to_string(), "2026-11-20");
    assert_eq!(lines(&past[0].usage), yesterday);
}

#[tokio::test]
async fn call_racing_with_the_end_of_its_day_is_archived_with_that_day() {
    let (world, org) = World::with_org().await;
    // From 09:00:30 to five seconds before midnight.
    world.clock.advance((14 * 3_600 + 59 * 60 + 25) * 1_000);
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    let (behind, _) = world.another_process_at(8, Clock::fixed(world.clock.now())).await;
    world.clock.advance(10_000);
    let mut caller = Some((behind, org.clone()));
    world.wire.interleave(move |sent| {
        let (behind, org) = caller.take_if(|_| sent.operation == "TransactWriteItems")?;
        Some(Box::pin(async move {
            admit(&behind, Product::PlaceReport, with_key(&org)).await.expect("admitted");
        }))
    });
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    let past =
        Accounts::new(world.app.dynamo.clone()).past_usage(&org.id, month("2026-11")).await.expect("read");
    let yesterday: Vec<_> = past.iter().flat_map(|day| lines(&day.usage)).collect();
    assert_eq!(yesterday, [line(Product::PlaceReport, 1), line(Product::PlaceSearch, 1)]);
    let account = world.account(&org).await;
    assert_eq!(lines(&account.today.usage), [line(Product::PlaceSearch, 1)]);
    assert_whole(&account);
}

#[tokio::test]
async fn day_without_calls_is_not_archived() {
    let (world, org) = World::with_org().await;
    for days in [1, 3, 30] {
        admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
        world.clock.advance(days * 24 * 60 * 60 * 1_000);
    }
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    let accounts = Accounts::new(world.app.dynamo.clone());
    let mut days = Vec::new();
    for text in ["2026-10", "2026-11", "2026-12"] {
        let past = accounts.past_usage(&org.id, month(text)).await.expect("read");
        days.extend(past.into_iter().map(|day| day.day.to_string()));
    }
    assert_eq!(days, ["2026-11-20", "2026-11-21", "2026-11-24"]);
    assert_eq!(world.account(&org).await.today.day.to_string(), "2026-12-24");
}

#[tokio::test]
async fn low_balance_is_logged_once_each_at_25_10_and_0_percent() {
    let world = World::new().await;
    let price = price(Product::PlaceSearch);
    let org = world.org_with("org_a", Tier::Enterprise, 40 * price).await;
    let logs = Logs::capture();
    let mut logged_at = Vec::new();
    for call in 1..=40 {
        let before = logs.of("credits_low").len();
        admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
        if logs.of("credits_low").len() > before {
            logged_at.push(40 - call);
        }
    }
    for _ in 0..3 {
        admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect_err("the credits are used up");
        admit(&world.app, Product::Markets, with_key(&org)).await.expect("the call is free");
    }
    assert_eq!(logged_at, [10, 4, 0]);
    let logged = logs.of("credits_low");
    let percents: Vec<_> = logged.iter().map(|line| line["fields"]["percent_left"].as_i64()).collect();
    assert_eq!(percents, [Some(25), Some(10), Some(0)]);
    assert!(logged.iter().all(|line| line["fields"]["org"] == "org_a"), "{logged:?}");
}

#[tokio::test]
async fn purchase_that_uses_most_credits_logs_a_low_balance() {
    let world = World::new().await;
    let drafted = price(Product::ScenarioCampaignCrud);
    let org = world.org_with("org_a", Tier::Enterprise, 99 + drafted).await;
    let path = world.draft(&org, store::Family::Campaign).await;
    let logs = Logs::capture();
    let event = world.event(&org, &path, "purchased", 92);
    assert!(harness::apply(&world.app, &event).await.expect("applied").is_applied());
    let logged = logs.of("credits_low");
    assert_eq!(logged.len(), 1, "{logged:?}");
    assert_eq!(
        (&logged[0]["fields"]["percent_left"], &logged[0]["fields"]["balance"]),
        (&10.into(), &7.into())
    );
    assert_eq!(
        harness::apply(&world.app, &event).await.expect("applied"),
        measurement::Outcome::AlreadyApplied
    );
    assert_eq!(logs.of("credits_low").len(), 1, "a repeated event logs nothing");
}

fn lines(usage: &accounting::Usage) -> Vec<(String, i64, i64)> {
    usage.iter().map(|(name, line)| (name.as_str().to_owned(), line.calls, line.credits)).collect()
}

/// Returns a product's usage line after the given number of calls.
fn line(product: Product, calls: i64) -> (String, i64, i64) {
    (product.name().to_owned(), calls, calls * i64::from(product.credits()))
}
