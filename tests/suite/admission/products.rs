//! What anonymous callers need, and what is not for them.
use accounting::{Audience, Product};
use gateway::{Code, Identity, NotAdmitted, RequestCredentials};
use harness::World;
use strum::IntoEnumIterator;

#[tokio::test]
async fn an_anonymous_caller_needs_an_address() {
    let world = World::new().await;
    let met = meet_as(&world, Product::PlaceSearch, Audience::Anyone, RequestCredentials::default()).await;
    assert_eq!(met.expect_err("nobody").error.code, Code::Unauthorized);
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
        let is_historical = product.requires_account();
        for presented in [nobody, known] {
            match meet_as(&world, product, Audience::Anyone, presented).await {
                Err(denied) if is_historical && denied.error.message.starts_with("send an API key in") => {}
                Ok(Identity::Session { .. }) if !is_historical => {}
                other => panic!("{product:?}, historical: {is_historical}, met {other:?}"),
            }
        }
    }
    assert_eq!(
        Product::iter().filter(|product| product.requires_account()).collect::<Vec<_>>(),
        [Product::PlaceProfile, Product::PlaceReport]
    );
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
