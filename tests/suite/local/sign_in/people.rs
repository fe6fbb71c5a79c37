//! People whom somebody makes up, and what the page and the tokens say of them.

use std::net::{Ipv4Addr, TcpListener};

use harness::sample_release;
use http::Method;
use serde_json::{Value, json};

use super::super::{Serving, TestDir};
use super::{Browser, claims};

/// Makes somebody up, and returns their tokens.
async fn made_up(browser: &mut Browser, fields: &[(&str, &str)]) -> Value {
    let sent = browser.send_form(fields).await;
    browser.exchange_code(&browser.code(&sent), &[]).await.json()
}

async fn call(serving: &Serving, method: Method, path: &str, token: &Value, body: &Value) -> harness::Answer {
    let bearer = format!("Bearer {}", token.as_str().expect("a token"));
    let body = Some(body).filter(|body| !body.is_null());
    serving.call(method, path, ("Authorization", &bearer), body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_made_up_signs_up_and_is_the_same_person_after_a_restart() {
    let data_dir = TestDir::new();
    // The address of the issuer is part of who the person is.
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port").local_addr().expect("an address");
    let (port, release) = (free.port().to_string(), sample_release().path().display().to_string());
    let start = || data_dir.command(&["serve", "--port", &port, "--release", &release], &[]);
    let serving = data_dir.started(start()).await;
    let mut browser = Browser::of(&serving);
    let tokens = made_up(&mut browser, &[("email", " Ada@Example.org "), ("verified", "on")]).await;
    assert_eq!(claims(&tokens["id_token"])["email"], "ada@example.org");
    let body = json!({ "name": "Example Coffee" });
    let signed_up =
        call(&serving, Method::POST, "/v2/account/organization", &tokens["id_token"], &body).await;
    let organization = signed_up.data()["organization"]["org_id"].clone();
    assert!(organization.is_string(), "{}", signed_up.text());
    let page = browser.authorize(&[("prompt", "login")]).await;
    assert!(page.text().contains("ada@example.org"), "they can be chosen again: {}", page.text());
    serving.interrupt().await;

    let serving = data_dir.started(start()).await;
    let mut browser = Browser::of(&serving);
    let subject = claims(&tokens["id_token"])["sub"].as_str().expect("a subject").to_owned();
    let forgotten = browser.choose(&subject).await;
    assert_eq!((forgotten.status.as_u16(), browser.cookie.as_ref()), (400, None));
    assert!(forgotten.text().contains("not known any more"), "{}", forgotten.text());
    let tokens = made_up(&mut browser, &[("email", "ada@example.org"), ("verified", "on")]).await;
    let account = call(&serving, Method::GET, "/v2/account", &tokens["id_token"], &Value::Null).await;
    assert_eq!(account.data()["organization"]["org_id"], organization);
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_accepted_by_somebody_made_up_whose_address_is_verified() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    let owner = browser.tokens_of("local-developer").await;
    let invited = json!({ "email": "grace@example.org", "role": "member" });
    let invitation =
        call(&serving, Method::POST, "/v2/account/invitations", &owner["id_token"], &invited).await;
    let acceptance = json!({ "token": invitation.data()["token"] });
    let accept = async |browser: &mut Browser, fields: &[(&str, &str)]| {
        let tokens = made_up(browser, fields).await;
        let path = "/v2/account/invitations/accept";
        call(&serving, Method::POST, path, &tokens["id_token"], &acceptance).await
    };
    let unverified = accept(&mut browser, &[("email", "grace@example.org")]).await;
    assert_eq!(unverified.error().0, 403, "{}", unverified.text());
    let another = accept(&mut browser, &[("email", "ada@example.org"), ("verified", "on")]).await;
    assert!(another.status.is_client_error(), "{}", another.text());
    let accepted = accept(&mut browser, &[("email", "grace@example.org"), ("verified", "on")]).await;
    assert_eq!(accepted.status, 200, "{}", accepted.text());
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_keeps_what_was_typed_and_shows_no_markup_of_others() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    for email in ["", "nobody", "\"><script>alert(1)</script>"] {
        let page = browser.send_form(&[("email", email), ("verified", "on")]).await;
        assert_eq!((page.status.as_u16(), browser.cookie.as_ref()), (400, None), "{email}");
        assert!(page.text().contains("must be an e-mail address"), "{}", page.text());
        assert!(!page.text().contains("<script"), "{}", page.text());
    }
    let typed = browser.send_form(&[("email", "a&b")]).await.text();
    assert!(typed.contains("value=\"a&amp;b\"") && !typed.contains(" checked"), "{typed}");

    let page = browser.authorize(&[("state", "\"'<i>")]).await;
    assert!(!page.text().contains("<i>") && page.text().contains(" checked"), "{}", page.text());
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; img-src data:; style-src 'self'; "), "{policy}");
    assert!(policy.contains(&format!("form-action 'self' {};", browser.origin)), "{policy}");
    let style = browser.get("/login.css").await;
    assert_eq!((style.status.as_u16(), style.header("content-type")), (200, "text/css; charset=utf-8"));
    let opened_again = browser.get(&format!("/login?{}", browser.authorization(&[]))).await;
    assert_eq!(opened_again.text(), browser.authorize(&[]).await.text());
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_people_of_every_start_stay_who_they_are_when_their_address_is_typed() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    for (email, subject) in
        [("developer@example.com", "local-developer"), ("NEWCOMER@example.com", "local-newcomer")]
    {
        for fields in [&[("email", email)][..], &[("email", email), ("verified", "on")]] {
            let claims = claims(&made_up(&mut browser, fields).await["id_token"]);
            let is_verified = json!(fields.len() == 2);
            assert_eq!((&claims["sub"], &claims["email_verified"]), (&json!(subject), &is_verified));
        }
    }
    serving.interrupt().await;
}
