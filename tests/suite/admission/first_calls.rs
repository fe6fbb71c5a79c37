//! Rare charges in every function: the first charge of a day, the first of a month, and a session's first
//! charge in another process.

use std::collections::BTreeMap;

use accounting::{AuthRequirement, Credits};
use harness::{OPERATIONS, Operation, World, binary_of};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// Returns each function's first paid operation whose authentication requirement satisfies `takes`, by
/// binary.
fn one_of_each_function(takes: fn(AuthRequirement) -> bool) -> BTreeMap<&'static str, &'static Operation> {
    let priced =
        OPERATIONS.iter().filter(|operation| operation.product.credits() > 0 && takes(operation.auth));
    priced.rev().map(|operation| (binary_of(operation.function), operation)).collect()
}

#[tokio::test]
async fn first_calls_of_a_day_and_month_are_charged_once_in_every_function() {
    let operations = one_of_each_function(|_| true);
    assert_eq!(operations.len(), 6, "{:?}", operations.keys());
    for (function, operation) in operations {
        let (world, org) = World::with_org().await;
        let path = operation.path_for(&world, &org, &world.router()).await;
        let before = world.account(&org).await.totals.used;
        let (_, process) = world.another_process(world.app.random.below(u64::MAX)).await;
        let (price, mut used): (Credits, Credits) = (operation.product.credits().into(), 0);
        for pause in [0, DAY_MILLIS, 31 * DAY_MILLIS] {
            world.clock.advance(pause);
            let (header, value) = operation.credential(&world, &org).await;
            let answer = operation.call(&world, &path).header(header, &value).send_to(process.clone()).await;
            assert!(answer.status.is_success(), "{function}: {}", answer.text());
            used += price;
            assert_eq!(answer.credits_used(), price, "{function}");
            assert_eq!(world.account(&org).await.totals.used - before, used, "{function}");
        }
    }
}

#[tokio::test]
async fn session_continues_in_another_process_of_every_function() {
    for (function, operation) in one_of_each_function(|audience| audience == AuthRequirement::Anyone) {
        let world = World::new().await;
        let opened = operation.call(&world, operation.path).send().await;
        let (_, process) = world.another_process(world.app.random.below(u64::MAX)).await;
        let call = operation.call(&world, operation.path);
        let answer = call.header("x-session-token", opened.header("x-session-token")).send_to(process).await;
        let left = opened.credits_remaining() - Credits::from(operation.product.credits());
        assert_eq!((answer.credits_remaining(), answer.header("x-session-token")), (left, ""), "{function}");
    }
}
