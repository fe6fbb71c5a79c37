//! Signing in to the local service, with the same requests as the portal and the user's browser.

use std::net::{Ipv4Addr, TcpListener};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use harness::{Answer, sample_release};
use http::Method;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use super::{Serving, TestDir, exchange};

/// The PKCE code verifier, which the client keeps secret until it exchanges the code.
const VERIFIER: &str = "a-verifier-of-43-characters-at-least-0123456789";

const DEVELOPER: &str = "developer@example.com";

/// A browser that shows the portal. It keeps the provider's cookie and doesn't follow redirects.
struct Browser {
    origin: String,
    cookie: Option<String>,
}

impl Browser {
    fn of(serving: &Serving) -> Self {
        Self { origin: serving.credentials.search_url.clone(), cookie: None }
    }

    /// Requests an authorization code with the portal's usual parameters and the given changes.
    async fn authorize(&mut self, changes: &[(&str, &str)]) -> Answer {
        self.send("GET", &self.authorization(changes), "", "").await
    }

    /// Submits the sign-in form for the portal's usual authorization request.
    async fn choose(&mut self, fields: &[(&str, &str)]) -> Answer {
        let origin = format!("Origin: {}\r\n", self.origin);
        self.send("POST", &self.authorization(&[]), &origin, &encoded(fields)).await
    }

    /// Exchanges a code for tokens with the portal's usual parameters and the given changes.
    async fn exchange_code(&mut self, code: &str, changes: &[(&str, &str)]) -> Answer {
        let redirect_uri = format!("{}/portal/signed-in", self.origin);
        let portals = [
            ("grant_type", "authorization_code"),
            ("client_id", "marquee-local"),
            ("code", code),
            ("redirect_uri", &redirect_uri),
            ("code_verifier", VERIFIER),
        ];
        self.send("POST", "/oauth2/token", "", &changed(&portals, changes)).await
    }

    async fn refresh(&mut self, refresh_token: &Value) -> Answer {
        let refresh_token = refresh_token.as_str().expect("a token");
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", "marquee-local"),
            ("refresh_token", refresh_token),
        ];
        self.send("POST", "/oauth2/token", "", &encoded(&form)).await
    }

    /// Signs out with the portal's usual parameters and the given changes.
    async fn log_out(&mut self, changes: &[(&str, &str)]) -> Answer {
        let logout_uri = format!("{}/portal/signed-out", self.origin);
        let portals = [("client_id", "marquee-local"), ("logout_uri", &*logout_uri)];
        self.send("GET", &format!("/logout?{}", changed(&portals, changes)), "", "").await
    }

    /// Signs a user in and returns the user's tokens.
    async fn tokens_of(&mut self, fields: &[(&str, &str)]) -> Value {
        let chosen = self.choose(fields).await;
        let tokens = self.exchange_code(&self.code(&chosen), &[]).await;
        assert_eq!((tokens.status.as_u16(), tokens.header("cache-control")), (200, "no-store"));
        tokens.json()
    }

    /// Returns the authorization code in a redirect to the portal.
    fn code(&self, answer: &Answer) -> String {
        assert_eq!(answer.status, 303, "{}", answer.text());
        let (address, query) = answer.header("location").split_once('?').expect("a query");
        assert_eq!(address, format!("{}/portal/signed-in", self.origin));
        let sent: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let [(code, value), state] = &sent[..] else { panic!("{sent:?}") };
        assert_eq!((code.as_str(), state), ("code", &("state".to_owned(), "the state".to_owned())));
        value.clone()
    }

    fn authorization(&self, changes: &[(&str, &str)]) -> String {
        let redirect_uri = format!("{}/portal/signed-in", self.origin);
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, VERIFIER.as_bytes()));
        let portals = [
            ("response_type", "code"),
            ("client_id", "marquee-local"),
            ("redirect_uri", &*redirect_uri),
            ("scope", "openid email profile"),
            ("state", "the state"),
            ("nonce", "the nonce"),
            ("code_challenge", &*challenge),
            ("code_challenge_method", "S256"),
        ];
        format!("/oauth2/authorize?{}", changed(&portals, changes))
    }

    /// Sends a request with the stored cookie and stores the cookie that the response sets.
    async fn send(&mut self, method: &str, path: &str, headers: &str, form: &str) -> Answer {
        let address = self.origin.strip_prefix("http://").expect("plain HTTP");
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: theme=dark; {cookie}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{}{headers}\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            cookie.unwrap_or_default(),
            form.len()
        );
        let answer = exchange(address, &request).await;
        if let Some(set) = answer.headers.get("set-cookie") {
            let set = set.to_str().expect("text");
            assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{set}");
            let cookie = set.split(';').next().expect("a cookie").to_owned();
            self.cookie = (!set.contains("Max-Age=0")).then_some(cookie);
        }
        answer
    }
}

/// Encodes the parameters after replacing some of their values. An empty value removes the parameter.
fn changed(parameters: &[(&str, &str)], changes: &[(&str, &str)]) -> String {
    let is_changed = |name: &str| changes.iter().any(|(changed, _)| *changed == name);
    let kept = parameters.iter().filter(|(name, _)| !is_changed(name));
    encoded(&kept.chain(changes).filter(|(_, value)| !value.is_empty()).copied().collect::<Vec<_>>())
}

fn encoded(parameters: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish()
}

/// Returns a token's claims without verifying the signature, because the API verifies it.
fn claims(token: &Value) -> Value {
    let payload = token.as_str().expect("a token").split('.').nth(1).expect("a payload");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).expect("base64url")).expect("JSON")
}

async fn call(serving: &Serving, method: Method, path: &str, token: &Value, body: Option<&Value>) -> Answer {
    let bearer = format!("Bearer {}", token.as_str().expect("a token"));
    serving.call(method, path, ("Authorization", &bearer), body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn user_stays_signed_in_until_sign_out() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut browser = Browser::of(&serving);
    let document = browser.send("GET", "/.well-known/openid-configuration", "", "").await.json();
    for (member, path) in [
        ("issuer", ""),
        ("authorization_endpoint", "/oauth2/authorize"),
        ("token_endpoint", "/oauth2/token"),
        ("jwks_uri", "/.well-known/jwks.json"),
    ] {
        assert_eq!(document[member], format!("{}{path}", browser.origin), "{member}");
    }
    let page = browser.authorize(&[]).await.text();
    for shown in [DEVELOPER, "newcomer@example.com", "Sign in locally"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }

    let tokens = browser.tokens_of(&[("email", DEVELOPER), ("verified", "on")]).await;
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(43_200)));
    let (id, access) = (claims(&tokens["id_token"]), claims(&tokens["access_token"]));
    for (token, claim, value) in [
        (&id, "iss", json!(browser.origin)),
        (&id, "aud", json!("marquee-local")),
        (&id, "sub", json!("local-developer")),
        (&id, "token_use", json!("id")),
        (&id, "nonce", json!("the nonce")),
        (&id, "email", json!(DEVELOPER)),
        (&id, "email_verified", json!(true)),
        (&access, "token_use", json!("access")),
        (&access, "client_id", json!("marquee-local")),
        (&access, "aud", Value::Null),
        (&access, "email", Value::Null),
    ] {
        assert_eq!(token[claim], value, "{claim}");
    }
    let account = call(&serving, Method::GET, "/v2/account", &tokens["id_token"], None).await.data();
    assert_eq!(account["person"]["email"], DEVELOPER);
    assert_eq!(account["organization"]["org_id"], "org_enterprise");
    let refused = call(&serving, Method::GET, "/v2/account", &tokens["access_token"], None).await;
    assert_eq!(refused.error(), (401, "UNAUTHORIZED".to_owned()));

    let straight_through = browser.authorize(&[]).await;
    let again = browser.exchange_code(&browser.code(&straight_through), &[]).await.json();
    assert_eq!(claims(&again["id_token"])["auth_time"], id["auth_time"]);
    assert_eq!(browser.authorize(&[("prompt", "login")]).await.status, 200, "the sign-in page is shown");
    let signed_out = browser.log_out(&[]).await;
    let expected = format!("{}/portal/signed-out", browser.origin);
    assert_eq!((signed_out.status.as_u16(), signed_out.header("location")), (303, expected.as_str()));
    assert_eq!(browser.cookie, None);
    assert_eq!(browser.authorize(&[]).await.status, 200, "the sign-in page is shown again");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refresh_token_renews_until_its_session_ends() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--token-ttl", "60"]).await;
    let mut browser = Browser::of(&serving);
    let tokens = browser.tokens_of(&[("email", "newcomer@example.com")]).await;
    let before = claims(&tokens["id_token"]);
    assert_eq!((&before["sub"], &before["email_verified"]), (&json!("local-newcomer"), &json!(false)));
    for _ in 0..2 {
        let renewed = browser.refresh(&tokens["refresh_token"]).await.json();
        let after = claims(&renewed["id_token"]);
        assert_eq!((&after["sub"], &after["auth_time"]), (&before["sub"], &before["auth_time"]));
        assert_eq!(after["exp"].as_i64(), after["iat"].as_i64().map(|issued| issued + 60));
        assert_eq!((&renewed["expires_in"], &renewed["refresh_token"]), (&json!(60), &Value::Null));
        assert_eq!(call(&serving, Method::GET, "/v2/account", &renewed["id_token"], None).await.status, 200);
    }
    // The tokens in the credentials file are for programs, so they don't depend on a sign-in.
    let newcomer = claims(&json!(serving.credentials.newcomer_token));
    assert_eq!(newcomer["exp"].as_i64(), newcomer["iat"].as_i64().map(|issued| issued + 43_200));
    browser.log_out(&[]).await;
    let refused = browser.refresh(&tokens["refresh_token"]).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]), (400, &json!("invalid_grant")));
    serving.interrupt().await;
    let refused = data_dir.run(&["serve", "--token-ttl", "59"]).await;
    assert!(refused.code == Some(2) && refused.stderr.contains("59 is not in 60.."), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_sign_in_requests_are_refused() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-host", "tunnel.example"]).await;
    let mut browser = Browser::of(&serving);
    for change in [
        ("client_id", "another"),
        ("redirect_uri", "https://evil.example/portal/signed-in"),
        ("response_type", "token"),
        ("scope", "openid phone"),
        ("code_challenge_method", "plain"),
        ("code_challenge", ""),
    ] {
        let refused = browser.authorize(&[change]).await;
        assert_eq!((refused.status.as_u16(), refused.header("location")), (400, ""), "{change:?}");
        assert!(refused.text().contains(change.0), "{change:?}: {}", refused.text());
    }
    assert_eq!(browser.choose(&[("email", "invalid")]).await.status, 400);
    assert_eq!(browser.log_out(&[("logout_uri", "https://evil.example/")]).await.status, 400);
    for (changes, is_taken_again) in
        [(&[("code_verifier", "another")][..], false), (&[("code", "another")], true), (&[], false)]
    {
        let chosen = browser.choose(&[("email", DEVELOPER)]).await;
        let code = browser.code(&chosen);
        browser.exchange_code(&code, changes).await;
        let again = browser.exchange_code(&code, &[]).await;
        assert_eq!(again.status.as_u16(), if is_taken_again { 200 } else { 400 }, "{changes:?}");
        assert_eq!(again.json()["error"].is_string(), !is_taken_again, "{changes:?}");
    }
    // Signing in under an `--allow-host` name isn't supported.
    let body = encoded(&[("email", DEVELOPER)]);
    let host = serving.address();
    for (host, origin) in [("tunnel.example", "https://tunnel.example"), (host, "https://tunnel.example")] {
        let request = format!(
            "POST {} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            browser.authorization(&[]),
            body.len()
        );
        assert_eq!(serving.exchange(&request).await.status, 403, "{host}");
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_with_a_new_address_persists_across_restarts() {
    let data_dir = TestDir::new();
    // Both runs use the same port, because a user's identity includes the issuer's address.
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port").local_addr().expect("an address");
    let (port, release) = (free.port().to_string(), sample_release().path().display().to_string());
    let start = || data_dir.command(&["serve", "--port", &port, "--release", &release], &[]);
    let serving = data_dir.started(start()).await;
    let mut browser = Browser::of(&serving);
    let tokens = browser.tokens_of(&[("email", "Ada@Example.org"), ("verified", "on")]).await;
    assert_eq!(claims(&tokens["id_token"])["email"], "ada@example.org");
    let (path, body) = ("/v2/account/organization", json!({ "name": "Example Coffee" }));
    let signed_up = call(&serving, Method::POST, path, &tokens["id_token"], Some(&body)).await;
    let organization = signed_up.data()["organization"]["org_id"].clone();
    assert!(organization.is_string(), "{}", signed_up.text());
    serving.interrupt().await;

    let serving = data_dir.started(start()).await;
    let tokens = Browser::of(&serving).tokens_of(&[("email", "ada@example.org"), ("verified", "on")]).await;
    let account = call(&serving, Method::GET, "/v2/account", &tokens["id_token"], None).await;
    assert_eq!(account.data()["organization"]["org_id"], organization);
    serving.interrupt().await;
}
