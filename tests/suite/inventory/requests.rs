//! Each malformed inventory request is refused with its kind and its exact place, and is still charged.

use accounting::Product;
use dataset::inventory::{Field, FlagCriterion, SortField, TextCriterion};
use harness::{World, price};
use serde_json::{Value, json};

use super::{SEARCH, ask, assert_refused};

const CIRCLE: &str = "/filter/geo_distance";
const BOX: &str = "/filter/geo_bounding_box";

/// Something to filter by that is wrong: the filter, where it is wrong, and what is said of it.
type Case = (Value, String, &'static str);

async fn refuses_each(cases: Vec<Case>, kind: &str, body_of: impl Fn(Value) -> Value) {
    let (world, org) = World::with_org().await;
    for (value, pointer, words) in cases {
        let body = body_of(value);
        let context = format!("{:.120}", body.to_string());
        let answer = ask(&world, &org, &body).await;
        assert_refused(&answer, &[(kind, words)], &context);
        let reason = answer.json()["error"]["caused_by"]["reason"].take();
        assert!(reason.as_str().is_some_and(|reason| reason.starts_with(&pointer)), "{context}: {reason}");
        assert_eq!(answer.credits_used(), price(Product::InventorySearch), "{context}");
        assert!(answer.body.len() < 6_000, "{context}: {}", answer.text());
    }
}

#[tokio::test]
async fn refuses_each_wrong_text_and_flag_of_a_filter_at_its_place() {
    let mut cases: Vec<Case> = Vec::new();
    let mut case = |name: &str, value: Value, words| {
        cases.push((json!({ name: value }), format!("/filter/{name} "), words))
    };
    let single = "takes a single value, is an array";
    for name in TextCriterion::ALL.map(TextCriterion::name).into_iter().chain(["primary_artery", "search"]) {
        case(name, json!(["NY"]), single);
        case(name, json!([]), single);
        case(name, json!(1), "must be a string, is an integer");
        case(name, json!(true), "must be a string, is a boolean");
        case(name, json!({}), "must be a string, is an object");
        case(name, json!("a".repeat(201)), "must have at most 200 characters, has 201");
        for blank in ["", " ", "\t\n", "\u{a0}"] {
            case(name, json!(blank), "must not be blank");
        }
        for nothing in ["\u{301}", "-", " - -"] {
            case(
                name,
                json!(nothing),
                if name == "search" { "must have a word" } else { "must not be blank" },
            );
        }
    }
    for text in ["&&", "'", "(, )", "\u{2019}\u{2019}"] {
        case("search", json!(text), "must have a word");
    }
    for name in FlagCriterion::ALL.map(FlagCriterion::name) {
        case(name, json!([true]), single);
        case(name, json!("true"), "must be a boolean, is a string");
        case(name, json!(1), "must be a boolean, is an integer");
    }
    for name in ["id_min", "id_max"] {
        case(name, json!([1]), single);
        case(name, json!("1"), "must be a 64-bit integer, is a string");
        case(name, json!(1.5), "must be a 64-bit integer");
        case(name, json!(1e17), "is an integer past 2^53 that is not written in digits alone");
        case(name, json!(u64::MAX), "must be a 64-bit integer");
    }
    for name in ["geo_distance", "geo_bounding_box"] {
        case(name, json!([]), single);
        case(name, json!("5km"), "must be an object, is a string");
    }
    refuses_each(cases, "invalid_filter", |filter| json!({ "filter": filter })).await;
}

#[tokio::test]
async fn refuses_bounds_and_names_that_contradict_each_other() {
    let cases = vec![
        (
            json!({ "id_min": 2, "id_max": 1 }),
            "/filter/id_min ".to_owned(),
            "must not be above id_max, is 2 and id_max 1",
        ),
        (
            json!({ "id_min": i64::MAX, "id_max": i64::MIN }),
            "/filter/id_min ".to_owned(),
            "must not be above id_max",
        ),
        (
            json!({ "partial_motion": true }),
            "/filter/partial_motion ".to_owned(),
            "allowed are dma_name, state, zip_code",
        ),
        (json!({ "a/b": 1 }), "/filter/a~1b ".to_owned(), "is not a member here"),
        (json!({ "spot_id": 1 }), "/filter/spot_id ".to_owned(), "geo_distance, geo_bounding_box"),
    ];
    refuses_each(cases, "invalid_filter", |filter| json!({ "filter": filter })).await;
    let cases = vec![
        (json!({ "filter": {}, "filters": {} }), "/filters ".to_owned(), "is another name of filter"),
        (
            json!({ "filter": { "state": "NY" }, "filters": { "state": "NY" } }),
            "/filters ".to_owned(),
            "send one of the two",
        ),
        (json!({ "filters": { "state": ["NY"] } }), "/filters/state ".to_owned(), "takes a single value"),
        (json!({ "filter": [] }), "/filter ".to_owned(), "must be an object, is an array"),
        (json!({ "filters": "NY" }), "/filters ".to_owned(), "must be an object, is a string"),
    ];
    refuses_each(cases, "invalid_filter", |body| body).await;
}

#[tokio::test]
async fn refuses_each_wrong_circle_at_its_place() {
    let circle =
        |lat: Value, lon: Value, distance: Value| json!({ "lat": lat, "lon": lon, "distance": distance });
    let at = |member: &str| format!("{CIRCLE}/{member} ");
    let mut cases: Vec<Case> = vec![
        (json!({ "lat": 1, "lon": 1 }), at("distance"), "is required"),
        (json!({ "lat": 1, "distance": "1km" }), at("lon"), "is required"),
        (json!({ "lat": null, "lon": 1, "distance": "1km" }), at("lat"), "must not be null"),
        (
            json!({ "lat": 1, "lon": 1, "distance": 1, "unit": "km" }),
            at("unit"),
            "allowed are lat, lon, distance",
        ),
        (circle(json!("1"), json!(1), json!(1)), at("lat"), "must be a number, is a string"),
        (circle(json!(1), json!([1]), json!(1)), at("lon"), "must be a number, is an array"),
        (circle(json!(90.001), json!(1), json!(1)), at("lat"), "must be from -90 to 90 degrees, is 90.001"),
        (circle(json!(-91), json!(1), json!(1)), at("lat"), "is -91"),
        (circle(json!(1), json!(180.5), json!(1)), at("lon"), "must be from -180 to 180 degrees, is 180.5"),
        (circle(json!(1), json!(-181), json!(1)), at("lon"), "is -181"),
        (
            circle(json!(1), json!(1), json!(true)),
            at("distance"),
            "must be a number or a string, is a boolean",
        ),
        (
            circle(json!(1), json!(1), json!(["5km"])),
            at("distance"),
            "must be a number or a string, is an array",
        ),
    ];
    let units = "units are mi, miles, yd, ft, in, km, m, cm, mm, nmi, NM";
    for text in [
        "", " ", "km", "five km", "1.2.3km", "--5km", "1-2km", "NaN", "inf", "infinity", "٣km", "0x10km", "+",
    ] {
        let words = if text == "0x10km" { "has the unknown unit x10km" } else { units };
        cases.push((circle(json!(1), json!(1), json!(text)), at("distance"), words));
        cases.push((circle(json!(1), json!(1), json!(text)), at("distance"), units));
    }
    for (text, words) in [
        ("5KM", "has the unknown unit KM"),
        ("5 Mi", "has the unknown unit Mi"),
        ("5nm", "has the unknown unit nm"),
        ("5NMI", "has the unknown unit NMI"),
        ("5 kilometers", "has the unknown unit kilometers"),
        ("5 km 3", "has the unknown unit km 3"),
        ("1e3m", "has the unknown unit e3m"),
        ("5,5km", "has the unknown unit ,5km"),
    ] {
        cases.push((circle(json!(1), json!(1), json!(text)), at("distance"), words));
        cases.push((circle(json!(1), json!(1), json!(text)), at("distance"), units));
    }
    let negative = "must be a finite distance and not a negative one";
    for distance in
        [json!(-1), json!(-0.5), json!("-1km"), json!("-0.001 mi"), json!(format!("{}km", "9".repeat(400)))]
    {
        cases.push((circle(json!(1), json!(1), distance), at("distance"), negative));
    }
    refuses_each(cases, "invalid_filter", |circle| json!({ "filter": { "geo_distance": circle } })).await;
}

#[tokio::test]
async fn refuses_each_wrong_rectangle_at_its_place() {
    let corner = |lat: f64, lon: f64| json!({ "lat": lat, "lon": lon });
    let at = |member: &str| format!("{BOX}{member} ");
    let cases: Vec<Case> = vec![
        (json!({ "top_left": corner(1.0, 1.0) }), at("/bottom_right"), "is required"),
        (json!({ "bottom_right": corner(1.0, 1.0), "top_left": null }), at("/top_left"), "must not be null"),
        (
            json!({ "top_left": corner(1.0, 1.0), "bottom_right": [1, 1] }),
            at("/bottom_right"),
            "must be an object, is an array",
        ),
        (
            json!({ "top_left": { "lat": 1 }, "bottom_right": corner(0.0, 1.0) }),
            at("/top_left/lon"),
            "is required",
        ),
        (
            json!({ "top_left": corner(91.0, 1.0), "bottom_right": corner(0.0, 1.0) }),
            at("/top_left/lat"),
            "from -90 to 90",
        ),
        (
            json!({ "top_left": corner(1.0, 1.0), "bottom_right": corner(0.0, -180.1) }),
            at("/bottom_right/lon"),
            "is -180.1",
        ),
        (
            json!({ "top_left": corner(1.0, 0.0), "bottom_right": corner(1.5, 1.0) }),
            at(""),
            "must have its top_left above its bottom_right, is from lat 1 to 1.5",
        ),
        (
            json!({ "top_left": corner(1.0, 0.0), "bottom_right": corner(0.0, 1.0), "top_right": null }),
            at("/top_right"),
            "allowed are top_left, bottom_right",
        ),
    ];
    refuses_each(cases, "invalid_filter", |rectangle| json!({ "filter": { "geo_bounding_box": rectangle } }))
        .await;
}

#[tokio::test]
async fn refuses_paths_that_name_nothing() {
    let mut cases: Vec<Case> = Vec::new();
    let unknown = "is no field of a record; fields are paths such as id";
    for path in [
        "",
        " ",
        "ids",
        "Id",
        "location.",
        ".location",
        "location..state",
        "location.stat",
        "place_id",
        "*",
        "layouts[0]",
    ] {
        cases.push((json!(["id", path]), format!("/fieldSet/1 {path}"), unknown));
    }
    cases.push((json!(["x".repeat(1_000)]), "/fieldSet/0 ".to_owned(), unknown));
    cases.push((json!([1]), "/fieldSet/0 ".to_owned(), "must be a string, is an integer"));
    cases.push((json!([null]), "/fieldSet/0 ".to_owned(), "must be a string, is null"));
    cases.push((json!([["id"]]), "/fieldSet/0 ".to_owned(), "must be a string, is an array"));
    cases.push((json!("id"), "/fieldSet ".to_owned(), "must be an array, is a string"));
    cases.push((json!(vec!["id"; 201]), "/fieldSet ".to_owned(), "must have 0 to 200 items, has 201"));
    refuses_each(cases, "invalid_field_set", |paths| json!({ "fieldSet": paths })).await;
}

#[tokio::test]
async fn refuses_what_cannot_be_sorted_by() {
    let mut cases: Vec<Case> = Vec::new();
    let mut field =
        |value: Value, words| cases.push((json!({ "field": value }), "/sort/field ".to_owned(), words));
    for path in Field::ALL.map(Field::path).into_iter().filter(|path| SortField::find(path).is_none()) {
        field(json!(path), "has several values in a record");
    }
    for path in [
        "location",
        "layouts",
        "layouts.faces",
        "media_type",
        "location.geometry",
        "representations",
        "place",
    ] {
        field(json!(path), "has members");
    }
    for path in ["", "ID", "dma_name", "location.", "price", "active"] {
        field(json!(path), "is no field of a record");
    }
    field(json!(["id"]), "must be a string, is an array");
    field(json!(1), "must be a string, is an integer");
    let mut order =
        |value: Value, words| cases.push((json!({ "order": value }), "/sort/order ".to_owned(), words));
    order(json!("up"), "must be asc or desc, is up");
    order(json!("ASC"), "must be asc or desc, is ASC");
    order(json!(""), "must be asc or desc, is ");
    order(json!(1), "must be a string, is an integer");
    cases.push((json!({ "active": "id" }), "/sort/active ".to_owned(), "allowed are field, order"));
    cases.push((json!("id"), "/sort ".to_owned(), "must be an object, is a string"));
    cases.push((json!([]), "/sort ".to_owned(), "must be an object, is an array"));
    refuses_each(cases, "invalid_sort", |sort| json!({ "sort": sort })).await;
}

#[tokio::test]
async fn refuses_pages_that_are_none() {
    let cases: Vec<Case> = [
        (json!({ "page": 0 }), "/page ", "must be at least 1, is 0"),
        (json!({ "page": -1 }), "/page ", "must be at least 1, is -1"),
        (json!({ "page": "1" }), "/page ", "must be a 64-bit integer, is a string"),
        (json!({ "page": 1.5 }), "/page ", "must be a 64-bit integer"),
        (json!({ "page_size": 0 }), "/page_size ", "must be from 1 to 10000, is 0"),
        (json!({ "page_size": 10_001 }), "/page_size ", "must be from 1 to 10000, is 10001"),
        (json!({ "size": 1 }), "/size ", "allowed are page, page_size"),
        (json!([1, 50]), " ", "must be an object, is an array"),
    ]
    .into_iter()
    .map(|(page, member, words)| (page, format!("/pagination{member}"), words))
    .collect();
    refuses_each(cases, "invalid_pagination", |page| json!({ "pagination": page })).await;
}

#[tokio::test]
async fn lists_every_violation_at_once() {
    let (world, org) = World::with_org().await;
    let body = json!({
        "filter": {
            "state": ["NY"], "dma_name": " ", "digital": 1, "id_min": 3, "id_max": 2, "search": "!", "x": 0,
            "geo_distance": { "lat": 91, "distance": "5 parsecs" },
            "geo_bounding_box": { "top_left": {} },
        },
        "fieldSet": ["id", "x", 1],
        "pagination": { "page": 0, "page_size": 0 },
        "sort": { "field": "x", "order": "x" },
        "y": 0,
    });
    let expected = [
        ("invalid_field_set", "/fieldSet/1 x"),
        ("invalid_field_set", "/fieldSet/2 must be a string"),
        ("invalid_filter", "/filter/digital must be a boolean"),
        ("invalid_filter", "/filter/dma_name must not be blank"),
        ("invalid_filter", "/filter/geo_bounding_box/top_left/lat is required"),
        ("invalid_filter", "/filter/geo_bounding_box/top_left/lon is required"),
        ("invalid_filter", "/filter/geo_bounding_box/bottom_right is required"),
        ("invalid_filter", "/filter/geo_distance/distance has the unknown unit parsecs"),
        ("invalid_filter", "/filter/geo_distance/lat must be from"),
        ("invalid_filter", "/filter/geo_distance/lon is required"),
        ("invalid_filter", "/filter/search must have a word, is !"),
        ("invalid_filter", "/filter/state takes a single value"),
        ("invalid_filter", "/filter/x is not a member"),
        ("invalid_filter", "/filter/id_min must not be above id_max"),
        ("invalid_pagination", "/pagination/page must be at least 1"),
        ("invalid_pagination", "/pagination/page_size must be from 1"),
        ("invalid_sort", "/sort/field x"),
        ("invalid_sort", "/sort/order must be asc or desc"),
        (
            "unknown_member",
            "/y is not a member here; allowed are filter, filters, fieldSet, pagination, sort",
        ),
    ];
    let answer = ask(&world, &org, &body).await;
    assert_refused(&answer, &expected, "all at once");
    let reason = answer.json()["error"]["reason"].take();
    assert!(
        reason.as_str().is_some_and(|reason| reason.ends_with("; and 18 more, see root_cause")),
        "{reason}"
    );
}

#[tokio::test]
async fn refuses_a_body_that_is_no_json_object_and_charges_it() {
    let (world, org) = World::with_org().await;
    let deep = format!("{{\"filter\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    for (body, words) in [
        ("", "the body is not JSON"),
        ("{", "the body is not JSON"),
        ("{} {}", "the body is not JSON"),
        ("null", "the body must be an object, is null"),
        ("[]", "the body must be an object, is an array"),
        ("7", "the body must be an object, is an integer"),
        ("{\"filter\":{},\"filter\":{}}", "the member filter occurs twice"),
        ("{\"filter\":{\"geo_distance\":{\"lat\":1e400}}}", "the body is not JSON"),
        (&deep, "more than 16 arrays and objects lie in one another"),
    ] {
        let answer = world
            .post(SEARCH)
            .header("apikey", &org.key)
            .bytes("application/json", body.to_owned())
            .send()
            .await;
        assert_refused(&answer, &[("invalid_body", words)], &format!("{body:.60}"));
        assert_eq!(answer.credits_used(), price(Product::InventorySearch));
    }
}
