//! The gateway that every function runs behind: it turns requests into handler calls and results into
//! responses.
//!
//! `input` parses requests, `admission` identifies callers and charges their calls, and `http` contains
//! routes, envelopes, headers, errors, and the log line. This crate has no knowledge of routes, tables, or
//! keys. Dependencies point one way: input ← error ← admission ← app ← http.

mod admission;
mod app;
mod code;
mod config;
mod error;
mod http;
mod input;
mod serve;

pub use admission::{
    Admission, Admissions, Identified, Identity, NotAdmitted, PendingCharge, RequestCredentials,
};
pub use app::App;
pub use code::Code;
pub use config::{Config, ConfigError, INTERFACE_VERSION, Issuer, SelfSignUp};
pub use error::ApiError;
pub use input::{
    Bounded, DISTANCE, GeoBoundingBox, GeoDistance, Identifier, InvalidValue, Items, MAX_SEARCH_TEXT, Named,
    Page, PagePosition, Parsed, Patch, QueryParameters, Replace, SearchPage, SearchText, SortOrder,
    Violation, Violations, distances_without_circle, one_of, quoted, read_cursor, unknown_name, write_cursor,
};
pub use serve::serve;

pub use self::http::{
    AuthorizedMember, Caller, CallingPerson, ClientAddress, CreateKey, Created, Feature, JsonBody,
    JsonMembers, NoContent, Operation, Pagination, PointMembers, PublicUrl, Reply, Routes, StageVariable,
    Table, Terms, Warning, Warnings,
};
