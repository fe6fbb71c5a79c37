//! Bearer tokens: validation, key rotation at the issuer, and issuer outages.

use axum::Router;
use gateway::{App, Issuer};
use harness::{Answer, SigningKey, TestIssuer, TestOrg, World, part, sample};
use marquee::serve::Gateway;
use ring::hmac;
use runtime::Random;
use serde_json::{Value, json};
use store::{Role, Subject};

const PERSON: &str = "person-1";

/// A world with a token issuer that the test controls.
struct BearerWorld {
    world: World,
    issuer: TestIssuer,
    key: SigningKey,
    org: TestOrg,
    router: Router,
}

impl BearerWorld {
    async fn new() -> Self {
        Self::with(SigningKey::es256("k1")).await
    }

    async fn with(key: SigningKey) -> Self {
        let world = World::new().await;
        let issuer = TestIssuer::start(&[&key]).await;
        let org = world.org("org_a").await;
        world
            .administrator
            .add_member(&org.id, issuer.subject(PERSON), Some(Role::Member))
            .await
            .expect("added");
        let router = process(&world, Some(issuer.issuer().clone())).await;
        Self { world, issuer, key, org, router }
    }

    fn claims(&self) -> Value {
        self.issuer.claims(PERSON, self.world.clock.now())
    }

    async fn present(&self, token: &str) -> Answer {
        self.world.get("/v2/billing/credits").bearer(token).send_to(self.router.clone()).await
    }
}

async fn process(world: &World, issuer: Option<Issuer>) -> Router {
    let mut config = (*world.app.config).clone();
    config.issuer = issuer;
    let app = App::new(config, world.clock.clone(), Random::seeded(8));
    Gateway::new(&app, sample()).into_router()
}

#[track_caller]
fn assert_unauthorized(answer: &Answer, case: &str) {
    assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{case}: {}", answer.text());
}

#[tokio::test]
async fn tokens_of_both_algorithms_are_accepted() {
    for key in [SigningKey::es256("k1"), SigningKey::rs256("k1")] {
        let world = BearerWorld::with(key).await;
        let answer = world.present(&world.key.token(&world.claims())).await;
        assert_eq!(answer.data()["org_id"], world.org.id.as_str());
        assert_eq!(world.issuer.fetches(), 1);
    }
}

#[tokio::test]
async fn claims_of_correctly_signed_tokens_are_validated() {
    let world = BearerWorld::new().await;
    let now = world.world.clock.now().unix_seconds();
    // The columns are changes to a valid token's claims (null removes a claim), the expected status, and part
    // of the message.
    let cases = [
        (json!({}), 200, ""),
        (json!({ "token_use": null }), 200, ""),
        (json!({ "token_use": "access" }), 401, "ID token"),
        (json!({ "token_use": "refresh" }), 401, "ID token"),
        (json!({ "token_use": 7 }), 401, ""),
        (json!({ "exp": now - 3_600 }), 401, "expired"),
        (json!({ "exp": now + 1 }), 200, ""),
        (json!({ "exp": 0 }), 401, "expired"),
        (json!({ "exp": -1 }), 401, ""),
        (json!({ "exp": "never" }), 401, ""),
        (json!({ "exp": null }), 401, ""),
        (json!({ "nbf": now + 3_600 }), 401, "not valid yet"),
        (json!({ "nbf": now - 3_600 }), 200, ""),
        (json!({ "nbf": "soon" }), 401, ""),
        (json!({ "iss": "https://other.example" }), 401, "issuer"),
        (json!({ "iss": null }), 401, ""),
        (json!({ "aud": "another-app" }), 401, "audience"),
        (json!({ "aud": ["another-app", "portal"] }), 200, ""),
        (json!({ "aud": ["another-app"] }), 401, "audience"),
        (json!({ "aud": [] }), 401, ""),
        (json!({ "aud": null }), 401, ""),
        (json!({ "sub": null }), 401, ""),
        (json!({ "sub": 7 }), 401, ""),
        (json!({ "sub": "" }), 403, "organization"),
        (json!({ "sub": "person-2" }), 403, "organization"),
        (json!({ "sub": "x".repeat(5_000) }), 403, "organization"),
    ];
    for (changes, status, words) in cases {
        let mut claims = world.claims();
        for (name, value) in changes.as_object().expect("an object") {
            match value {
                Value::Null => drop(claims.as_object_mut().expect("an object").remove(name)),
                value => claims[name] = value.clone(),
            }
        }
        let answer = world.present(&world.key.token(&claims)).await;
        assert_eq!(answer.status, status, "{changes}: {}", answer.text());
        assert!(answer.text().contains(words), "{changes}: {}", answer.text());
    }
    assert_eq!(world.issuer.fetches(), 1, "the signing keys are fetched once");
}

#[tokio::test]
async fn invalid_signatures_are_rejected() {
    let world = BearerWorld::new().await;
    let (claims, kid) = (world.claims(), world.key.kid);
    let valid = world.key.token(&claims);
    let parts: Vec<_> = valid.split('.').collect();
    let public = world.key.published();
    let unsigned = |algorithm: &str| {
        let header = json!({ "alg": algorithm, "typ": "JWT", "kid": kid });
        format!("{}.{}", part(&header), part(&claims))
    };
    let by_secret = |secret: &[u8]| {
        let signed = unsigned("HS256");
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
        let signature = hmac::sign(&key, signed.as_bytes());
        format!(
            "{signed}.{}",
            base64::Engine::encode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, signature.as_ref())
        )
    };
    let other_person = part(&world.issuer.claims("person-2", world.world.clock.now()));
    let header = |algorithm: &str| json!({ "alg": algorithm, "typ": "JWT", "kid": kid });
    let forged = [
        ("alg none", format!("{}.", unsigned("none"))),
        ("alg None", format!("{}.", unsigned("None"))),
        ("alg none with a signature", format!("{}.{}", unsigned("none"), parts[2])),
        ("no signature", format!("{}.", unsigned("ES256"))),
        ("HS256 signed with the published key", by_secret(public.to_string().as_bytes())),
        (
            "HS256 signed with a coordinate of the published key",
            by_secret(public["x"].as_str().unwrap_or_default().as_bytes()),
        ),
        ("HS256 signed with an empty secret", by_secret(b"")),
        ("another key with the same key ID", SigningKey::es256("k1").token(&claims)),
        ("an RSA key with the same key ID", SigningKey::rs256("k1").token(&claims)),
        ("a header with the wrong algorithm", world.key.token_with(&header("RS256"), &claims)),
        ("an unsupported algorithm", world.key.token_with(&header("ES384"), &claims)),
        ("a key embedded in the header", {
            let own = SigningKey::es256("k1");
            let mut header = header("ES256");
            header["jwk"] = own.published();
            own.token_with(&header, &claims)
        }),
        ("another person's claims", format!("{}.{other_person}.{}", parts[0], parts[2])),
        ("a truncated signature", valid[..valid.len() - 4].to_owned()),
        ("a signature of zeros", format!("{}.{}.{}", parts[0], parts[1], "A".repeat(86))),
    ];
    for (case, token) in &forged {
        assert_unauthorized(&world.present(token).await, case);
    }
    assert_eq!(world.present(&valid).await.status, 200);
}

#[tokio::test]
async fn malformed_tokens_are_rejected_without_fetching_keys() {
    let world = BearerWorld::new().await;
    let array = part(&json!([1, 2, 3]));
    let garbage = [
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        "a.b.c".to_owned(),
        "a.b.c.d".to_owned(),
        "null".to_owned(),
        format!("{array}.{array}.{array}"),
        format!("{}.{array}.{array}", part(&json!({}))),
        format!("{}.{array}.{array}", part(&json!({ "alg": 7 }))),
        "=".repeat(64),
        "x".repeat(100_000),
        "%00".repeat(40),
        "{\"alg\":\"ES256\"}".to_owned(),
    ];
    for token in &garbage {
        let case = &token[..token.len().min(60)];
        assert_unauthorized(&world.present(token).await, case);
    }
    for authorization in ["", "Bearer", "bearer ", "Basic dXNlcjpwYXNz", "Token x"] {
        let call = world.world.get("/v2/billing/credits").header("authorization", authorization);
        assert_unauthorized(&call.send_to(world.router.clone()).await, authorization);
    }
    let doubled = world.key.token(&world.claims());
    let call = world.world.get("/v2/billing/credits").bearer(&doubled).bearer(&doubled);
    assert_unauthorized(&call.send_to(world.router.clone()).await, "a duplicate header");
    assert_eq!(world.issuer.fetches(), 0);
}

#[tokio::test]
async fn unknown_key_ids_trigger_at_most_one_fetch_per_thirty_seconds() {
    let world = BearerWorld::new().await;
    assert_eq!(world.present(&world.key.token(&world.claims())).await.status, 200);
    let stranger = SigningKey::es256("k9");
    for _ in 0..20 {
        assert_unauthorized(&world.present(&stranger.token(&world.claims())).await, "an unknown key");
    }
    assert_eq!(world.issuer.fetches(), 1, "the keys were fetched for the first token");
    world.world.clock.advance(30_000);
    for _ in 0..20 {
        assert_unauthorized(&world.present(&stranger.token(&world.claims())).await, "an unknown key");
    }
    assert_eq!(world.issuer.fetches(), 2);
    assert_eq!(world.present(&world.key.token(&world.claims())).await.status, 200);
    assert_eq!(world.issuer.fetches(), 2, "a known key triggers no fetch");
}

#[tokio::test]
async fn key_rotation_at_the_issuer_is_followed() {
    let world = BearerWorld::new().await;
    assert_eq!(world.present(&world.key.token(&world.claims())).await.status, 200);
    let next = SigningKey::rs256("k2");
    world.issuer.publish(&[&world.key, &next]);
    world.world.clock.advance(30_000);
    assert_eq!(world.present(&next.token(&world.claims())).await.status, 200, "the new key is accepted");
    // The old key is accepted as long as it is published.
    assert_eq!(world.present(&world.key.token(&world.claims())).await.status, 200);
    world.issuer.publish(&[&next]);
    world.world.clock.advance(60 * 60 * 1_000);
    assert_eq!(world.present(&next.token(&world.claims())).await.status, 200);
    assert_unauthorized(
        &world.present(&world.key.token(&world.claims())).await,
        "the old key, removed an hour ago",
    );
}

#[tokio::test]
async fn unsupported_keys_in_the_key_set_are_ignored() {
    let world = BearerWorld::new().await;
    world.issuer.publish_set(json!({ "keys": [
        {
            "kty": "OKP",
            "crv": "Ed25519",
            "kid": "e1",
            "alg": "EdDSA",
            "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        },
        { "kty": "RSA", "kid": "r1", "use": "enc", "alg": "RSA-OAEP-256", "n": "AQAB", "e": "AQAB" },
        { "kty": "EC", "crv": "P-384", "kid": "p1", "x": "AQAB", "y": "AQAB" },
        world.key.published(),
    ]}));
    assert_eq!(world.present(&world.key.token(&world.claims())).await.status, 200);
    for (kid, algorithm) in [("e1", "ES256"), ("r1", "RS256"), ("p1", "ES256"), ("r1", "ES256")] {
        let header = json!({ "alg": algorithm, "kid": kid });
        assert_unauthorized(&world.present(&world.key.token_with(&header, &world.claims())).await, kid);
    }
}

#[tokio::test]
async fn unreachable_issuer_returns_503_with_retry_after() {
    let world = BearerWorld::new().await;
    let token = world.key.token(&world.claims());
    for set in [
        json!("no keys"),
        json!({ "keys": "none" }),
        json!([]),
        json!({ "keys": [], "pad": "x".repeat(70_000) }),
    ] {
        world.issuer.publish_set(set);
        world.world.clock.advance(2_000);
        assert_unavailable(&world.present(&token).await);
    }
    world.issuer.publish(&[&world.key]);
    world.issuer.set_down(true);
    world.world.clock.advance(2_000);
    assert_unavailable(&world.present(&token).await);
    world.issuer.set_down(false);
    assert_unavailable(&world.present(&token).await);
    world.world.clock.advance(2_000);
    assert_eq!(world.present(&token).await.status, 200, "the keys are fetched again after Retry-After");

    let unreachable =
        Issuer { jwks_url: "http://127.0.0.1:9/keys".to_owned(), ..world.issuer.issuer().clone() };
    let router = process(&world.world, Some(unreachable)).await;
    let answer = world.world.get("/v2/billing/credits").bearer(&token).send_to(router.clone()).await;
    assert_unavailable(&answer);
    let by_key = world.world.get("/v2/billing/credits").key(&world.org.key).send_to(router).await;
    assert_eq!(by_key.status, 200, "API keys work without the issuer");
}

#[tokio::test]
async fn cached_keys_are_used_during_an_issuer_outage() {
    let world = BearerWorld::new().await;
    assert_eq!(world.present(&world.key.token(&world.claims())).await.status, 200);
    world.issuer.set_down(true);
    world.world.clock.advance(2 * 60 * 60 * 1_000);
    assert_unavailable(&world.present(&SigningKey::es256("k9").token(&world.claims())).await);
    assert_eq!(world.present(&world.key.token(&world.claims())).await.status, 200);
}

#[tokio::test]
async fn cached_keys_expire_after_a_day_of_outage() {
    let world = BearerWorld::new().await;
    let present = async || world.present(&world.key.token(&world.claims())).await;
    assert_eq!(present().await.status, 200);
    // A successful fetch starts a new period of 24 hours.
    world.world.clock.advance(60 * 60 * 1_000);
    assert_eq!(present().await.status, 200);
    world.issuer.set_down(true);
    world.world.clock.advance(24 * 60 * 60 * 1_000 - 1);
    assert_eq!(present().await.status, 200, "the keys are valid until the end of the day");
    world.world.clock.advance(1);
    assert_unavailable(&present().await);
    assert_unavailable(&present().await);
    world.issuer.set_down(false);
    world.world.clock.advance(2_000);
    assert_eq!(present().await.status, 200);
}

#[track_caller]
fn assert_unavailable(answer: &Answer) {
    assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()), "{}", answer.text());
    assert!(answer.number("retry-after") > 0);
    assert_eq!(answer.number("x-credits-used"), 0);
}

#[tokio::test]
async fn organization_claims_are_ignored() {
    let world = BearerWorld::new().await;
    let other = world.world.org("org_b").await;
    let mut claims = world.claims();
    for name in
        ["org", "org_id", "organization", "custom:org", "custom:org_id", "tenant", "cognito:groups", "azp"]
    {
        claims[name] = json!(other.id);
    }
    let answer = world.present(&world.key.token(&claims)).await;
    assert_eq!(answer.data()["org_id"], world.org.id.as_str());
}

#[tokio::test]
async fn names_that_cannot_be_shown_are_ignored() {
    let world = BearerWorld::new().await;
    for (name, shown) in [
        (json!(" Ada Planner "), json!("Ada Planner")),
        (json!(""), Value::Null),
        (json!("Ada\r\nPlanner"), Value::Null),
        (json!("Ada \u{202e}rennalP"), Value::Null),
        (json!("a".repeat(101)), Value::Null),
        (json!(7), Value::Null),
    ] {
        let mut claims = world.claims();
        claims["name"] = name.clone();
        let call = world.world.get("/v2/account").bearer(&world.key.token(&claims));
        let account = call.send_to(world.router.clone()).await.data();
        assert_eq!(account["person"]["name"], shown, "{name}");
    }
}

#[tokio::test]
async fn subject_of_another_issuer_is_not_a_member() {
    let world = BearerWorld::new().await;
    world
        .world
        .administrator
        .add_member(&world.org.id, Subject::new("https://other.example", "person-2"), Some(Role::Member))
        .await
        .expect("added");
    let claims = world.issuer.claims("person-2", world.world.clock.now());
    let answer = world.present(&world.key.token(&claims)).await;
    assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
    let unknown = "org_unknown".parse().expect("valid ID");
    assert!(
        world
            .world
            .administrator
            .add_member(&unknown, Subject::new("https://issuer.example", "person-3"), Some(Role::Member))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn token_is_rejected_after_its_expiry() {
    let world = BearerWorld::new().await;
    let token = world.key.token(&world.claims());
    assert_eq!(world.present(&token).await.status, 200);
    world.world.clock.advance(3_599_000);
    assert_eq!(world.present(&token).await.status, 200);
    world.world.clock.advance(60_000);
    assert_unauthorized(&world.present(&token).await, "a token that expired a minute ago");
}

#[tokio::test]
async fn tokens_are_rejected_when_no_issuer_is_configured() {
    let world = BearerWorld::new().await;
    let router = process(&world.world, None).await;
    let token = world.key.token(&world.claims());
    for (path, fix) in [
        ("/v2/billing/credits", "send an API key in `X-API-Key`"),
        ("/v2/account", "sign-in isn't configured for this deployment"),
    ] {
        let answer = world.world.get(path).bearer(&token).send_to(router.clone()).await;
        assert_unauthorized(&answer, "no issuer is configured");
        let message = answer.json()["error"]["message"].as_str().expect("a message").to_owned();
        assert!(message.contains(fix), "{message}");
    }
}
