//! Signatures of JSON Web Tokens through ring, which TLS links already.
//!
//! Decided in `docs/decisions/0006-ring-and-roots.md`.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, RSA_PKCS1_2048_8192_SHA256,
    RsaPublicKeyComponents, UnparsedPublicKey,
};

/// Verifies RS256 and ES256, and signs ES256 for the local process; knows no other algorithm.
static PROVIDER: CryptoProvider =
    CryptoProvider { signer_factory, verifier_factory, key_utils: KeyUtils::new_unimplemented() };

/// Makes ring the process's provider; later calls change nothing.
pub(super) fn install() {
    // An error says that a provider is there already, and there is only this one.
    let _ = PROVIDER.install_default();
}

fn verifier_factory(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    match (algorithm, key.kind()) {
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            Ok(Box::new(Rs256 { modulus: n.clone(), exponent: e.clone() }))
        }
        (Algorithm::ES256, _) => Ok(Box::new(Es256(key.try_get_as_bytes()?.to_vec()))),
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

fn signer_factory(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    let random = SystemRandom::new();
    match algorithm {
        Algorithm::ES256 => {
            let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key.as_bytes(), &random);
            Ok(Box::new(Es256Signer {
                pair: pair.map_err(|_| Error::from(ErrorKind::InvalidEcdsaKey))?,
                random,
            }))
        }
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

struct Rs256 {
    modulus: Vec<u8>,
    exponent: Vec<u8>,
}

impl signature::Verifier<Vec<u8>> for Rs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let key = RsaPublicKeyComponents { n: &self.modulus, e: &self.exponent };
        key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Rs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::RS256
    }
}

struct Es256(Vec<u8>);

impl signature::Verifier<Vec<u8>> for Es256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.0);
        key.verify(message, signature).map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Es256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::ES256
    }
}

struct Es256Signer {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl signature::Signer<Vec<u8>> for Es256Signer {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        let signed = self.pair.sign(&self.random, message).map_err(|_| signature::Error::new())?;
        Ok(signed.as_ref().to_vec())
    }
}

impl JwtSigner for Es256Signer {
    fn algorithm(&self) -> Algorithm {
        Algorithm::ES256
    }
}
