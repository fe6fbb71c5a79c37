//! Response headers for rate limits and credits.

use accounting::{Credits, Tier};
use harness::{Answer, Logs, World, paid};

const SUMMARY: &str = "/v2/scenarios/events/summary";

#[tokio::test]
async fn admitted_calls_return_rate_limit_and_credit_headers() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    // A call with an unknown asset or an invalid parameter is admitted and charged like any other.
    let calls = [
        (SUMMARY, 200),
        ("/v2/scenarios/events/unknown", 404),
        ("/v2/scenarios/events?limit=0", 400),
        ("/v2/scenarios/campaigns", 200),
    ];
    for (calls, (path, status)) in (1..).zip(calls) {
        let answer = world.get(path).key(&org.key).send().await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.credits_used(), paid(), "{path}");
        assert_rate_limit(&answer, 2_000 - calls * paid(), 10, 10 - calls, 30);
    }
    let free = world.get("/v2/billing/credits").key(&org.key).send().await;
    assert_eq!(free.number("x-credits-used"), 0);
    assert_rate_limit(&free, 2_000 - 4 * paid(), 10, 5, 30);
    let meta = free.json()["meta"].take();
    assert_eq!(
        (&meta["credits_used"], &meta["credits_remaining"]),
        (&0.into(), &(2_000 - 4 * paid()).into())
    );
    assert_eq!(meta["product"], "billing_credits");
    assert_eq!(meta["version"], "0.4.0");
    assert_eq!(meta["request_id"], free.header("x-request-id"));
}

#[tokio::test]
async fn reset_headers_count_down_to_the_next_minute() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    for _ in 0..10 {
        assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    }
    // The clock starts 30 s after a full minute. The columns are the number of milliseconds by which the
    // clock advances, and the number of seconds that are then left in the minute.
    for (millis, seconds) in [(0, 30), (1, 30), (998, 30), (1, 29), (28_000, 1), (999, 1)] {
        world.clock.advance(millis);
        let answer = world.get(SUMMARY).key(&org.key).send().await;
        assert_eq!(answer.error(), (429, "RATE_LIMITED".to_owned()));
        assert_eq!(answer.number("retry-after"), seconds, "at {}", world.clock.now());
        assert_eq!(answer.number("x-credits-used"), 0);
        assert_rate_limit(&answer, 2_000 - 10 * paid(), 10, 0, seconds);
    }
    world.clock.advance(1);
    let answer = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("retry-after"), "");
    let start = world.clock.now().unix_seconds();
    assert_eq!(answer.number("x-ratelimit-reset"), start + 60);
    assert_eq!(answer.header("ratelimit"), "\"minute\";r=9;t=60");
}

#[tokio::test]
async fn key_without_the_scope_gets_403_with_headers_uncharged() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let narrow = world.key(&org.id, [accounting::Scope::Tiles].into_iter().collect()).await;
    let logs = Logs::capture();
    for _ in 0..12 {
        let answer = world.get(SUMMARY).key(&narrow).send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
        assert_eq!(answer.number("x-credits-used"), 0);
        assert_rate_limit(&answer, 2_000, 10, 10, 30);
    }
    assert_eq!(logs.of("request")[0]["fields"]["org"], "org_a");
    let account = world.account(&org).await;
    assert_eq!((account.totals.used, account.window.calls), (0, 0));
}

#[tokio::test]
async fn quota_exceeded_returns_headers_and_counts_toward_the_rate_limit() {
    let (world, org) = World::with_org_of(Tier::Enterprise, paid()).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    for remaining in [998, 997, 996] {
        let answer = world.get(SUMMARY).key(&org.key).send().await;
        assert_eq!(answer.error(), (402, "QUOTA_EXCEEDED".to_owned()));
        assert_eq!(answer.number("x-credits-used"), 0);
        assert_rate_limit(&answer, 0, 1_000, remaining, 30);
        assert_eq!(answer.header("retry-after"), "");
    }
}

#[tokio::test]
async fn rate_limit_is_checked_before_credits() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    super::spend(&world.app, &org, 2_000 - 10 * paid()).await.expect("enough credits");
    for _ in 0..10 {
        assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    }
    // The rate limit takes precedence, although no credits are left.
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 429);
    world.clock.advance(30_000);
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 402);
}

#[track_caller]
fn assert_rate_limit(answer: &Answer, credits: Credits, limit: u64, remaining: u64, seconds: i64) {
    // Rate limits reset at full minutes.
    let reset = answer.number("x-ratelimit-reset");
    assert_eq!(reset % 60, 0);
    assert_eq!(answer.credits_remaining(), credits);
    assert_eq!(answer.header("x-ratelimit-limit"), limit.to_string());
    assert_eq!(answer.header("x-ratelimit-remaining"), remaining.to_string());
    assert_eq!(answer.header("ratelimit-policy"), format!("\"minute\";q={limit};w=60"));
    assert_eq!(answer.header("ratelimit"), format!("\"minute\";r={remaining};t={seconds}"));
}
