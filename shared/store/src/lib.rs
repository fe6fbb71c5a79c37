//! Storage: three DynamoDB tables, one struct per aggregate, and one method per access pattern.
//!
//! All code that reads or writes a table is in this crate. `keys.rs` defines all keys, and each attribute is
//! defined next to the code that uses it. `ledger` posts entries to an account at most once, even when the
//! database doesn't respond. This crate doesn't handle requests or prices, and it doesn't decide which
//! changes to make.
//!
//! See `docs/decisions/0002-storage-and-transactions.md`.

mod account_api_rates;
mod account_item;
mod account_update;
mod accounts;
mod api_key;
mod applied_events;
mod asset;
mod assets;
mod batch;
mod bills;
mod bodies;
mod change;
mod changes;
mod client;
mod client_link;
mod client_links;
mod clock_check;
mod clock_skew;
mod connect;
mod connection;
mod creates;
mod credentials;
mod customer_index;
mod deliveries;
mod delivery;
mod directory;
mod entry;
mod error;
mod expression;
mod grant_history;
mod head;
mod ids;
mod invitation;
mod invitations;
mod item;
mod key_item;
mod keys;
mod ledger;
mod library_index;
mod listing;
mod low_credits;
mod mailbox;
mod members;
mod org_profile;
mod organization;
mod person;
mod purchase;
mod puts;
mod query;
mod reports;
mod role;
mod scenario;
mod scheduled_checks;
mod sessions;
mod sign_up_limits;
mod sign_ups;
mod slots;
mod standing;
mod stream;
mod tables;
mod tile_grant_item;
mod tile_grants;
mod tiles;
mod transaction;
mod transitions;
mod webhook;
mod webhooks;

pub use account_api_rates::AccountApiCount;
pub use account_item::{StoredAccount, Version};
pub use accounts::{Accounts, EntryFailure};
pub use api_key::{KeyLabel, MAX_KEY_DAYS};
pub use applied_events::AppliedEvent;
pub use asset::{AssetState, Family};
pub use assets::{Asset, Assets, Attempt, Content, WriteFailure};
pub use bills::{Bills, Statement};
pub use bodies::{MAX_COMPRESSED_BYTES, MAX_ESCAPED_BYTES, TooLarge, escaped_len};
pub use change::{CHANGE_DAYS, MessageId, RecordedChange};
pub use changes::{ChangePage, Changes, NewChange};
pub use client::Dynamo;
pub use client_link::{ClientLink, ClientLinkId, ClientLinkToken, MAX_LIVE_CLIENT_LINKS};
pub use client_links::ClientLinks;
pub use clock_check::ClockSkewed;
pub use connect::connect;
pub use connection::Connection;
pub use creates::{KeyLookup, KeyUse, UnusedKey};
pub use credentials::{CreatedKey, Credentials, MAX_ENDED_KEYS, NewKey};
pub use deliveries::Deliveries;
pub use delivery::{Attempted, Delivery, DeliveryState};
pub use directory::{ListedOrg, OrgPage};
pub use entry::{EntryId, RecentEntries};
pub use error::StoreError;
pub use grant_history::{GrantLife, GrantState};
pub use head::{Head, IndexedMembers};
pub use ids::{ApiKey, AssetId, EventId, IdempotencyKey, RequestId, SecretDigest, VisibleText};
pub use invitation::{
    INVITATION_DAYS, InvitationId, InvitationState, InvitationToken, MAX_LIVE_INVITATIONS,
    MAX_MAILED_INVITATIONS,
};
pub use invitations::{Invitation, InvitationEnd};
pub use key_item::{Key, KeyState};
pub use ledger::{Ledger, PostError, Posted, post};
pub use listing::{AssetFilter, Counts, Page, PageRequest};
pub use members::{Member, Members, NewMember};
pub use org_profile::OrgProfile;
pub use organization::{OrgName, PersonName};
pub use person::{AccountApiCaller, Actor, Email, MAX_MEMBERS, MemberId, Membership, Person, Subject};
pub use purchase::Purchase;
pub use puts::PutAsset;
pub use reports::{ReportTooLarge, StoredReport};
pub use role::{Permission, Role};
pub use scenario::{CustomerDigest, CustomerScenarioDigest, NormalizedName};
pub use scheduled_checks::{ScheduledCheck, ScheduledChecks};
pub use sessions::OpenSession;
pub use sign_up_limits::{AddressRange, SignUpGroup, SignUpLimit};
pub use sign_ups::{PastSignUps, SignUp, SignUpFailure, SignUps};
pub use standing::{CreateFailure, Revocation};
pub use stream::{ChangeDetails, Observed, STREAM_SORT_KEY_PREFIXES, StreamEvent, StreamRecord};
pub use tables::{create_tables, table_names};
pub use tile_grant_item::{ListedTileGrant, SignedTileGrant, TileGrant, TileSecret};
pub use tile_grants::{TileGrantPage, TileGrantPosition, TileGrants};
pub use tiles::{MAX_LIVE_TILE_GRANTS, TileGrantId, TileProduct};
pub use transitions::{AccountChange, EventIdentity, EventLookup, Tombstone, Transition};
pub use webhook::{
    ChangeType, DisabledReason, InvalidWebhookUrl, MAX_WEBHOOKS, PREVIOUS_SECRET_HOURS, Webhook, WebhookId,
    WebhookSecret, WebhookUrl,
};
pub use webhooks::{SUCCESS_SECONDS, WebhookEdit, WebhookFailure, Webhooks};
