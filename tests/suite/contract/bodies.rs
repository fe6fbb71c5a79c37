//! Every body of the interface, each with every member that it may have.

use axum::body;
use harness::{Call, OPERATIONS, Operation, TestOrg, World};
use serde_json::Value;

/// An operation that takes a body, and a valid one with every member.
pub(super) struct Body {
    pub(super) operation: &'static Operation,
    path: String,
    /// The header of a good call's credential, and its value.
    credential: (&'static str, String),
    pub(super) valid: Value,
}

impl Body {
    /// Returns the operation's name in words: `create campaign`.
    pub(super) fn name(&self) -> String {
        self.operation.id.replace('_', " ")
    }

    /// Starts a call of the operation with another body.
    pub(super) fn call<'a>(&self, world: &'a World, text: String) -> Call<'a> {
        self.call_of(world, text)
    }

    /// Starts a call of the operation with a body that comes as it likes.
    pub(super) fn call_of<'a>(&self, world: &'a World, body: impl Into<body::Body>) -> Call<'a> {
        self.call_as(world, "application/json", body)
    }

    /// Starts a call of the operation with a body of any media type.
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

/// Returns every operation that takes a body; of those at two doors, the one on the main surface.
pub(super) async fn all(world: &World, org: &TestOrg) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    for operation in OPERATIONS.iter() {
        let Some(valid) = operation.body else { continue };
        if bodies.iter().all(|body| body.operation.id != operation.id) {
            let path = operation.path_for(world, org, &world.router()).await;
            let credential = operation.credential(world, org).await;
            bodies.push(Body { operation, path, credential, valid: valid() });
        }
    }
    bodies
}

/// Returns the JSON pointers to everything in a body, the body itself first.
pub(super) fn pointers(body: &Value) -> Vec<String> {
    let mut pointers = vec![String::new()];
    let mut next = 0;
    while let Some(pointer) = pointers.get(next).cloned() {
        match body.pointer(&pointer).expect("a value") {
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
