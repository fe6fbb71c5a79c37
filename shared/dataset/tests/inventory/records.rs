//! Random records. Some members are missing, some strings differ only in case, accents, or hyphens, and
//! points can be anywhere.

use serde_json::{Map, Value, json};

/// A random number generator that uses Marsaglia's xorshift.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a random number from 0 to `end - 1`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    /// Returns true with a probability of `percent` percent.
    pub(crate) fn is_below(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        let count = u64::try_from(of.len()).expect("the list is short");
        of[usize::try_from(self.below(count)).expect("the position fits")].clone()
    }
}

/// The strings to choose from. Some strings in a list are equal for a search.
pub(crate) const DMAS: [&str; 6] = [
    "New York",
    "NEW YORK",
    "Dallas-Ft. Worth",
    "dallas ft. worth",
    "San Francisco-Oak-San Jose",
    "Los Ángeles",
];
pub(crate) const STATES: [&str; 6] = ["NY", "CA", "ny", "TX", "New-York", "new jersey"];
pub(crate) const ZIPS: [&str; 4] = ["10001", "10027", "94102-1234", ""];
pub(crate) const COUNTIES: [&str; 4] =
    ["Kings County, NY", "Doña Ana County, NM", "DONA ANA COUNTY, NM", "Kings"];
pub(crate) const CBSAS: [&str; 3] = ["New York-Newark", "Oakland", "San José"];
pub(crate) const ARTERIES: [&str; 12] = [
    "Broadway & W 45th St",
    "BROADWAY",
    "W Broad St",
    "I-95 N of Exit 12",
    "I 95",
    "O'Hare Access Rd",
    "Ohare Rd",
    "St. Mary’s Pl",
    "Ave of the Américas",
    "  Main   St ",
    "& / #",
    "東京 Road",
];
pub(crate) const MEDIA_NAMES: [&str; 6] = ["OP-0001", "op 0001", "Op-0002", "Broadway Wall", "x", "Émile"];
pub(crate) const MEDIA_TYPES: [&str; 4] = ["Bulletin", "Junior Poster", "junior-poster", "Panel"];
pub(crate) const CONSTRUCTIONS: [&str; 3] = ["Freestanding", "Exterior Wall", "exterior wall"];
pub(crate) const ILLUMINATIONS: [&str; 3] = ["Backlit", "FRONTLIT", "Sunlit Ambient"];

/// Generates a record. Different numbers produce different IDs.
pub(crate) fn record(dice: &mut Dice, number: u64) -> Value {
    let mut record = Map::new();
    record.insert("spot_id".to_owned(), json!(100 + number * 3 + dice.below(3)));
    for flag in ["digital", "audio", "full_motion", "partial_motion", "interactive", "rotating"] {
        let value = json!(dice.is_below(30));
        put(dice, &mut record, flag, value);
    }
    let named = |dice: &mut Dice, of: &[&str]| json!({"name": dice.pick(of)});
    let value = json!(dice.pick(&MEDIA_NAMES));
    put(dice, &mut record, "media_name", value);
    for (member, of) in [
        ("illumination_type", &ILLUMINATIONS[..]),
        ("classification_type", &["Roadside", "Place Based", "Place-Based"]),
        ("media_type", &MEDIA_TYPES),
        ("placement_type", &["Curbside", "Set Back"]),
        ("status_type", &["Published - Measured", ""]),
    ] {
        let value = named(dice, of);
        put(dice, &mut record, member, value);
    }
    let value = json!(dice.pick(&["06:00:00", "00:00:00"]));
    put(dice, &mut record, "illumination_start_time", value);
    let value =
        json!({"construction_type": {"id": dice.pick(&["1", "2"]), "name": dice.pick(&CONSTRUCTIONS)}});
    put(dice, &mut record, "construction", value);
    let value =
        json!({"place_id": dice.pick(&["", "7", "8"]), "place_name": dice.pick(&["", "Mall", "mall"])});
    put(dice, &mut record, "place", value);
    record.insert("location".to_owned(), location(dice));
    let value = layouts(dice, number);
    put(dice, &mut record, "layouts", value);
    let value = json!([[{
        "account": {"name": dice.pick(&["Sky", "Wall"]), "parent_account_name": ""},
        "representation_type": {"name": "Own"},
    }]]);
    put(dice, &mut record, "representations", value);
    Value::Object(record)
}

/// Generates a record like [`record`]. Each record has a different name and one of many arteries, whose names
/// share words.
pub(crate) fn record_of_many_names(dice: &mut Dice, number: u64) -> Value {
    let mut record = record(dice, number);
    let (operator, side) = (dice.pick(&["FWO", "QLM", "Bré"]), dice.pick(&["N", "s", "E"]));
    record["media_name"] = json!(format!("{operator}-NEW-{number:06}-{side}"));
    let road = |dice: &mut Dice| {
        let names =
            ["MAPLE", "Oak", "I-95", "O'HARE", "MARY’S", "34TH", "Américas", "STATE", "MAIN", "N", "东 1"];
        format!("{} {}", dice.pick(&names), dice.pick(&["ST", "AVE", "Blvd.", "RD"]))
    };
    let between = dice.pick(&[" & ", " N OF ", "/", "  at "]);
    record["location"]["primary_artery"] = json!(format!("{}{between}{}", road(dice), road(dice)));
    record
}

fn location(dice: &mut Dice) -> Value {
    let mut location = Map::new();
    for (member, of) in [
        ("state", &STATES[..]),
        ("county_id", &["36047", "35013"]),
        ("county_name", &COUNTIES),
        ("dma_id", &["501", "623", "807", "999"]),
        ("dma_name", &DMAS),
        ("cbsa_code", &["35620", "41860"]),
        ("cbsa_name", &CBSAS),
        ("zip_code", &ZIPS),
        ("primary_artery", &ARTERIES),
    ] {
        let value = json!(dice.pick(of));
        put(dice, &mut location, member, value);
    }
    let [longitude, latitude] = point(dice);
    location.insert("geometry".to_owned(), json!({"type": "Point", "coordinates": [longitude, latitude]}));
    let value = json!(dice.pick(&[
        format!("{latitude},{longitude}"),
        "somewhere".to_owned(),
        "Somewhere".to_owned()
    ]));
    put(dice, &mut location, "geo_point", value);
    let value = json!([{"place_name": dice.pick(&["Mall", "Square"])}]);
    put(dice, &mut location, "places", value);
    let value = json!({"name": dice.pick(&["Mall", "Plaza"])});
    put(dice, &mut location, "place_types", value);
    let value = dice.pick(&[json!(0), json!(90), json!(292.5), json!(359)]);
    put(dice, &mut location, "orientation", value);
    Value::Object(location)
}

/// Generates a point. Most points are in one town, and some are at a pole or on the antimeridian.
pub(crate) fn point(dice: &mut Dice) -> [f64; 2] {
    let part = |dice: &mut Dice| dice.below(1_000_001) as f64 / 1e6;
    match dice.below(20) {
        0 => [part(dice) * 360.0 - 180.0, 90.0],
        1 => [180.0, part(dice) * 180.0 - 90.0],
        2 => [-180.0, part(dice) - 0.5],
        3 => [179.9 + part(dice) / 10.0, 52.0 + part(dice)],
        4 => [-180.0 + part(dice) / 10.0, 52.0 + part(dice)],
        5..=7 => [part(dice) * 360.0 - 180.0, part(dice) * 180.0 - 90.0],
        8..=9 => [-73.985_13, 40.758_9],
        _ => [-74.1 + part(dice) / 4.0, 40.6 + part(dice) / 4.0],
    }
}

fn layouts(dice: &mut Dice, number: u64) -> Value {
    let measures = match dice.below(5) {
        0 => json!([]),
        1 => json!([{"impressions": ""}]),
        _ => json!([{"impressions": "20260801", "reach": ""}]),
    };
    let spot = json!({
        "id": number * 10,
        "plant_spot_id": format!("P{number}"),
        "spot_share_of_voice": "0.125",
        "spot_length": 8,
        "rotating": dice.is_below(50),
        "measures": measures,
    });
    let spots = vec![spot; usize::try_from(dice.below(3)).expect("the number is small")];
    json!([{"id": number, "audio": false, "faces": [{"id": number + 1, "width": 576, "height": 168, "spots": spots}]}])
}

/// Adds a member with a probability of 90 percent.
fn put(dice: &mut Dice, record: &mut Map<String, Value>, member: &str, value: Value) {
    if !dice.is_below(10) {
        record.insert(member.to_owned(), value);
    }
}
