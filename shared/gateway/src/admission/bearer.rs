//! Verifies bearer tokens with their issuer's published keys.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use accounting::Timestamp;
use aws::https_connector;
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use http_body_util::{BodyExt, Limited};
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;
use store::{Person, Subject};

use super::not_admitted::NotAdmitted;
use super::ring_crypto;
use crate::Issuer;
use crate::error::ApiError;

/// How long the issuer's keys are used before they're refreshed, in seconds.
const ISSUER_KEYS_TTL_SECONDS: i64 = 3_600;

/// How long the issuer's keys are trusted if they can't be refreshed, in seconds. Without this limit, an
/// attacker could keep using a leaked key after the issuer has withdrawn it, by blocking the fetch.
const ISSUER_KEYS_TRUST_SECONDS: i64 = 24 * 3_600;

/// The minimum age of the cached keys before a token with an unknown key triggers another fetch, in seconds.
/// Without this limit, a caller could trigger a fetch with every call.
const REFETCH_SECONDS: i64 = 30;

/// How long to wait before contacting the issuer again after a failed fetch, in seconds. Callers get the same
/// number in `Retry-After`.
const RETRY_SECONDS: i64 = 2;

/// The timeout for fetching the issuer's keys.
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum size of the issuer's key set, in bytes. Fetching a larger key set fails.
const MAX_KEYS_BYTES: usize = 64 * 1024;

/// The tolerated clock difference between the issuer and this process, in seconds.
const LEEWAY_SECONDS: i64 = 30;

/// Verifies an issuer's bearer tokens.
#[derive(Debug)]
pub(super) struct Bearer {
    pub(super) issuer: Issuer,
    connector: SharedHttpConnector,
    known: Mutex<KnownKeys>,
}

/// The issuer's cached keys and when the last fetch failed.
#[derive(Clone, Debug, Default)]
struct KnownKeys {
    fetched: Option<Fetched>,
    failed_at: Option<Timestamp>,
}

#[derive(Clone, Debug)]
struct Fetched {
    keys: JwkSet,
    at: Timestamp,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    exp: f64,
    nbf: Option<f64>,
    token_use: Option<String>,
    name: Option<Value>,
    email: Option<Value>,
    email_verified: Option<Value>,
}

impl Bearer {
    /// Creates a verifier, which fetches the keys when it verifies the first token.
    pub(super) fn new(issuer: Issuer) -> Self {
        ring_crypto::install();
        Self { issuer, connector: https_connector(FETCH_TIMEOUT), known: Mutex::default() }
    }

    /// Verifies an OIDC ID token's signature, issuer, audience, validity period, and `token_use`, and returns
    /// the person. Returns a 401 with the reason if the token is rejected, or a 503 if the issuer's keys are
    /// needed but can't be fetched.
    pub(super) async fn verify(
        &self,
        token: &str,
        audience: &str,
        now: Timestamp,
    ) -> Result<Person, NotAdmitted> {
        let header = decode_header(token).map_err(|_| {
            NotAdmitted::unauthorized(
                "the bearer token is not a JWT; send the ID token that you received when you signed in",
            )
        })?;
        if !matches!(header.alg, Algorithm::RS256 | Algorithm::ES256) {
            let message =
                format!("the bearer token must be signed with RS256 or ES256, got {:?}", header.alg);
            return Err(NotAdmitted::unauthorized(message));
        }
        let key = self.key(header.kid.as_deref(), now).await?;
        let mut validation = Validation::new(header.alg);
        validation.set_issuer(&[&self.issuer.issuer]);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // `check_times_and_use` checks the times against this process's clock instead.
        validation.validate_exp = false;
        let key = DecodingKey::from_jwk(&key).map_err(|_| {
            NotAdmitted::unauthorized("the bearer token's signing key cannot be used; sign in again")
        })?;
        let token = decode::<Claims>(token, &key, &validation);
        let token = token.map_err(|_| {
            NotAdmitted::unauthorized(
                "the bearer token's signature, issuer, or audience is invalid; send the ID token that you \
                 received when you signed in to this service",
            )
        })?;
        check_times_and_use(&token.claims, now).map_err(NotAdmitted::unauthorized)?;
        Ok(person(token.claims))
    }

    async fn key(&self, kid: Option<&str>, now: Timestamp) -> Result<Jwk, NotAdmitted> {
        let unknown =
            || NotAdmitted::unauthorized("the bearer token is signed with an unknown key; sign in again");
        let KnownKeys { fetched, failed_at } = self.known_keys().clone();
        let known = fetched.as_ref().and_then(|fetched| find(&fetched.keys, kid));
        let learned_within =
            |seconds| fetched.as_ref().is_some_and(|fetched| now < fetched.at.plus_seconds(seconds));
        match &known {
            Some(key) if learned_within(ISSUER_KEYS_TTL_SECONDS) => return Ok(key.clone()),
            None if learned_within(REFETCH_SECONDS) => return Err(unknown()),
            _ => {}
        }
        let asks = failed_at.is_none_or(|failed| now >= failed.plus_seconds(RETRY_SECONDS));
        match if asks { self.fetch().await } else { None } {
            Some(keys) => {
                let key = find(&keys, kid);
                *self.known_keys() = KnownKeys { fetched: Some(Fetched { keys, at: now }), failed_at: None };
                key.ok_or_else(unknown)
            }
            None => {
                if asks {
                    self.known_keys().failed_at = Some(now);
                }
                // While the issuer can't be reached, keep using cached keys for up to a day.
                known
                    .filter(|_| learned_within(ISSUER_KEYS_TRUST_SECONDS))
                    .ok_or_else(|| ApiError::unavailable().into())
            }
        }
    }

    fn known_keys(&self) -> MutexGuard<'_, KnownKeys> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn fetch(&self) -> Option<JwkSet> {
        let request = http::Request::get(&self.issuer.jwks_url).body(SdkBody::empty()).ok()?;
        let request = HttpRequest::try_from(request).ok()?;
        let answered = tokio::time::timeout(FETCH_TIMEOUT, async {
            let response = self.connector.call(request).await.ok()?;
            let ok = response.status().is_success();
            let body = Limited::new(response.into_body(), MAX_KEYS_BYTES).collect().await.ok()?;
            ok.then(|| serde_json::from_slice(&body.to_bytes()).ok()).flatten()
        });
        answered.await.ok().flatten()
    }
}

fn find(keys: &JwkSet, kid: Option<&str>) -> Option<Jwk> {
    match kid {
        Some(kid) => keys.find(kid).cloned(),
        None => (keys.keys.len() == 1).then(|| keys.keys[0].clone()),
    }
}

/// Returns the person described by a token's claims. Ignores a malformed name or email address.
/// `email_verified` can be a string, because Cognito writes it as one in some tokens.
fn person(claims: Claims) -> Person {
    let Claims { iss, sub, name, email, email_verified, .. } = claims;
    Person {
        subject: Subject { issuer: iss, subject: sub },
        name: name.and_then(|name| name.as_str()?.parse().ok()),
        email: email.and_then(|email| email.as_str()?.parse().ok()),
        is_email_verified: email_verified.is_some_and(|verified| verified == true || verified == "true"),
    }
}

fn check_times_and_use(claims: &Claims, now: Timestamp) -> Result<(), &'static str> {
    let now = now.unix_seconds() as f64;
    let leeway = LEEWAY_SECONDS as f64;
    if claims.exp + leeway <= now {
        return Err("the bearer token has expired; sign in again");
    }
    if claims.nbf.is_some_and(|start| start - leeway > now) {
        return Err("the bearer token is not valid yet; wait until the time in its `nbf`");
    }
    if claims.token_use.as_deref().is_some_and(|token_use| token_use != "id") {
        return Err("the bearer token is not an ID token; send the ID token, not the access token");
    }
    Ok(())
}
