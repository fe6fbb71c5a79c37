//! The key that signs tokens, and its public half as others fetch it.

use jsonwebtoken::EncodingKey;
use jsonwebtoken::jwk::JwkSet;
use ring::error::Unspecified;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};

use super::error::IssuerError;

/// The path of the key set on the issuer's address.
pub(super) const PATH: &str = "/.well-known/jwks.json";

/// A key for ES256 of this process alone.
pub(super) struct SigningKey {
    pub(super) private: EncodingKey,
    pub(super) public: JwkSet,
}

impl SigningKey {
    pub(super) fn generate() -> Result<Self, IssuerError> {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map_err(|Unspecified| IssuerError::Generate)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        let pair = pair.map_err(IssuerError::Load)?;
        let public = key_set(pair.public_key().as_ref())?;
        Ok(Self { private: EncodingKey::from_ec_der(pkcs8.as_ref()), public })
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
