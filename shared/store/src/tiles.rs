//! Vector tile products and tile grant IDs.

use std::str::FromStr;

use accounting::{InvalidId, UnknownName};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString};

use crate::SecretDigest;

/// The maximum number of active tile grants per organization, across all products.
pub const MAX_LIVE_TILE_GRANTS: usize = 100;

/// The kind of data in a tile. Each product's tiles have one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumIter, EnumString, SerializeDisplay)]
#[strum(
    serialize_all = "snake_case",
    parse_err_ty = UnknownName,
    parse_err_fn = UnknownName::among::<TileProduct>
)]
pub enum TileProduct {
    /// The faces in the inventory.
    Displays,
    Places,
}

/// A tile grant's ID: `tg_` followed by 32 characters of base64url. Anyone who knows the ID can see the map,
/// so the type doesn't implement `Debug` or `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct TileGrantId(String);

impl TileGrantId {
    const PREFIX: &str = "tg_";

    /// Creates an ID from 192 random bits.
    pub fn from_random(bytes: [u8; 24]) -> Self {
        Self(format!("{}{}", Self::PREFIX, URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Returns the ID as text, for the organization that owns the grant.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the digest that identifies the grant.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of_sha256(&[self.0.as_bytes()])
    }
}

impl FromStr for TileGrantId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        match text.strip_prefix(Self::PREFIX) {
            Some(rest) if rest.len() == 32 && rest.bytes().all(allowed) => Ok(Self(text.to_owned())),
            _ => Err(InvalidId("must be `tg_` followed by 32 letters, digits, `-`, or `_`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_ids_can_be_parsed() {
        let id = TileGrantId::from_random([1; 24]);
        assert_eq!(id.reveal().len(), 35);
        assert!(id.reveal().parse::<TileGrantId>().is_ok_and(|read| read == id));
        assert!(id.digest() != TileGrantId::from_random([2; 24]).digest());
        assert!(id.digest().as_str().parse::<SecretDigest>().is_ok_and(|read| read == id.digest()));
    }

    #[test]
    fn malformed_ids_are_rejected() {
        let digits = "a".repeat(32);
        for text in [
            String::new(),
            "tg_".to_owned(),
            digits.clone(),
            format!("TG_{digits}"),
            format!("tg_{digits}a"),
            format!("tg_{}", &digits[1..]),
            format!("tg_{}+", &digits[1..]),
            format!("tg_{}\u{e9}", &digits[2..]),
        ] {
            assert!(text.parse::<TileGrantId>().is_err(), "{text}");
        }
    }
}
