//! Tile tokens can't be forged, altered, or used for another grant. Malformed tokens don't cause database
//! reads.

use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use harness::{SigningKey, World, part};
use ring::hmac;
use serde_json::{Value, json};

use super::{ORIGIN, ask_world_tile, at, create_grant, id, split_token, tiles};

fn decoded(part: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).expect("base64url")).expect("JSON")
}

fn signed(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let message = format!("{}.{}", part(header), part(claims));
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Returns the claims of the token in a tile's URL.
fn claims_in(tiles: &str) -> Value {
    decoded(split_token(tiles).1.split('.').nth(1).expect("claims"))
}

#[tokio::test]
async fn token_reveals_neither_grant_id_nor_organization() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "displays").await;
    let path = tiles(&world, &grant).await;
    let (_, token) = split_token(&path);
    let parts: Vec<_> = token.split('.').collect();
    assert_eq!(parts.len(), 3);
    assert_eq!(decoded(parts[0]), json!({ "alg": "HS256", "typ": "JWT" }));
    let claims = decoded(parts[1]);
    let digest = claims["grant"].as_str().expect("a digest").to_owned();
    assert_eq!(digest.len(), 64);
    let expected = json!({
        "grant": digest,
        "org": claims["org"],
        "product": "displays",
        "layers": ["faces"],
        "exp": world.clock.now().unix_seconds() + 24 * 60 * 60,
    });
    assert_eq!(claims, expected);
    assert!(!path.contains(id(&grant)) && !decoded(parts[1]).to_string().contains(id(&grant)));
    assert_eq!(URL_SAFE_NO_PAD.decode(parts[2]).expect("base64url").len(), 32);
    assert!(!claims.to_string().contains("org_a"), "{claims}");
    assert_eq!(
        URL_SAFE_NO_PAD.decode(claims["org"].as_str().expect("a handle")).expect("base64url").len(),
        16
    );
    // All tokens for a grant contain the same handle.
    assert_eq!(claims_in(&tiles(&world, &grant).await)["org"], claims["org"]);
    let other = claims_in(&tiles(&world, &create_grant(&world, &org, "displays").await).await);
    assert_ne!(other["org"], claims["org"], "grants of one organization have different handles");
}

#[tokio::test]
async fn token_with_an_organization_id_returns_401() {
    let (world, org) = World::with_org().await;
    let path = tiles(&world, &create_grant(&world, &org, "places").await).await;
    let (tile, token) = split_token(&path);
    let mut claims = claims_in(&path);
    let digest = claims["grant"].as_str().expect("a digest").to_owned();
    let get = world.engine().get_item().table_name("marquee-credentials");
    let get = get.key("pk", AttributeValue::S(format!("tiles#{digest}")));
    let get = get.key("sk", AttributeValue::S("grant".to_owned()));
    let stored = get.send().await.expect("a response").item.expect("a grant");
    let secret = stored["secret"].as_b().expect("a secret").as_ref();
    let header = decoded(token.split('.').next().expect("a header"));
    let handle = claims["org"].as_str().expect("a handle").to_owned();
    for (named, status) in [(handle.as_str(), 200), ("org_a", 401), ("org_b", 401), ("", 401)] {
        claims["org"] = json!(named);
        let path = format!("{tile}?token={}", signed(&header, &claims, secret));
        assert_eq!(ask_world_tile(&world, &path).await.status, status, "{named}");
    }
}

#[tokio::test]
async fn forged_tokens_return_401() {
    let (world, org) = World::with_org().await;
    let (places, displays) =
        (create_grant(&world, &org, "places").await, create_grant(&world, &org, "displays").await);
    let other = create_grant(&world, &world.org("org_b").await, "places").await;
    let path = tiles(&world, &places).await;
    let of_displays = tiles(&world, &displays).await;
    let of_other = tiles(&world, &other).await;
    let (tile, token) = split_token(&path);
    let parts: Vec<_> = token.split('.').collect();
    let [header, claims, signature] = parts[..] else { panic!("{token}") };
    let (hs256, said) = (decoded(header), decoded(claims));
    let with = |member: &str, value: Value| {
        let mut claims = said.clone();
        claims[member] = value;
        part(&claims)
    };
    let digest_of_displays =
        decoded(split_token(&of_displays).1.split('.').nth(1).expect("claims"))["grant"].clone();
    let digest_of_other =
        decoded(split_token(&of_other).1.split('.').nth(1).expect("claims"))["grant"].clone();
    let none = part(&json!({ "alg": "none", "typ": "JWT" }));
    let mut tokens = vec![
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        "...".to_owned(),
        "nonsense".to_owned(),
        "%00".to_owned(),
        "%FF%FE".to_owned(),
        org.key.clone(),
        id(&places).to_owned(),
        "a".repeat(5_000),
        // Parts are removed, added, emptied, or altered.
        format!("{header}.{claims}"),
        format!("{header}.{claims}."),
        format!("{token}."),
        format!("{token}.{signature}"),
        format!(".{claims}.{signature}"),
        format!("{header}..{signature}"),
        format!("{header}.{claims}.{}", &signature[..42]),
        format!("{header}.{claims}.{signature}AAAA"),
        format!("{header}.{claims}.{}", signature.chars().rev().collect::<String>()),
        format!("{header}.{claims}.{signature}="),
        format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode([0; 32])),
        // The algorithm is different or missing.
        format!("{none}.{claims}."),
        format!("{none}.{claims}.{signature}"),
        format!("{}.{claims}.", part(&json!({ "alg": "None" }))),
        format!("{}.{claims}.{signature}", part(&json!({ "alg": "HS512", "typ": "JWT" }))),
        format!("{}.{claims}.{signature}", part(&json!({ "alg": "RS256", "typ": "JWT" }))),
        format!("{}.{claims}.{signature}", part(&json!({ "alg": "HS256", "typ": "JWT", "kid": "1" }))),
        SigningKey::rs256("k").token(&said),
        SigningKey::es256("k").token(&said),
        // The claims are altered, but the signature isn't.
        format!("{header}.{}.{signature}", with("exp", json!(i64::MAX))),
        format!("{header}.{}.{signature}", with("org", json!("org_b"))),
        format!("{header}.{}.{signature}", with("product", json!("displays"))),
        format!("{header}.{}.{signature}", with("layers", json!(["faces", "places"]))),
        format!("{header}.{}.{signature}", with("grant", digest_of_other)),
        format!("{header}.{}.{signature}", with("grant", digest_of_displays)),
        format!("{header}.{}.{signature}", with("grant", json!("0".repeat(64)))),
        format!("{header}.{}.{signature}", with("grant", json!("../accounts"))),
        format!("{header}.{}.{signature}", with("more", json!(1))),
        format!("{header}.{}.{signature}", part(&json!({}))),
        format!("{header}.{}.{signature}", part(&json!(null))),
        // The secret is easy to guess.
        signed(&hs256, &said, b""),
        signed(&hs256, &said, &[0; 32]),
        signed(&hs256, &said, id(&places).as_bytes()),
        signed(&hs256, &said, said["grant"].as_str().expect("a digest").as_bytes()),
        // The token is for the other product.
        split_token(&of_displays).1.to_owned(),
    ];
    // Changing any character of the signature makes the token invalid.
    for at in 0..signature.len() {
        let flipped = if signature.as_bytes()[at] == b'A' { "B" } else { "A" };
        tokens.push(format!("{header}.{claims}.{}{flipped}{}", &signature[..at], &signature[at + 1..]));
    }
    for token in tokens {
        let path = at(&format!("{tile}?token={token}"), "0/0/0");
        let answer = world.get(&path).header("origin", ORIGIN).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{token:.120}: {}", answer.text());
        assert!(!answer.header("www-authenticate").is_empty());
    }
    assert_eq!(ask_world_tile(&world, &path).await.status, 200, "the original token is valid");
}

#[tokio::test]
async fn tile_requires_exactly_one_token_in_the_query() {
    let (world, org) = World::with_org().await;
    let path = at(&tiles(&world, &create_grant(&world, &org, "places").await).await, "0/0/0");
    let (tile, token) = split_token(&path);
    let refused = [
        world.get(tile),
        world.get(&format!("{tile}?")),
        world.get(&format!("{tile}?Token={token}")),
        world.get(&format!("{tile}?token={token}&token={token}")),
        world.get(&format!("{tile}?token=&token={token}")),
        world.get(tile).key(&org.key),
        world.get(tile).bearer(token),
    ];
    for call in refused {
        assert_eq!(call.send().await.error(), (401, "UNAUTHORIZED".to_owned()));
    }
    // Additional parameters are ignored. Map libraries use them to bypass caches.
    assert_eq!(world.get(&format!("{tile}?v=2&token={token}&_=1")).send().await.status, 200);
}

#[tokio::test]
async fn token_works_in_every_process_but_not_with_another_grants_secret() {
    let (world, org) = World::with_org().await;
    let (one, other) =
        (create_grant(&world, &org, "places").await, create_grant(&world, &org, "places").await);
    let (path, others) = (tiles(&world, &one).await, tiles(&world, &other).await);
    let (_, router) = world.another_process(99).await;
    let answer = world.get(&at(&path, "0/0/0")).send_to(router).await;
    assert_eq!(answer.status, 200);
    // Combines one token's claims with the other token's signature.
    let (tile, token) = split_token(&path);
    let (message, _) = token.rsplit_once('.').expect("a signature");
    let (_, signature) = split_token(&others).1.rsplit_once('.').expect("a signature");
    let answer = ask_world_tile(&world, &format!("{tile}?token={message}.{signature}")).await;
    assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
}

#[tokio::test]
async fn malformed_tokens_cost_no_reads() {
    let (world, org) = World::with_org().await;
    let (_, router) = world.another_process(99).await;
    let path = tiles(&world, &create_grant(&world, &org, "places").await).await;
    let (tile, token) = split_token(&path);
    let (message, _) = token.rsplit_once('.').expect("a signature");
    world.wire.record();
    for token in ["", "nonsense", "a.b.c", &format!("{message}.!"), &token.replacen('e', "f", 1)] {
        let path = at(&format!("{tile}?token={token}"), "0/0/0");
        assert_eq!(world.get(&path).send_to(router.clone()).await.status, 401);
    }
    assert_eq!(world.wire.take().len(), 0);
}
