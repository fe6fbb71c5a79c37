//! Concurrent calls in several threads and processes never overspend a balance or exceed a rate limit.

use std::collections::BTreeMap;
use std::sync::Arc;

use accounting::{Credits, Tier};
use harness::{Answer, TestOrg, World, paid};
use http::StatusCode;
use tokio::task::JoinSet;

use super::{assert_whole, counted};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

const MAX_RETRIES: usize = 9;

#[tokio::test]
async fn two_processes_spend_a_balance_of_137_calls_exactly() {
    spend_137().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_threads_spend_a_balance_of_137_calls_exactly() {
    spend_137().await;
}

#[tokio::test]
async fn two_processes_admit_ten_sandbox_calls_per_minute() {
    fill_a_minute().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_threads_admit_ten_sandbox_calls_per_minute() {
    fill_a_minute().await;
}

async fn spend_137() {
    let world = Arc::new(World::new().await);
    let org = world.org_with("org_a", Tier::Enterprise, 137 * paid()).await;
    let answers = at_once(&world, &org, 200).await;
    assert_eq!(counted(&answers), BTreeMap::from([(200, 137), (402, 63)]));
    for answer in &answers {
        let admitted = answer.status == 200;
        assert_eq!(answer.credits_used(), if admitted { paid() } else { 0 });
        assert!(admitted || answer.credits_remaining() == 0);
    }
    let account = world.account(&org).await;
    assert_eq!(account.left(), 0);
    assert_eq!(account.totals.used, 137 * paid());
    let line = account.today.usage.values().next().copied().expect("there is a usage line");
    assert_eq!((account.today.usage.len(), line.calls), (1, 137));
    assert_eq!(line.credits.unsigned_abs(), 137 * paid());
    assert_eq!(account.window.calls, 200, "a 402 counts toward the rate limit");
    assert_whole(&account);
    let mut balances: Vec<_> =
        answers.iter().filter(|answer| answer.status == 200).map(Answer::credits_remaining).collect();
    balances.sort_unstable();
    // Every response reports a different balance.
    assert_eq!(balances, (0..137).map(|calls| calls * paid()).collect::<Vec<_>>());
}

async fn fill_a_minute() {
    let world = Arc::new(World::new().await);
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    let mut used: Credits = 0;
    for minute in 0..2 {
        let answers = at_once(&world, &org, 100).await;
        assert_eq!(counted(&answers), BTreeMap::from([(200, 10), (429, 90)]), "minute {minute}");
        for answer in answers.iter().filter(|answer| answer.status == 429) {
            assert_eq!(answer.error(), (429, "RATE_LIMITED".to_owned()));
            assert_eq!(answer.number("retry-after"), 30);
            assert_eq!(answer.number("x-credits-used"), 0);
        }
        used += 10 * paid();
        let account = world.account(&org).await;
        assert_eq!((account.totals.used, account.left(), account.window.calls), (used, 2_000 - used, 10));
        assert_whole(&account);
        world.clock.advance(60_000);
    }
}

/// Sends concurrent calls to two processes in turn.
async fn at_once(world: &Arc<World>, org: &TestOrg, calls: u64) -> Vec<Answer> {
    let mut routers = Vec::new();
    for process in 0..2 {
        routers.push(world.another_process(100 + process).await.1);
    }
    let mut running = JoinSet::new();
    for router in routers.into_iter().cycle().take(usize::try_from(calls).expect("the number fits")) {
        let (world, key) = (Arc::clone(world), org.key.clone());
        running.spawn(async move {
            let call = async || world.get(SUMMARY).key(&key).send_to(router.clone()).await;
            let mut answer = call().await;
            // On a busy machine, a call can lose too many races and return a 503, so it is retried.
            for _ in 0..MAX_RETRIES {
                if answer.status != StatusCode::SERVICE_UNAVAILABLE {
                    break;
                }
                answer = call().await;
            }
            answer
        });
    }
    running.join_all().await
}
