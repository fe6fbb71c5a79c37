//! Invalid and borderline bodies, generated from the schemas in openapi.yaml.

use harness::Contract;
use serde_json::{Map, Value, json};

/// Member names that no schema defines.
const UNKNOWN: [&str; 9] = ["x", "~", "/", "~1", "", "\u{0}", "\"\\", "e\u{301}", "0"];

/// Strings that are valid or almost valid in some format, separated by bars.
const TEXTS: [&str; 13] = [
    "| |\r|\u{b}|\u{0}|\u{301}|\u{1f4a5}|a\u{1d}b|a\u{202e}b|a\u{2066}|  Example Coffee \n",
    "0|00012|4294967295|04294967295|4294967296|9999999999|999999999999|1000000000000|-1|1.0|+1| 1|1e3|\u{663}",
    "5KM|5 Mi|5nm|5NMI|5 kilometers|5 km 3|1e3m|5,5km|-1km|-0.001 mi|0x10km|NaN|inf|+|1.2.3km|--5km|km|\u{663}km",
    "2024-02-29|2026-02-29|2026-04-31|2026-13-01|2026-00-10|0000-01-01|0001-01-01|9999-12-31|10000-01-01",
    "-001-01-01|2026-4-06|20260406|2026-04-06T00:00:00Z| 2026-04-06|+2026-04-6|2026/04/06|2026-04-0\u{661}",
    "2026-07-03T18:00:00|2026-07-03T18:00:00Z|2026-07-03t18:00:00.123456789z|2026-07-03 18:00:00-04:00\
     |2026-07-03T18:00-04:00|2026-07-03T24:00:00Z|2026-07-03T18:60:00Z|2026-07-03T18:00:60Z",
    "2026-12-31T23:59:60Z|2026-02-30T18:00:00Z|2026-07-03T18:00:00-0400|2026-07-03T18:00:00+24:00\
     |2026-07-03T18:00:00+23:59|2026-07-03T18:00:00+05:60|2026-07-03T18:00:00.Z|20260703T180000Z",
    "0000-01-01T00:00:00+23:59|9999-12-31T23:59:59Z|9999-12-31T23:59:59-23:59|1783116000\
     |2026-07-03T18:00:00.000000000000000000000000000001Z|2026-07-03T18:00:00 America/New_York",
    "UTC|utc|GMT0|Etc/GMT+5|Asia/Kolkata|America/Argentina/Buenos_Aires|America/New York|america/new_york\
     |America/|-05:00|Mars/Olympus|Factory|posixrules|localtime|../etc|EST5EDT4|US/Pacific-New",
    "XX2020NATNUS|US2020XDMA501|US2020XDMA999|us2020xdma501|US2020XDMA50|US2020XDMA5010|US2020XDMA501 \
     |US2010XDMA501|XX2020XDMA501|US2020STCO36000|State|STATES| STATE|5 parsecs|.5 mi",
    "Population At Home|Population At  Home|population_at_home| population ANYTIME |a@b|x+y@b\u{fc}cher.example\
     |a@|@b|a@b@c|a b@c|a@b\u{0}|a\u{9e}@b|a@b\u{7f}",
    "https://maps.example.com|HTTPS://Maps.Example.COM:0443/|https://my_app.3com|https://203.0.113.9:65535\
     |https://[2001:DB8::1]:8443|http://LOCALHOST|http://127.255.0.1/|http://[::1]|HTTP://0|http://128.0.0.1",
    "https://1.2.3|https://1.2.3.256|https://1.2.3.04|https://b\u{fc}cher.example|https://maps..example.com\
     |https://maps.example.com:0|https://maps.example.com:65536|https://user@maps.example.com\
     |https://*.example.com|https://maps.example.com/map|https://maps.example.com//|http://maps.example.com",
];

/// The read-only members of assets, which a patch may contain. `scenarios::edit` tests them.
const READ_ONLY: [&str; 7] =
    ["asset_id", "org_id", "state", "version", "last_measured_at", "created_at", "updated_at"];

/// The maximum length of a generated list.
const LONGEST: u64 = 2_001;

/// A change to a body: the new value at a place, or `None` to remove the member.
pub(super) struct Mutation {
    pub(super) place: String,
    pub(super) value: Option<Value>,
}

impl Mutation {
    /// Returns the changed body, or `None` if the body doesn't have this place.
    pub(super) fn of(&self, body: &Value) -> Option<Value> {
        let mut body = body.clone();
        let Some((parent, name)) = self.place.rsplit_once('/') else { return self.value.clone() };
        match (body.pointer_mut(parent)?, &self.value) {
            (Value::Object(members), Some(value)) => {
                drop(members.insert(name.replace("~1", "/").replace("~0", "~"), value.clone()));
            }
            (Value::Object(members), None) => drop(members.remove(name)),
            (Value::Array(items), Some(value)) => {
                *items.get_mut(name.parse::<usize>().ok()?)? = value.clone()
            }
            _ => return None,
        }
        Some(body)
    }
}

/// Returns the mutations of an operation's body. `valid` must have every member.
pub(super) fn mutations(operation: &str, valid: &Value) -> Vec<Mutation> {
    let mut found = Vec::new();
    mutate(Contract::get().request_schema(operation), valid, String::new(), &mut found);
    found
}

fn mutate(schema: &'static Value, valid: &Value, place: String, found: &mut Vec<Mutation>) {
    let schema = not_null(schema);
    let values = values(schema, valid).into_iter().map(Some);
    found.extend(values.map(|value| Mutation { place: place.clone(), value }));
    match valid {
        Value::Object(members) => {
            for name in UNKNOWN {
                let place = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
                found.push(Mutation { place, value: Some(json!(1)) });
            }
            let known = schema["properties"].as_object().expect("the schema has properties");
            // A body can't have both `filter` and its alias `filters`. The sample patch has no read-only
            // members, because their only valid values depend on the asset.
            let is_left_out = |name: &String| {
                name == "filters" || (READ_ONLY.contains(&name.as_str()) && !members.contains_key(name))
            };
            for name in known.keys().filter(|name| !is_left_out(name)) {
                let place = format!("{place}/{name}");
                let valid = members.get(name).unwrap_or_else(|| panic!("the sample has no {place}"));
                found.push(Mutation { place: place.clone(), value: None });
                mutate(&known[name], valid, place, found);
            }
        }
        Value::Array(items) => mutate(&schema["items"], &items[0], format!("{place}/0"), found),
        _ => {}
    }
}

/// Resolves references and picks the first alternative that isn't null.
fn not_null(schema: &'static Value) -> &'static Value {
    let schema = Contract::get().resolved(schema);
    match schema["anyOf"].as_array() {
        Some(any) => {
            not_null(any.iter().find(|one| one["type"] != "null").expect("one alternative is not null"))
        }
        None => schema,
    }
}

/// Returns values of every type, and values near each bound of a schema.
fn values(schema: &Value, valid: &Value) -> Vec<Value> {
    let mut values = vec![
        Value::Null,
        json!(true),
        json!(7),
        json!(-1),
        json!(0.5),
        json!(1_u64 << 63),
        json!("x"),
        json!([]),
        json!([null]),
        json!({}),
    ];
    let number = |name: &str| schema[name].as_i64();
    if valid.is_number() {
        let bounds = [number("minimum"), number("maximum")].into_iter().flatten();
        values.extend(
            bounds
                .flat_map(|bound| [bound.saturating_sub(1), bound, bound.saturating_add(1)])
                .map(Value::from),
        );
        values.extend([json!(0), json!(i64::MIN), json!(i64::MAX), json!(1e16), json!(1e300), json!(180.5)]);
    }
    if let Value::String(text) = valid {
        values.extend([
            json!(""),
            json!(text.to_uppercase()),
            json!(text.to_lowercase()),
            json!(format!("{text} ")),
        ]);
        let lengths = [number("minLength"), number("maxLength"), Some(100)].into_iter().flatten();
        values.extend(
            lengths
                .flat_map(|length| [length, length + 1])
                .map(|length| json!("\u{e9}".repeat(length as usize))),
        );
        values.extend(schema["enum"].as_array().into_iter().flatten().cloned());
        if schema["pattern"].is_string() || schema["format"].is_string() {
            values.extend(TEXTS.iter().flat_map(|texts| texts.split('|')).map(Value::from));
        }
    }
    if let Value::Array(items) = valid {
        let bounds = [schema["minItems"].as_u64(), schema["maxItems"].as_u64()].into_iter().flatten();
        let counts = bounds.flat_map(|bound| [bound, bound + 1]).filter(|count| *count <= LONGEST);
        values.push(json!([items[0], null]));
        values.extend(counts.map(|count| json!(vec![items[0].clone(); count as usize])));
    }
    values
}

/// Returns a body in which every scalar has the wrong type and every list has one item.
pub(super) fn all_wrong(valid: &Value) -> Value {
    match valid {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), all_wrong(value)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        Value::Array(items) => json!([all_wrong(&items[0])]),
        _ => json!({}),
    }
}
