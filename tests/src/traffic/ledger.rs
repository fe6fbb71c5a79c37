//! The charges and refunds that reached the database. The audit compares them with the service's responses.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use store::{EntryId, RequestId};

use crate::Sent;

/// The changes to used credits that took effect, by ledger entry.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// How often each entry changed an account's used credits.
    landed: BTreeMap<EntryId, usize>,
    tokens: BTreeSet<String>,
}

impl Ledger {
    /// Records the requests that the engine processed successfully.
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
        self.landed(EntryId::charge(request(request_id)))
    }

    /// Returns how often a call was refunded.
    pub(super) fn refunds(&self, request_id: &str) -> usize {
        self.landed(EntryId::refund(request(request_id)))
    }

    /// Returns the number of entries that were applied to an account more than once.
    pub(super) fn repeated(&self) -> usize {
        self.landed.values().filter(|times| **times > 1).count()
    }

    fn landed(&self, entry: EntryId) -> usize {
        self.landed.get(&entry).copied().unwrap_or(0)
    }

    fn enter_transaction(&mut self, body: &Value) {
        // The engine ignores a transaction whose token it has already seen.
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

    /// Records an update if it changes the used credits.
    fn enter(&mut self, update: &Value) {
        let names = update["ExpressionAttributeNames"].as_object().expect("an update has attribute names");
        let values = update["ExpressionAttributeValues"].as_object().expect("an update has values");
        let update = update["UpdateExpression"].as_str().expect("an update has an expression");
        let Some(used) = names.iter().find(|(_, name)| *name == "used").map(|(placeholder, _)| placeholder)
        else {
            return;
        };
        let is_used_set = update.contains(&format!("{used} = "));
        let entry = values.values().find_map(|value| value["B"].as_str());
        if let Some(entry) = entry.filter(|_| is_used_set) {
            let bytes = STANDARD.decode(entry).expect("base64");
            let entry = EntryId::from_bytes(&bytes).expect("an entry ID");
            *self.landed.entry(entry).or_default() += 1;
        }
    }
}

pub fn request(id: &str) -> RequestId {
    let digits: String = id.chars().filter(|digit| *digit != '-').collect();
    let number = u128::from_str_radix(&digits, 16).expect("a request ID is a UUID");
    RequestId::from_random(number.to_be_bytes())
}
