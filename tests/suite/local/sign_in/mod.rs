//! Signing in at the local process, as the portal and its person's browser do.

mod flow;
mod people;
mod refusals;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use harness::Answer;
use ring::digest::{SHA256, digest};
use serde_json::Value;

use super::{Serving, exchange};

/// What the client keeps to itself until it exchanges its code.
const VERIFIER: &str = "a-verifier-of-43-characters-at-least-0123456789";

/// Parameters by name; the last of a name stands.
type Parameters<'a> = Vec<(&'a str, &'a str)>;

/// A browser with the portal in it: it follows no redirect by itself, and keeps the provider's cookie.
struct Browser {
    origin: String,
    cookie: Option<String>,
}

impl Browser {
    fn of(serving: &Serving) -> Self {
        Self { origin: serving.credentials.search_url.clone(), cookie: None }
    }

    /// Asks for a code, with some parameters in place of the portal's own.
    async fn authorize(&mut self, changes: &[(&str, &str)]) -> Answer {
        self.get(&format!("/oauth2/authorize?{}", self.authorization(changes))).await
    }

    /// Chooses somebody by their subject, with the portal's own request.
    async fn choose(&mut self, subject: &str) -> Answer {
        self.send_form(&[("person", subject)]).await
    }

    /// Sends the form of the page, with the portal's own request.
    async fn send_form(&mut self, fields: &[(&str, &str)]) -> Answer {
        let path = format!("/login?{}", self.authorization(&[]));
        let origin = format!("Origin: {}\r\n", self.origin);
        self.post(&path, &encoded(fields), &origin).await
    }

    /// Exchanges a code, with some parameters in place of the portal's own.
    async fn exchange_code(&mut self, code: &str, changes: &[(&str, &str)]) -> Answer {
        let redirect_uri = format!("{}/portal/signed-in", self.origin);
        let portals = [
            ("grant_type", "authorization_code"),
            ("client_id", "marquee-local"),
            ("code", code),
            ("redirect_uri", &redirect_uri),
            ("code_verifier", VERIFIER),
        ];
        self.post("/oauth2/token", &encoded(&changed(&portals, changes)), "").await
    }

    async fn refresh(&mut self, refresh_token: &str) -> Answer {
        let fields = [
            ("grant_type", "refresh_token"),
            ("client_id", "marquee-local"),
            ("refresh_token", refresh_token),
        ];
        self.post("/oauth2/token", &encoded(&fields), "").await
    }

    /// Signs out, with some parameters in place of the portal's own.
    async fn log_out(&mut self, changes: &[(&str, &str)]) -> Answer {
        let logout_uri = format!("{}/portal/signed-out", self.origin);
        let portals = [("client_id", "marquee-local"), ("logout_uri", &*logout_uri)];
        self.get(&format!("/logout?{}", encoded(&changed(&portals, changes)))).await
    }

    /// Signs somebody in from start to end, and returns their tokens.
    async fn tokens_of(&mut self, subject: &str) -> Value {
        let code = self.choose(subject).await;
        let tokens = self.exchange_code(&self.code(&code), &[]).await;
        assert_eq!(tokens.status, 200, "{}", tokens.text());
        tokens.json()
    }

    /// Returns the code of a redirect to the portal.
    fn code(&self, answer: &Answer) -> String {
        let sent = self.sent_back(answer);
        assert_eq!(value(&sent, "state"), Some("the state"), "{sent:?}");
        value(&sent, "code").unwrap_or_else(|| panic!("no code in {sent:?}")).to_owned()
    }

    /// Returns the parameters of a redirect to the portal.
    fn sent_back(&self, answer: &Answer) -> Vec<(String, String)> {
        assert_eq!(answer.status, 303, "{}", answer.text());
        assert_eq!(answer.header("cache-control"), "no-store");
        let expected = format!("{}/portal/signed-in?", self.origin);
        let location = answer.header("location");
        let query = location.strip_prefix(&expected).unwrap_or_else(|| panic!("sent to {location}"));
        form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    fn authorization(&self, changes: &[(&str, &str)]) -> String {
        let redirect_uri = format!("{}/portal/signed-in", self.origin);
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, VERIFIER.as_bytes()));
        let portals = [
            ("response_type", "code"),
            ("client_id", "marquee-local"),
            ("redirect_uri", &*redirect_uri),
            ("scope", "openid email"),
            ("state", "the state"),
            ("nonce", "the nonce"),
            ("code_challenge", &*challenge),
            ("code_challenge_method", "S256"),
        ];
        encoded(&changed(&portals, changes))
    }

    async fn get(&mut self, path: &str) -> Answer {
        let request = format!("GET {path} HTTP/1.1\r\n{}\r\n", self.headers());
        self.exchange(&request).await
    }

    async fn post(&mut self, path: &str, form: &str, headers: &str) -> Answer {
        let request = format!(
            "POST {path} HTTP/1.1\r\n{}{headers}Content-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\n\r\n{form}",
            self.headers(),
            form.len()
        );
        self.exchange(&request).await
    }

    /// Sends a request, and keeps the cookie that is set.
    async fn exchange(&mut self, request: &str) -> Answer {
        let answer = exchange(self.address(), request).await;
        if let Some(set) = answer.headers.get("set-cookie") {
            let set = set.to_str().expect("text");
            assert!(set.contains("; Path=/; HttpOnly; SameSite=Lax"), "{set}");
            let cookie = set.split(';').next().expect("a cookie").to_owned();
            self.cookie = (!set.contains("Max-Age=0")).then_some(cookie);
        }
        answer
    }

    fn headers(&self) -> String {
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: theme=dark; {cookie}\r\n"));
        format!("Host: {}\r\nConnection: close\r\n{}", self.address(), cookie.unwrap_or_default())
    }

    fn address(&self) -> &str {
        self.origin.strip_prefix("http://").expect("plain HTTP")
    }
}

/// Puts parameters in the place of others; an empty value leaves one out.
fn changed<'a>(parameters: &[(&'a str, &'a str)], changes: &[(&'a str, &'a str)]) -> Parameters<'a> {
    let is_changed = |name: &str| changes.iter().any(|(changed, _)| *changed == name);
    let kept = parameters.iter().filter(|(name, _)| !is_changed(name));
    kept.chain(changes).filter(|(_, value)| !value.is_empty()).copied().collect()
}

fn encoded(parameters: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish()
}

fn value<'a>(parameters: &'a [(String, String)], name: &str) -> Option<&'a str> {
    parameters.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

/// Returns the claims of a token, whose signature the interface verifies.
fn claims(token: &Value) -> Value {
    let payload = token.as_str().expect("a token").split('.').nth(1).expect("a payload");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).expect("base64url")).expect("JSON")
}
