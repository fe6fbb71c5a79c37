//! Admission: who calls, how often, and what it costs, settled in one conditional write.
//!
//! What is decided is in the crate `accounting`, and `store::settle` makes it happen once, however the database
//! answers. Nothing here knows HTTP: why a call is not admitted is an enum, which `http` puts into words.

mod admissions;
mod bearer;
mod charge;
mod error;
mod identify;
mod identity;
mod ring_crypto;
mod session;

pub use admissions::Admissions;
pub use charge::{Admission, PendingCharge};
pub use error::{AdmissionError, Forbidden, InvalidToken, Unauthenticated};
pub use identity::{Identified, Identity, RequestCredentials};
