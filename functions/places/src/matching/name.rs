//! Compares store names, as people write them, with the names and brands of places.

use dataset::{normalize, same_word, split_words};

use super::score::Agreement::{self, Agrees, Contradicts, Partly};
use super::words::is_digits;

/// Words that don't help to tell names apart.
const FILLERS: [&str; 14] =
    ["the", "and", "of", "a", "inc", "llc", "ltd", "co", "corp", "company", "store", "stores", "no", "nr"];

/// Words that are common in the names of some kinds of places, and therefore don't identify a place.
const GENERIC: [&str; 26] = [
    "hospital",
    "medical",
    "center",
    "centre",
    "clinic",
    "health",
    "healthcare",
    "memorial",
    "regional",
    "community",
    "general",
    "county",
    "university",
    "college",
    "airport",
    "international",
    "municipal",
    "station",
    "stadium",
    "arena",
    "state",
    "saint",
    "st",
    "school",
    "system",
    "campus",
];

/// Words for part of a store, for a different kind of site of the same chain, or for a store that no longer
/// exists.
const OTHER_SITES: [&str; 18] = [
    "optical",
    "vision",
    "atm",
    "fuel",
    "gas",
    "gasoline",
    "tire",
    "tires",
    "clinic",
    "minuteclinic",
    "hearing",
    "photo",
    "liquor",
    "distribution",
    "headquarters",
    "corporate",
    "closed",
    "former",
];

/// Alternative names, each with the words that replace it before names are compared.
const ALIASES: [(&[&str], &[&str]); 6] = [
    (&["7", "11"], &["7", "eleven"]),
    (&["seven", "eleven"], &["7", "eleven"]),
    (&["kentucky", "fried", "chicken"], &["kfc"]),
    (&["bofa"], &["bank", "america"]),
    (&["mcds"], &["mcdonalds"]),
    (&["saint"], &["st"]),
];

/// The words in a name that are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Name(Vec<String>);

/// The name of a place and its brand.
pub(super) struct PlaceName<'a> {
    pub(super) name: &'a Name,
    pub(super) brand: Option<&'a Name>,
}

impl Name {
    pub(super) fn new(text: &str) -> Self {
        let words = split_words(&normalize(text));
        // A number with three or more digits is usually the chain's own number for the store.
        let is_number = |word: &String| word.len() > 2 && is_digits(word);
        let is_kept = |word: &String| !FILLERS.contains(&word.as_str()) && !is_number(word);
        let mut words: Vec<String> = words.into_iter().filter(is_kept).collect();
        for (form, known) in ALIASES {
            if let Some(at) = words.windows(form.len()).position(|window| window.iter().eq(form.iter())) {
                words.splice(at..at + form.len(), known.iter().map(|word| (*word).to_owned()));
            }
        }
        Self(words)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first word, for searching places.
    pub(super) fn first_word(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Compares the name with a place's name. `brands` contains all brands in the release.
    pub(super) fn compare(&self, place: &PlaceName<'_>, brands: &[Name]) -> Agreement {
        if self == place.name {
            return Agrees;
        }
        match place.brand {
            Some(brand) => {
                let by_brand = self.compare_brand(brand, place.name, brands);
                // Some branches, such as Verizon's, are named after their dealer.
                let has_own_name = place.name.without_beginning(brand).is_none();
                if by_brand < Agrees && has_own_name {
                    by_brand.max(self.compare_words(place.name))
                } else {
                    by_brand
                }
            }
            None => self.compare_words(place.name),
        }
    }

    /// Returns the share of this name's words that occur in any of the `known` names.
    pub(super) fn coverage(&self, known: &[&Self]) -> f64 {
        let is_known = |word: &&String| known.iter().any(|name| name.has(word));
        let covered = self.0.iter().filter(is_known).count();
        if self.0.is_empty() { 1.0 } else { covered as f64 / self.0.len() as f64 }
    }

    /// Compares the name with a brand. The name agrees if it is an unambiguous prefix of the brand, or if it
    /// begins with the brand and doesn't continue with another brand or a word such as "fuel". In "pharmacy
    /// at Target", a different store comes first, so the name agrees only partly.
    fn compare_brand(&self, brand: &Self, place_name: &Self, brands: &[Self]) -> Agreement {
        let Some(rest) = self.without_beginning(brand) else {
            let begins = |brand: &&Self| brand.0.len() > self.0.len() && brand.begins_with(self);
            let is_short = brand.begins_with(self) && brands.iter().filter(begins).count() == 1;
            return match (is_short, self.contains(brand)) {
                (true, _) => Agrees,
                (false, true) => Partly,
                (false, false) => Contradicts,
            };
        };
        let rest =
            Self(rest.iter().filter(|word| !place_name.has(word) && !brand.has(word)).cloned().collect());
        let is_other_site = rest.0.iter().any(|word| OTHER_SITES.contains(&word.as_str()));
        let has_other_brand = brands.iter().any(|other| other != brand && rest.contains(other));
        if is_other_site || has_other_brand { Partly } else { Agrees }
    }

    /// Compares two names without a brand. They agree if one of them begins with the other, or contains all
    /// words of the other and at least one of these words isn't generic.
    fn compare_words(&self, other: &Self) -> Agreement {
        let shared: Vec<&String> = self.0.iter().filter(|word| other.has(word)).collect();
        let is_distinctive = shared.iter().any(|word| !GENERIC.contains(&word.as_str()));
        match shared.len() {
            all if is_distinctive && all >= self.0.len().min(other.0.len()) => Agrees,
            _ if self.without_beginning(other).or(other.without_beginning(self)).is_some() => Agrees,
            _ if is_distinctive => Partly,
            _ => Contradicts,
        }
    }

    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|known| same_word(known, word))
    }

    fn contains(&self, other: &Self) -> bool {
        !other.is_empty() && other.0.iter().all(|word| self.has(word))
    }

    fn begins_with(&self, other: &Self) -> bool {
        self.0.len() >= other.0.len() && self.0.iter().zip(&other.0).all(|(one, other)| same_word(one, other))
    }

    /// Returns the words after a brand, or `None` if the name doesn't begin with the brand. The brand can be
    /// split into words differently: "Wal-Mart", "Bucees".
    fn without_beginning(&self, brand: &Self) -> Option<&[String]> {
        if brand.is_empty() {
            return None;
        }
        if self.begins_with(brand) {
            return Some(&self.0[brand.0.len()..]);
        }
        let joined = brand.0.concat();
        let ends = 1..=self.0.len().min(4);
        let end = ends.into_iter().find(|end| same_word(&self.0[..*end].concat(), &joined))?;
        Some(&self.0[end..])
    }
}
