//! The billing names that an administrator allows for purchases.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use strum::IntoEnumIterator;
use thiserror::Error;

use super::{Meter, Product};

/// The maximum number of names in a list.
const MAX_NAMES: usize = 4;

/// The maximum total length of the names, in characters. Every billing name used on the latest day appears
/// twice in the account's item, which must stay below two write units of 1,024 bytes each.
const MAX_CHARACTERS: usize = 40;

/// The billing names allowed for purchases: 1 to 4 names with at most 40 characters in total. Parsed from a
/// comma-separated list. Product names aren't allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurchaseNames(BTreeSet<Meter>);

/// Why a list of billing names is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidPurchaseNames {
    #[error("`{0}` must be 1 to 32 lowercase letters, digits, or `_`")]
    NotAName(String),
    #[error("`{0}` is the billing name of an API product")]
    OfProduct(Meter),
    #[error("`{0}` is listed twice")]
    Twice(Meter),
    #[error("it has {0} names; the limit is {MAX_NAMES}")]
    TooMany(usize),
    #[error("its names have {0} characters in total; the limit is {MAX_CHARACTERS}")]
    TooLong(usize),
}

impl PurchaseNames {
    pub fn contains(&self, name: &Meter) -> bool {
        self.0.contains(name)
    }
}

impl Default for PurchaseNames {
    fn default() -> Self {
        "campaign_measurement,event_measurement".parse().expect("the default list is valid")
    }
}

impl FromStr for PurchaseNames {
    type Err = InvalidPurchaseNames;

    fn from_str(text: &str) -> Result<Self, InvalidPurchaseNames> {
        let mut names = BTreeSet::new();
        for listed in text.split(',').map(str::trim) {
            let not_a_name = |_| InvalidPurchaseNames::NotAName(listed.to_owned());
            let name: Meter = listed.parse().map_err(not_a_name)?;
            if Product::iter().any(|product| product.name() == name.as_str()) {
                return Err(InvalidPurchaseNames::OfProduct(name));
            }
            if !names.insert(name.clone()) {
                return Err(InvalidPurchaseNames::Twice(name));
            }
        }
        if names.len() > MAX_NAMES {
            return Err(InvalidPurchaseNames::TooMany(names.len()));
        }
        let characters = names.iter().map(|name| name.as_str().len()).sum();
        if characters > MAX_CHARACTERS {
            return Err(InvalidPurchaseNames::TooLong(characters));
        }
        Ok(Self(names))
    }
}

impl fmt::Display for PurchaseNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(Meter::as_str).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_parsed_and_errors_name_the_problem() {
        let longest = format!("{},{}", "a".repeat(32), "b".repeat(8));
        for text in ["reach", " reach , lift ", "a,b,c,d", &longest] {
            let names: PurchaseNames = text.parse().expect("the list is valid");
            assert!(text.split(',').all(|name| names.contains(&name.trim().parse().expect("valid"))));
            assert_eq!(names.to_string().parse(), Ok(names));
        }
        let too_long = format!("{},{}", "a".repeat(32), "b".repeat(9));
        for (text, reason) in [
            ("", "`` must be 1 to 32 lowercase letters, digits, or `_`"),
            ("reach,", "`` must be 1 to 32 lowercase letters, digits, or `_`"),
            ("reach;lift", "`reach;lift` must be 1 to 32 lowercase letters, digits, or `_`"),
            ("reach,place_search", "`place_search` is the billing name of an API product"),
            ("reach,lift,reach", "`reach` is listed twice"),
            ("a,b,c,d,e", "it has 5 names; the limit is 4"),
            (&too_long, "its names have 41 characters in total; the limit is 40"),
        ] {
            let refused = text.parse::<PurchaseNames>().expect_err("the list is invalid");
            assert_eq!(refused.to_string(), reason, "{text}");
        }
    }
}
