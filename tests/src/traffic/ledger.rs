//! What landed in the accounts, as the wire saw it: the truth that the service's own answers are held to.

use std::collections::{BTreeSet, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};
use serde_json::Value;
use shared::types::{Credits, Product};

use crate::{Sent, price};

/// The first bytes of a mark name the step that left it, whatever its try.
type StepName = [u8; 6];

/// The writes of credits that landed, by step.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    landed: HashMap<StepName, Vec<i64>>,
    tokens: BTreeSet<String>,
}

impl Ledger {
    /// Enters what the engine has answered with success.
    pub(super) fn enter_all(&mut self, sent: &[Sent]) {
        for sent in sent.iter().filter(|sent| sent.status == 200 && sent.touches("accounts")) {
            match sent.operation.as_str() {
                "UpdateItem" => self.enter(&sent.body),
                "TransactWriteItems" => self.enter_transaction(&sent.body),
                _ => {}
            }
        }
    }

    /// Returns how often a call was charged.
    pub(super) fn charges(&self, request_id: &str) -> usize {
        self.landed
            .get(&step("charge", request_id))
            .map_or(0, |used| used.iter().filter(|used| **used == paid().cast_signed()).count())
    }

    /// Returns how often a call was refunded.
    pub(super) fn refunds(&self, request_id: &str) -> usize {
        self.landed
            .get(&step("refund", request_id))
            .map_or(0, |used| used.iter().filter(|used| **used == -paid().cast_signed()).count())
    }

    /// Returns the steps that changed an account twice.
    pub(super) fn repeated(&self) -> usize {
        self.landed.values().filter(|used| used.iter().filter(|used| **used != 0).count() > 1).count()
    }

    fn enter_transaction(&mut self, body: &Value) {
        // The engine answers a repeated token without writing again.
        let token = body["ClientRequestToken"].as_str().expect("every transaction has a token").to_owned();
        if !self.tokens.insert(token) {
            return;
        }
        let writes = body["TransactItems"].as_array().expect("a transaction has writes");
        let updates = writes.iter().map(|write| &write["Update"]);
        updates
            .filter(|update| update["TableName"] == "marquee-accounts")
            .for_each(|update| self.enter(update));
    }

    fn enter(&mut self, update: &Value) {
        let (mut mark, mut used) = (None, 0);
        let clauses = update["UpdateExpression"].as_str().expect("an update says what it does");
        let values = &update["ExpressionAttributeValues"];
        let names = &update["ExpressionAttributeNames"];
        for clause in
            clauses.trim_start_matches("SET ").split(" REMOVE ").next().unwrap_or_default().split(", ")
        {
            // A list of arguments has commas too: what follows its first one sets nothing.
            let Some((target, value)) = clause.split_once(" = ") else { continue };
            let value = &values[value.rsplit(' ').next().unwrap_or_default()];
            if let Some(bytes) = value["B"].as_str() {
                mark = STANDARD.decode(bytes).ok();
            }
            if names[target] == "used" {
                used = value["N"].as_str().and_then(|used| used.parse().ok()).expect("a number");
            }
        }
        if let Some(mark) = mark {
            let step = mark[..6].try_into().expect("a mark begins with its step");
            self.landed.entry(step).or_default().push(used);
        }
    }
}

fn step(kind: &str, request_id: &str) -> StepName {
    let hexadecimal: Vec<u8> = request_id.bytes().filter(|byte| *byte != b'-').collect();
    let pairs = hexadecimal.chunks(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    let mut named = kind.as_bytes().to_vec();
    named.extend(pairs.map(|pair| u8::from_str_radix(pair, 16).expect("a request id is a UUID")));
    digest(&SHA256, &named).as_ref()[..6].try_into().expect("six bytes")
}

/// What a call of either library costs.
pub(super) fn paid() -> Credits {
    let prices = [price(Product::ScenarioCampaignCrud), price(Product::ScenarioEventCrud)];
    assert_eq!(prices[0], prices[1], "this traffic treats the libraries alike");
    prices[0]
}
