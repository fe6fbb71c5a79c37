//! The issuer of the local process's tokens, in place of a company's single sign-on.

use accounting::Timestamp;
use axum::routing::get;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gateway::Issuer;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde::Serialize;
use serde_json::{Value, json};
use store::{Email, Person, Subject};

/// The only client, which is also the audience of its tokens: the portal of this process.
pub(super) const CLIENT_ID: &str = "marquee-local";

/// The scopes that the portal requests.
pub(super) const SCOPE: &str = "openid email";

/// The address of the person who has an organization. The domain belongs to nobody (RFC 2606).
pub(super) const DEVELOPER_EMAIL: &str = "developer@example.com";

/// The address of the person who has not signed up yet.
pub(super) const NEWCOMER_EMAIL: &str = "newcomer@example.com";

/// The default lifetime of a token, in seconds.
pub(in crate::serve) const TOKEN_SECONDS: u32 = 12 * 60 * 60;

/// How much of the digest of an address a subject has.
const SUBJECT_DIGITS: usize = 32;

const KEYS_PATH: &str = "/.well-known/jwks.json";

/// Issues tokens, with a signing key of this process only.
pub struct LocalIssuer {
    issuer: Issuer,
    private_key: EncodingKey,
    key_set: Value,
}

/// Why the local issuer cannot issue tokens.
#[derive(Debug, thiserror::Error)]
pub enum IssuerError {
    #[error("cannot make a signing key")]
    Key,
    #[error("cannot sign a token: {0}")]
    Sign(#[from] jsonwebtoken::errors::Error),
}

/// When a person signed in, and for how long a token is valid from now on.
pub(super) struct Times {
    pub(super) signed_in: Option<Timestamp>,
    pub(super) now: Timestamp,
    pub(super) seconds: u32,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: &'a str,
    iat: i64,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_time: Option<i64>,
    #[serde(flatten)]
    token_use: TokenUse<'a>,
}

/// The claims by which Cognito's tokens differ: an access token names its client in a claim of its own, and
/// no audience.
#[derive(Serialize)]
#[serde(tag = "token_use", rename_all = "lowercase")]
enum TokenUse<'a> {
    Id {
        aud: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        email: Option<&'a Email>,
        email_verified: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        nonce: Option<&'a str>,
    },
    Access {
        client_id: &'a str,
        scope: &'a str,
    },
}

impl LocalIssuer {
    /// Makes an issuer whose keys are served at an address, such as `http://127.0.0.1:3000`.
    pub fn at(address: &str) -> Result<Self, IssuerError> {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
        let pkcs8 = pkcs8.map_err(|_| IssuerError::Key)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        let pair = pair.map_err(|_| IssuerError::Key)?;
        // A tag byte and two coordinates of 32 bytes.
        let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
        let [x, y] = [x, y].map(|coordinate| URL_SAFE_NO_PAD.encode(coordinate));
        let key = json!({ "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "x": x, "y": y });
        let issuer = Issuer {
            issuer: address.to_owned(),
            audience: Some(CLIENT_ID.to_owned()),
            jwks_url: format!("{address}{KEYS_PATH}"),
        };
        let private_key = EncodingKey::from_ec_der(pkcs8.as_ref());
        Ok(Self { issuer, private_key, key_set: json!({ "keys": [key] }) })
    }

    /// Returns the configuration with which functions verify these tokens.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// Returns the address of this process, such as `http://127.0.0.1:3000`.
    pub(super) fn origin(&self) -> &str {
        &self.issuer.issuer
    }

    /// Returns the person who has an organization from the start.
    pub fn developer(&self) -> Person {
        self.person("local-developer", DEVELOPER_EMAIL.parse().ok())
    }

    /// Returns the person who is in no organization until they sign up.
    pub fn newcomer(&self) -> Person {
        self.person("local-newcomer", NEWCOMER_EMAIL.parse().ok())
    }

    /// Makes up a person, whose address counts as verified.
    pub fn person(&self, subject: &str, email: Option<Email>) -> Person {
        let is_email_verified = email.is_some();
        Person { subject: Subject::new(&self.issuer.issuer, subject), email, is_email_verified }
    }

    /// Returns the person with an address. It is the same person after a restart: their organization is in
    /// the data folder.
    pub(super) fn person_at(&self, email: Email, is_email_verified: bool) -> Person {
        let person = match email.to_string().as_str() {
            DEVELOPER_EMAIL => self.developer(),
            NEWCOMER_EMAIL => self.newcomer(),
            _ => self.person(&format!("local-{}", &email.digest().as_str()[..SUBJECT_DIGITS]), Some(email)),
        };
        Person { is_email_verified, ..person }
    }

    /// Creates an ID token for a person who did not sign in, which is valid for 12 hours.
    pub fn mint(&self, person: &Person, now: Timestamp) -> Result<String, IssuerError> {
        self.id_token(person, None, &Times { signed_in: None, now, seconds: TOKEN_SECONDS })
    }

    /// Creates the token that says who a person is, which the interface accepts.
    pub(super) fn id_token(
        &self,
        person: &Person,
        nonce: Option<&str>,
        times: &Times,
    ) -> Result<String, IssuerError> {
        let Person { email, is_email_verified, .. } = person;
        let (email, email_verified) = (email.as_ref(), *is_email_verified);
        self.sign(person, times, TokenUse::Id { aud: CLIENT_ID, email, email_verified, nonce })
    }

    /// Creates the token that OAuth requires in addition, which nothing here accepts.
    pub(super) fn access_token(&self, person: &Person, times: &Times) -> Result<String, IssuerError> {
        self.sign(person, times, TokenUse::Access { client_id: CLIENT_ID, scope: SCOPE })
    }

    /// Makes the router that publishes the keys.
    pub fn router(&self) -> Router {
        let key_set = self.key_set.clone();
        Router::new().route(KEYS_PATH, get(async move || Json(key_set)))
    }

    fn sign(&self, person: &Person, times: &Times, token_use: TokenUse<'_>) -> Result<String, IssuerError> {
        let Times { signed_in, now, seconds } = times;
        let claims = Claims {
            iss: &person.subject.issuer,
            sub: &person.subject.subject,
            iat: now.unix_seconds(),
            exp: now.unix_seconds() + i64::from(*seconds),
            auth_time: signed_in.map(Timestamp::unix_seconds),
            token_use,
        };
        Ok(encode(&Header::new(Algorithm::ES256), &claims, &self.private_key)?)
    }
}
