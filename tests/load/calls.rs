//! The kinds of calls, whose they are, and what each is answered.

use harness::samples;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use serde_json::{Value, json};
use store::Family;

use crate::customers::{Customer, Customers, ORIGIN};

/// One kind of call.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    /// Who sends it.
    pub(crate) from: fn(&Customers) -> &[Customer],
    /// Makes the request of a customer who has called so often before.
    pub(crate) request: fn(&Customer, usize) -> Request<Full<Bytes>>,
    /// What it is answered: another answer ends the run.
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
        name: "401: a key that nobody has",
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
        // The first ten of each minute are within the rate.
        answers: &[StatusCode::TOO_MANY_REQUESTS, StatusCode::OK],
    },
];

const API_KEY: &str = "x-api-key";

const SPOTS: usize = 20;

/// Where tiles are looked at: Midtown Manhattan at the deepest zoom, and all above it.
const MIDTOWN: (u32, u32) = (4_824, 6_157);
const DEEPEST_ZOOM: usize = 14;
const ZOOMS: usize = 8;

/// What is searched for in New York; the sample has displays of each.
const WORDS: [&str; 4] = ["broadway", "kiosk", "queens", "brooklyn"];

fn paying(customers: &Customers) -> &[Customer] {
    &customers.paying
}

fn read(customer: &Customer, called: usize) -> Request<Full<Bytes>> {
    request(Method::GET, &customer.campaign, customer.key(called), &Value::Null)
}

fn create(customer: &Customer, called: usize) -> Request<Full<Bytes>> {
    let spot = |number: usize| json!({ "display_id": format!("display-{number}"), "spot_id": number });
    create_with(customer, called, (0..SPOTS).map(|number| spot(called + number)).collect())
}

fn create_nothing(customer: &Customer, called: usize) -> Request<Full<Bytes>> {
    create_with(customer, called, Vec::new())
}

fn create_with(customer: &Customer, called: usize, spots: Vec<Value>) -> Request<Full<Bytes>> {
    let mut body = samples::campaign();
    body["spots"] = spots.into();
    request(Method::POST, samples::library(Family::Campaign), customer.key(called), &body)
}

fn search(customer: &Customer, called: usize) -> Request<Full<Bytes>> {
    let word = WORDS[called % WORDS.len()];
    let body = json!({
        "filter": { "search": word, "state": "NY" },
        "pagination": { "page": 1, "page_size": 50 },
    });
    let mut request = request(Method::POST, "/msearch/inventory", customer.key(called), &body);
    // The search gateway's own name of it.
    let key = request.headers_mut().remove(API_KEY).expect("it was set");
    request.headers_mut().insert("apikey", key);
    request
}

fn tile(customer: &Customer, called: usize) -> Request<Full<Bytes>> {
    let above = called % ZOOMS;
    let tile = format!("{}/{}/{}", DEEPEST_ZOOM - above, MIDTOWN.0 >> above, MIDTOWN.1 >> above);
    let path = customer.tiles.replace("{z}/{x}/{y}", &tile);
    // The capability in the address is the credential.
    let request = Request::get(path).header("origin", ORIGIN);
    request.body(Full::default()).expect("a request")
}

fn read_with_another_key(customer: &Customer, called: usize) -> Request<Full<Bytes>> {
    // Another for each call: nothing that is remembered of one helps with the next.
    let key = customer.key(called);
    let another = format!("{}{called:08x}", &key[..key.len() - 8]);
    request(Method::GET, &customer.campaign, &another, &Value::Null)
}

fn list_place_types(customer: &Customer, called: usize) -> Request<Full<Bytes>> {
    request(Method::GET, "/v2/place/types", customer.key(called), &Value::Null)
}

fn request(method: Method, path: &str, key: &str, body: &Value) -> Request<Full<Bytes>> {
    let request = Request::builder().method(method).uri(path).header(API_KEY, key);
    let request = request.header("content-type", "application/json");
    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    request.body(Full::new(body)).expect("a request")
}
