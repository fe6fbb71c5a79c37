//! A process with a slow clock never moves an account back to the previous day.

use accounting::{Product, Timestamp};
use harness::World;
use runtime::Clock;
use store::Accounts;

use super::{admit, month, with_key};

#[tokio::test]
async fn slow_clock_does_not_move_the_day_back() {
    let (world, org) = World::with_org().await;
    world.move_to("2026-11-20T23:58:00Z");
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    let (behind, _) = world
        .another_process_at(
            8,
            Clock::fixed(Timestamp::parse("2026-11-20T23:59:55Z").expect("valid timestamp")),
        )
        .await;
    admit(&behind, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    world.move_to("2026-11-21T00:00:05Z");
    admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    for _ in 0..3 {
        admit(&behind, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    }
    let account = world.account(&org).await;
    assert_eq!(account.today.day.to_string(), "2026-11-21");
    assert_eq!(account.today.usage.values().map(|line| line.calls).sum::<i64>(), 4);
    let past =
        Accounts::new(world.app.dynamo.clone()).past_usage(&org.id, month("2026-11")).await.expect("read");
    assert_eq!(past.len(), 1);
    // Yesterday's usage is unchanged.
    assert_eq!(past[0].usage.values().map(|line| line.calls).sum::<i64>(), 2);
}
