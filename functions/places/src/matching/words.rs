//! Normalizes the spelling of the words in addresses.

use dataset::normalize;

/// The words that end a street's name. Each has a normalized spelling and other spellings.
const SUFFIXES: [(&str, &[&str]); 40] = [
    ("st", &["street", "str", "strt"]),
    ("ave", &["avenue", "av", "aven", "avn"]),
    ("rd", &["road"]),
    ("blvd", &["boulevard", "boul", "blv", "bl"]),
    ("dr", &["drive", "drv"]),
    ("ln", &["lane"]),
    ("ct", &["court", "crt"]),
    ("cir", &["circle", "circ"]),
    ("pl", &["place"]),
    ("plz", &["plaza", "plza"]),
    ("sq", &["square"]),
    ("pkwy", &["parkway", "pky", "pkway", "parkwy", "pwy"]),
    ("hwy", &["highway", "hiway", "hgwy", "hway"]),
    ("way", &["wy"]),
    ("ter", &["terrace", "terr"]),
    ("trl", &["trail", "tr"]),
    ("loop", &[]),
    ("pike", &["pk"]),
    ("tpke", &["turnpike", "tpk", "trnpk"]),
    ("expy", &["expressway", "expwy", "exp"]),
    ("fwy", &["freeway", "frwy"]),
    ("ctr", &["center", "centre", "cntr", "cen"]),
    ("xing", &["crossing"]),
    ("cmns", &["commons"]),
    ("pt", &["point"]),
    ("cv", &["cove"]),
    ("vlg", &["village"]),
    ("mall", &[]),
    ("row", &[]),
    ("walk", &[]),
    ("run", &[]),
    ("path", &[]),
    ("aly", &["alley"]),
    ("byp", &["bypass"]),
    ("cswy", &["causeway"]),
    ("ext", &["extension"]),
    ("grv", &["grove"]),
    ("rdg", &["ridge"]),
    ("spur", &[]),
    ("vw", &["view"]),
];

/// Other words with several spellings.
const SPELLINGS: [(&str, &[&str]); 31] = [
    ("n", &["north", "no", "nth"]),
    ("s", &["south", "so", "sth"]),
    ("e", &["east"]),
    ("w", &["west"]),
    ("ne", &["northeast"]),
    ("nw", &["northwest"]),
    ("se", &["southeast"]),
    ("sw", &["southwest"]),
    ("rte", &["route", "rt"]),
    ("i", &["interstate"]),
    ("st", &["saint", "sainte"]),
    ("mt", &["mount"]),
    ("mtn", &["mountain"]),
    ("ft", &["fort"]),
    ("hts", &["heights"]),
    ("spgs", &["springs"]),
    ("vly", &["valley"]),
    ("univ", &["university"]),
    ("jct", &["junction"]),
    ("and", &["&"]),
    ("ste", &["suite"]),
    ("bus", &["business"]),
    ("1", &["first", "one"]),
    ("2", &["second", "two"]),
    ("3", &["third", "three"]),
    ("4", &["fourth", "four"]),
    ("5", &["fifth", "five"]),
    ("6", &["sixth", "six"]),
    ("7", &["seventh", "seven"]),
    ("8", &["eighth", "eight"]),
    ("9", &["ninth", "nine"]),
];

/// The normalized compass directions.
const DIRECTIONS: [&str; 8] = ["n", "s", "e", "w", "ne", "nw", "se", "sw"];

/// Splits an address into lowercase words and removes most punctuation. The hyphens of house numbers
/// ("39-07") are kept, and a `#` at the start of a word becomes a separate word.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in normalize(text).split(|letter: char| letter.is_whitespace() || ",;()\"/:".contains(letter)) {
        let word = word.replace(['\'', '\u{2019}', '`'], "");
        let (sign, word) = word.strip_prefix('#').map_or((None, word.as_str()), |rest| (Some("#"), rest));
        words.extend(sign.map(str::to_owned));
        let parts: Vec<&str> = word.split('.').filter(|part| !part.is_empty()).collect();
        // "n.w." is one word, and "st.louis" is two.
        if parts.iter().all(|part| part.len() <= 1) {
            words.extend(Some(parts.concat()).filter(|word| !word.is_empty()));
            continue;
        }
        for part in parts {
            // A hyphen is part of a house number ("39-07"), but otherwise separates words.
            let is_number = part.starts_with(|letter: char| letter.is_ascii_digit());
            let pieces = part.split(|letter: char| letter == '-' && !is_number);
            words.extend(pieces.filter(|piece| !piece.is_empty()).map(str::to_owned));
        }
    }
    words
}

/// Returns the normalized spelling of a word. The endings of ordinal numbers are removed: "42nd" becomes
/// "42".
pub(super) fn spelled(word: &str) -> &str {
    let digits = word.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    if is_digits(digits) && matches!(&word[digits.len()..], "st" | "nd" | "rd" | "th") {
        return digits;
    }
    let mut known = SUFFIXES.iter().chain(&SPELLINGS);
    known.find(|(_, others)| others.contains(&word)).map_or(word, |(spelling, _)| *spelling)
}

/// Returns whether a normalized word ends a street's name.
pub(super) fn is_suffix(word: &str) -> bool {
    SUFFIXES.iter().any(|(suffix, _)| *suffix == word)
}

/// Returns whether a normalized word is a compass direction.
pub(super) fn is_direction(word: &str) -> bool {
    DIRECTIONS.contains(&word)
}

pub(super) fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a word is an ordinal number such as "42nd".
pub(super) fn is_ordinal(word: &str) -> bool {
    spelled(word) != word
        && is_digits(spelled(word))
        && word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Normalizes the name of a city for comparison: "St. Louis" and "Saint Louis" have the same key.
pub(super) fn city_key(name: &str) -> String {
    split(name).iter().map(|word| spelled(word)).collect::<Vec<_>>().join(" ")
}
