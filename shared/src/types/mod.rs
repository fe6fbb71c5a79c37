//! The domain's words, parsed once: a value in hand is valid.

mod account;
mod asset;
mod change;
mod ids;
mod origin;
mod product;
mod provenance;
mod tiles;
mod timestamp;

pub use account::{
    Account, AccountKey, Credits, DayUsage, Draw, Grant, GrantId, GrantKind, MAX_LIVE_GRANTS, Ring, SlotMark, Tier,
    Totals, Usage, UsageLine, Window,
};
pub use asset::{AssetState, Family};
pub use change::{AccountChange, Hit, Mark, TotalsChange, UsageChange};
pub use ids::{ApiKey, AssetId, BillingName, EventId, InvalidId, KeyDigest, KeyId, OrgId, RequestId, SessionId};
pub(crate) use ids::{hex, sha256_hex};
pub use origin::PageOrigin;
pub use product::{Audience, Product, Scope, Scopes};
pub use provenance::{Maturity, Provenance};
pub use tiles::{TileGrant, TileGrantDigest, TileGrantId, TileProduct, TileSecret};
pub use timestamp::{Day, Timestamp};
