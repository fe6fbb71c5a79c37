//! Admission: identifies the caller, checks the rate limits, and charges the call in one conditional write.
//!
//! The crate `accounting` makes the decision, and `store::post` applies it at most once, even if the database
//! doesn't respond. This module doesn't handle headers: `http` writes the errors of calls that aren't
//! admitted.

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
