//! The token in a tile's address: a JSON Web Token, signed with a secret that belongs to one grant.
//!
//! Tokens use only HMAC with SHA-256, and their header is always `HEADER`. Any other header is rejected
//! without being parsed, so a forger can't choose an algorithm.

use accounting::Timestamp;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde::{Deserialize, Serialize};
use store::{SecretDigest, SignedTileGrant, TileProduct};

use crate::release::layer;

/// The base64url form of `{"alg":"HS256","typ":"JWT"}`.
const HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

/// How long a token is valid, in seconds. A token also expires with its grant.
const LIFE_SECONDS: i64 = 24 * 60 * 60;

/// The length of an organization's handle, in bytes. See [`handle`].
const HANDLE_BYTES: usize = 16;

/// The maximum length of a token, in bytes. Valid tokens are shorter.
const MAX_BYTES: usize = 1_024;

/// A well-formed token whose signature hasn't been verified.
pub(crate) struct Token<'a> {
    claims: Claims,
    digest: SecretDigest,
    /// The signed text: the header and the claims.
    message: &'a str,
    signature: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    /// The digest of the grant's ID. The ID must not be visible in tile addresses.
    grant: String,
    /// The organization's handle. It's different for each grant, so people who view a map can neither
    /// identify the organization nor recognize its other maps.
    org: String,
    product: String,
    layers: Vec<String>,
    /// The expiry time in Unix seconds.
    exp: i64,
}

/// Creates a token that is signed with a grant's secret.
pub(crate) fn sign(digest: &SecretDigest, signed: &SignedTileGrant, now: Timestamp) -> String {
    let grant = &signed.grant;
    let claims = Claims {
        grant: digest.as_str().to_owned(),
        org: handle(signed),
        product: grant.product.to_string(),
        layers: vec![layer(grant.product).name().to_owned()],
        exp: now.plus_seconds(LIFE_SECONDS).min(grant.expires_at).unix_seconds(),
    };
    let claims = serde_json::to_vec(&claims).expect("JSON of strings and a number can be written to memory");
    let message = format!("{HEADER}.{}", URL_SAFE_NO_PAD.encode(claims));
    let signature = hmac::sign(&key(signed), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

impl<'a> Token<'a> {
    /// Parses a token. Returns `None` if it is malformed.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let (message, signature) = text.rsplit_once('.')?;
        let claims = message.strip_prefix(HEADER)?.strip_prefix('.')?;
        let claims: Claims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
        let digest = claims.grant.parse().ok()?;
        Some(Self { claims, digest, message, signature: URL_SAFE_NO_PAD.decode(signature).ok()? })
    }

    /// Returns the digest of the ID of the grant that the token names.
    pub(crate) fn grant(&self) -> &SecretDigest {
        &self.digest
    }

    /// Returns whether the token is signed with the grant's secret, and whether its claims match the grant.
    /// Signatures are compared in constant time.
    pub(crate) fn is_of(&self, signed: &SignedTileGrant) -> bool {
        let Claims { grant: _, org, product, layers, exp: _ } = &self.claims;
        hmac::verify(&key(signed), self.message.as_bytes(), &self.signature).is_ok()
            && *org == handle(signed)
            && product.as_str() == signed.grant.product.to_string()
            && layers.iter().map(String::as_str).eq([layer(signed.grant.product).name()])
    }

    /// Returns whether the token is for a product's tiles.
    pub(crate) fn shows(&self, product: TileProduct) -> bool {
        self.claims.product == product.to_string()
    }

    /// Returns whether the token has expired.
    pub(crate) fn has_expired(&self, now: Timestamp) -> bool {
        Timestamp::from_unix_seconds(self.claims.exp) <= now
    }
}

/// Returns the organization's handle for one grant: a digest that can be computed only with the grant's
/// secret.
fn handle(signed: &SignedTileGrant) -> String {
    // No signed message begins with `org`, so a handle never reveals part of a token's signature.
    let named = format!("org {}", signed.grant.org);
    URL_SAFE_NO_PAD.encode(&hmac::sign(&key(signed), named.as_bytes()).as_ref()[..HANDLE_BYTES])
}

fn key(signed: &SignedTileGrant) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, signed.secret.as_bytes())
}
