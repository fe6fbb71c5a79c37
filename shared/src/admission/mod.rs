//! Admission: who calls, how often, and what it costs, settled in one conditional write.
//!
//! `decide`, `refund`, `add_grant`, `change_plan` and the like are pure: an account, a price and a moment
//! make a change or a refusal.
//! `settle` makes the change happen once, however the database answers. Nothing here knows HTTP: why a call
//! is not admitted is an enum, which `http` puts into words.

mod admissions;
mod bearer;
mod bookkeeping;
mod charge;
mod clock_check;
mod decide;
mod error;
mod grants;
mod history;
mod identify;
mod identity;
mod metered;
mod notices;
mod refund;
mod ring_crypto;
mod session;
mod settle;
mod step;
mod suspension;

pub use admissions::Admissions;
pub use charge::{Admission, PendingCharge};
pub use decide::{
    Call, Charge, InsufficientCredits, Price, PurchaseRefusal, RateLimitOf, Refusal, decide, decide_purchase,
};
pub use error::{AdmissionError, ClockSkewed, Forbidden, InvalidToken, Unauthenticated};
pub use grants::{
    MAX_LIVE_GRANTS, NotRevocable, PrepaidGrant, TooManyGrants, add_grant, organization_account, revoke_grant,
};
pub use identity::{Identified, Identity, RequestCredentials};
pub use metered::change_plan;
pub use refund::{refund, refundable};
pub use settle::{Decision, Effects, Refused, Settled, StartingPoint, Step, Unsettled, settle};
pub use step::StepId;
pub use suspension::{resume, suspend};
