//! Parses impressions, rates, flags, and the persons whose impressions are counted.

use super::members::{LARGEST_FIGURE, is_currency};
use crate::columns::{is_placeholder, weeks_of};

/// An amount of money, with its currency and number of weeks if they're given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) amount: f64,
    pub(super) currency: Option<String>,
    pub(super) weeks: Option<i64>,
}

/// Currency symbols. A symbol that ends with another symbol is listed before it.
const SIGNS: [(&str, &str); 9] = [
    ("US$", "USD"),
    ("CA$", "CAD"),
    ("C$", "CAD"),
    ("AU$", "AUD"),
    ("A$", "AUD"),
    ("MX$", "MXN"),
    ("$", "USD"),
    ("\u{20ac}", "EUR"),
    ("\u{a3}", "GBP"),
];

/// Parses a number with or without thousands separators, such as `12,345.6`. Returns `None` for other
/// strings and for numbers above [`LARGEST_FIGURE`].
pub(super) fn figure(text: &str, has_decimal_commas: bool) -> Option<f64> {
    let (thousands, decimal) = if has_decimal_commas { ('.', ',') } else { (',', '.') };
    let (whole, fraction) = match text.trim().split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text.trim(), None),
    };
    let groups: Vec<&str> = whole.split([thousands, ' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}']).collect();
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, others) = groups.split_first()?;
    let is_grouped = others.is_empty() || (1..=3).contains(&first.len());
    let is_number = groups.iter().all(|group| are_digits(group))
        && others.iter().all(|group| group.len() == 3)
        && is_grouped
        && fraction.is_none_or(are_digits);
    if !is_number {
        return None;
    }
    let number: f64 = format!("{}.{}", groups.concat(), fraction.unwrap_or("0")).parse().ok()?;
    (number <= LARGEST_FIGURE as f64).then_some(number)
}

/// Parses an amount such as `$1,250.00`, `1250 USD`, `1250`, or `$1,250 / 4 wks`.
pub(super) fn amount(text: &str, has_decimal_commas: bool) -> Option<Amount> {
    let (text, period) = match text.split_once('/').or_else(|| text.split_once(" per ")) {
        Some((text, period)) => (text.trim(), Some(period)),
        None => (text.trim(), None),
    };
    let weeks = match period {
        Some(period) => Some(i64::from(weeks_of(period)?)),
        None => None,
    };
    let signed = SIGNS.iter().find_map(|(sign, code)| {
        let rest = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign))?;
        Some((rest, Some((*code).to_owned())))
    });
    let (number, currency) = signed.or_else(|| coded(text)).unwrap_or((text, None));
    let amount = figure(number, has_decimal_commas)?;
    Some(Amount { amount, currency, weeks })
}

fn coded(text: &str) -> Option<(&str, Option<String>)> {
    let code = |code: &str| is_currency(code).then(|| code.to_owned());
    let (before, after) = (text.split_at_checked(3), text.split_at_checked(text.len().checked_sub(3)?));
    if let Some((first, rest)) = before
        && let Some(currency) = code(first)
    {
        return Some((rest, Some(currency)));
    }
    let (rest, last) = after?;
    Some((rest, Some(code(last)?)))
}

/// Parses a flag such as `yes`, `N`, or `1`.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "yes" | "y" | "true" | "t" | "1" => Some(true),
        "no" | "n" | "false" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// Parses whether a display is digital, from a string such as `static` or `yes`.
pub(super) fn is_digital(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "digital" => Some(true),
        "static" | "printed" | "classic" => Some(false),
        _ => truth(text),
    }
}

/// Returns whether the name of a media type indicates a digital display, such as `Digital Bulletin`.
pub(super) fn names_digital(media_type: &str) -> bool {
    let words = media_type.to_lowercase();
    let words: Vec<&str> = words.split(|character: char| !character.is_alphanumeric()).collect();
    words.contains(&"digital") && !words.iter().any(|word| matches!(*word, "non" | "not"))
}

/// Parses the persons whose impressions are counted, such as `A18+`.
pub(super) fn persons(text: &str) -> Option<&'static str> {
    let text: String = text.to_lowercase().chars().filter(|character| !character.is_whitespace()).collect();
    match text.as_str() {
        "all" | "total" | "everyone" => Some("all"),
        "5+" | "p5+" | "a5+" | "persons5+" => Some("5+"),
        "18+" | "a18+" | "p18+" | "adults18+" | "persons18+" => Some("18+"),
        _ => None,
    }
}

/// The parsed form of a display's illumination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Illumination {
    /// The display is lit, but the text doesn't say how.
    Lit,
    /// The display isn't lit.
    Unlit,
    /// The name of an illumination type, as written in the row.
    Named(String),
    /// A placeholder such as `n/a`.
    Missing,
}

pub(super) fn illumination(text: String) -> Illumination {
    match text.to_lowercase().as_str() {
        "illuminated" | "illum" | "lit" | "lighted" => return Illumination::Lit,
        "unlit" | "not lit" | "non illuminated" | "non-illuminated" | "nonilluminated" | "unilluminated"
        | "not illuminated" | "none" => return Illumination::Unlit,
        other if is_placeholder(other) => return Illumination::Missing,
        _ => {}
    }
    match truth(&text) {
        Some(true) => Illumination::Lit,
        Some(false) => Illumination::Unlit,
        None => Illumination::Named(text),
    }
}
