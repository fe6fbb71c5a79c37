//! What landed in the accounts, as the wire saw it: the truth that the service's own answers are held to.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use store::{EntryId, RequestId};

use crate::Sent;

/// The writes of credits that landed, by entry.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// How often each entry changed what is used.
    landed: BTreeMap<EntryId, usize>,
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
        self.landed(EntryId::charge(request(request_id)))
    }

    /// Returns how often a call was refunded.
    pub(super) fn refunds(&self, request_id: &str) -> usize {
        self.landed(EntryId::refund(request(request_id)))
    }

    /// Returns the entries that changed an account twice.
    pub(super) fn repeated(&self) -> usize {
        self.landed.values().filter(|times| **times > 1).count()
    }

    fn landed(&self, entry: EntryId) -> usize {
        self.landed.get(&entry).copied().unwrap_or(0)
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

    /// Enters an update. It sets `used` only where that changes.
    fn enter(&mut self, update: &Value) {
        let names = update["ExpressionAttributeNames"].as_object().expect("an update names what it changes");
        let values = update["ExpressionAttributeValues"].as_object().expect("an update has values");
        let update = update["UpdateExpression"].as_str().expect("an update says what it does");
        let Some(used) = names.iter().find(|(_, name)| *name == "used").map(|(placeholder, _)| placeholder)
        else {
            return;
        };
        let is_used_set = update.contains(&format!("{used} = "));
        let entry = values.values().find_map(|value| value["B"].as_str());
        if let Some(entry) = entry.filter(|_| is_used_set) {
            let bytes = STANDARD.decode(entry).expect("base64");
            let entry = EntryId::from_bytes(&bytes).expect("an entry's id");
            *self.landed.entry(entry).or_default() += 1;
        }
    }
}

/// Returns a request's id from its text.
pub fn request(id: &str) -> RequestId {
    let digits: String = id.chars().filter(|digit| *digit != '-').collect();
    let number = u128::from_str_radix(&digits, 16).expect("a request id is a UUID");
    RequestId::from_random(number.to_be_bytes())
}
