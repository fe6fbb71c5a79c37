//! Writes addresses of sample places in the various ways that people write them.

use dataset::{Place, PlaceId};
use fastrand::Rng;
use serde_json::{Value, json};

use super::super::all_places;

/// Words in addresses that have several spellings. The words in a row are equivalent.
const SAME: [&[&str]; 24] = [
    &["Street", "St", "St.", "Str"],
    &["Avenue", "Ave", "Ave.", "Av"],
    &["Road", "Rd", "Rd."],
    &["Boulevard", "Blvd", "Blvd."],
    &["Drive", "Dr", "Dr."],
    &["Lane", "Ln"],
    &["Parkway", "Pkwy", "Pky"],
    &["Plaza", "Plz"],
    &["Court", "Ct"],
    &["Circle", "Cir"],
    &["Square", "Sq"],
    &["Trail", "Trl"],
    &["Turnpike", "Tpke"],
    &["Center", "Ctr", "Centre"],
    &["Highway", "Hwy", "Hwy."],
    &["North", "N", "N."],
    &["South", "S", "S."],
    &["East", "E", "E."],
    &["West", "W", "W."],
    &["Northeast", "NE", "N.E."],
    &["Northwest", "NW", "N.W."],
    &["Southeast", "SE", "S.E."],
    &["Southwest", "SW", "S.W."],
    &["Suite", "Ste", "Ste.", "#"],
];

/// States whose names are written out, by abbreviation.
const STATES: [(&str, &str); 8] = [
    ("CA", "California"),
    ("TX", "Texas"),
    ("FL", "Florida"),
    ("NY", "New York"),
    ("IL", "Illinois"),
    ("OH", "Ohio"),
    ("NC", "North Carolina"),
    ("GA", "Georgia"),
];

/// Returns random shops in the sample, each written in a random way. A shop is a place with a brand and a
/// house number.
pub(super) fn shops(seed: u64, count: usize) -> Vec<(Value, PlaceId)> {
    let mut random = Rng::with_seed(seed);
    let is_shop = |place: &Place<'_>| {
        place.brand.is_some() && place.street_address.starts_with(|at: char| at.is_ascii_digit())
    };
    let shops: Vec<Place<'static>> = all_places().filter(is_shop).collect();
    let chosen = random.choose_multiple(&shops, count);
    chosen.into_iter().map(|shop| (written(shop, &mut random), shop.id)).collect()
}

fn written(shop: &Place<'_>, random: &mut Rng) -> Value {
    let brand = shop.brand.expect("a brand");
    let name = match random.u8(..5) {
        0 => brand.to_uppercase(),
        1 => brand.replace(['\'', '.', '-'], ""),
        2 => format!("{brand} #{}", random.u16(100..)),
        3 => format!("{brand} {}", shop.city),
        _ => brand.to_owned(),
    };
    let mut street = respelled(shop.street_address, random);
    // Sometimes adds a suite that isn't in the sample.
    let has_unit =
        ["Ste", "Suite", "Unit", "#", "STE", "SUITE", "Bldg"].iter().any(|unit| street.contains(unit));
    if !has_unit && random.u8(..6) == 0 {
        street = format!("{street}, Ste {}", random.u8(1..));
    }
    let zip = match random.u8(..4) {
        0 => format!("{}-{:04}", shop.zip_code, random.u16(1..10_000)),
        _ => shop.zip_code.to_owned(),
    };
    let written_out = STATES.iter().find(|(letters, _)| *letters == shop.state).filter(|_| random.bool());
    let state = written_out.map_or(shop.state, |(_, name)| name);
    let input = in_form(random.u8(..8), &name, &street, [shop.city, state, &zip], shop);
    if random.u8(..5) == 0 { in_capitals(input) } else { input }
}

/// Writes an address in one of eight forms.
fn in_form(form: u8, name: &str, street: &str, [city, state, zip]: [&str; 3], shop: &Place<'_>) -> Value {
    match form {
        0 => json!({ "name": name, "address": format!("{street}, {city}, {state} {zip}") }),
        1 => json!({ "name": name, "address": format!("{street} {city} {state} {zip}") }),
        2 => json!({ "name": name, "address": format!("{street}, {city}, {state}") }),
        3 => json!({ "name": name, "address": street, "city": city, "state": state, "zip_code": zip }),
        4 => json!({ "brand": name, "address": street, "zip_code": zip }),
        5 => json!({ "address": format!("{name}, {street}, {city}, {state} {zip}") }),
        6 => json!({ "name": name, "address": format!("{street}\n{city} {state} {zip}\nUSA") }),
        _ => {
            let location = json!({ "lat": shop.latitude + 0.0002, "lon": shop.longitude - 0.0002 });
            json!({ "name": name, "address": street, "city": city, "location": location })
        }
    }
}

/// Replaces each word in a street with one of its spellings and sometimes omits an abbreviation's period.
fn respelled(street: &str, random: &mut Rng) -> String {
    let words = street.split_whitespace().map(|word| {
        let (word, comma) = word.strip_suffix(',').map_or((word, ""), |word| (word, ","));
        let row = SAME.iter().find(|row| row.iter().any(|one| one.eq_ignore_ascii_case(word)));
        let spelled = row.map_or(word, |row| row[random.usize(..row.len())]);
        format!("{spelled}{comma}")
    });
    words.collect::<Vec<_>>().join(" ")
}

fn in_capitals(mut input: Value) -> Value {
    for value in input.as_object_mut().expect("an object").values_mut() {
        if let Some(text) = value.as_str() {
            *value = json!(text.to_uppercase());
        }
    }
    input
}
