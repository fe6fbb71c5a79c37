//! Each mailbox can sign up once. Each email domain and each network has a daily limit.

use std::net::Ipv4Addr;

use gateway::SelfSignUp;
use harness::{Answer, Logs, World, WorldOptions};
use serde_json::{Value, json};
use store::Person;

use super::sign_up::accounts;
use super::{ACCOUNT, ORGANIZATION, read, sign_up};

/// A daily limit of 30 allows 3 sign-ups per domain or network, and 15 per free-mail domain.
const PER_DAY: SelfSignUp = SelfSignUp { per_day: 30 };

async fn world() -> World {
    World::with(WorldOptions { self_sign_up: Some(PER_DAY), ..WorldOptions::default() }).await
}

/// Returns a person with the given email address. Each address belongs to a different person.
fn person(world: &World, email: &str) -> Person {
    world.issuer.person(email, email.parse().ok())
}

/// Signs up a person who has the given email address and calls from the given IP address.
async fn sign_up_from(world: &World, email: &str, client: &str) -> Answer {
    let token = world.token(&person(world, email));
    let body = json!({ "name": "Example Coffee" });
    world.post(ORGANIZATION).bearer(&token).json(&body).from(client).send().await
}

/// Returns the sign-up status of a person who has the given email address and calls from the given IP
/// address.
async fn offered(world: &World, email: &str, client: &str) -> Value {
    let token = world.token(&person(world, email));
    world.get(ACCOUNT).bearer(&token).from(client).send().await.data()["sign_up"].take()
}

fn network(n: u8) -> String {
    Ipv4Addr::new(198, 51, n, 7).to_string()
}

/// Asserts that a sign-up is refused because of the given limit, and that the sign-up status says so.
async fn assert_limited(world: &World, email: &str, client: &str, limit: &str) {
    let refused = sign_up_from(world, email, client).await;
    assert_eq!(refused.error(), (429, "SIGN_UPS_EXHAUSTED".to_owned()), "{email} {client}");
    let wait = refused.number("retry-after");
    let expected = format!("today's sign-up limit {limit} has been reached; try again in {wait} s");
    assert_eq!(refused.json()["error"]["message"], expected);
    let shown = offered(world, email, client).await;
    let refusal = json!({ "code": "SIGN_UPS_EXHAUSTED", "message": expected });
    assert_eq!(shown, json!({ "available": false, "refusal": refusal }));
}

#[tokio::test]
async fn other_addresses_of_a_mailbox_return_409_and_the_address_is_stored_as_given() {
    let world = World::new().await;
    let first = world.issuer.person("first", "M.e+first@Example.com".parse().ok());
    let org = sign_up(&world, &first, "First").await.data()["organization"]["org_id"].clone();
    let org = org.as_str().and_then(|org| org.parse().ok()).expect("an ID");
    let members = world.administrator.members(&org).await.expect("members");
    assert_eq!(members[0].email, "m.e+first@example.com".parse().ok());
    assert_eq!(sign_up_from(&world, "m.e@gmail.com", &network(1)).await.status, 200);
    for (number, again) in [
        "m.e@example.com",
        "m.e+1@example.com",
        "M.E+2+3@EXAMPLE.COM",
        "me@gmail.com",
        "me+1@gmail.com",
        "m.e@googlemail.com",
        "M.E.+x@GoogleMail.com",
    ]
    .into_iter()
    .enumerate()
    {
        let client = network(10 + number as u8);
        let refused = sign_up_from(&world, again, &client).await;
        assert_eq!(refused.error(), (409, "SIGNED_UP_BEFORE".to_owned()), "{again}");
        assert_eq!(offered(&world, again, &client).await["refusal"]["code"], "SIGNED_UP_BEFORE", "{again}");
    }
    // In other domains, dots are significant. A name that starts with a plus sign has no tag.
    for other in ["me@example.com", "+tag@example.com"] {
        assert_eq!(sign_up_from(&world, other, &network(2)).await.status, 200, "{other}");
    }
    assert_eq!(accounts(&world).await.len(), 4);
}

#[tokio::test]
async fn flood_from_one_domain_leaves_sign_ups_for_others() {
    let world = world().await;
    let logs = Logs::capture();
    for (n, email) in ["a@example.com", "b@example.com", "c@eu.example.com"].into_iter().enumerate() {
        assert_eq!(sign_up_from(&world, email, &network(n as u8)).await.status, 200);
    }
    for email in ["d@example.com", "e@us.example.com", "f@a.b.Example.com"] {
        assert_limited(&world, email, &network(9), "for email addresses at example.com").await;
    }
    assert_eq!(logs.of("sign_ups_exhausted").len(), 0, "the alarm is for the limit of everyone");
    let logged = &logs.of("sign_ups_limited")[0]["fields"];
    assert_eq!((&logged["limit"], &logged["per_day"]), (&json!("domain"), &json!(3)));
    assert!(!logs.lines().concat().contains("example.com"));
    // Refused sign-ups don't count toward the network's limit.
    for email in ["a@example.org", "b@example.org", "a@example.co.uk"] {
        assert_eq!(sign_up_from(&world, email, &network(9)).await.status, 200, "{email}");
    }
    world.clock.advance(24 * 60 * 60 * 1_000);
    assert_eq!(sign_up_from(&world, "d@example.com", &network(9)).await.status, 200);
}

#[tokio::test]
async fn free_mail_domain_has_a_higher_limit() {
    let world = world().await;
    for n in 0..15 {
        let host = if n % 2 == 0 { "gmail.com" } else { "googlemail.com" };
        assert_eq!(sign_up_from(&world, &format!("person{n}@{host}"), &network(n)).await.status, 200, "{n}");
    }
    assert_limited(&world, "late@gmail.com", &network(99), "for email addresses at gmail.com").await;
    assert_eq!(sign_up_from(&world, "late@outlook.com", &network(99)).await.status, 200);
}

#[tokio::test]
async fn flood_from_one_network_leaves_sign_ups_for_others() {
    for (clients, inside, outside, range) in [
        (["203.0.113.1", "203.0.113.2", "203.0.113.255"], "203.0.113.9", "203.0.112.9", "203.0.113.0/24"),
        (
            ["2001:db8:1::1", "2001:db8:1:2::1", "2001:db8:1:ffff::1"],
            "2001:db8:1:9::",
            "2001:db8:2::1",
            "2001:db8:1::/48",
        ),
    ] {
        let world = world().await;
        for (n, client) in clients.into_iter().enumerate() {
            assert_eq!(sign_up_from(&world, &format!("a@company{n}.example"), client).await.status, 200);
        }
        assert_limited(&world, "a@company4.example", inside, &format!("for your network ({range})")).await;
        assert_eq!(sign_up_from(&world, "a@company4.example", outside).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_sign_ups_of_one_domain_stop_exactly_at_the_limit() {
    let world = world().await;
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..8 {
        let token = world.token(&person(&world, &format!("person{n}@example.com")));
        let call = world.post(ORGANIZATION).bearer(&token).json(&json!({ "name": "Example Coffee" }));
        calls.spawn(call.from(&network(n)).send());
    }
    let statuses = calls.join_all().await;
    assert_eq!(statuses.iter().filter(|answer| answer.status == 200).count(), 3);
    assert_eq!(accounts(&world).await.len(), 3);
}

#[tokio::test]
async fn counts_expire_and_contain_neither_domains_nor_networks() {
    let world = world().await;
    assert_eq!(sign_up_from(&world, "a@example.com", "203.0.113.9").await.status, 200);
    // A repeated sign-up returns the organization, even from a network that has reached its limit.
    for n in 0..3 {
        sign_up_from(&world, &format!("b@company{n}.example"), &network(1)).await;
    }
    assert_eq!(sign_up_from(&world, "a@example.com", &network(1)).await.status, 200);
    let stored = world.stored("accounts").await;
    let text = |value: Option<&_>| format!("{value:?}");
    let counts: Vec<_> = stored.iter().filter(|item| text(item.get("pk")).contains("\"sign_ups#")).collect();
    // One count for all sign-ups, one for each of four domains, and one for each of two networks.
    assert_eq!(counts.len(), 7);
    for count in counts {
        assert!(text(count.get("ttl")).contains("1795305600"), "{count:?}: 2026-11-22 at midnight");
        let all = format!("{count:?}");
        assert!(!all.contains("example") && !all.contains("203.0.113"), "{all}");
    }
    let read = read(&world, &person(&world, "a@example.com")).await;
    assert_eq!(read["organization"]["role"], "owner");
}
