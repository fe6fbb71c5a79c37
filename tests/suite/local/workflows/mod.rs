//! What callers do from the first search to the last number.

mod journeys;

use std::collections::BTreeMap;

use harness::product_row;
use http::Method;
use serde_json::{Value, json};
use shared::types::Product;

use super::{Serving, TestDir};

/// An organization's way through the service, and what it has cost.
struct Journey {
    data_dir: TestDir,
    serving: Serving,
    spent: i64,
}

impl Journey {
    async fn start() -> Self {
        let data_dir = TestDir::new();
        let serving = data_dir.serve(&[]).await;
        Self { data_dir, serving, spent: 0 }
    }

    async fn post(&mut self, path: &str, body: Value) -> Value {
        self.call(Method::POST, path, Some(&body)).await
    }

    async fn get(&mut self, path: &str) -> Value {
        self.call(Method::GET, path, None).await
    }

    async fn call(&mut self, method: Method, path: &str, body: Option<&Value>) -> Value {
        let door = if path.starts_with("/v2/") { "X-API-Key" } else { "apikey" };
        let key = (door, self.serving.credentials.enterprise_key.as_str());
        let answer = self.serving.call(method, path, key, body).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text());
        let (used, answer) = (answer.number("x-credits-used"), answer.json());
        assert_eq!(answer["meta"]["credits_used"], used, "{path}");
        self.spent += used;
        answer
    }

    /// Returns every place that a filter finds.
    async fn places(&mut self, filter: Value) -> Vec<Value> {
        let found =
            self.post("/v2/msearch", json!({ "filter": filter, "pagination": { "page_size": 1000 } })).await;
        let results = list(&found["data"]["results"]);
        assert_eq!(found["data"]["pagination"]["total_results"], results.len(), "one page: {filter}");
        results
    }

    /// Returns every display that a filter finds.
    async fn displays(&mut self, filter: Value) -> Vec<Value> {
        let asked = json!({ "filter": filter, "pagination": { "page_size": 1000 } });
        let found = self.post("/msearch/inventory", asked).await;
        let results = list(&found["results"]);
        assert_eq!(found["total"], results.len(), "one page: {filter}");
        results
    }

    async fn report(&mut self, places: &[Value]) -> Value {
        self.post("/v2/measures/place/report", json!({ "place_id": places })).await
    }

    /// Returns the id of the one cohort that a text finds.
    async fn cohort(&mut self, search_text: &str) -> String {
        let asked = json!({ "service_data_product_name": "Population At Home", "search_text": search_text });
        let found = list(&self.post("/v2/cohorts/search", asked).await["cohorts"]);
        let [cohort] = &found[..] else { panic!("{search_text}: {found:?}") };
        text(&cohort["service_segment_id"]).to_owned()
    }

    /// Returns the markets by where a cohort is concentrated most, after checking that the numbers lead
    /// there.
    async fn ranked_markets(&mut self, cohort: &str) -> Vec<Value> {
        let asked = json!({ "service_segment_id": cohort, "geography_type": ["DMA"] });
        let at_home = self.post("/v2/measures/population/at_home", asked).await;
        let mut markets = list(&at_home["results"]);
        assert_eq!(markets.len(), 210);
        for market in &markets {
            let percent = 100.0 * number(&market["persons"]) / number(&market["all_persons"]);
            near(number(&market["composition_percent"]), percent);
            near(
                number(&market["composition_index"]),
                100.0 * percent / number(&at_home["composition_percent"]),
            );
        }
        let sum = |member: &str| markets.iter().map(|market| number(&market[member])).sum::<f64>();
        assert_eq!(sum("persons"), number(&at_home["coverage"]["persons"]));
        assert_eq!(
            sum("all_persons") + number(&at_home["coverage"]["all_persons_outside"]),
            number(&at_home["all_persons"])
        );
        markets.sort_by(|a, b| number(&b["composition_index"]).total_cmp(&number(&a["composition_index"])));
        markets
    }

    /// Ends the journey: these calls, at these prices, and nothing else were booked.
    async fn cost(mut self, calls: &[(Product, i64)]) {
        let rows = calls.iter().map(|(product, calls)| (product_row(*product), *calls));
        let calls: Vec<_> = rows.map(|(row, calls)| (row.name, calls, i64::from(row.credits))).collect();
        let priced: i64 = calls.iter().map(|(_, calls, price)| calls * price).sum();
        assert_eq!(self.spent, priced, "what the answers said");
        let credits = self.get("/v2/billing/credits").await;
        assert_eq!(credits["data"]["balance"], 1_000_000 - priced);
        let usage = credits["data"]["usage_month"]["by_product"].as_object().expect("an object");
        let booked: BTreeMap<_, _> =
            usage.iter().map(|(name, usage)| (name.as_str(), usage.clone())).collect();
        let mut expected: BTreeMap<_, _> = calls
            .iter()
            .map(|(name, calls, price)| (*name, json!({ "calls": calls, "credits": calls * price })))
            .collect();
        // The call that shows the usage counts as one, or is not yet in it.
        if let Some(itself) = booked.get("billing_credits") {
            expected.insert("billing_credits", itself.clone());
        }
        assert_eq!(booked, expected);
        self.serving.interrupt().await;
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}")).clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn ids(places: &[Value]) -> Vec<Value> {
    places.iter().map(|place| place["place_id"].clone()).collect()
}

/// Holds a number to what it follows from, but for rounding.
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
}
