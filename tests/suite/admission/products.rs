//! Anonymous callers must have an IP address and can't read historical data.

use accounting::{AuthRequirement, Product};
use gateway::{Code, Identity, NotAdmitted, RequestCredentials};
use harness::World;
use strum::IntoEnumIterator;

#[tokio::test]
async fn anonymous_caller_without_an_address_is_rejected() {
    let world = World::new().await;
    let met =
        identify_as(&world, Product::PlaceSearch, AuthRequirement::Anyone, RequestCredentials::default())
            .await;
    assert_eq!(met.expect_err("rejected").error.code, Code::Unauthorized);
}

#[tokio::test]
async fn anonymous_callers_never_get_historical_data() {
    let world = World::new().await;
    let address = Some("203.0.113.9".parse().expect("valid address"));
    let without_token = RequestCredentials { address, ..RequestCredentials::default() };
    let session = identify_as(&world, Product::PlaceSearch, AuthRequirement::Anyone, without_token).await;
    let session = session.expect("a session is opened");
    let Identity::Session { token: Some(token), .. } = session else { panic!("{session:?}") };
    let with_token = RequestCredentials { session_token: Some(&token), ..without_token };
    // `Anyone` allows sessions, so the result depends only on `requires_account`.
    for product in Product::iter() {
        let is_historical = product.requires_account();
        for presented in [without_token, with_token] {
            match identify_as(&world, product, AuthRequirement::Anyone, presented).await {
                Err(denied) if is_historical && denied.error.message.starts_with("send an API key in") => {}
                Ok(Identity::Session { .. }) if !is_historical => {}
                other => panic!("{product:?}, historical: {is_historical}, unexpected result {other:?}"),
            }
        }
    }
    assert_eq!(
        Product::iter().filter(|product| product.requires_account()).collect::<Vec<_>>(),
        [Product::PlaceProfile, Product::PlaceReport]
    );
}

/// Authenticates a call of a product, with `audience` instead of the product's own requirement.
async fn identify_as(
    world: &World,
    product: Product,
    audience: AuthRequirement,
    presented: RequestCredentials<'_>,
) -> Result<Identity, NotAdmitted> {
    Ok(world.app.admissions.identify(product, audience, true, presented).await?.identity)
}
