//! Valid bodies with every optional member, for all operations that take a body. Batches are omitted, because
//! a batch with an invalid asset succeeds and reports the violations in that asset's result.

use axum::body;
use harness::{Call, OPERATIONS, Operation, TestOrg, World};
use serde_json::Value;

/// An operation that takes a body, and a valid body with every member.
pub(super) struct Body {
    pub(super) operation: &'static Operation,
    path: String,
    /// The name and the value of a header with a valid credential.
    credential: (&'static str, String),
    pub(super) valid: Value,
}

impl Body {
    /// Returns the operation ID with spaces instead of underscores, such as `create campaign`.
    pub(super) fn name(&self) -> String {
        self.operation.id.replace('_', " ")
    }

    /// Creates a call with JSON text as its body.
    pub(super) fn call<'a>(&self, world: &'a World, text: String) -> Call<'a> {
        self.call_of(world, text)
    }

    /// Creates a call with a JSON body, which may be a stream.
    pub(super) fn call_of<'a>(&self, world: &'a World, body: impl Into<body::Body>) -> Call<'a> {
        self.call_as(world, "application/json", body)
    }

    /// Creates a call with a body of the given media type.
    pub(super) fn call_as<'a>(
        &self,
        world: &'a World,
        media_type: &str,
        body: impl Into<body::Body>,
    ) -> Call<'a> {
        let call = world.call(self.operation.method.clone(), &self.path);
        let (header, value) = &self.credential;
        call.header(header, value).bytes(media_type, body)
    }
}

/// Returns every operation that takes a body, except batches. Includes only one route per operation.
pub(super) async fn all(world: &World, org: &TestOrg) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    for operation in OPERATIONS.iter().filter(|operation| !operation.is_batch()) {
        let Some(valid) = operation.body else { continue };
        if bodies.iter().all(|body| body.operation.id != operation.id) {
            let path = operation.path_for(world, org, &world.router()).await;
            let credential = operation.credential(world, org).await;
            bodies.push(Body { operation, path, credential, valid: valid() });
        }
    }
    bodies
}

/// Returns JSON pointers to every value in a body, starting with the body itself.
pub(super) fn pointers(body: &Value) -> Vec<String> {
    let mut pointers = vec![String::new()];
    let mut next = 0;
    while let Some(pointer) = pointers.get(next).cloned() {
        match body.pointer(&pointer).expect("a pointer") {
            Value::Object(members) => pointers.extend(members.keys().map(|name| format!("{pointer}/{name}"))),
            Value::Array(items) => {
                pointers.extend((0..items.len()).map(|index| format!("{pointer}/{index}")))
            }
            _ => {}
        }
        next += 1;
    }
    pointers
}
