//! The issuer of bearer tokens of the local process, in the place of a company's single sign-on.

use axum::Router;
use axum::routing::get;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use ring::error::{KeyRejected, Unspecified};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde::Serialize;
use shared::runtime::Issuer;
use shared::types::{Email, Person, Subject, Timestamp};

/// The audience of local tokens.
const AUDIENCE: &str = "marquee-local";

/// The subject of the token of somebody who has an organization.
const DEVELOPER: &str = "local-developer";

/// The address of the person whom that token is for; the domain is nobody's (RFC 2606).
const DEVELOPER_EMAIL: &str = "developer@example.com";

/// The lifetime of a local token, in seconds.
const TOKEN_SECONDS: i64 = 12 * 60 * 60;

/// The subject of the token of somebody who has not signed up yet.
const NEWCOMER: &str = "local-newcomer";

/// The address of that person.
const NEWCOMER_EMAIL: &str = "newcomer@example.com";

const KEYS_PATH: &str = "/.well-known/jwks.json";

/// Issues bearer tokens, with a signing key of this process alone.
pub struct LocalIssuer {
    issuer: Issuer,
    signing_key: EncodingKey,
    keys: JwkSet,
}

/// Why the local issuer cannot issue tokens.
#[derive(Debug, thiserror::Error)]
pub enum IssuerError {
    #[error("cannot make a signing key")]
    Generate,
    #[error("cannot make a signing key: {0}")]
    Load(KeyRejected),
    #[error("cannot publish a signing key: {0}")]
    Publish(#[source] serde_json::Error),
    #[error("cannot sign a token: {0}")]
    Sign(#[source] jsonwebtoken::errors::Error),
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: &'a str,
    iat: i64,
    exp: i64,
    token_use: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a Email>,
    email_verified: bool,
}

impl LocalIssuer {
    /// Makes an issuer whose keys are served at an address, such as `http://127.0.0.1:3000`.
    pub fn at(address: &str) -> Result<Self, IssuerError> {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map_err(|Unspecified| IssuerError::Generate)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        let pair = pair.map_err(IssuerError::Load)?;
        let issuer = Issuer {
            issuer: address.to_owned(),
            audience: AUDIENCE.to_owned(),
            jwks_url: format!("{address}{KEYS_PATH}"),
        };
        let keys = key_set(pair.public_key().as_ref())?;
        Ok(Self { issuer, signing_key: EncodingKey::from_ec_der(pkcs8.as_ref()), keys })
    }

    /// Returns the configuration with which functions verify these tokens.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// Returns the person whom the token of a start is for.
    pub fn developer(&self) -> Person {
        self.person(DEVELOPER, DEVELOPER_EMAIL.parse().ok())
    }

    /// Returns the person who is in no organization until they sign up.
    pub fn newcomer(&self) -> Person {
        self.person(NEWCOMER, NEWCOMER_EMAIL.parse().ok())
    }

    /// Makes up a person, whose address counts as verified.
    pub fn person(&self, subject: &str, email: Option<Email>) -> Person {
        let is_email_verified = email.is_some();
        Person { subject: Subject::new(&self.issuer.issuer, subject), email, is_email_verified }
    }

    /// Mints a token of a person, which is valid for 12 hours.
    pub fn mint(&self, person: &Person, now: Timestamp) -> Result<String, IssuerError> {
        let now = now.unix_seconds();
        let claims = Claims {
            iss: &person.subject.issuer,
            aud: AUDIENCE,
            sub: &person.subject.subject,
            iat: now,
            exp: now + TOKEN_SECONDS,
            token_use: "id",
            email: person.email.as_ref(),
            email_verified: person.is_email_verified,
        };
        encode(&Header::new(Algorithm::ES256), &claims, &self.signing_key).map_err(IssuerError::Sign)
    }

    /// Makes the router that publishes the keys.
    pub fn router(&self) -> Router {
        let keys = self.keys.clone();
        Router::new().route(KEYS_PATH, get(move || async move { axum::Json(keys) }))
    }
}

/// Returns the key set of a P-256 key. Its uncompressed point is a tag byte and two coordinates of 32 bytes.
fn key_set(point: &[u8]) -> Result<JwkSet, IssuerError> {
    let coordinate =
        |bytes: &[u8]| base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, bytes);
    let set = serde_json::json!({"keys": [{
        "kty": "EC",
        "crv": "P-256",
        "alg": "ES256",
        "use": "sig",
        "x": coordinate(&point[1..33]),
        "y": coordinate(&point[33..]),
    }]});
    serde_json::from_value(set).map_err(IssuerError::Publish)
}
