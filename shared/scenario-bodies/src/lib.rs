//! The bodies of campaigns and events: their members, the rules for the members, and the checks against a
//! data release.
//!
//! Requests, responses, and the database contain the same bodies. The functions that store scenarios and the
//! function that estimates them both read bodies with this crate.

mod campaign;
mod event;
mod geographies;
mod joins;
mod scenario;
mod unknown_ids;
mod value;

pub use campaign::{Campaign, Cohort, DateRange, Spot};
pub use event::{Event, Period};
pub use scenario::{Scenario, from_stored, read_body};
pub use unknown_ids::{ReferencedId, unknown_ids};
pub use value::{Date, DateTime, MAX_ITEMS, TimeZone, moment};
