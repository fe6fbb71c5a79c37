//! Campaign and event bodies: their members, validation rules, and checks against a data release.
//!
//! Requests, responses, and the database contain the same bodies. Both the functions that store scenarios and
//! the one that estimates them read bodies with this crate.

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
