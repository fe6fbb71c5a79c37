//! What an anonymous session may spend, whom it belongs to, when it ends, and what of its token is stored.

use std::net::IpAddr;

use accounting::{Credits, Product, RateLimitOf, Refusal, Timestamp};
use gateway::{Admission, App, Code, Identity, NotAdmitted, RequestCredentials};
use harness::{World, price};

use super::{admit, assert_whole, refusal};

const HOME: &str = "203.0.113.9";

#[tokio::test]
async fn a_session_has_a_hundred_credits_and_five_calls_a_minute() {
    let world = World::new().await;
    let price = price(Product::PlaceSearch);
    let visits = 100 / price;
    for visit_number in 1..=visits {
        let admission = visit(&world.app, HOME, None).await.expect("admitted");
        assert_eq!(left(&admission), left_after(visit_number));
        assert_whole(admission.account().expect("an account"));
        if visit_number % 5 == 0 {
            let sixth = refusal(visit(&world.app, HOME, None).await);
            assert_eq!(sixth, Refusal::RateLimited { limit: 5, retry_after: 30, of: RateLimitOf::Account });
            world.clock.advance(60_000);
        }
    }
    world.clock.advance(60_000);
    let spent = refusal(visit(&world.app, HOME, None).await);
    assert_eq!(spent, Refusal::QuotaExceeded { balance: left_after(visits), price });
    let free = admit(&world.app, Product::CohortSearch, of(HOME, None))
        .await
        .expect("a zero-cost call is never 402");
    assert_eq!(free.credits(), 0);
}

#[tokio::test]
async fn what_is_less_than_a_price_does_not_pay_it() {
    let world = World::new().await;
    let (population, search) = (price(Product::PopulationAtHome), price(Product::PlaceSearch));
    let mut balance = 100;
    while balance >= population {
        admit(&world.app, Product::PopulationAtHome, of(HOME, None)).await.expect("admitted");
        balance -= population;
        if balance >= search {
            visit(&world.app, HOME, None).await.expect("admitted");
            balance -= search;
        }
        world.clock.advance(60_000);
    }
    let refused = refusal(admit(&world.app, Product::PopulationAtHome, of(HOME, None)).await);
    assert_eq!(refused, Refusal::QuotaExceeded { balance, price: population });
    while balance >= search {
        balance -= search;
        let last = visit(&world.app, HOME, None).await.expect("what is left is spent on what it pays");
        assert_eq!(left(&last), balance);
    }
}

#[tokio::test]
async fn a_lost_token_yields_no_new_credits() {
    let world = World::new().await;
    let first = visit(&world.app, HOME, None).await.expect("admitted");
    let token = token(&first).expect("the first request is told its token");
    for (presented, visits) in [(None, 2), (Some(token.as_str()), 3), (None, 4)] {
        let admission = visit(&world.app, HOME, presented).await.expect("admitted");
        assert_eq!(left(&admission), left_after(visits));
        assert_eq!(self::token(&admission), None, "a token is shown once");
    }
}

#[tokio::test]
async fn a_token_belongs_to_its_session_wherever_it_comes_from() {
    let world = World::new().await;
    let token = token(&visit(&world.app, HOME, None).await.expect("admitted")).expect("a token");
    let abroad = visit(&world.app, "198.51.100.7", Some(&token)).await.expect("admitted");
    assert_eq!(left(&abroad), left_after(2));
    assert_eq!(self::token(&abroad), None);
    assert_eq!(world.stored("accounts").await.len(), 1, "no session was opened for the other address");
}

#[tokio::test]
async fn any_other_token_leads_to_the_session_of_the_address() {
    let world = World::new().await;
    let foreign = token(&visit(&world.app, "198.51.100.7", None).await.expect("admitted")).expect("a token");
    let own = token(&visit(&world.app, HOME, None).await.expect("admitted")).expect("a token");
    let (session, secret) = own.rsplit_once('_').expect("a session and a secret");
    let (foreign_session, _) = foreign.rsplit_once('_').expect("a session and a secret");
    let forged = [
        String::new(),
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
        format!("{own}0"),
        "\u{fffd}\0".to_owned(),
        "x".repeat(100_000),
    ];
    for (visits, forged) in (2..).zip(&forged) {
        world.clock.advance(60_000);
        let admission = visit(&world.app, HOME, Some(forged)).await.expect("admitted");
        assert_eq!(left(&admission), left_after(visits), "{forged:?}");
        assert_eq!(token(&admission), None, "{forged:?}");
    }
    assert_eq!(left(&visit(&world.app, "198.51.100.7", None).await.expect("admitted")), left_after(2));
}

#[tokio::test]
async fn addresses_share_a_session_as_they_share_a_household() {
    let world = World::new().await;
    // Each address, and the number of the session that it belongs to.
    let addresses = [
        ("203.0.113.9", 0),
        ("203.0.113.9", 0),
        ("::ffff:203.0.113.9", 0),
        ("203.0.113.10", 1),
        ("2001:db8:0:1::1", 2),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", 2),
        ("2001:db8:0:2::1", 3),
        ("2001:db8::1", 4),
        ("::cb00:7109", 5),
        ("::1", 5),
    ];
    let mut calls = [0; 6];
    for (address, session) in addresses {
        let admission = visit(&world.app, address, None).await.expect("admitted");
        calls[session] += 1;
        assert_eq!(left(&admission), left_after(calls[session]), "{address}");
        assert_eq!(token(&admission).is_some(), calls[session] == 1, "{address}");
    }
}

#[tokio::test]
async fn a_first_request_made_twice_at_once_opens_one_session() {
    let world = World::new().await;
    let (other, _) = world.another_process(8).await;
    let (one, two) = tokio::join!(visit(&world.app, HOME, None), visit(&other, HOME, None));
    let (one, two) = (one.expect("admitted"), two.expect("admitted"));
    let tokens: Vec<_> = [token(&one), token(&two)].into_iter().flatten().collect();
    assert_eq!(tokens.len(), 1, "one of them opened it");
    assert_eq!(one.identity().account(), two.identity().account());
    assert_eq!(left(&visit(&world.app, HOME, Some(&tokens[0])).await.expect("admitted")), left_after(3));
}

#[tokio::test]
async fn a_session_ends_a_day_after_its_first_request() {
    let world = World::new().await;
    let token = token(&visit(&world.app, HOME, None).await.expect("admitted")).expect("a token");
    world.clock.advance(24 * 60 * 60 * 1_000 - 1_000);
    let last = visit(&world.app, HOME, None).await.expect("admitted");
    assert_eq!(left(&last), left_after(2), "a second before its end");
    world.clock.advance(1_000);
    // The database deletes what has expired days late: the ended session still lies there.
    let lying = world.stored("accounts").await;
    assert_eq!(lying.len(), 1);
    let end: i64 = lying[0]["ttl"].as_n().expect("a number").parse().expect("a number");
    assert_eq!(Timestamp::from_unix_seconds(end), world.clock.now());
    let anew = visit(&world.app, HOME, Some(&token)).await.expect("admitted");
    assert_eq!(left(&anew), left_after(1), "a new session");
    let new_token = self::token(&anew).expect("a new token");
    assert_ne!(new_token, token);
    let by_old = visit(&world.app, "198.51.100.7", Some(&token)).await.expect("admitted");
    assert_eq!(
        left(&by_old),
        left_after(1),
        "the old token opens nothing: this is the other address's session"
    );
    let by_new = visit(&world.app, "198.51.100.7", Some(&new_token)).await.expect("admitted");
    assert_eq!(left(&by_new), left_after(2));
}

#[tokio::test]
async fn a_process_that_remembers_an_ended_session_charges_the_new_one() {
    let world = World::new().await;
    let (other, _) = world.another_process(8).await;
    visit(&other, HOME, None).await.expect("admitted");
    world.clock.advance(24 * 60 * 60 * 1_000);
    visit(&world.app, HOME, None).await.expect("admitted");
    let admission = visit(&other, HOME, None).await.expect("admitted");
    assert_eq!(left(&admission), left_after(2));
    assert_whole(admission.account().expect("an account"));
}

#[tokio::test]
async fn only_a_digest_of_the_tokens_secret_is_stored() {
    let world = World::new().await;
    let token = token(&visit(&world.app, HOME, None).await.expect("admitted")).expect("a token");
    let (_, secret) = token.rsplit_once('_').expect("a secret");
    let shown = format!("{:?}", world.stored("accounts").await);
    assert!(shown.contains("session#"), "the session is there");
    assert!(!shown.contains(secret));
    assert!(!shown.contains(HOME), "nor is the address");
}

#[tokio::test]
async fn a_credential_that_is_bad_does_not_fall_back_to_a_session() {
    let world = World::new().await;
    let address = of(HOME, None);
    for bad in [
        RequestCredentials { api_key: Some(""), ..address },
        RequestCredentials { authorization: Some(""), ..address },
        RequestCredentials { authorization: Some("Bearer a.b.c"), ..address },
        RequestCredentials { search_key: Some(""), ..address },
    ] {
        let denied = admit(&world.app, Product::PlaceSearch, bad).await;
        let denied = denied.expect_err("bad credentials");
        assert_eq!(denied.error.code, Code::Unauthorized, "{bad:?}: {denied:?}");
    }
    assert!(world.stored("accounts").await.is_empty(), "no session was opened");
}

fn of<'a>(address: &str, token: Option<&'a str>) -> RequestCredentials<'a> {
    let address: IpAddr = address.parse().expect("an address");
    RequestCredentials { address: Some(address), session_token: token, ..RequestCredentials::default() }
}

async fn visit(app: &App, address: &str, token: Option<&str>) -> Result<Admission, NotAdmitted> {
    admit(app, Product::PlaceSearch, of(address, token)).await
}

/// Returns what a session has left after so many visits.
fn left_after(visits: Credits) -> Credits {
    100 - visits * price(Product::PlaceSearch)
}

fn left(admission: &Admission) -> Credits {
    admission.account().expect("an account").left()
}

fn token(admission: &Admission) -> Option<String> {
    match admission.identity() {
        Identity::Session { token, .. } => token.clone(),
        other => panic!("{other:?} is no session"),
    }
}
