//! Generates random records. Members can be missing, some strings differ only in case, accents, or hyphens,
//! and points can be anywhere on Earth.

use serde_json::{Map, Value, json};

/// A pseudorandom number generator (Marsaglia's xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a random number less than `end`.
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

/// The markets to choose from. In this list and the following ones, some strings are equal after
/// normalization.
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

pub(crate) const OPERATORS: [&str; 4] = ["Sky", "Wall-Media", "wall media", "Émile & Co."];
pub(crate) const VENUE_TYPES: [&str; 3] =
    ["transit.airports", "transit.airports.gates", "residential.apartment_buildings.lobby"];
pub(crate) const DATES: [&str; 5] = ["2026-12-31", "2027-01-04", "2027-01-05", "2027-10-01", "0999-01-01"];

/// Generates a random record. Records with different numbers have different IDs.
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
        "account": {"name": dice.pick(&OPERATORS), "parent_account_name": ""},
        "representation_type": {"name": "Own"},
    }]]);
    put(dice, &mut record, "representations", value);
    put_offer(dice, &mut record);
    Value::Object(record)
}

/// Adds random members, such as impressions, a rate, a venue type, and the list of modelled members.
fn put_offer(dice: &mut Dice, record: &mut Map<String, Value>) {
    let figures = [json!(0), json!(7), json!(41_250), json!(9_007_199), json!(1_000_000_000_000_i64)];
    if dice.is_below(50) {
        record.insert("weekly_impressions".to_owned(), dice.pick(&figures));
    }
    for (member, of) in [
        ("impressions_source", &["Institute", "institute", "Other"][..]),
        ("impressions_vintage", &["2026-09-30", "2025-12-31"]),
        ("persons", &["all", "5+", "18+"]),
        ("impressions_of", &["display", "spot"]),
        (
            "photo_url",
            &["https://example.com/a.jpg", "https://example.com/A.jpg", "https://example.com/é.jpg"],
        ),
        ("available_from", &DATES),
        ("read_side", &["left", "right", "center"]),
        ("venue_type", &VENUE_TYPES),
    ] {
        let value = json!(dice.pick(of));
        put(dice, record, member, value);
    }
    let amounts = [json!(0), json!(950), json!(1_875.5), json!(0.01), json!(2_000_000_000.0)];
    let mut rate = Map::new();
    put(dice, &mut rate, "currency", json!("USD"));
    for (member, of) in [("amount", &amounts[..]), ("weeks", &[json!(1), json!(4), json!(12)])] {
        let value = dice.pick(of);
        put(dice, &mut rate, member, value);
    }
    if !rate.is_empty() {
        record.insert("rate".to_owned(), Value::Object(rate));
    }
    let modelled = [json!([]), json!(["location.orientation"]), json!(["digital", "layouts.faces.width"])];
    if dice.is_below(50) {
        record.insert("modelled".to_owned(), dice.pick(&modelled));
    }
}

/// Generates a record like [`record`], but with a name that's unique to the number. Its artery is one of many
/// whose names share words.
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

/// Generates the longitude and latitude of a point, which is often in one town, and sometimes at a pole or on
/// the antimeridian.
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
        "plant_spot_id": format!("P{}", number / 3),
        "spot_share_of_voice": "0.125",
        "spot_length": 8,
        "rotating": dice.is_below(50),
        "measures": measures,
    });
    let spots = vec![spot; usize::try_from(dice.below(3)).expect("the number is small")];
    let mut face = json!({"id": number + 1, "width": 576, "height": 168, "spots": spots});
    if dice.is_below(50) {
        let whole = json!(dice.below(361));
        face["orientation"] = dice.pick(&[json!(112.5), json!(1.25e-7), whole]);
    }
    json!([{"id": number, "audio": false, "faces": [face, {"orientation": dice.below(361)}]}])
}

/// Adds a member to an object with a probability of 90%.
fn put(dice: &mut Dice, record: &mut Map<String, Value>, member: &str, value: Value) {
    if !dice.is_below(10) {
        record.insert(member.to_owned(), value);
    }
}
