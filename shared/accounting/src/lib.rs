//! The accounting rules for accounts, grants, bills, products, and tiers.
//!
//! All functions are pure. Decisions such as `decide`, `refund`, `add_grant`, and `change_plan` take an
//! account, and return either the change to make or the reason for rejecting the request. Parsing a value
//! also validates it. This crate doesn't depend on AWS, HTTP, or storage.

mod account;
mod bill;
mod change;
mod decide;
mod grant;
mod grants;
mod hex_digits;
mod ids;
mod metered;
mod names;
mod product;
mod purchase_names;
mod refund;
mod scope;
mod suspension;
mod tier;
mod timestamp;
mod usage;

pub use account::{
    Account, AccountKey, Holder, LimitedCaller, MAX_CLOCK_ERROR_SECONDS, MAX_LIVE_KEYS, RateWindow, Totals,
};
pub use bill::{Bill, BillTotals, Deductions};
pub use change::{Change, Declined, GrantEvent, Rollover};
pub use decide::{
    Call, Charge, InsufficientCredits, Price, PurchaseRefusal, RateLimitOf, Refusal, decide, decide_purchase,
    seconds_until,
};
pub use grant::{Credits, Drawdown, Grant, GrantEnd, GrantId, GrantKind, PrepaidKind, draw_order, signed};
pub use grants::{
    MAX_LIVE_GRANTS, NotRevocable, PrepaidGrant, TooManyGrants, add_grant, organization_account,
    revoke_grant, session_account,
};
pub use hex_digits::{HexDigits, KeyId, SessionId};
pub use ids::{InvalidId, Meter, OrgId, is_lower_hex, sha256_hex};
pub use metered::change_plan;
pub use names::UnknownName;
pub use product::{ACCOUNT_API_CALLS_PER_MINUTE, AuthRequirement, Product};
pub use purchase_names::{InvalidPurchaseNames, PurchaseNames};
pub use refund::{refund, refundable};
pub use scope::{Scope, Scopes};
pub use suspension::{resume, suspend};
pub use tier::{AccessTier, MAX_MONTHLY_CAP, Plan, SignUpGrant, Tier};
pub use timestamp::{Day, InvalidDay, Month, Timestamp};
pub use usage::{DayUsage, Usage, UsageLine, sum_of_usage};
