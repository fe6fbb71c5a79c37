//! Storage: one struct for each aggregate, with one method for each access pattern.
//!
//! All that touches a table is here, whichever function uses it: every key stands in `keys.rs`, every
//! attribute beside the code that reads and writes it. Nothing here knows a request, a price, or why an
//! account changes.

mod account_change;
mod account_item;
mod account_update;
mod accounts;
mod applied_events;
mod assets;
mod batch;
mod bills;
mod bodies;
mod client;
mod clock_skew;
mod connect;
mod creates;
mod credentials;
mod customer_scenarios;
mod directory;
mod error;
mod expression;
mod grant_history;
mod grant_lives;
mod head;
mod invitations;
mod item;
mod key_item;
mod keys;
mod library_index;
mod listing;
mod members;
mod org_profile;
mod portal_rates;
mod purchase;
mod query;
mod retry_marker;
mod sessions;
mod sign_ups;
mod standing;
mod tables;
mod tile_grant_item;
mod tile_grants;
mod tile_slots;
mod transaction;
mod transitions;
mod usage;

pub use account_change::{
    AccountChange, GrantEvent, MarkedAccount, MarkedChange, ReplacedGrant, Rollover, SuspensionChange,
    TotalsChange, UsageChange, WindowChange,
};
pub use accounts::{Accounts, ApplyFailure};
pub use applied_events::{AppliedEvent, AppliedPurchase};
pub use assets::{Asset, Assets, Attempt, Content, WriteFailure};
pub use bills::{Bills, Statement};
pub use bodies::{MAX_COMPRESSED_BYTES, MAX_ESCAPED_BYTES, TooLarge, escaped_len};
pub use client::Dynamo;
pub use connect::connect;
pub use creates::{KeyLookup, KeyUse, UnusedKey};
pub use credentials::{Credentials, MAX_ENDED_KEYS, MintFailure, MintedKey, NewKey, Revocation};
pub use directory::{ListedOrg, OrgPage};
pub use error::StoreError;
pub use grant_history::{GrantRecord, RecordedEnd};
pub use grant_lives::{GrantLife, GrantState};
pub use head::{Head, IndexedMembers};
pub use invitations::{Acceptance, FoundInvitation, Invitation, InvitationEnd, InvitationRevocation};
pub use key_item::{Key, KeyState};
pub use listing::{AssetFilter, Counts, Page, PageRequest};
pub use members::{Mapping, Member, Members};
pub use org_profile::OrgProfile;
pub use portal_rates::PortalCount;
pub use purchase::Purchase;
pub use retry_marker::{MarkerChange, RetryMarker, RetryMarkers};
pub use sessions::OpenSession;
pub use sign_ups::{PastSignUps, SignUp, SignUpFailure, SignUps};
pub use tables::{create_tables, table_names};
pub use tile_grant_item::{ListedTileGrant, SignedTileGrant, TileGrant, TileSecret};
pub use tile_grants::{TileGrantFailure, TileGrantPage, TileGrantPosition, TileGrants};
pub use transitions::{EventIdentity, EventLookup, Tombstone, Transition, TransitionFailure};
