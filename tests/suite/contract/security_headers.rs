//! Security headers on all responses, and headers that keep secrets out of caches.

use harness::{Call, OPERATIONS, World, samples};
use http::Method;
use serde_json::json;

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let (world, org) = World::with_org().await;
    let mut answers = Vec::new();
    for operation in OPERATIONS.iter() {
        world.clock.advance(3_000);
        let path = operation.path_for(&world, &org, &world.router()).await;
        let (header, value) = operation.credential(&world, &org).await;
        answers.push(operation.call(&world, &path).header(header, &value).send().await);
        answers.push(operation.call(&world, &path).key("nonsense").send().await);
    }
    for call in [
        world.get("/v2/nothing"),
        world.call(Method::PUT, "/v2/health"),
        world.call(Method::HEAD, "/v2/health"),
        world.call(Method::OPTIONS, "/v2/health").header("origin", "https://app.example.com"),
        world.post("/v2/cohorts/search").key(&org.key).bytes("text/plain", "{}"),
    ] {
        answers.push(call.send().await);
    }
    for answer in answers {
        let headers = ["x-content-type-options", "strict-transport-security"].map(|name| answer.header(name));
        assert_eq!(headers, ["nosniff", "max-age=31536000"], "{}", answer.text());
    }
}

#[tokio::test]
async fn responses_with_secrets_are_not_stored() {
    let (world, org) = World::with_org().await;
    let owner = world.owner_token(&org).await;
    let member = world.owner(&org.id).subject.member_id();
    let key = json!({ "label": "crm", "scopes": ["billing"] });
    let grant = json!({ "allowed_origins": ["https://maps.example.com"] });
    let grants = "/v2/displays/tiles/grants";
    let created = world.post(grants).key(&org.key).json(&grant).send().await;
    let grant_id = created.data()["grant_id"].as_str().expect("an ID").to_owned();
    let cases: [(Call<'_>, &str); 10] = [
        (world.post(grants).key(&org.key).json(&grant), "no-store"),
        (world.get(grants).key(&org.key), "no-store"),
        (world.get(&format!("{grants}/{grant_id}")).key(&org.key), "no-store"),
        (world.post("/v2/account/keys").bearer(&owner).json(&key), "no-store"),
        (world.post("/v2/account/invitations").bearer(&owner).json(&samples::invitation()), "no-store"),
        (world.get(&format!("/v2/account/members/{member}")).bearer(&owner), "no-store"),
        // The response that opens an anonymous session contains the session's token.
        (world.get("/v2/place/types"), "no-store"),
        (world.get("/v2/place/types").key(&org.key), ""),
        (world.get("/v2/account/keys").bearer(&owner), ""),
        (world.get("/v2/scenarios/campaigns").key(&org.key), ""),
    ];
    for (call, expected) in cases {
        let answer = call.send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("cache-control"), expected, "{}", answer.text());
    }
}
