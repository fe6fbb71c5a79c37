//! Storage: one struct for each aggregate, with one method for each access pattern.
//!
//! All that touches a table is here, whichever function uses it: every key stands in `keys.rs`, every
//! attribute beside the code that reads and writes it. Nothing here knows a request, a price, or why an
//! account changes.

mod account_change;
mod account_item;
mod account_update;
mod accounts;
mod assets;
mod batch;
mod bills;
mod bodies;
mod client;
mod clock_skew;
mod connect;
mod credentials;
mod directory;
mod error;
mod expression;
mod grant_history;
mod head;
mod item;
mod keys;
mod listing;
mod purchase;
mod retry_marker;
mod sessions;
mod subjects;
mod tables;
mod tile_grant_item;
mod tile_grants;
mod tile_slots;
mod transaction;
mod transitions;

pub use account_change::{
    AccountChange, GrantEvent, MarkedAccount, MarkedChange, ReplacedGrant, Rollover, SuspensionChange,
    TotalsChange, UsageChange, WindowChange,
};
pub use accounts::{Accounts, ApplyFailure};
pub use assets::{Asset, Assets, Attempt, WriteFailure};
pub use bills::Statement;
pub use bodies::{MAX_COMPRESSED_BYTES, MAX_ESCAPED_BYTES, TooLarge, escaped_len};
pub use client::Dynamo;
pub use connect::connect;
pub use credentials::{Credentials, Key, MintFailure, NewKey};
pub use directory::{ListedOrg, OrgPage};
pub use error::StoreError;
pub use grant_history::{GrantRecord, RecordedEnd};
pub use head::Head;
pub use listing::{AssetPage, Counts, PageRequest};
pub use purchase::Purchase;
pub use retry_marker::{MarkerChange, RetryMarker, RetryMarkers};
pub use sessions::OpenSession;
pub use subjects::MappedSubject;
pub use tables::{create_tables, table_names};
pub use tile_grant_item::{ListedTileGrant, SignedTileGrant, TileGrant, TileSecret};
pub use tile_grants::{TileGrantFailure, TileGrantPage, TileGrantPosition, TileGrants};
pub use transitions::{EventLookup, IdempotencyKey, Tombstone, Transition, TransitionFailure};
