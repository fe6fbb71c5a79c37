//! The kinds of calls in the load test, with their callers, requests, and expected statuses.

use harness::samples;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use serde_json::{Value, json};
use store::Family;

use crate::customers::{Customer, Customers, ORIGIN};

pub(crate) struct Call {
    pub(crate) name: &'static str,
    /// The organizations that send the call.
    pub(crate) from: fn(&Customers) -> &[Customer],
    /// Creates a customer's request. The argument is the number of earlier calls, which selects the key and
    /// varies the request.
    pub(crate) request: fn(&Customer, usize) -> Request<Full<Bytes>>,
    /// The expected statuses. Any other status ends the run.
    pub(crate) answers: &'static [StatusCode],
}

pub(crate) const ACCEPTED: [Call; 4] = [
    Call { name: "metered read of a campaign", from: paying, request: read, answers: &[StatusCode::OK] },
    Call {
        name: "create of a campaign of 20 spots",
        from: paying,
        request: create,
        answers: &[StatusCode::OK],
    },
    Call { name: "inventory search", from: paying, request: search, answers: &[StatusCode::OK] },
    Call { name: "tile", from: paying, request: tile, answers: &[StatusCode::OK] },
];

pub(crate) const REFUSED: [Call; 4] = [
    Call {
        name: "400: no spots",
        from: paying,
        request: create_nothing,
        answers: &[StatusCode::BAD_REQUEST],
    },
    Call {
        name: "401: unknown key",
        from: paying,
        request: read_with_another_key,
        answers: &[StatusCode::UNAUTHORIZED],
    },
    Call {
        name: "402: no credits",
        from: |customers| &customers.without_credits,
        request: read,
        answers: &[StatusCode::PAYMENT_REQUIRED],
    },
    Call {
        name: "429: above the rate",
        from: |customers| &customers.sandboxed,
        request: list_place_types,
        // The first ten calls of each minute are within the rate limit.
        answers: &[StatusCode::TOO_MANY_REQUESTS, StatusCode::OK],
    },
];

const API_KEY: &str = "x-api-key";

const SPOTS: usize = 20;

/// Midtown Manhattan at the deepest zoom level. The calls request this tile and the tiles that contain it.
const MIDTOWN: (u32, u32) = (4_824, 6_157);
const DEEPEST_ZOOM: usize = 14;
const ZOOMS: usize = 8;

/// Search words. The sample release has displays in New York for each word.
const WORDS: [&str; 4] = ["broadway", "kiosk", "queens", "brooklyn"];

fn paying(customers: &Customers) -> &[Customer] {
    &customers.paying
}

fn read(customer: &Customer, calls_before: usize) -> Request<Full<Bytes>> {
    request(Method::GET, &customer.campaign, customer.key(calls_before), &Value::Null)
}

fn create(customer: &Customer, calls_before: usize) -> Request<Full<Bytes>> {
    let spot = |number: usize| json!({ "display_id": format!("display-{number}"), "spot_id": number });
    create_with(customer, calls_before, (0..SPOTS).map(|number| spot(calls_before + number)).collect())
}

fn create_nothing(customer: &Customer, calls_before: usize) -> Request<Full<Bytes>> {
    create_with(customer, calls_before, Vec::new())
}

fn create_with(customer: &Customer, calls_before: usize, spots: Vec<Value>) -> Request<Full<Bytes>> {
    let mut body = samples::campaign();
    body["spots"] = spots.into();
    request(Method::POST, samples::library(Family::Campaign), customer.key(calls_before), &body)
}

fn search(customer: &Customer, calls_before: usize) -> Request<Full<Bytes>> {
    let word = WORDS[calls_before % WORDS.len()];
    let body = json!({
        "filter": { "search": word, "state": "NY" },
        "pagination": { "page": 1, "page_size": 50 },
    });
    let mut request = request(Method::POST, "/msearch/inventory", customer.key(calls_before), &body);
    // The search gateway expects the key in a different header.
    let key = request.headers_mut().remove(API_KEY).expect("valid header");
    request.headers_mut().insert("apikey", key);
    request
}

fn tile(customer: &Customer, calls_before: usize) -> Request<Full<Bytes>> {
    let above = calls_before % ZOOMS;
    let tile = format!("{}/{}/{}", DEEPEST_ZOOM - above, MIDTOWN.0 >> above, MIDTOWN.1 >> above);
    let path = customer.tiles.replace("{z}/{x}/{y}", &tile);
    // The token in the URL is the credential.
    let request = Request::get(path).header("origin", ORIGIN);
    request.body(Full::default()).expect("valid request")
}

fn read_with_another_key(customer: &Customer, calls_before: usize) -> Request<Full<Bytes>> {
    // Every call has a different key, so that caching has no effect.
    let key = customer.key(calls_before);
    let another = format!("{}{calls_before:08x}", &key[..key.len() - 8]);
    request(Method::GET, &customer.campaign, &another, &Value::Null)
}

fn list_place_types(customer: &Customer, calls_before: usize) -> Request<Full<Bytes>> {
    request(Method::GET, "/v2/place/types", customer.key(calls_before), &Value::Null)
}

fn request(method: Method, path: &str, key: &str, body: &Value) -> Request<Full<Bytes>> {
    let request = Request::builder().method(method).uri(path).header(API_KEY, key);
    let request = request.header("content-type", "application/json");
    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    request.body(Full::new(body)).expect("valid request")
}
