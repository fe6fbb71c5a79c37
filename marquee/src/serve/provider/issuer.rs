//! The issuer of the local process's tokens, in the place of a company's single sign-on.

use axum::Router;
use axum::routing::get;
use jsonwebtoken::{Algorithm, Header, encode};
use serde::Serialize;
use shared::runtime::Issuer;
use shared::types::{Email, Person, Subject, Timestamp};

use super::endpoints::CLIENT_ID;
use super::error::IssuerError;
use super::keys::{self, SigningKey};

/// The subject of the token of somebody who has an organization.
const DEVELOPER: &str = "local-developer";

/// The address of the person whom that token is for; the domain is nobody's (RFC 2606).
const DEVELOPER_EMAIL: &str = "developer@example.com";

/// The lifetime of a token where nothing else is said, in seconds.
pub(in crate::serve) const TOKEN_SECONDS: u32 = 12 * 60 * 60;

/// The subject of the token of somebody who has not signed up yet.
const NEWCOMER: &str = "local-newcomer";

/// The address of that person.
const NEWCOMER_EMAIL: &str = "newcomer@example.com";

/// Issues tokens, with a signing key of this process alone.
pub struct LocalIssuer {
    issuer: Issuer,
    key: SigningKey,
}

/// From when to when a token is valid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetime {
    pub(super) starts: Timestamp,
    pub(super) seconds: u32,
}

/// How somebody came to be signed in.
pub(super) struct Authentication<'a> {
    pub(super) time: Timestamp,
    /// What the client gave, to know the answer to its own question by.
    pub(super) nonce: Option<&'a str>,
}

#[derive(Serialize)]
struct IdClaims<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: &'a str,
    iat: i64,
    exp: i64,
    token_use: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a Email>,
    email_verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
}

/// Cognito's access tokens name their client in a claim of its own, and no audience.
#[derive(Serialize)]
struct AccessClaims<'a> {
    iss: &'a str,
    client_id: &'a str,
    sub: &'a str,
    iat: i64,
    exp: i64,
    auth_time: i64,
    token_use: &'a str,
    scope: &'a str,
}

impl LocalIssuer {
    /// Makes an issuer whose keys are served at an address, such as `http://127.0.0.1:3000`.
    pub fn at(address: &str) -> Result<Self, IssuerError> {
        let issuer = Issuer {
            issuer: address.to_owned(),
            audience: Some(CLIENT_ID.to_owned()),
            jwks_url: format!("{address}{}", keys::PATH),
        };
        Ok(Self { issuer, key: SigningKey::generate()? })
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

    /// Mints an ID token of a person who did not sign in, which is valid for 12 hours.
    pub fn mint(&self, person: &Person, now: Timestamp) -> Result<String, IssuerError> {
        self.id_token(person, None, Lifetime { starts: now, seconds: TOKEN_SECONDS })
    }

    /// Mints the token that says who somebody is, which the interface takes.
    pub(super) fn id_token(
        &self,
        person: &Person,
        authentication: Option<&Authentication<'_>>,
        lifetime: Lifetime,
    ) -> Result<String, IssuerError> {
        self.sign(&IdClaims {
            iss: &person.subject.issuer,
            aud: CLIENT_ID,
            sub: &person.subject.subject,
            iat: lifetime.starts.unix_seconds(),
            exp: lifetime.end(),
            token_use: "id",
            email: person.email.as_ref(),
            email_verified: person.is_email_verified,
            auth_time: authentication.map(|authentication| authentication.time.unix_seconds()),
            nonce: authentication.and_then(|authentication| authentication.nonce),
        })
    }

    /// Mints the token that OAuth wants besides, which is good for nothing here.
    pub(super) fn access_token(
        &self,
        person: &Person,
        authentication: &Authentication<'_>,
        lifetime: Lifetime,
    ) -> Result<String, IssuerError> {
        self.sign(&AccessClaims {
            iss: &person.subject.issuer,
            client_id: CLIENT_ID,
            sub: &person.subject.subject,
            iat: lifetime.starts.unix_seconds(),
            exp: lifetime.end(),
            auth_time: authentication.time.unix_seconds(),
            token_use: "access",
            scope: "openid email",
        })
    }

    /// Makes the router that publishes the keys.
    pub fn router(&self) -> Router {
        let keys = self.key.public.clone();
        Router::new().route(keys::PATH, get(move || async move { axum::Json(keys) }))
    }

    fn sign(&self, claims: &impl Serialize) -> Result<String, IssuerError> {
        encode(&Header::new(Algorithm::ES256), claims, &self.key.private).map_err(IssuerError::Sign)
    }
}

impl Lifetime {
    fn end(self) -> i64 {
        self.starts.unix_seconds() + i64::from(self.seconds)
    }
}
