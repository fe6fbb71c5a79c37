//! Signs and verifies JSON Web Tokens with ring, which is already linked for TLS.
//!
//! See `docs/decisions/0006-ring-and-roots.md`.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::error::Unspecified;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, RSA_PKCS1_2048_8192_SHA256,
    RsaPublicKeyComponents, UnparsedPublicKey,
};

/// Verifies RS256 and ES256 signatures, and creates ES256 signatures for the local process. Other algorithms
/// aren't supported.
static PROVIDER: CryptoProvider =
    CryptoProvider { signer_factory, verifier_factory, key_utils: KeyUtils::new_unimplemented() };

/// Makes ring this process's cryptography provider for JSON Web Tokens. Repeated calls have no effect.
pub(super) fn install() {
    // The only possible error is that a provider is already installed.
    let _ = PROVIDER.install_default();
}

fn verifier_factory(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let verify: Verify = match (algorithm, key.kind()) {
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            let (n, e) = (n.clone(), e.clone());
            Box::new(move |message, signature| {
                let key = RsaPublicKeyComponents { n: &n, e: &e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            })
        }
        (Algorithm::ES256, _) => {
            let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key.try_get_as_bytes()?.to_vec());
            Box::new(move |message, signature| key.verify(message, signature))
        }
        _ => return Err(ErrorKind::InvalidAlgorithm.into()),
    };
    Ok(Box::new(Verifier { algorithm: *algorithm, verify }))
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

/// A function that verifies a signature. The arguments are the message and the signature.
type Verify = Box<dyn Fn(&[u8], &[u8]) -> Result<(), Unspecified> + Send + Sync>;

struct Verifier {
    algorithm: Algorithm,
    verify: Verify,
}

impl signature::Verifier<Vec<u8>> for Verifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        (self.verify)(message, signature).map_err(|Unspecified| signature::Error::new())
    }
}

impl JwtVerifier for Verifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
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
