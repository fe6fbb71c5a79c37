//! The API's HTTP layer: routing, envelopes, headers, errors, and the log line.
//!
//! This module doesn't define any routes and accesses the database directly only to look up idempotency
//! keys.

mod admit;
mod answer;
mod batch;
mod body;
mod caller;
mod compression;
mod content_type;
mod cors;
mod entity_tags;
mod envelope;
mod idempotency;
mod operation;
mod path_id;
mod preference;
mod provenance;
mod public_url;
mod receipt;
mod reply;
mod routes;
mod security_headers;
mod stage;
mod tables;
mod warnings;

pub use batch::{Batch, OperationKey, Settled};
pub use body::JsonBody;
pub use caller::{AuthorizedMember, Caller, CallingPerson, ClientAddress};
pub use entity_tags::{EntityTags, MalformedEntityTags};
pub use idempotency::{CreateKey, Created, read_idempotency_key};
pub use operation::{Operation, Terms};
pub use path_id::PathId;
pub use provenance::MATURITY;
pub use public_url::{EXAMPLE_API_ORIGIN, PublicUrl, replace_example_origins};
pub use reply::{NoContent, Pagination, Reply};
pub use routes::Routes;
pub use security_headers::with_security_headers;
pub use stage::StageVariable;
pub use tables::{Feature, JsonMembers, PointMembers, Table};
pub use warnings::{Warning, Warnings};
