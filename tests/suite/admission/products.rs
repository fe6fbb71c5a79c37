//! Who may call which product with which credentials, and what each refusal says.
use accounting::{Audience, Product, Scope, Scopes};
use gateway::{Code, Identity, NotAdmitted, RequestCredentials};
use harness::World;
use strum::IntoEnumIterator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    Key,
    Bearer,
    Session,
    Public,
    Unauthorized,
    Forbidden,
}

use Met::{Bearer, Forbidden, Key, Public, Session, Unauthorized};

/// Whom the products of an audience meet, for: no credential, a key in `X-API-Key`, a key in `apikey`, and a
/// bearer token.
fn met_by(audience: Audience) -> [Met; 4] {
    match audience {
        Audience::Open => [Public; 4],
        Audience::Public => [Public, Key, Unauthorized, Bearer],
        Audience::SearchKey => [Unauthorized, Unauthorized, Key, Forbidden],
        Audience::SearchKeyOrBearer => [Unauthorized, Unauthorized, Key, Bearer],
        Audience::KeyOrBearer => [Unauthorized, Key, Unauthorized, Bearer],
        Audience::Anyone => [Session, Key, Unauthorized, Bearer],
        Audience::Person | Audience::Member => [Unauthorized, Forbidden, Unauthorized, Bearer],
    }
}

#[tokio::test]
async fn every_product_meets_just_its_audience() {
    let (world, org) = World::with_org().await;
    let token = format!("Bearer {}", world.bearer(&org).await);
    let address = Some("203.0.113.9".parse().expect("an address"));
    let nobody = RequestCredentials { address, ..RequestCredentials::default() };
    for product in Product::iter() {
        let audience = product.audience();
        let [by_nothing, by_key, by_search_key, by_token] = met_by(audience);
        for (presented, expected) in [
            (nobody, by_nothing),
            (RequestCredentials { api_key: Some(&org.key), ..nobody }, by_key),
            (RequestCredentials { search_key: Some(&org.key), ..nobody }, by_search_key),
            (RequestCredentials { authorization: Some(&token), ..nobody }, by_token),
        ] {
            assert_eq!(meet(&world, product, presented).await, expected, "{product:?} {presented:?}");
        }
        let for_a_bad_one = if audience == Audience::Open { Public } else { Unauthorized };
        for bad in [
            RequestCredentials { api_key: Some("nonsense"), ..nobody },
            RequestCredentials { search_key: Some("nonsense"), ..nobody },
            RequestCredentials { authorization: Some("Bearer nonsense"), ..nobody },
        ] {
            assert_eq!(meet(&world, product, bad).await, for_a_bad_one, "{product:?} {bad:?}");
        }
    }
}

#[tokio::test]
async fn an_anonymous_caller_needs_an_address() {
    let world = World::new().await;
    assert_eq!(meet(&world, Product::PlaceSearch, RequestCredentials::default()).await, Unauthorized);
}

#[tokio::test]
async fn historical_data_is_never_for_anonymous_callers_whoever_else_its_audience_takes() {
    let world = World::new().await;
    let address = Some("203.0.113.9".parse().expect("an address"));
    let nobody = RequestCredentials { address, ..RequestCredentials::default() };
    let session = meet_as(&world, Product::PlaceSearch, Audience::Anyone, nobody).await.expect("a session");
    let Identity::Session { token: Some(token), .. } = session else { panic!("{session:?}") };
    let known = RequestCredentials { session_token: Some(&token), ..nobody };
    // An audience that takes sessions, for every product: its history alone decides.
    for product in Product::iter() {
        let is_historical = product.is_historical();
        for presented in [nobody, known] {
            match meet_as(&world, product, Audience::Anyone, presented).await {
                Err(denied) if is_historical && denied.error.message.starts_with("send an API key in") => {}
                Ok(Identity::Session { .. }) if !is_historical => {}
                other => panic!("{product:?}, historical: {is_historical}, met {other:?}"),
            }
        }
    }
    assert_eq!(
        Product::iter().filter(|product| product.is_historical()).collect::<Vec<_>>(),
        [Product::PlaceProfile, Product::PlaceReport]
    );
}

#[tokio::test]
async fn the_misplaced_key_is_told_its_place() {
    let (world, org) = World::with_org().await;
    let bearer = format!("Bearer {}", org.key);
    for product in Product::iter() {
        let audience = product.audience();
        let (right, wrong) = match audience {
            Audience::Open | Audience::Person | Audience::Member => continue,
            Audience::SearchKey | Audience::SearchKeyOrBearer => {
                ("`apikey`", RequestCredentials { api_key: Some(&org.key), ..RequestCredentials::default() })
            }
            _ => (
                "`X-API-Key`",
                RequestCredentials { search_key: Some(&org.key), ..RequestCredentials::default() },
            ),
        };
        for presented in
            [wrong, RequestCredentials { authorization: Some(&bearer), ..RequestCredentials::default() }]
        {
            let denied = meet_as(&world, product, audience, presented).await.expect_err("misplaced");
            let told = &denied.error;
            assert_eq!(told.code, Code::Unauthorized, "{product:?}: {denied:?}");
            assert!(told.message.contains(right), "{product:?} {presented:?}: {}", told.message);
        }
    }
}

#[tokio::test]
async fn a_key_opens_a_product_by_its_scope_alone() {
    let (world, org) = World::with_org().await;
    for scope in Scope::iter().map(Some).chain([None]) {
        let key = world.key(&org.id, scope.into_iter().collect::<Scopes>()).await;
        let presented = RequestCredentials {
            api_key: Some(&key),
            search_key: Some(&key),
            ..RequestCredentials::default()
        };
        let takes_keys = |product: &Product| {
            !matches!(product.audience(), Audience::Open | Audience::Person | Audience::Member)
        };
        for product in Product::iter().filter(takes_keys) {
            for safe in [true, false] {
                let needed = product.scope(safe);
                let met = world.app.admissions.identify(product, product.audience(), safe, presented).await;
                let opens = needed.is_none() || needed == scope;
                assert_eq!(met.is_ok(), opens, "{product:?} safe={safe} with {scope:?}: {met:?}");
            }
        }
    }
}

/// Finds out who calls a product, for an audience that may be another than its own.
async fn meet_as(
    world: &World,
    product: Product,
    audience: Audience,
    presented: RequestCredentials<'_>,
) -> Result<Identity, NotAdmitted> {
    Ok(world.app.admissions.identify(product, audience, true, presented).await?.identity)
}

async fn meet(world: &World, product: Product, presented: RequestCredentials<'_>) -> Met {
    match meet_as(world, product, product.audience(), presented).await {
        Ok(Identity::Key { .. }) => Key,
        Ok(Identity::Bearer { .. }) => Bearer,
        Ok(Identity::Session { .. }) => Session,
        Ok(Identity::Public) => Public,
        Err(denied) if denied.error.code == Code::Unauthorized => Unauthorized,
        Err(denied) if denied.error.code == Code::Forbidden => Forbidden,
        Err(other) => panic!("{product:?}: {other:?}"),
    }
}
