//! Calls each operation in ways that return every status that openapi.yaml documents for it.

mod account;
mod analytics;
mod assets;
mod client_links;
mod measurements;
mod tiles;

use std::collections::BTreeSet;

use accounting::{ACCOUNT_API_CALLS_PER_MINUTE, Product, Scopes, Tier};
use harness::{Answer, Call, Fault, OPERATIONS, Operation, TestOrg, World, price};
use http::Method;
use marquee::serve::Function;
use serde_json::json;

/// A body size that exceeds every operation's limit.
const OVERSIZED_BYTES: usize = 7 * 1024 * 1024;

/// An operation to call, and the world that contains the resources for the call.
struct Case<'a> {
    operation: &'static Operation,
    world: &'a World,
    org: &'a TestOrg,
    /// The path of a successful call.
    path: &'a str,
    /// The name and the value of a header with a valid credential.
    credential: (&'static str, String),
}

impl<'a> Case<'a> {
    /// Creates a valid call without credentials.
    fn call(&self) -> Call<'a> {
        self.operation.call(self.world, self.path)
    }

    /// Creates a valid call with the given key.
    fn call_with(&self, key: &str) -> Call<'a> {
        self.call().header(self.operation.key_header(), key)
    }

    /// Creates a call with the given key. If the operation takes a body, the body is invalid.
    fn malformed_call_with(&self, key: &str) -> Call<'a> {
        let call = self.world.call(self.operation.method.clone(), self.path);
        let call = call.header(self.operation.key_header(), key);
        match self.operation.body {
            Some(_) => call.json(&json!({ "unknown": 1 })),
            None => call,
        }
    }

    /// Creates a valid call with the organization's credential.
    fn good_call(&self) -> Call<'a> {
        self.call_at(self.path)
    }

    /// Creates a call to a different path with the organization's credential.
    fn call_at(&self, path: &str) -> Call<'a> {
        let (header, value) = &self.credential;
        self.operation.call(self.world, path).header(header, value)
    }

    /// Creates a call with a different body and the organization's credential.
    fn call_of(&self, content_type: &str, body: String) -> Call<'a> {
        let (header, value) = &self.credential;
        let call = self.world.call(self.operation.method.clone(), self.path);
        call.header(header, value).bytes(content_type, body)
    }

    /// Creates a call that returns `status` for most operations. Returns `None` if there is no such call.
    async fn in_general(&self, status: u16) -> Option<Call<'a>> {
        let Self { operation, world, org, path, .. } = self;
        let call = match status {
            _ if status == operation.success() => self.good_call(),
            400 if operation.method == Method::POST && operation.body.is_some() => {
                self.call_of("application/json", json!({ "unknown": 1 }).to_string())
            }
            400 if operation.id.starts_with("list_") && !operation.id.starts_with("list_place_") => {
                self.call_at(&format!("{path}?limit=0"))
            }
            // A request with two credentials is rejected.
            400 => self.call_with(&org.key).bearer("x.y.z"),
            401 => self.call_with("nonsense"),
            402 if price(operation.product) > 0 => {
                self.malformed_call_with(&world.org_with("org_broke", Tier::Enterprise, 0).await.key)
            }
            403 => self.call_with(&world.key(&org.id, Scopes::default()).await),
            406 => self.call_with(&org.key).header("accept", "image/png"),
            413 if operation.body.is_some() => self.call_of("application/json", " ".repeat(OVERSIZED_BYTES)),
            415 if operation.body.is_some() => self.call_of("text/plain", "{}".to_owned()),
            429 if operation.product.has_account_api_limit() => {
                exhaust_account_api_limit(world, &self.credential).await;
                self.good_call()
            }
            429 => self.malformed_call_with(&busy(world).await.key),
            500 => {
                drop_table(world, "accounts").await;
                self.good_call()
            }
            503 => {
                world.wire.inject_faults(|_| Fault::ErrorBeforeCommit);
                self.good_call()
            }
            _ => return None,
        };
        Some(call)
    }
}

/// Creates an organization that has reached its rate limit.
async fn busy(world: &World) -> TestOrg {
    let busy = world.org_with("org_busy", Tier::Sandbox, 0).await;
    for _ in 0..10 {
        let answer = world.get("/v2/scenarios/campaigns/summary").key(&busy.key).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    busy
}

/// Uses up the account API limit for the current minute by calling an operation that accepts the credential.
async fn exhaust_account_api_limit(world: &World, (header, value): &(&'static str, String)) {
    let path = if *header == "authorization" { "/v2/account" } else { "/v2/billing/bills" };
    for _ in 0..ACCOUNT_API_CALLS_PER_MINUTE {
        let answer = world.get(path).header(header, value).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

async fn drop_table(world: &World, table: &str) {
    let deletion = world.engine().delete_table().table_name(format!("marquee-{table}"));
    deletion.send().await.expect("a response");
}

/// Calls an operation so that it returns `status`. Returns `None` if no such call is known.
async fn drive(operation: &'static Operation, status: u16) -> Option<Answer> {
    let (world, org) = World::with_org().await;
    let path = operation.path_for(&world, &org, &world.router()).await;
    let credential = operation.credential(&world, &org).await;
    if operation.product == Product::BaseMap && status == 503 {
        let unready = ::tiles::routes(&world.app).into_unready_router();
        return Some(operation.call(&world, &path).send_to(unready).await);
    }
    let case = Case { operation, world: &world, org: &org, path: &path, credential };
    let special = match operation.function {
        _ if [Product::ClientLinks, Product::ClientView].contains(&operation.product) => {
            client_links::special(&case, status).await
        }
        Function::Campaigns | Function::Events => assets::special(&case, status).await,
        Function::Places | Function::Audiences | Function::Inventory => analytics::special(&case, status),
        Function::Estimates => match measurements::special(&case, status).await {
            Some(call) => Some(call),
            None => analytics::special(&case, status),
        },
        Function::Tiles => tiles::special(&case, status).await,
        Function::Account => account::special(&case, status).await,
        Function::Portal | Function::Mcp => None,
    };
    let call = match special {
        Some(call) => call,
        None => case.in_general(status).await?,
    };
    if operation.family().is_none() {
        return Some(call.send().await);
    }
    let before = world.account(&org).await.totals;
    let answer = call.send().await;
    if answer.status.is_server_error() {
        let after = world.account(&org).await.totals;
        assert_eq!((answer.credits_used(), after), (0, before), "{} {status}", operation.name());
    }
    Some(answer)
}

#[tokio::test]
async fn every_operation_returns_every_documented_status() {
    let (mut driven, mut gaps) = (BTreeSet::new(), Vec::new());
    for operation in OPERATIONS.iter() {
        let name = operation.name();
        for status in &operation.statuses {
            match drive(operation, *status).await {
                Some(answer) if answer.status == *status => drop(driven.insert(name.clone())),
                Some(answer) => gaps.push(format!("{name} {status} returned {}", answer.status)),
                None => gaps.push(format!("{name} {status} has no case")),
            }
        }
    }
    assert!(gaps.is_empty(), "{gaps:#?}");
    assert_eq!(driven.len(), OPERATIONS.len(), "{driven:?}");
}
