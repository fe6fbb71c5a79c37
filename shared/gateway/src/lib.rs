//! The code around every function's handlers. It turns requests into handler calls, and handler results into
//! responses.
//!
//! `input` parses requests, `admission` identifies callers and charges calls, and `http` handles routing and
//! writes envelopes, headers, errors, and the log line. Functions define their own routes, and the `store`
//! crate defines the tables. Each module depends only on the modules to its left: input ← error ← admission ←
//! app ← http.

mod admission;
mod app;
mod code;
mod config;
mod error;
mod http;
mod input;
mod reopen;
mod serve;

pub use admission::{
    Admission, Admissions, Identified, Identity, NotAdmitted, PendingCharge, RequestCredentials,
};
pub use app::App;
pub use code::Code;
pub use config::{Config, ConfigError, INTERFACE_VERSION, Issuer, MailSender, SelfSignUp};
pub use error::ApiError;
pub use input::{
    Bounded, DISTANCE, GeoBoundingBox, GeoDistance, GeoPoint, Identifier, InvalidValue, Items, Kilometers,
    MAX_SEARCH_TEXT, Named, Page, PagePosition, Parsed, Patch, QueryParameters, Replace, SearchPage,
    SearchText, SortOrder, Violation, Violations, distances_without_circle, one_of, quoted, read_cursor,
    requests_for, unknown_name, write_cursor,
};
pub use reopen::router_of_release;
pub use serve::serve;

pub use self::http::{
    AuthorizedMember, Batch, Caller, CallingPerson, ClientAddress, CreateKey, Created, EXAMPLE_API_ORIGIN,
    EntityTags, Feature, JsonBody, JsonMembers, MATURITY, MalformedEntityTags, NoContent, Operation,
    OperationKey, Pagination, PathId, PointMembers, PublicUrl, Reply, Routes, Settled, StageVariable, Table,
    Terms, Warning, Warnings, read_idempotency_key, replace_example_origins, with_security_headers,
};
