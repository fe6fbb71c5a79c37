//! The domain's words and tables: ids, people, products, tiers, credits, accounts, assets and time.
//!
//! A value in hand is valid, since each is parsed once. Nothing here reads a request, knows HTTP, or knows
//! how anything is stored.

mod account;
mod api_key;
mod asset;
mod bill;
mod grant;
mod ids;
mod invitation;
mod names;
mod organization;
mod person;
mod product;
mod provenance;
mod purchase_names;
mod scenario;
mod scope;
mod tier;
mod tiles;
mod timestamp;
mod usage;

pub use account::{
    Account, AccountKey, Holder, LimitedCaller, MAX_CLOCK_ERROR_SECONDS, MAX_LIVE_KEYS, RateWindow, Totals,
};
pub use api_key::{InvalidLabel, KeyLabel, MAX_KEY_DAYS};
pub use asset::{AssetState, Family};
pub use bill::{Bill, BillTotals, Deductions};
pub use grant::{Credits, Draw, Grant, GrantEnd, GrantId, GrantKind, PrepaidKind, burn_order};
pub(crate) use ids::sha256_hex;
pub use ids::{
    ApiKey, AssetId, BillingName, EventId, IdempotencyKey, InvalidId, KeyDigest, KeyId, OrgId, RequestId,
    SessionId,
};
pub use invitation::{
    INVITATION_DAYS, InvitationDigest, InvitationId, InvitationState, InvitationToken, MAX_LIVE_INVITATIONS,
};
pub use names::UnknownName;
pub use organization::OrgName;
pub use person::{Actor, Email, MAX_MEMBERS, MemberId, Membership, Person, PortalCaller, Role, Subject};
pub use product::{Audience, PORTAL_CALLS_PER_MINUTE, Product};
pub use provenance::{Maturity, Provenance, RecordSource};
pub use purchase_names::{InvalidPurchaseNames, PurchaseNames};
pub use scenario::{CustomerScenarioDigest, FoldedName};
pub use scope::{Scope, Scopes};
pub use tier::{AccessTier, FirstGrant, MAX_MONTHLY_CAP, Plan, Tier};
pub use tiles::{MAX_LIVE_TILE_GRANTS, TileGrantDigest, TileGrantId, TileProduct};
pub use timestamp::{Day, InvalidDay, Month, Timestamp};
pub use usage::{DayUsage, Usage, UsageLine, sum_of_usage};
