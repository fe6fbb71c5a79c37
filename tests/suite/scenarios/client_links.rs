//! Client links and the campaigns that they show.

use harness::{Answer, Call, Logs, PUBLIC_URL, TestOrg, World, large_spots, samples};
use serde_json::{Value, json};
use store::Family;

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;
const VIEW: &str = "/v2/client-links/campaign";

async fn create(world: &World, org: &TestOrg, campaign: &str, body: &Value) -> Value {
    let answer = world.post(&format!("{campaign}/links")).key(&org.key).json(body).send().await;
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.data()
}

async fn shared(world: &World, org: &TestOrg) -> (String, Value) {
    let campaign = world.draft(org, Family::Campaign).await;
    let link = create(world, org, &campaign, &json!({})).await;
    (campaign, link)
}

fn token(link: &Value) -> &str {
    let url = link["url"].as_str().expect("an address");
    url.strip_prefix(&format!("{PUBLIC_URL}/portal/shared#")).expect("a page of the portal")
}

fn view<'a>(world: &'a World, link: &Value) -> Call<'a> {
    world.get(VIEW).header("x-client-link", token(link))
}

fn path_of(campaign: &str, link: &Value) -> String {
    format!("{campaign}/links/{}", link["link_id"].as_str().expect("an ID"))
}

async fn revoke(world: &World, org: &TestOrg, campaign: &str, link: &Value) -> Answer {
    world.delete(&path_of(campaign, link)).key(&org.key).send().await
}

fn assert_private(answer: &Answer) {
    let headers = ["cache-control", "x-robots-tag", "referrer-policy"].map(|name| answer.header(name));
    assert_eq!(headers, ["no-store", "noindex", "no-referrer"], "{}", answer.text());
}

async fn assert_ended(world: &World, link: &Value) {
    let answer = view(world, link).send().await;
    let message = "this link is invalid or no longer works; ask the sender for a new one";
    assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()));
    assert_eq!(answer.json()["error"]["message"], message);
    assert_private(&answer);
}

#[tokio::test]
async fn link_shows_a_campaign_whose_body_is_stored_in_parts() {
    let (world, org) = World::with_org().await;
    let mut body = samples::campaign();
    body["spots"] = large_spots(1, 300);
    let created =
        world.post(samples::library(Family::Campaign)).key(&org.key).json(&body).send().await.data();
    let campaign = format!("/v2/scenarios/campaigns/{}", created["asset_id"].as_str().expect("an ID"));
    let link = create(&world, &org, &campaign, &json!({})).await;
    let shown = view(&world, &link).send().await.data();
    let displays = shown["displays"].as_array().expect("an array").len() as u64;
    assert_eq!(displays + shown["unknown_displays"].as_u64().expect("a number"), 1, "{shown}");
}

#[tokio::test]
async fn link_shows_only_the_allowed_members() {
    let (world, org) = World::with_org().await;
    let mut body = samples::campaign();
    body["spots"] = json!([{ "display_id": "10528839", "spot_id": 1 }, { "display_id": "7", "spot_id": 2 }]);
    let created =
        world.post(samples::library(Family::Campaign)).key(&org.key).json(&body).send().await.data();
    let campaign = format!("/v2/scenarios/campaigns/{}", created["asset_id"].as_str().expect("an ID"));
    let link = create(&world, &org, &campaign, &json!({})).await;
    let answer = view(&world, &link).send().await;
    assert_private(&answer);
    let shown = json!({
        "name": body["campaign"]["name"],
        "flight": body["flight"],
        "displays": [{
            "name": "LinkNYC Link1.0 kiosk",
            "location": { "lat": 40.760883, "lon": -73.984277 },
            "address": {
                "street": "1626 BROADWAY",
                "county": "New York County, NY",
                "state": "NY",
                "zip_code": "10019",
            },
            "size": { "width": 27, "height": 48 },
        }],
        "unknown_displays": 1,
        "report": null,
        "expires_at": link["expires_at"],
    });
    assert_eq!(answer.data(), shown);
    assert_eq!(answer.json()["meta"]["provenance"]["data_maturity"], "synthetic-only");
}

#[tokio::test]
async fn list_contains_live_links_without_their_tokens() {
    let (world, org) = World::with_org().await;
    let (campaign, first) = shared(&world, &org).await;
    world.clock.advance(1);
    let second = create(&world, &org, &campaign, &json!({ "include_rates": true })).await;
    let other = world.draft(&org, Family::Campaign).await;
    create(&world, &org, &other, &json!({})).await;
    let listed = async || world.get(&format!("{campaign}/links")).key(&org.key).send().await.data();
    let without_url = |link: &Value| {
        let mut link = link.clone();
        link.as_object_mut().expect("a link").remove("url");
        link
    };
    assert_eq!(listed().await, json!([without_url(&second), without_url(&first)]));
    assert_eq!(revoke(&world, &org, &campaign, &second).await.status, 204);
    assert_eq!(listed().await, json!([without_url(&first)]));
    assert_eq!(revoke(&world, &org, &campaign, &second).await.error(), (404, "NOT_FOUND".to_owned()));
    assert_ended(&world, &second).await;
    assert_eq!(view(&world, &first).send().await.status, 200);
}

#[tokio::test]
async fn link_expires_after_30_days_or_as_requested() {
    for (body, days) in [(json!({}), 30), (json!({ "expires_in_days": 90 }), 90)] {
        let (world, org) = World::with_org().await;
        let campaign = world.draft(&org, Family::Campaign).await;
        let link = create(&world, &org, &campaign, &body).await;
        world.clock.advance(days * DAY_MILLIS - 1);
        assert_eq!(view(&world, &link).send().await.status, 200, "{body}");
        world.clock.advance(1);
        assert_ended(&world, &link).await;
        let listed = world.get(&format!("{campaign}/links")).key(&org.key).send().await.data();
        assert_eq!(listed, json!([]), "{body}");
    }
}

#[tokio::test]
async fn links_of_a_deleted_campaign_end_and_free_their_slots() {
    let (world, org) = World::with_org().await;
    let (campaign, link) = shared(&world, &org).await;
    assert_eq!(world.delete(&campaign).key(&org.key).send().await.status, 204);
    assert_ended(&world, &link).await;
    let items = world.stored("credentials").await;
    assert!(items.iter().all(|item| !item["pk"].as_s().is_ok_and(|pk| pk.starts_with("link"))));
}

#[tokio::test]
async fn suspension_ends_links_until_resumed() {
    let (world, org, other) = World::with_two_orgs().await;
    let ((_, link), (_, others)) = (shared(&world, &org).await, shared(&world, &other).await);
    world.administrator.suspend(&org.id).await.expect("a response");
    assert_ended(&world, &link).await;
    assert_eq!(view(&world, &others).send().await.status, 200);
    world.administrator.resume(&org.id).await.expect("a response");
    assert_eq!(view(&world, &link).send().await.status, 200);
}

#[tokio::test]
async fn returns_404_for_another_organizations_campaign() {
    let (world, org, other) = World::with_two_orgs().await;
    let (campaign, link) = shared(&world, &org).await;
    let links = format!("{campaign}/links");
    for call in [
        world.post(&links).json(&json!({})),
        world.get(&links),
        world.delete(&path_of(&campaign, &link)),
        world.delete(&path_of(&world.draft(&other, Family::Campaign).await, &link)),
    ] {
        assert_eq!(call.key(&other.key).send().await.error(), (404, "NOT_FOUND".to_owned()));
    }
    assert_eq!(view(&world, &link).send().await.status, 200);
}

#[tokio::test]
async fn hundred_and_first_live_link_returns_409() {
    let (world, org) = World::with_org().await;
    let (campaign, link) = shared(&world, &org).await;
    let another =
        async || world.post(&format!("{campaign}/links")).key(&org.key).json(&json!({})).send().await;
    for _ in 1..100 {
        assert_eq!(another().await.status, 200);
    }
    assert_eq!(another().await.error(), (409, "LIMIT_REACHED".to_owned()));
    assert_eq!(revoke(&world, &org, &campaign, &link).await.status, 204);
    assert_eq!(another().await.status, 200);
}

#[tokio::test]
async fn views_are_limited_by_link_and_address() {
    let (world, org) = World::with_org().await;
    let ((_, link), (_, other)) = (shared(&world, &org).await, shared(&world, &org).await);
    for _ in 0..60 {
        assert_eq!(view(&world, &link).send().await.status, 200);
    }
    let refused = view(&world, &link).send().await;
    assert_eq!(refused.error(), (429, "RATE_LIMITED".to_owned()));
    assert!(!refused.header("retry-after").is_empty());
    assert_private(&refused);
    assert_eq!(view(&world, &link).from("198.51.100.7").send().await.status, 200);
    assert_eq!(view(&world, &other).send().await.status, 200);
    world.clock.advance(60_000);
    assert_eq!(view(&world, &link).send().await.status, 200);
}

#[tokio::test]
async fn unknown_tokens_return_404_and_write_nothing() {
    let (world, org) = World::with_org().await;
    shared(&world, &org).await;
    let before = world.stored("accounts").await.len();
    let unknown = format!("mql_{}", "0".repeat(64));
    for token in [unknown.as_str(), "mql_1", "", "\u{e9}"] {
        let answer = world.get(VIEW).header("x-client-link", token).send().await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{token}");
        assert_private(&answer);
    }
    assert_eq!(world.get(VIEW).send().await.error(), (404, "NOT_FOUND".to_owned()));
    assert_eq!(world.stored("accounts").await.len(), before);
}

#[tokio::test]
async fn token_is_neither_logged_nor_stored() {
    let (world, org) = World::with_org().await;
    let logs = Logs::capture();
    let (campaign, link) = shared(&world, &org).await;
    view(&world, &link).send().await;
    revoke(&world, &org, &campaign, &link).await;
    assert_ended(&world, &link).await;
    assert!(logs.lines().len() >= 4);
    let secret = token(&link).trim_start_matches("mql_");
    for line in logs.lines() {
        assert!(!line.contains(secret), "{line}");
    }
    for table in ["accounts", "assets", "credentials"] {
        assert!(!format!("{:?}", world.stored(table).await).contains(secret), "{table}");
    }
}
