//! A token issuer that can rotate its keys, count key fetches, and fail.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use accounting::Timestamp;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gateway::Issuer;
use http::StatusCode;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use store::Subject;

use crate::rsa::RsaKey;

pub struct TestIssuer {
    issuer: Issuer,
    published: Arc<Published>,
}

struct Published {
    keys: Mutex<Value>,
    fetches: AtomicUsize,
    is_down: AtomicBool,
}

/// A signing key. Its ID (`kid`) identifies it in the issuer's key set.
pub struct SigningKey {
    pub kid: &'static str,
    kind: Kind,
}

enum Kind {
    Es256(EcdsaKeyPair),
    Rs256(RsaKey),
}

impl TestIssuer {
    /// Starts an issuer that publishes the given keys on a loopback port.
    pub async fn start(keys: &[&SigningKey]) -> Self {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let issuer = Issuer {
            issuer: "https://issuer.example".to_owned(),
            audience: Some("portal".to_owned()),
            jwks_url: format!("{address}/keys"),
        };
        let published = Published {
            keys: Mutex::default(),
            fetches: AtomicUsize::new(0),
            is_down: AtomicBool::new(false),
        };
        let this = Self { issuer, published: Arc::new(published) };
        this.publish(keys);
        let router = Router::new().route("/keys", get(answer)).with_state(Arc::clone(&this.published));
        tokio::spawn(async move { axum::serve(listener, router).await });
        this
    }

    /// Returns the settings for verifying this issuer's tokens.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    pub fn publish(&self, keys: &[&SigningKey]) {
        self.publish_set(json!({ "keys": keys.iter().map(|key| key.published()).collect::<Vec<_>>() }));
    }

    /// Publishes a key set, which may be malformed.
    pub fn publish_set(&self, set: Value) {
        *self.published.keys.lock().unwrap_or_else(PoisonError::into_inner) = set;
    }

    pub fn set_down(&self, is_down: bool) {
        self.published.is_down.store(is_down, Ordering::SeqCst);
    }

    /// Returns how often the key set has been fetched.
    pub fn fetches(&self) -> usize {
        self.published.fetches.load(Ordering::SeqCst)
    }

    /// Returns the subject in the tokens that this issuer creates for a user.
    pub fn subject(&self, subject: &str) -> Subject {
        Subject::new(&self.issuer.issuer, subject)
    }

    /// Returns valid claims that expire in one hour.
    pub fn claims(&self, subject: &str, now: Timestamp) -> Value {
        let now = now.unix_seconds();
        json!({
            "iss": self.issuer.issuer,
            "aud": self.issuer.audience,
            "sub": subject,
            "iat": now,
            "exp": now + 3_600,
            "token_use": "id",
        })
    }
}

impl SigningKey {
    /// Generates a P-256 key.
    pub fn es256(kid: &'static str) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        Self { kid, kind: Kind::Es256(pair.expect("a key")) }
    }

    /// Returns a key that wraps the process's only RSA key, because generating one is slow.
    pub fn rs256(kid: &'static str) -> Self {
        Self { kid, kind: Kind::Rs256(RsaKey::get()) }
    }

    /// Signs a token with a header that names this key.
    pub fn token(&self, claims: &Value) -> String {
        self.token_with(&json!({ "alg": self.algorithm(), "typ": "JWT", "kid": self.kid }), claims)
    }

    pub fn token_with(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", part(header), part(claims));
        let signature = match &self.kind {
            Kind::Es256(pair) => {
                pair.sign(&SystemRandom::new(), signed.as_bytes()).expect("a signature").as_ref().to_vec()
            }
            Kind::Rs256(key) => key.sign(signed.as_bytes()),
        };
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    pub fn published(&self) -> Value {
        let number = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        match &self.kind {
            Kind::Es256(pair) => {
                let point = pair.public_key().as_ref();
                json!({
                    "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": self.kid,
                    "x": number(&point[1..33]), "y": number(&point[33..]),
                })
            }
            Kind::Rs256(key) => json!({
                "kty": "RSA", "alg": "RS256", "use": "sig", "kid": self.kid,
                "n": number(&key.modulus()), "e": number(&key.exponent()),
            }),
        }
    }

    fn algorithm(&self) -> &'static str {
        match self.kind {
            Kind::Es256(_) => "ES256",
            Kind::Rs256(_) => "RS256",
        }
    }
}

/// Encodes a token's header or claims as base64url JSON.
pub fn part(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

async fn answer(State(published): State<Arc<Published>>) -> Response {
    published.fetches.fetch_add(1, Ordering::SeqCst);
    if published.is_down.load(Ordering::SeqCst) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    axum::Json(published.keys.lock().unwrap_or_else(PoisonError::into_inner).clone()).into_response()
}
