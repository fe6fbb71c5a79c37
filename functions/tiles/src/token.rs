//! The capability in a tile's address: a JSON Web Token that its grant's own secret signs.
//!
//! There is one algorithm, HMAC with SHA-256, and one header. Another header, of another algorithm or of
//! none, is not read but refused, so there is nothing that a forger could choose.

use accounting::Timestamp;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde::{Deserialize, Serialize};
use store::{SecretDigest, SignedTileGrant, TileProduct};

use crate::release::layer;

/// `{"alg":"HS256","typ":"JWT"}`.
const HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

/// How long a token lives, unless its grant ends sooner.
const LIFE_SECONDS: i64 = 24 * 60 * 60;

/// How many bytes of its digest are an organization's handle.
const HANDLE_BYTES: usize = 16;

/// The longest token that is looked at: what is longer is none of ours.
const MAX_BYTES: usize = 1_024;

/// A token that has the form of one of ours; who signed it is yet to be found out.
pub(crate) struct Token<'a> {
    claims: Claims,
    digest: SecretDigest,
    /// What is signed.
    message: &'a str,
    signature: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    /// The digest of the grant's id: the id itself must not be learnt from a tile's address.
    grant: String,
    /// The organization, as a handle that differs from grant to grant: whoever sees a map learns neither who
    /// gave it nor which maps have the same giver.
    org: String,
    product: String,
    layers: Vec<String>,
    /// The moment from which on it is not accepted, in Unix seconds.
    exp: i64,
}

/// Signs a token of a grant.
pub(crate) fn sign(digest: &SecretDigest, signed: &SignedTileGrant, now: Timestamp) -> String {
    let grant = &signed.grant;
    let claims = Claims {
        grant: digest.as_str().to_owned(),
        org: handle(signed),
        product: grant.product.as_str().to_owned(),
        layers: vec![layer(grant.product).name().to_owned()],
        exp: now.plus_seconds(LIFE_SECONDS).min(grant.expires_at).unix_seconds(),
    };
    let claims = serde_json::to_vec(&claims).expect("texts and a number are written into memory");
    let message = format!("{HEADER}.{}", URL_SAFE_NO_PAD.encode(claims));
    let signature = hmac::sign(&key(signed), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

impl<'a> Token<'a> {
    /// Reads a token; `None` for what has not the form of one of ours.
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

    /// Returns the digest of the grant that the token says it is of.
    pub(crate) fn grant(&self) -> &SecretDigest {
        &self.digest
    }

    /// Tells whether a grant signed the token, and everything in it. The comparison takes the same time for
    /// any signature.
    pub(crate) fn is_of(&self, signed: &SignedTileGrant) -> bool {
        let Claims { grant: _, org, product, layers, exp: _ } = &self.claims;
        hmac::verify(&key(signed), self.message.as_bytes(), &self.signature).is_ok()
            && *org == handle(signed)
            && product.as_str() == signed.grant.product.as_str()
            && layers.iter().map(String::as_str).eq([layer(signed.grant.product).name()])
    }

    /// Tells whether the token shows a product's tiles.
    pub(crate) fn shows(&self, product: TileProduct) -> bool {
        self.claims.product == product.as_str()
    }

    /// Tells whether the token has ended.
    pub(crate) fn has_expired(&self, now: Timestamp) -> bool {
        Timestamp::from_unix_seconds(self.claims.exp) <= now
    }
}

/// Returns the handle of a grant's organization: a digest that takes the grant's secret to make.
fn handle(signed: &SignedTileGrant) -> String {
    // No token begins like this, so a handle is never the beginning of a signature.
    let named = format!("org {}", signed.grant.org);
    URL_SAFE_NO_PAD.encode(&hmac::sign(&key(signed), named.as_bytes()).as_ref()[..HANDLE_BYTES])
}

fn key(signed: &SignedTileGrant) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, signed.secret.as_bytes())
}
