use axum::Router;
use axum::routing::get;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde::Serialize;
use shared::runtime::Issuer;
use shared::types::Timestamp;

/// The audience of local tokens.
const AUDIENCE: &str = "marquee-local";

/// The subject that local tokens are for.
const SUBJECT: &str = "local-developer";

/// How long a local token lives, in seconds.
const TOKEN_SECONDS: i64 = 12 * 60 * 60;

const KEYS_PATH: &str = "/.well-known/jwks.json";

/// Issues bearer tokens on one machine, with a signing key made at each start.
pub struct LocalIssuer {
    issuer: Issuer,
    signing_key: EncodingKey,
    keys: JwkSet,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: &'a str,
    iat: i64,
    exp: i64,
    token_use: &'a str,
}

impl LocalIssuer {
    /// Makes an issuer whose keys are served at an address, such as `http://127.0.0.1:3000`.
    ///
    /// # Errors
    ///
    /// When no key can be made.
    pub fn at(address: &str) -> Result<Self, String> {
        let no_key = |_| "cannot make a signing key".to_owned();
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).map_err(no_key)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        let pair = pair.map_err(|error| format!("cannot make a signing key: {error}"))?;
        let issuer = Issuer {
            issuer: address.to_owned(),
            audience: AUDIENCE.to_owned(),
            jwks_url: format!("{address}{KEYS_PATH}"),
        };
        let keys = published(pair.public_key().as_ref())?;
        Ok(Self { issuer, signing_key: EncodingKey::from_ec_der(pkcs8.as_ref()), keys })
    }

    /// Returns what verifies this issuer's tokens.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// Returns the one subject.
    pub fn subject(&self) -> &'static str {
        SUBJECT
    }

    /// Mints a token.
    ///
    /// # Errors
    ///
    /// When it cannot be signed.
    pub fn mint(&self, now: Timestamp) -> Result<String, String> {
        let now = now.unix_seconds();
        let claims = Claims {
            iss: &self.issuer.issuer,
            aud: AUDIENCE,
            sub: SUBJECT,
            iat: now,
            exp: now + TOKEN_SECONDS,
            token_use: "id",
        };
        encode(&Header::new(Algorithm::ES256), &claims, &self.signing_key)
            .map_err(|error| format!("cannot sign a token: {error}"))
    }

    /// Makes the router that publishes the keys.
    pub fn router(&self) -> Router {
        let keys = self.keys.clone();
        Router::new().route(KEYS_PATH, get(move || async move { axum::Json(keys) }))
    }
}

/// Publishes a P-256 key: an uncompressed point is a byte, then both coordinates.
fn published(point: &[u8]) -> Result<JwkSet, String> {
    let coordinate = |bytes: &[u8]| base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, bytes);
    let set = serde_json::json!({"keys": [{
        "kty": "EC",
        "crv": "P-256",
        "alg": "ES256",
        "use": "sig",
        "x": coordinate(&point[1..33]),
        "y": coordinate(&point[33..]),
    }]});
    serde_json::from_value(set).map_err(|error| format!("cannot publish a signing key: {error}"))
}
