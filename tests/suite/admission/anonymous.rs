//! Anonymous sessions: how they are opened, and their tokens, credits, and rate limits.

use accounting::{Credits, Product, Timestamp};
use harness::{Answer, Call, World, price, samples};
use serde_json::json;

const SEARCH: &str = "/v2/msearch";
const HOME: &str = "203.0.113.9";
const ABROAD: &str = "198.51.100.7";
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// The credits that a new session starts with.
const FIRST: Credits = 100;

/// Creates a place search, which costs credits.
fn search(world: &World) -> Call<'_> {
    world.post(SEARCH).json(&json!({ "filter": { "state": "DC" }, "pagination": { "page_size": 1 } }))
}

/// Creates a request for population at home, which costs credits.
fn population(world: &World) -> Call<'_> {
    let body = json!({ "service_segment_id": samples::segment("hispanic"), "geography_type": ["STATE"] });
    world.post("/v2/measures/population/at_home").json(&body)
}

/// Creates a cohort search, which is free.
fn cohorts(world: &World) -> Call<'_> {
    world.post("/v2/cohorts/search").json(&json!({ "service_data_product_name": "Population Anytime" }))
}

fn token(answer: &Answer) -> Option<String> {
    Some(answer.header("x-session-token").to_owned()).filter(|token| !token.is_empty())
}

/// Returns a session's remaining credits after the given numbers of place searches and population requests.
fn left_after(searches: Credits, populations: Credits) -> Credits {
    FIRST - searches * price(Product::PlaceSearch) - populations * price(Product::PopulationAtHome)
}

/// Asserts a response's price and remaining balance. Also asserts that the response contains a session token
/// if, and only if, the call opened a session.
#[track_caller]
fn assert_spent(answer: &Answer, product: Product, remaining: Credits, opened: bool) {
    let used = price(product);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!((answer.credits_used(), answer.credits_remaining()), (used, remaining));
    assert_eq!(answer.number("x-ratelimit-limit"), 5);
    assert_eq!(token(answer).is_some(), opened, "{:?}", answer.headers);
    let meta = answer.json()["meta"].take();
    assert_eq!((&meta["credits_used"], &meta["credits_remaining"]), (&json!(used), &json!(remaining)));
}

/// Asserts that a response is the nth of a session that makes only place searches.
#[track_caller]
fn assert_searched(answer: &Answer, number: Credits, opened: bool) {
    assert_spent(answer, Product::PlaceSearch, left_after(number, 0), opened);
}

async fn sessions(world: &World) -> usize {
    let stored = world.stored("accounts").await;
    stored.iter().filter(|item| item["sk"].as_s().is_ok_and(|sk| sk == "account")).count()
}

#[tokio::test]
async fn any_anonymous_product_opens_a_session() {
    for (open, product) in [
        (search as fn(&World) -> Call<'_>, Product::PlaceSearch),
        (population, Product::PopulationAtHome),
        (cohorts, Product::CohortSearch),
    ] {
        let world = World::new().await;
        let first = open(&world).send().await;
        assert_spent(&first, product, FIRST - price(product), true);
        assert_eq!(sessions(&world).await, 1);
    }
}

#[tokio::test]
async fn call_with_an_invalid_body_opens_a_session_and_is_charged() {
    let world = World::new().await;
    let refused = world.post(SEARCH).json(&json!({ "filter": { "state": 6 } })).send().await;
    assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()));
    let token = token(&refused).expect("a session token");
    let price = price(Product::PlaceSearch);
    assert_eq!((refused.credits_used(), refused.credits_remaining()), (price, FIRST - price));
    assert_searched(&search(&world).header("x-session-token", &token).send().await, 2, false);
}

#[tokio::test]
async fn sixth_call_within_a_minute_returns_429() {
    let world = World::new().await;
    for (call, remaining) in [
        (search as fn(&World) -> Call<'_>, left_after(1, 0)),
        (cohorts, left_after(1, 0)),
        (population, left_after(1, 1)),
        (search, left_after(2, 1)),
        (cohorts, left_after(2, 1)),
    ] {
        let answer = call(&world).send().await;
        assert_eq!(answer.credits_remaining(), remaining);
    }
    for call in [search, cohorts, population] {
        let sixth = call(&world).send().await;
        assert_eq!(sixth.error(), (429, "RATE_LIMITED".to_owned()));
        assert_eq!((sixth.number("retry-after"), sixth.credits_used()), (30, 0));
        assert_eq!((sixth.number("x-ratelimit-remaining"), sixth.credits_remaining()), (0, left_after(2, 1)));
    }
    // Each address has its own limit of five calls.
    assert_searched(&search(&world).from(ABROAD).send().await, 1, true);
    world.clock.advance(30_000);
    assert_spent(&search(&world).send().await, Product::PlaceSearch, left_after(3, 1), false);
}

#[tokio::test]
async fn session_without_enough_credits_returns_402() {
    let world = World::new().await;
    let mut token: Option<String> = None;
    let searches = FIRST / price(Product::PlaceSearch);
    for call in 0..searches {
        if call > 0 && call % 5 == 0 {
            world.clock.advance(60_000);
        }
        let request = match &token {
            Some(token) => search(&world).header("x-session-token", token),
            None => search(&world),
        };
        let answer = request.send().await;
        assert_searched(&answer, call + 1, call == 0);
        token = self::token(&answer).or(token);
    }
    world.clock.advance(60_000);
    let token = token.expect("a session token");
    for request in [search(&world), search(&world).header("x-session-token", &token), population(&world)] {
        let refused = request.send().await;
        assert_eq!(refused.error(), (402, "QUOTA_EXCEEDED".to_owned()));
        assert_eq!((refused.credits_used(), refused.credits_remaining()), (0, left_after(searches, 0)));
        assert_eq!(self::token(&refused), None, "no new session is opened");
    }
    assert_spent(&cohorts(&world).send().await, Product::CohortSearch, left_after(searches, 0), false);
    assert_eq!(sessions(&world).await, 1);
}

#[tokio::test]
async fn call_without_a_token_uses_the_session_of_the_address() {
    let world = World::new().await;
    let token = token(&search(&world).send().await).expect("a session token");
    assert_searched(&search(&world).send().await, 2, false);
    assert_searched(&search(&world).header("x-session-token", &token).send().await, 3, false);
    assert_searched(&search(&world).send().await, 4, false);
}

#[tokio::test]
async fn token_selects_its_session_from_any_address() {
    let world = World::new().await;
    let own = token(&search(&world).send().await).expect("a session token");
    assert_searched(&search(&world).from(ABROAD).header("x-session-token", &own).send().await, 2, false);
    assert_eq!(sessions(&world).await, 1, "the other address has no session");
    // Clients at the same address share a session unless they send tokens.
    let other = token(&search(&world).from(ABROAD).send().await).expect("a session token");
    assert_searched(&search(&world).header("x-session-token", &other).send().await, 2, false);
    assert_searched(&search(&world).send().await, 3, false);
    assert_searched(&search(&world).header("x-session-token", &own).send().await, 4, false);
    assert_searched(&search(&world).from(ABROAD).send().await, 3, false);
    assert_eq!(sessions(&world).await, 2);
}

#[tokio::test]
async fn addresses_of_one_ipv6_network_share_a_session() {
    let world = World::new().await;
    // The columns are the address, and the number of searches in its session, including this one.
    for (address, number) in [
        ("2001:db8:0:1::1", 1),
        ("2001:db8:0:1::2", 2),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", 3),
        ("2001:db8:0:2::1", 1),
        ("2001:db8:1:1::1", 1),
        (HOME, 1),
        ("::ffff:203.0.113.9", 2),
        ("203.0.113.8", 1),
        ("2001:db8::1", 1),
        ("::cb00:7109", 1),
        ("::1", 2),
    ] {
        let answer = search(&world).from(address).send().await;
        assert_eq!(answer.credits_remaining(), left_after(number, 0), "{address}");
        assert_eq!(token(&answer).is_some(), number == 1, "{address}");
    }
    assert_eq!(sessions(&world).await, 7);
}

#[tokio::test]
async fn expired_session_that_is_still_stored_is_replaced_by_a_new_one() {
    let world = World::new().await;
    let old = token(&search(&world).send().await).expect("a session token");
    world.clock.advance(DAY - 1_000);
    assert_searched(&search(&world).header("x-session-token", &old).send().await, 2, false);
    world.clock.advance(1_000);
    let stored = world.stored("accounts").await;
    assert_eq!(stored.len(), 1, "the database hasn't deleted the session yet");
    let end: i64 = stored[0]["ttl"].as_n().expect("a number").parse().expect("a number");
    assert_eq!(Timestamp::from_unix_seconds(end), world.clock.now());
    let first = search(&world).header("x-session-token", &old).send().await;
    assert_searched(&first, 1, true);
    let new = token(&first).expect("a new session token");
    assert_ne!(new, old);
    assert_searched(&search(&world).from(ABROAD).header("x-session-token", &new).send().await, 2, false);
    // The old token no longer selects a session, so this call opens a new one.
    assert_searched(&search(&world).from(ABROAD).header("x-session-token", &old).send().await, 1, true);
    assert_searched(&search(&world).send().await, 3, false);
}

#[tokio::test]
async fn used_up_credits_return_only_with_the_next_days_session() {
    let world = World::new().await;
    let populations = FIRST / price(Product::PopulationAtHome);
    assert_spent(&population(&world).send().await, Product::PopulationAtHome, left_after(0, 1), true);
    for _ in 1..populations {
        world.clock.advance(20_000);
        assert_eq!(population(&world).send().await.status, 200);
    }
    for _ in 0..left_after(0, populations) / price(Product::PlaceSearch) {
        world.clock.advance(60_000);
        assert_eq!(search(&world).send().await.status, 200);
    }
    for _ in 0..2 {
        world.clock.advance(60_000);
        assert_eq!(search(&world).send().await.error(), (402, "QUOTA_EXCEEDED".to_owned()));
    }
    world.clock.advance(DAY);
    assert_searched(&search(&world).send().await, 1, true);
}

#[tokio::test]
async fn concurrent_first_calls_open_one_session_and_are_both_charged() {
    let world = World::new().await;
    for (number, address) in ["203.0.113.20", "203.0.113.21", "2001:db8::1"].into_iter().enumerate() {
        let (_, other) = world.another_process(8).await;
        let first = population(&world).from(address);
        let (one, two) = tokio::join!(first.send(), search(&world).from(address).send_to(other));
        assert_eq!((one.status.as_u16(), two.status.as_u16()), (200, 200));
        let tokens: Vec<_> = [token(&one), token(&two)].into_iter().flatten().collect();
        assert_eq!(tokens.len(), 1, "exactly one call opens the session");
        assert_eq!(sessions(&world).await, number + 1);
        let prices = (price(Product::PopulationAtHome), price(Product::PlaceSearch));
        assert_eq!((one.credits_used(), two.credits_used()), prices);
        let next = search(&world).header("x-session-token", &tokens[0]).send().await;
        assert_spent(&next, Product::PlaceSearch, left_after(2, 1), false);
    }
}

#[tokio::test]
async fn concurrent_calls_never_exceed_five_per_minute() {
    let world = World::new().await;
    let answers = futures_util::future::join_all((0..12).map(|_| search(&world).send())).await;
    let admitted = answers.iter().filter(|answer| answer.status == 200).count();
    let limited = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!(
        (admitted, limited),
        (5, 7),
        "{:?}",
        answers.iter().map(|answer| answer.status).collect::<Vec<_>>()
    );
    assert_eq!(answers.iter().filter(|answer| token(answer).is_some()).count(), 1);
    world.clock.advance(60_000);
    assert_searched(&search(&world).send().await, 6, false);
}

#[tokio::test]
async fn invalid_token_uses_the_session_of_the_address() {
    let world = World::new().await;
    let own = token(&search(&world).send().await).expect("a session token");
    let foreign = token(&search(&world).from(ABROAD).send().await).expect("a session token");
    let (session, secret) = own.rsplit_once('_').expect("a session and a secret");
    let (foreign_session, _) = foreign.rsplit_once('_').expect("a session and a secret");
    let forged = [
        String::new(),
        " ".to_owned(),
        "nonsense".to_owned(),
        "mqs_".to_owned(),
        session.to_owned(),
        format!("{session}_"),
        format!("{session}_{}", "0".repeat(secret.len())),
        format!("{session}_{}", secret.to_uppercase()),
        format!("{foreign_session}_{secret}"),
        format!("mqs_{}_{secret}", "f".repeat(32)),
        format!("mqs_{}_{secret}", "g".repeat(32)),
        format!("mqs_org#org_a_{secret}"),
        own.to_uppercase(),
        format!("{own}0"),
        format!("Bearer {own}"),
        "x".repeat(8_000),
    ];
    let mut number = 1;
    for forged in &forged {
        world.clock.advance(20_000);
        let answer = search(&world).header("x-session-token", forged).send().await;
        number += 1;
        assert_searched(&answer, number, false);
    }
    let bytes = search(&world).header_bytes("x-session-token", b"\xff\xfe").send().await;
    assert_searched(&bytes, number + 1, false);
    let twice =
        search(&world).header("x-session-token", &foreign).header("x-session-token", &foreign).send().await;
    assert_searched(&twice, number + 2, false);
    assert_searched(&search(&world).from(ABROAD).send().await, 2, false);
}

#[tokio::test]
async fn invalid_api_key_returns_401_even_for_anonymous_products() {
    let (world, org) = World::with_org().await;
    let bad = search(&world).key("nonsense").send().await;
    assert_eq!(bad.error(), (401, "UNAUTHORIZED".to_owned()));
    assert_eq!(sessions(&world).await, 1, "expected only the organization's account");
    // A session token doesn't replace an invalid key. A valid key takes precedence over a session token.
    let session = token(&search(&world).send().await).expect("a session token");
    let both = search(&world).header("x-session-token", &session).key("nonsense").send().await;
    assert_eq!(both.error(), (401, "UNAUTHORIZED".to_owned()));
    let by_key = search(&world).header("x-session-token", &session).key(&org.key).send().await;
    let left = 1_000_000 - price(Product::PlaceSearch);
    assert_eq!((by_key.credits_remaining(), by_key.number("x-ratelimit-limit")), (left, 1_000));
    assert_searched(&search(&world).send().await, 2, false);
}

#[tokio::test]
async fn process_with_a_cached_expired_session_charges_the_new_one() {
    let world = World::new().await;
    let (_, other) = world.another_process(8).await;
    assert_searched(&search(&world).send_to(other.clone()).await, 1, true);
    world.clock.advance(DAY);
    assert_searched(&search(&world).send().await, 1, true);
    assert_searched(&search(&world).send_to(other).await, 2, false);
}

#[tokio::test]
async fn token_secret_is_stored_only_as_a_digest() {
    let world = World::new().await;
    let token = token(&search(&world).send().await).expect("a session token");
    let (_, secret) = token.rsplit_once('_').expect("a secret");
    let shown = format!("{:?}", world.stored("accounts").await);
    assert!(shown.contains("session#"), "the session is stored");
    assert!(!shown.contains(secret));
    assert!(!shown.contains(HOME), "the address is not stored");
}
