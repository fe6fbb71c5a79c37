//! The ways that lead to tokens, and from them to the interface.

use http::Method;
use serde_json::{Value, json};

use super::super::{Serving, TestDir};
use super::{Browser, claims};

/// Asks the interface who a token is of.
async fn account(serving: &Serving, token: &Value) -> harness::Answer {
    let bearer = format!("Bearer {}", token.as_str().expect("a token"));
    serving.call(Method::GET, "/v2/account", ("Authorization", &bearer), None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_is_chosen_once_and_stays_signed_in_until_they_sign_out() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);

    let page = browser.authorize(&[]).await;
    assert_eq!((page.status.as_u16(), page.header("cache-control")), (200, "no-store"));
    for shown in ["developer@example.com", "newcomer@example.com", "Who signs in?"] {
        assert!(page.text().contains(shown), "{shown}: {}", page.text());
    }
    let silent = browser.authorize(&[("prompt", "none")]).await;
    assert!(browser.sent_back(&silent).contains(&("error".to_owned(), "login_required".to_owned())));

    let tokens = browser.tokens_of("local-developer").await;
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(43_200)));
    let id = claims(&tokens["id_token"]);
    assert_eq!(id["exp"].as_i64().expect("a time") - id["iat"].as_i64().expect("a time"), 43_200);
    for (claim, value) in [
        ("iss", json!(browser.origin)),
        ("aud", json!("marquee-local")),
        ("sub", json!("local-developer")),
        ("token_use", json!("id")),
        ("nonce", json!("the nonce")),
        ("email", json!("developer@example.com")),
        ("email_verified", json!(true)),
    ] {
        assert_eq!(id[claim], value, "{claim}");
    }
    let taken = account(&serving, &tokens["id_token"]).await;
    assert_eq!(taken.data()["person"]["email"], "developer@example.com");
    assert_eq!(taken.data()["organization"]["org_id"], "org_enterprise");

    for prompt in ["", "none"] {
        let straight_through = browser.authorize(&[("prompt", prompt)]).await;
        let again = browser.exchange_code(&browser.code(&straight_through), &[]).await.json();
        let claims = claims(&again["id_token"]);
        assert_eq!((&claims["sub"], &claims["auth_time"]), (&id["sub"], &id["auth_time"]), "{prompt}");
    }
    let asked = browser.authorize(&[("prompt", "login")]).await;
    assert!(asked.status == 200 && asked.text().contains("Who signs in?"), "{}", asked.text());

    let signed_out = browser.log_out(&[]).await;
    let expected = format!("{}/portal/signed-out", browser.origin);
    assert_eq!((signed_out.status.as_u16(), signed_out.header("location")), (303, expected.as_str()));
    assert_eq!(browser.cookie, None);
    assert_eq!(browser.authorize(&[]).await.status, 200, "they are asked again");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_renews_and_ends_with_its_session() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--token-seconds", "60"]).await;
    let mut browser = Browser::of(&serving);
    let tokens = browser.tokens_of("local-newcomer").await;
    assert_eq!(tokens["expires_in"], 60);
    let refresh_token = tokens["refresh_token"].as_str().expect("a token").to_owned();
    for _ in 0..2 {
        let renewed = browser.refresh(&refresh_token).await.json();
        let (before, after) = (claims(&tokens["id_token"]), claims(&renewed["id_token"]));
        assert_eq!((&after["sub"], &after["auth_time"]), (&before["sub"], &before["auth_time"]));
        assert_eq!(after["exp"].as_i64(), after["iat"].as_i64().map(|issued| issued + 60));
        assert!(after["nonce"].is_null() && renewed["refresh_token"].is_null(), "{renewed}");
        assert_eq!(account(&serving, &renewed["id_token"]).await.status, 200);
    }
    // What the credentials say is not of a sign-in, and is for programs.
    let minted = claims(&json!(serving.credentials.newcomer_token));
    assert_eq!(minted["exp"].as_i64(), minted["iat"].as_i64().map(|issued| issued + 43_200));

    browser.log_out(&[]).await;
    let refused = browser.refresh(&refresh_token).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]), (400, &json!("invalid_grant")));
    serving.interrupt().await;
    let refused = data_dir.run(&["serve", "--token-seconds", "59"]).await;
    assert!(refused.code == Some(2) && refused.stderr.contains("59 is not in 60.."), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_interface_takes_the_id_token_and_not_the_access_token() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    let tokens = browser.tokens_of("local-developer").await;
    let access = claims(&tokens["access_token"]);
    assert_eq!((&access["token_use"], &access["client_id"]), (&json!("access"), &json!("marquee-local")));
    assert_eq!((&access["aud"], &access["email"]), (&Value::Null, &Value::Null));
    assert_eq!(account(&serving, &tokens["id_token"]).await.status, 200);
    assert_eq!(account(&serving, &tokens["access_token"]).await.error(), (401, "UNAUTHORIZED".to_owned()));
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_has_one_session_and_whoever_comes_next_ends_it() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    let first = browser.tokens_of("local-developer").await;
    let earlier = browser.cookie.clone();
    let second = browser.tokens_of("local-newcomer").await;
    assert_ne!(browser.cookie, earlier);
    let refresh_token = |tokens: &Value| tokens["refresh_token"].as_str().expect("a token").to_owned();
    assert_eq!(browser.refresh(&refresh_token(&first)).await.status, 400);
    assert_eq!(browser.refresh(&refresh_token(&second)).await.status, 200);
    browser.cookie = earlier;
    assert_eq!(browser.authorize(&[]).await.status, 200, "the earlier cookie names nobody");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_discovery_document_names_what_there_is() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    let document = browser.get("/.well-known/openid-configuration").await.json();
    let origin = browser.origin.clone();
    for (member, expected) in [
        ("issuer", json!(origin)),
        ("authorization_endpoint", json!(format!("{origin}/oauth2/authorize"))),
        ("token_endpoint", json!(format!("{origin}/oauth2/token"))),
        ("end_session_endpoint", json!(format!("{origin}/logout"))),
        ("jwks_uri", json!(format!("{origin}/.well-known/jwks.json"))),
        ("response_types_supported", json!(["code"])),
        ("code_challenge_methods_supported", json!(["S256"])),
        ("scopes_supported", json!(["openid", "email"])),
        ("grant_types_supported", json!(["authorization_code", "refresh_token"])),
        ("id_token_signing_alg_values_supported", json!(["ES256"])),
        ("token_endpoint_auth_methods_supported", json!(["none"])),
        ("subject_types_supported", json!(["public"])),
    ] {
        assert_eq!(document[member], expected, "{member}");
    }
    let keys = browser.get("/.well-known/jwks.json").await.json();
    assert_eq!(keys["keys"].as_array().map(Vec::len), Some(1), "{keys}");
    serving.interrupt().await;
}
