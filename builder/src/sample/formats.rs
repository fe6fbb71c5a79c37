//! Recognizes a place's format from its name and address. For example, a store can be on a military base,
//! inside an airport, or inside another store.

use dataset::Place;

use crate::model::{Brands, Format};

/// Returns the factor for a place's format, relative to a standalone place of the same brand. Returns `None`
/// if the place is standalone or its brand isn't listed. If several formats apply, the order of precedence is
/// military base, airport, and then the brand's own formats.
pub(super) fn factor(place: &Place<'_>, inside_airport: bool, brands: &Brands) -> Option<f64> {
    let brand = brands.get(place.brand.unwrap_or_default())?;
    let address = ["", place.name, place.street_address, place.city, ""].join(" | ");
    if mentions(&address, &brands.military_base) {
        return Some(brands.military_base.factor);
    }
    if inside_airport {
        return Some(brands.inside_airport);
    }
    brand.formats.iter().find(|format| mentions(place.name, format)).map(|format| format.factor)
}

/// Returns whether a string contains one of a format's phrases as whole words.
fn mentions(text: &str, format: &Format) -> bool {
    let text = spaced(text);
    format.phrases.iter().any(|phrase| text.contains(&spaced(phrase)))
}

/// Returns a string's words in lowercase, with a space before and after each word. `|` is a word that
/// separates the parts of an address.
fn spaced(text: &str) -> String {
    let text = text.to_lowercase();
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '|');
    words.filter(|word| !word.is_empty()).fold(" ".to_owned(), |spaced, word| spaced + word + " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::test_place;

    const BRANDS: &str = include_str!("../../../data/places/brands.toml");

    fn place<'a>(brand: &'a str, name: &'a str, street_address: &'a str, city: &'a str) -> Place<'a> {
        Place { brand: Some(brand), name, street_address, city, ..test_place() }
    }

    #[test]
    fn name_and_address_tell_the_format() {
        let brands = Brands::parse(BRANDS).unwrap();
        let (base, airport, counter) = (Some(0.6), Some(1.5), Some(0.4));
        for (brand, name, address, city, inside_airport, expected) in [
            ("Starbucks", "Starbucks Centrewood", "14155 Saint Germain Dr.", "Centreville", false, None),
            ("Starbucks", "Starbucks Target Tuscaloosa 1787", "1901 13th Ave", "Tuscaloosa", false, counter),
            ("Starbucks", "Starbucks Stop & Shop 12", "1 Main St", "Dover", false, counter),
            ("Starbucks", "Starbucks Targeted Ave", "1 Main St", "Dover", false, None),
            ("Starbucks", "Starbucks Main St", "1 Target Way", "Dover", false, None),
            ("Starbucks", "Starbucks ATL Gate 9", "6000 Terminal", "Atlanta", true, airport),
            ("Starbucks", "Starbucks BASE ACCESS Hickam", "1 Elm", "Honolulu", true, base),
            ("Taco Bell", "Taco Bell", "Luke Air Force Base 6901 North", "Glendale", false, base),
            ("Dunkin'", "Dunkin'", "5985 13th St", "Fort Belvoir", false, base),
            ("Dunkin'", "Dunkin'", "1516 S Fort Hood St", "Killeen", false, None),
            ("Dunkin'", "Dunkin' Target", "1 Main St", "Dover", false, None),
            (
                "Macy's",
                "Macy's Brea Furniture Clearance Center in Brea, CA",
                "1 Main St",
                "Brea",
                false,
                Some(0.1),
            ),
            ("Nordstrom", "Nordstrom Rack 31st & 6th", "865 Avenue", "New York", false, Some(0.6)),
            ("", "Hickam AFB Airport", "", "Honolulu", false, None),
        ] {
            let place = place(brand, name, address, city);
            assert_eq!(factor(&place, inside_airport, &brands), expected, "{name}, {address}, {city}");
        }
    }
}
