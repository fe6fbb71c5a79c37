//! Admission: who calls, how often, and what it costs, settled in one conditional write.
//!
//! What is decided is in the crate `accounting`, and `store::settle` makes it happen once, however the database
//! answers. Nothing here knows headers: why a call is not admitted is an error for `http` to write.

mod admissions;
mod bearer;
mod charge;
mod identify;
mod identity;
mod not_admitted;
mod ring_crypto;
mod session;

pub use admissions::Admissions;
pub use charge::{Admission, PendingCharge};
pub use identity::{Identified, Identity, RequestCredentials};
pub use not_admitted::NotAdmitted;
