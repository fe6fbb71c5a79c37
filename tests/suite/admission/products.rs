use std::collections::BTreeSet;

use harness::World;
use shared::admission::{AdmissionError, Identity, RequestCredentials};
use shared::http::{ApiError, Code};
use shared::types::{Audience, Product, Scope, Scopes};
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

/// Who is met, by product, for: no credential, a key in `X-API-Key`, a key in `apikey`, a bearer token, and a bad one
/// of each of the three.
const AUDIENCES: [(Product, [Met; 4], Met); 15] = [
    (Product::ScenarioCampaignCrud, [Unauthorized, Key, Unauthorized, Bearer], Unauthorized),
    (Product::ScenarioEventCrud, [Unauthorized, Key, Unauthorized, Bearer], Unauthorized),
    (Product::InventorySearch, [Unauthorized, Unauthorized, Key, Forbidden], Unauthorized),
    (Product::PlaceSearch, [Session, Key, Unauthorized, Bearer], Unauthorized),
    (Product::PlaceProfile, [Unauthorized, Key, Unauthorized, Bearer], Unauthorized),
    (Product::PlaceReport, [Unauthorized, Key, Unauthorized, Bearer], Unauthorized),
    (Product::CohortSearch, [Session, Key, Unauthorized, Bearer], Unauthorized),
    (Product::PopulationAtHome, [Session, Key, Unauthorized, Bearer], Unauthorized),
    (Product::Markets, [Unauthorized, Key, Unauthorized, Forbidden], Unauthorized),
    (Product::BillingCredits, [Unauthorized, Key, Unauthorized, Bearer], Unauthorized),
    (Product::TileGrants, [Unauthorized, Key, Unauthorized, Forbidden], Unauthorized),
    (Product::Tilejson, [Public, Public, Public, Public], Public),
    (Product::Tile, [Public, Public, Public, Public], Public),
    (Product::Health, [Public, Key, Unauthorized, Bearer], Unauthorized),
    (Product::Openapi, [Public, Public, Public, Public], Public),
];

#[tokio::test]
async fn every_product_meets_just_its_audience() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let token = format!("Bearer {}", world.bearer(&org).await);
    let address = Some("203.0.113.9".parse().expect("an address"));
    let nobody = RequestCredentials { address, ..RequestCredentials::default() };
    for (product, expected, for_a_bad_one) in AUDIENCES {
        let presented = [
            nobody,
            RequestCredentials { api_key: Some(&org.key), ..nobody },
            RequestCredentials { search_key: Some(&org.key), ..nobody },
            RequestCredentials { authorization: Some(&token), ..nobody },
        ];
        for (presented, expected) in presented.into_iter().zip(expected) {
            assert_eq!(meet(&world, product, presented).await, expected, "{product:?} {presented:?}");
        }
        for bad in [
            RequestCredentials { api_key: Some("nonsense"), ..nobody },
            RequestCredentials { search_key: Some("nonsense"), ..nobody },
            RequestCredentials { authorization: Some("Bearer nonsense"), ..nobody },
        ] {
            assert_eq!(meet(&world, product, bad).await, for_a_bad_one, "{product:?} {bad:?}");
        }
    }
    let listed: Vec<_> = AUDIENCES.iter().map(|(product, _, _)| *product).collect();
    assert_eq!(listed, Product::iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn an_anonymous_caller_needs_an_address() {
    let world = World::new().await;
    assert_eq!(meet(&world, Product::PlaceSearch, RequestCredentials::default()).await, Unauthorized);
}

#[tokio::test]
async fn historical_data_is_never_for_anonymous_callers() {
    let world = World::new().await;
    let address = Some("203.0.113.9".parse().expect("an address"));
    let nobody = RequestCredentials { address, ..RequestCredentials::default() };
    let session = world
        .app
        .admissions
        .identify(Product::PlaceSearch, Audience::Anyone, true, nobody)
        .await
        .expect("a session");
    let Identity::Session { token: Some(token), .. } = session else { panic!("{session:?}") };
    let known = RequestCredentials { session_token: Some(&token), ..nobody };
    for product in Product::iter().filter(|product| product.is_historical()) {
        for presented in [nobody, known] {
            assert_eq!(meet(&world, product, presented).await, Unauthorized, "{product:?}");
        }
    }
    assert_eq!(meet(&world, Product::PlaceSearch, known).await, Session);
}

#[tokio::test]
async fn the_misplaced_key_is_told_its_place() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let bearer = format!("Bearer {}", org.key);
    for product in Product::iter() {
        let (right, wrong) = match product {
            Product::Tilejson | Product::Tile | Product::Openapi => continue,
            Product::InventorySearch => {
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
            let denied = world
                .app
                .admissions
                .identify(product, product.audience(), true, presented)
                .await
                .expect_err("misplaced");
            let told = ApiError::not_admitted(&denied, product.audience());
            assert_eq!(told.code, Code::Unauthorized, "{product:?}: {denied:?}");
            assert!(told.message.contains(right), "{product:?} {presented:?}: {}", told.message);
        }
    }
}

#[tokio::test]
async fn a_key_opens_a_product_by_its_scope_alone() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let scopes = [
        (Product::ScenarioCampaignCrud, Some(Scope::ScenariosRead), Some(Scope::ScenariosWrite)),
        (Product::ScenarioEventCrud, Some(Scope::ScenariosRead), Some(Scope::ScenariosWrite)),
        (Product::InventorySearch, Some(Scope::Inventory), Some(Scope::Inventory)),
        (Product::PlaceSearch, Some(Scope::Analytics), Some(Scope::Analytics)),
        (Product::PlaceProfile, Some(Scope::Analytics), Some(Scope::Analytics)),
        (Product::PlaceReport, Some(Scope::Analytics), Some(Scope::Analytics)),
        (Product::CohortSearch, Some(Scope::Analytics), Some(Scope::Analytics)),
        (Product::PopulationAtHome, Some(Scope::Analytics), Some(Scope::Analytics)),
        (Product::Markets, Some(Scope::Analytics), Some(Scope::Analytics)),
        (Product::BillingCredits, Some(Scope::Billing), Some(Scope::Billing)),
        (Product::TileGrants, Some(Scope::Tiles), Some(Scope::Tiles)),
        (Product::Health, None, None),
    ];
    for scope in Scope::iter().map(Some).chain([None]) {
        let key = world.key(&org.id, scope.into_iter().collect::<Scopes>()).await;
        let presented = RequestCredentials {
            api_key: Some(&key),
            search_key: Some(&key),
            ..RequestCredentials::default()
        };
        for (product, to_read, to_write) in scopes {
            for (safe, needed) in [(true, to_read), (false, to_write)] {
                let met = world.app.admissions.identify(product, product.audience(), safe, presented).await;
                let opens = needed.is_none() || needed == scope;
                assert_eq!(met.is_ok(), opens, "{product:?} safe={safe} with {scope:?}: {met:?}");
            }
        }
    }
    let listed: BTreeSet<_> = scopes.iter().map(|(product, _, _)| product.name()).collect();
    assert_eq!(
        listed.len() + 3,
        Product::iter().count(),
        "all but the interface description and what grants show"
    );
}

async fn meet(world: &World, product: Product, presented: RequestCredentials<'_>) -> Met {
    match world.app.admissions.identify(product, product.audience(), true, presented).await {
        Ok(Identity::Key { .. }) => Key,
        Ok(Identity::Bearer { .. }) => Bearer,
        Ok(Identity::Session { .. }) => Session,
        Ok(Identity::Public) => Public,
        Err(AdmissionError::Unauthenticated(_)) => Unauthorized,
        Err(AdmissionError::Forbidden(_)) => Forbidden,
        Err(other) => panic!("{product:?}: {other:?}"),
    }
}
