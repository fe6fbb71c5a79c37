//! Matching addresses with places.

mod by_hand;
mod written;

use dataset::PlaceId;
use harness::World;
use serde_json::{Value, json};

use super::ask;

const MATCH: &str = "/v2/places/match";

/// The maximum number of inputs per call.
const MOST: usize = 100;

/// Matches inputs and returns a result for each.
async fn results(inputs: &[Value]) -> Vec<Value> {
    let (world, org) = World::with_org().await;
    let mut results = Vec::new();
    for inputs in inputs.chunks(MOST) {
        let answer = ask(&world, &org, MATCH, &json!({ "inputs": inputs })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        results.extend(answer.data()["results"].as_array().expect("results").iter().cloned());
    }
    assert_eq!(results.len(), inputs.len());
    results
}

fn id(result: &Value) -> Option<PlaceId> {
    result["match"].as_str().map(|id| id.parse().expect("a place ID"))
}

#[tokio::test]
async fn at_least_99_percent_of_shop_addresses_match_and_none_is_wrong() {
    let by_hand = by_hand::with_place();
    let expected: Vec<(Value, PlaceId)> = by_hand
        .into_iter()
        .chain(written::shops(7, 200).into_iter().chain(written::shops(101, 500)))
        .collect();
    let inputs: Vec<Value> = expected.iter().map(|(input, _)| input.clone()).collect();
    let (mut right, mut wrong) = (0, 0);
    for (result, (input, place)) in results(&inputs).await.iter().zip(&expected) {
        match id(result) {
            Some(found) if found == *place => right += 1,
            found => {
                wrong += usize::from(found.is_some());
                eprintln!("{input}: expected {place}, got {result:#}");
            }
        }
    }
    let total = expected.len();
    let share = right as f64 / total as f64;
    eprintln!(
        "matched {right} of {total} addresses correctly ({:.1} %), and {wrong} incorrectly",
        100.0 * share
    );
    assert!(share >= 0.99 && wrong == 0, "{right} of {total} are right, {wrong} are wrong");
}

#[tokio::test]
async fn inputs_that_refer_to_no_place_of_the_release_have_no_match() {
    let (inputs, reasons): (Vec<Value>, Vec<&str>) = by_hand::without_place().into_iter().unzip();
    let results = results(&inputs).await;
    let wrong: Vec<String> = (results.iter().zip(&inputs).zip(&reasons))
        .filter(|((result, _), _)| id(result).is_some())
        .map(|((result, input), reason)| format!("{input} ({reason}): {result:#}"))
        .collect();
    eprintln!("{} of {} inputs without a place have a match", wrong.len(), inputs.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn result_lists_what_agrees_and_what_contradicts() {
    let inputs = [
        json!({ "input_id": "A-17", "name": "Starbucks", "address": "1101 Madison, Seattle, WA 98104" }),
        json!({ "name": "Peet's", "address": "1101 Madison St", "zip_code": "98104" }),
        json!({ "address": "300 Hwy 79 S, Henderson, TX 75654" }),
        json!({ "address": "1 Nowhere Ln, Nowhere, ZZ" }),
    ];
    let [found, other, two, none] = &results(&inputs).await[..] else { panic!("four results") };
    let best = &found["candidates"][0];
    assert_eq!((&found["input_id"], &found["outcome"]), (&json!("A-17"), &json!("matched")));
    assert_eq!(found["match"], best["place_id"]);
    assert_eq!(best["matched"], json!(["name", "number", "city", "state", "zip_code"]));
    assert_eq!(best["partly_matched"], json!(["street"]));
    let best = &other["candidates"][0];
    assert_eq!((&other["match"], &other["outcome"]), (&Value::Null, &json!("below_min_score")));
    assert_eq!((&best["score"], &best["contradicted"]), (&json!(0.297), &json!(["name"])));
    assert_eq!((&two["match"], &two["outcome"]), (&Value::Null, &json!("ambiguous")));
    assert_eq!(two["candidates"][0]["score"], two["candidates"][1]["score"]);
    assert_eq!((&none["outcome"], &none["candidates"]), (&json!("no_candidates"), &json!([])));
}

#[tokio::test]
async fn lower_min_score_also_accepts_doubtful_candidates() {
    let (world, org) = World::with_org().await;
    let input = json!({ "address": "1101 Madison", "city": "Seattle" });
    for (min_score, matched) in [(json!(null), 0), (json!(0.63), 0), (json!(0.62), 1)] {
        let answer = ask(&world, &org, MATCH, &json!({ "inputs": [input], "min_score": min_score })).await;
        assert_eq!(answer.data()["matched"], matched, "{min_score}: {}", answer.text());
    }
}

#[tokio::test]
async fn invalid_inputs_return_400_with_their_place() {
    let (world, org) = World::with_org().await;
    let located = "must have an address, a city, a zip_code, or a location";
    let cases = [
        (
            json!({ "inputs": vec![json!({ "zip_code": "98104" }); 101] }),
            "/inputs",
            "must have 1 to 100 items, but has 101",
        ),
        (json!({ "inputs": [] }), "/inputs", "must have 1 to 100 items, but has 0"),
        (json!({ "inputs": [{}] }), "/inputs/0", located),
        (json!({ "inputs": [{ "zip_code": "98104" }, { "name": "Starbucks" }] }), "/inputs/1", located),
        (json!({ "inputs": [{ "name": "Starbucks", "state": "WA" }] }), "/inputs/0", located),
        (json!({ "inputs": [{ "adress": "1 Main St" }] }), "/inputs/0/adress", ""),
        (
            json!({ "inputs": [{ "zip_code": "98104" }], "min_score": 1.5 }),
            "/min_score",
            "must be from 0 to 1, got 1.5",
        ),
    ];
    for (body, place, detail) in cases {
        let answer = ask(&world, &org, MATCH, &body).await;
        assert_eq!(answer.status, 400, "{body}");
        let violations = answer.violations();
        let is_meant = |(at, message): &(String, String)| at == place && message.contains(detail);
        assert!(violations.iter().any(is_meant), "{place}: {violations:?}");
    }
}
