//! The main surface: routes with their products, envelopes, headers, errors and the log line.
//!
//! What a caller reads is worded here. Nothing here knows a route, nor how anything is stored.

mod admission_middleware;
mod body;
mod caller;
mod code;
mod compression;
mod content_type;
mod cors;
mod docs_url;
mod entity_tag;
mod envelope;
mod error;
mod idempotency;
mod not_admitted;
mod preference;
mod provenance;
mod public_url;
mod receipt;
mod reply;
mod request_middleware;
mod routes;
mod stage;
mod tables;
mod warnings;

pub use admission_middleware::Terms;
pub use body::JsonBody;
pub use caller::{Caller, CallingPerson, ClientAddress, Manager};
pub use code::Code;
pub use error::ApiError;
pub use idempotency::{CreateKey, Created};
pub use public_url::PublicUrl;
pub use reply::{NoContent, Pagination, Reply};
pub use routes::{Operation, Routes};
pub use stage::StageVariable;
pub use tables::{Feature, PointMembers, Table};
pub use warnings::{Warning, Warnings};
