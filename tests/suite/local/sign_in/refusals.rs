//! What the provider refuses, and how it says so.

use serde_json::{Value, json};

use super::super::{Serving, TestDir};
use super::{Browser, VERIFIER, encoded, value};

#[tokio::test(flavor = "multi_thread")]
async fn the_client_is_told_what_is_wrong_with_its_request() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    for (changes, error, word) in [
        (&[("response_type", "")][..], "invalid_request", "response_type"),
        (&[("response_type", "token")], "unsupported_response_type", "response_type"),
        (&[("response_mode", "fragment")], "invalid_request", "response_mode"),
        (&[("scope", "")], "invalid_scope", "openid"),
        (&[("scope", "email")], "invalid_scope", "openid"),
        (&[("scope", "openid phone")], "invalid_scope", "openid"),
        (&[("code_challenge", "")], "invalid_request", "code_challenge"),
        (&[("code_challenge", VERIFIER)], "invalid_request", "code_challenge"),
        (&[("code_challenge_method", "")], "invalid_request", "S256"),
        (&[("code_challenge_method", "plain")], "invalid_request", "S256"),
        (&[("prompt", "consent")], "invalid_request", "prompt"),
        (&[("prompt", "none login")], "invalid_request", "prompt"),
        (&[("nonce", "a"), ("nonce", "b")], "invalid_request", "nonce must come once"),
        (&[("request", "a.b.c")], "request_not_supported", "request"),
        (&[("request_uri", "urn:a")], "request_uri_not_supported", "request_uri"),
        (&[("prompt", "none")], "login_required", "nobody is signed in"),
    ] {
        let sent = browser.authorize(changes).await;
        let sent = browser.sent_back(&sent);
        assert_eq!(value(&sent, "error"), Some(error), "{changes:?}: {sent:?}");
        assert!(value(&sent, "error_description").is_some_and(|text| text.contains(word)), "{sent:?}");
        assert_eq!((value(&sent, "state"), value(&sent, "code")), (Some("the state"), None), "{sent:?}");
    }
    let silent = browser.authorize(&[("state", ""), ("prompt", "none")]).await;
    assert_eq!(value(&browser.sent_back(&silent), "state"), None);
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_to_an_address_that_is_not_the_portals() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    let own = format!("{}/portal/signed-in", browser.origin);
    let longer = [format!("{own}/"), format!("{own}?a=b"), own.replace("127.0.0.1", "localhost")];
    for changes in [
        &[("client_id", "")][..],
        &[("client_id", "<b>\"another")],
        &[("client_id", "marquee-local"), ("client_id", "marquee-local")],
        &[("redirect_uri", "")],
        &[("redirect_uri", "https://evil.example/portal/signed-in")],
        &[("redirect_uri", &longer[0])],
        &[("redirect_uri", &longer[1])],
        &[("redirect_uri", &longer[2])],
        &[("redirect_uri", &own), ("redirect_uri", "https://evil.example/")],
    ] {
        let path = format!("/login?{}", browser.authorization(changes));
        let sent = browser.post(&path, "person=local-developer", "").await;
        for refused in [browser.authorize(changes).await, sent] {
            assert_eq!((refused.status.as_u16(), refused.header("location")), (400, ""), "{changes:?}");
            assert!(refused.text().contains(" must be ") && !refused.text().contains("<b>"), "{changes:?}");
        }
    }
    assert_eq!(browser.cookie, None);

    browser.tokens_of("local-developer").await;
    for changes in [
        &[("client_id", "another")][..],
        &[("logout_uri", "")],
        &[("logout_uri", "https://evil.example/portal/signed-out")],
        &[("logout_uri", ""), ("redirect_uri", "https://evil.example/")],
    ] {
        let refused = browser.log_out(changes).await;
        assert_eq!((refused.status.as_u16(), refused.header("location")), (400, ""), "{changes:?}");
        assert!(refused.text().contains(" must be "), "{changes:?}: {}", refused.text());
    }
    assert_eq!(browser.authorize(&[]).await.status, 303, "they are still signed in");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_given_for_the_portals_own_code_once() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    let code = browser.choose("local-developer").await;
    let code = browser.code(&code);
    let other_verifier = VERIFIER.replace('a', "b");
    for (changes, error) in [
        (&[("grant_type", "")][..], "invalid_request"),
        (&[("grant_type", "password")], "unsupported_grant_type"),
        (&[("client_id", "")], "invalid_request"),
        (&[("client_id", "another")], "invalid_client"),
        (&[("code", "")], "invalid_request"),
        (&[("code", "another")], "invalid_grant"),
        (&[("code", &code), ("code", &code)], "invalid_request"),
        (&[("redirect_uri", "")], "invalid_request"),
        (&[("redirect_uri", "https://evil.example/")], "invalid_grant"),
        (&[("code_verifier", "")], "invalid_request"),
        (&[("code_verifier", &other_verifier)], "invalid_grant"),
        (&[("grant_type", "refresh_token")], "invalid_request"),
        (&[("grant_type", "refresh_token"), ("refresh_token", &code)], "invalid_grant"),
    ] {
        assert_refused(&browser.exchange_code(&code, changes).await, error, &format!("{changes:?}"));
    }
    let json = "POST /oauth2/token HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";
    let json = format!("{json}{}\r\n{{}}", browser.headers());
    assert_refused(&browser.exchange(&json).await, "invalid_request", "JSON");

    let tokens = browser.exchange_code(&code, &[]).await;
    assert_eq!((tokens.status.as_u16(), tokens.header("cache-control")), (200, "no-store"));
    let refresh_token = tokens.json()["refresh_token"].as_str().expect("a token").to_owned();
    assert_eq!(browser.refresh(&refresh_token).await.status, 200);
    assert_refused(&browser.exchange_code(&code, &[]).await, "invalid_grant", "the code again");
    assert_refused(&browser.refresh(&refresh_token).await, "invalid_grant", "what it gave");
    serving.interrupt().await;
}

/// Each endpoint as a tunnel would ask for it, and what a page of another origin could send.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_signs_in_through_a_tunnel_or_by_a_form_of_another_origin() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-host", "tunnel.example"]).await;
    let browser = Browser::of(&serving);
    let host = browser.address().to_owned();
    let authorization = browser.authorization(&[]);
    let login = format!("/login?{authorization}");
    let own = format!("Origin: {}\r\n", browser.origin);
    for (method, path) in [
        ("GET", "/.well-known/openid-configuration"),
        ("GET", &*format!("/oauth2/authorize?{authorization}")),
        ("GET", "/login.css"),
        ("GET", "/logout?client_id=marquee-local"),
        ("POST", &*login),
        ("POST", "/oauth2/token"),
    ] {
        for headers in [
            "Host: tunnel.example\r\n".to_owned(),
            format!("Host: {host}\r\nX-Forwarded-For: 192.0.2.1\r\n"),
            format!("Host: {host}\r\nX-Forwarded-Host: tunnel.example\r\n"),
            format!("Host: {host}\r\nForwarded: for=192.0.2.1\r\n"),
        ] {
            let refused = send(&serving, method, path, &headers).await;
            assert_eq!((refused.0, refused.1.as_str()), (403, ""), "{method} {path} {headers}");
            assert!(refused.2.contains("signing in works on this machine alone"), "{}", refused.2);
        }
    }
    let keys = send(&serving, "GET", "/.well-known/jwks.json", "Host: tunnel.example\r\n").await;
    assert_eq!(keys.0, 200);
    for (origin, status) in [
        ("Origin: https://tunnel.example\r\n", 403),
        ("Origin: http://127.0.0.1:1\r\n", 403),
        ("Origin: null\r\n", 403),
        (own.as_str(), 303),
    ] {
        let answer = send(&serving, "POST", &login, &format!("Host: {host}\r\n{origin}")).await;
        assert_eq!((answer.0, answer.1.is_empty()), (status, status == 403), "{origin}");
    }
    serving.interrupt().await;
}

/// Returns status, cookie and text.
async fn send(serving: &Serving, method: &str, path: &str, headers: &str) -> (u16, String, String) {
    let form = encoded(&[("person", "local-developer")]);
    let body = if method == "POST" { form } else { String::new() };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}",
        body.len()
    );
    let answer = serving.exchange(&request).await;
    (answer.status.as_u16(), answer.header("set-cookie").to_owned(), answer.text())
}

#[track_caller]
fn assert_refused(answer: &harness::Answer, error: &str, context: &str) {
    assert_eq!((answer.status.as_u16(), &answer.json()["error"]), (400, &json!(error)), "{context}");
    assert!(answer.json()["error_description"].as_str().is_some_and(|text| text.len() > 10), "{context}");
    assert_eq!(answer.json()["id_token"], Value::Null, "{context}");
    assert_eq!(answer.header("cache-control"), "no-store", "{context}");
}
