//! The domain's words, parsed once: a value in hand is valid.

mod account;
mod asset;
mod change;
mod clock;
mod cursor;
mod ids;
mod origin;
mod page;
mod parameters;
mod product;
mod random;
mod tiles;
mod timestamp;
pub mod wire;

pub use account::{
    Account, AccountKey, Credits, DayUsage, Draw, Grant, GrantId, GrantKind, MAX_LIVE_GRANTS, Ring, SlotMark, Tier,
    Totals, Usage, UsageLine, Window,
};
pub use asset::{AssetState, Family};
pub use change::{AccountChange, Hit, Mark, TotalsChange, UsageChange};
pub use clock::Clock;
pub use cursor::{read_cursor, write_cursor};
pub use ids::{ApiKey, AssetId, BillingName, EventId, InvalidId, KeyDigest, KeyId, OrgId, RequestId, SessionId};
pub(crate) use ids::{hex, sha256_hex};
pub use origin::PageOrigin;
pub use page::{Page, PageBounds, PagePosition};
pub use parameters::Parameters;
pub use product::{Audience, Product, Scope, Scopes};
pub use random::Random;
pub use tiles::{TileGrant, TileGrantDigest, TileGrantId, TileProduct, TileSecret};
pub use timestamp::{Day, Timestamp};
