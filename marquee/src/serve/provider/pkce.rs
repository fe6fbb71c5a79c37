//! Proof Key for Code Exchange, by S256 ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)): only who asked
//! for a code can use it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use subtle::ConstantTimeEq as _;

/// The SHA-256 of a verifier that the client keeps to itself.
#[derive(Clone, Debug)]
pub(super) struct CodeChallenge([u8; 32]);

impl CodeChallenge {
    /// Reads the 43 characters of a challenge.
    pub(super) fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// Tells whether this is the challenge of a verifier: 43 to 128 unreserved characters.
    pub(super) fn is_of(&self, verifier: &str) -> bool {
        let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_verifier = (43..=128).contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
        is_verifier && bool::from(digest(&SHA256, verifier.as_bytes()).as_ref().ct_eq(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pair of RFC 7636, appendix B.
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    #[test]
    fn takes_the_verifier_of_a_challenge_and_no_other() {
        let challenge = CodeChallenge::parse(CHALLENGE).expect("a challenge");
        assert!(challenge.is_of(VERIFIER));
        for other in ["", CHALLENGE, &VERIFIER[1..], &format!("{VERIFIER}A"), &VERIFIER.to_lowercase()] {
            assert!(!challenge.is_of(other), "{other}");
        }
    }

    #[test]
    fn takes_only_verifiers_of_the_length_and_the_characters_of_the_rfc() {
        for (verifier, taken) in [
            ("a".repeat(42), false),
            ("a".repeat(43), true),
            ("-._~".repeat(32), true),
            ("a".repeat(129), false),
            (format!("{}+", "a".repeat(42)), false),
        ] {
            let of =
                CodeChallenge(digest(&SHA256, verifier.as_bytes()).as_ref().try_into().expect("32 bytes"));
            assert_eq!(of.is_of(&verifier), taken, "{verifier}");
        }
        for text in ["", "plain", &CHALLENGE[1..], &format!("{CHALLENGE}="), &CHALLENGE.replace('-', "+")] {
            assert!(CodeChallenge::parse(text).is_none(), "{text}");
        }
    }
}
