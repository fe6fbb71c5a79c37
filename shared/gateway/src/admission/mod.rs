//! Admission of calls: identifies the caller, checks rate limits, and charges the call in a single
//! conditional write.
//!
//! The `accounting` crate decides on charges, and `store::post` applies them at most once, even if the
//! database doesn't respond. `http` writes the error responses for calls that aren't admitted.

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
