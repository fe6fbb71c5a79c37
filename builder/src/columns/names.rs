//! Interprets column names, ignoring case, accents, and punctuation.

use dataset::normalize;

use super::unit::Unit;

/// The words in a column name, in lowercase and without accents or punctuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    words: Vec<String>,
}

/// The information in a name such as `Weekly Impressions 18+`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Impressions {
    pub(super) persons: Option<&'static str>,
}

/// The information in a name such as `4-Week Rate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rate {
    pub(super) weeks: Option<u32>,
    pub(super) currency: Option<&'static str>,
}

/// Words in column names that don't help to identify the target.
const QUALIFIERS: [&str; 9] = ["the", "of", "wgs", "84", "decimal", "degrees", "deg", "dd", "optional"];

impl Name {
    pub(super) fn of(column: &str) -> Self {
        let mut spaced = String::new();
        let mut before = ' ';
        for character in column.chars() {
            let is_new_word = before.is_lowercase() && character.is_uppercase()
                || before.is_alphabetic() && character.is_ascii_digit()
                || before.is_ascii_digit() && character.is_alphabetic();
            spaced += if is_new_word { " " } else { "" };
            match character {
                '#' | '\u{2116}' => spaced += " number ",
                character if character.is_alphanumeric() => spaced.push(character),
                '\'' | '\u{2019}' => {}
                _ => spaced.push(' '),
            }
            before = character;
        }
        let normalized = normalize(&spaced);
        let words = normalized.split(' ').filter(|word| !word.is_empty());
        let words = words.map(|word| match word {
            "no" | "num" | "nbr" | "nr" => "number".to_owned(),
            "nm" => "name".to_owned(),
            "cd" => "code".to_owned(),
            "addr" => "address".to_owned(),
            word => word.to_owned(),
        });
        Self { words: words.collect() }
    }

    /// Returns the name without spaces. Targets list their synonyms in this form.
    pub(super) fn key(&self) -> String {
        self.words.concat()
    }

    /// Returns the name without spaces and [`QUALIFIERS`].
    pub(super) fn plain_key(&self) -> String {
        self.words.iter().filter(|word| !QUALIFIERS.contains(&word.as_str())).map(String::as_str).collect()
    }

    /// Removes the unit from a name such as `Height (ft)`. Returns the key of the rest, and the unit, if any.
    pub(super) fn without_unit(&self) -> (String, Option<Unit>) {
        let unit = |word: &String| match word.as_str() {
            "ft" | "feet" | "foot" => Some(Unit::Feet),
            "in" | "inch" | "inches" => Some(Unit::Inches),
            "m" | "meters" | "metres" => Some(Unit::Meters),
            "cm" | "centimeters" | "centimetres" => Some(Unit::Centimeters),
            _ => None,
        };
        let units: Vec<Unit> = self.words.iter().filter_map(unit).collect();
        let key = self.words.iter().filter(|word| unit(word).is_none()).map(String::as_str).collect();
        (key, units.last().copied())
    }

    /// Returns whether the name indicates that sizes start with the width.
    pub(super) fn is_width_first(&self) -> bool {
        let key = self.without_unit().0;
        key.contains("wxh") || key.contains("widthxheight")
    }

    pub(super) fn impressions(&self) -> Option<Impressions> {
        let (mut has_impressions, mut is_weekly, mut persons) = (false, false, Vec::new());
        for word in &self.words {
            match word.as_str() {
                "impressions" | "impression" | "imps" | "imp" | "eoi" | "eois" => has_impressions = true,
                "weekly" | "week" | "wkly" | "wk" => is_weekly = true,
                "18" => persons.push("18+"),
                "5" => persons.push("5+"),
                "all" | "total" => persons.push("all"),
                "a" | "p" | "adult" | "adults" | "person" | "persons" | "people" | "plus" | "age"
                | "ages" | "per" | "yrs" | "years" => {}
                _ => return None,
            }
        }
        let is_one = has_impressions && is_weekly && persons.len() <= 1;
        is_one.then(|| Impressions { persons: persons.first().copied() })
    }

    pub(super) fn rate(&self) -> Option<Rate> {
        let (mut is_rate, mut rate, mut count) = (false, Rate::default(), None);
        for word in &self.words {
            match word.as_str() {
                "rate" | "ratecard" => is_rate = true,
                "card" | "per" | "list" | "media" => {}
                "weekly" | "week" | "weeks" | "wk" | "wks" => rate.weeks = Some(count.take().unwrap_or(1)),
                "monthly" | "month" => rate.weeks = Some(4),
                "four" => count = Some(4),
                "usd" => rate.currency = Some("USD"),
                "cad" => rate.currency = Some("CAD"),
                "eur" => rate.currency = Some("EUR"),
                "gbp" => rate.currency = Some("GBP"),
                digits if count.is_none() => count = Some(digits.parse().ok()?),
                _ => return None,
            }
        }
        (is_rate && count.is_none()).then_some(rate)
    }
}

/// Returns the number of weeks in a period such as `4 wks` or `month`.
pub(crate) fn weeks_of(period: &str) -> Option<u32> {
    Name::of(&format!("rate {period}")).rate()?.weeks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ignore_case_accents_and_punctuation() {
        for (column, key) in [
            ("Unit #", "unitnumber"),
            ("UNIT_NO.", "unitnumber"),
            ("unitNumber", "unitnumber"),
            ("Size (H x W)", "sizehxw"),
            ("Código  Postal", "codigopostal"),
            ("Zip5", "zip5"),
            ("ADDR_LINE_1", "addressline1"),
        ] {
            assert_eq!(Name::of(column).key(), key, "{column}");
        }
    }

    #[test]
    fn names_of_impressions_say_whose_they_are() {
        for (column, persons) in [
            ("Weekly Impressions 18+", Some(Some("18+"))),
            ("A18+ Weekly Imps", Some(Some("18+"))),
            ("weeklyImpressions", Some(None)),
            ("Total Weekly Impressions", Some(Some("all"))),
            ("Wkly EOI P5+", Some(Some("5+"))),
            ("Weekly Impressions 18-49", None),
            ("Weekly Impressions (000)", None),
            ("4 Week Impressions", None),
            ("Impressions", None),
        ] {
            let impressions = Name::of(column).impressions();
            assert_eq!(impressions.map(|impressions| impressions.persons), persons, "{column}");
        }
    }

    #[test]
    fn names_of_rates_say_for_how_many_weeks_they_are() {
        for (column, weeks) in [
            ("4-Week Rate", Some(Some(4))),
            ("4wk Rate Card ($)", Some(Some(4))),
            ("Four Week Rate", Some(Some(4))),
            ("Weekly Rate", Some(Some(1))),
            ("Monthly Rate", Some(Some(4))),
            ("8 weeks rate", Some(Some(8))),
            ("Rate Card", Some(None)),
            ("RATE_USD", Some(None)),
            ("Frame Rate", None),
            ("Rate 2027", None),
        ] {
            assert_eq!(Name::of(column).rate().map(|rate| rate.weeks), weeks, "{column}");
        }
    }
}
