//! Generates RSA keys and signs test tokens. The ring crate can sign with RSA keys but can't generate them.

use std::sync::OnceLock;

use num_bigint::BigUint;
use ring::digest::{SHA256, digest};

const PRIME_BITS: usize = 1_024;
const PUBLIC_EXPONENT: u32 = 65_537;

/// The `DigestInfo` prefix for SHA-256 digests (RFC 8017, section 9.2).
const DIGEST_INFO: [u8; 19] = [
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
    0x04, 0x20,
];

#[derive(Clone)]
pub(crate) struct RsaKey {
    modulus: BigUint,
    private_exponent: BigUint,
}

impl RsaKey {
    /// Returns the process's RSA key, which the first call generates from a fixed seed.
    pub(crate) fn get() -> Self {
        static KEY: OnceLock<RsaKey> = OnceLock::new();
        KEY.get_or_init(|| {
            let mut rng = fastrand::Rng::with_seed(11);
            let one = BigUint::from(1_u32);
            loop {
                let (p, q) = (prime(&mut rng), prime(&mut rng));
                let order = (&p - &one) * (&q - &one);
                let modulus = &p * &q;
                let private_exponent = BigUint::from(PUBLIC_EXPONENT).modinv(&order);
                if let Some(private_exponent) = private_exponent.filter(|_| modulus.bits() == 2_048) {
                    return RsaKey { modulus, private_exponent };
                }
            }
        })
        .clone()
    }

    pub(crate) fn modulus(&self) -> Vec<u8> {
        self.modulus.to_bytes_be()
    }

    pub(crate) fn exponent(&self) -> Vec<u8> {
        BigUint::from(PUBLIC_EXPONENT).to_bytes_be()
    }

    /// Signs with RSASSA-PKCS1-v1_5 and SHA-256.
    pub(crate) fn sign(&self, message: &[u8]) -> Vec<u8> {
        let length = PRIME_BITS / 4;
        let digest = digest(&SHA256, message);
        let padding = length - 3 - DIGEST_INFO.len() - digest.as_ref().len();
        let encoded = [&[0, 1][..], &vec![0xff; padding], &[0], &DIGEST_INFO, digest.as_ref()].concat();
        let signature =
            BigUint::from_bytes_be(&encoded).modpow(&self.private_exponent, &self.modulus).to_bytes_be();
        [vec![0; length - signature.len()], signature].concat()
    }
}

fn prime(rng: &mut fastrand::Rng) -> BigUint {
    loop {
        let mut bytes = [0; PRIME_BITS / 8];
        rng.fill(&mut bytes);
        // Sets the top two bits so that the product of two primes has 2,048 bits, and the last bit because
        // primes are odd.
        bytes[0] |= 0xc0;
        bytes[PRIME_BITS / 8 - 1] |= 1;
        let candidate = BigUint::from_bytes_be(&bytes);
        let has_small_factor = (3_u32..1_000).step_by(2).any(|n| &candidate % n == BigUint::ZERO);
        if !has_small_factor && [2_u32, 3, 5].into_iter().all(|base| is_probably_prime(&candidate, base)) {
            return candidate;
        }
    }
}

/// Runs a Fermat primality test. A random number of this size that passes is almost certainly prime.
fn is_probably_prime(candidate: &BigUint, base: u32) -> bool {
    let one = BigUint::from(1_u32);
    BigUint::from(base).modpow(&(candidate - &one), candidate) == one
}
