//! Every key string of the three tables.
//!
//! ```text
//! accounts     org#<org>            account             an organization's account
//!              org#<org>            usage#<day>         one past day's usage
//!              org#<org>            bill#<month>        a past month's bill
//!              org#<org>            grant#<grant>       what became of a prepaid grant
//!              session#<session>    account             an anonymous session's account
//!              rate#person#<sha256>#<minute>   rate     a person's calls of the portal in a minute
//!              rate#key#<org>#<key id>#<minute>   rate  an API key's calls of the portal in a minute
//!              sign_ups#<day>       sign_ups            how many have signed up on a day
//!              health               health              what health writes, to find out whether the table takes it
//!              directory            <org>               an organization, to be listed
//! credentials  key#<sha256>         key                 an API key, found by its digest
//!              org#<org>            key#<key id>        the same key in its organization's list
//!              subject#<sha256>     subject             the organization and the role of a person
//!              org#<org>            subject#<sha256>    the same person in the list of its members
//!              org#<org>            organization        the version of the organization's lists of keys, members and
//!                                                       invitations, and the organization's name
//!              sign_up#person#<sha256>   sign_up        the organization that a person made by signing up
//!              sign_up#email#<sha256>    sign_up        an e-mail address that has signed up, by its digest
//!              org#<org>            invitation#<id>     an invitation to the organization
//!              invitation#<sha256>  invitation          where an invitation lies, found by the digest of its token
//!              tiles#<sha256>       grant               a tile grant, found by the digest of its id
//!              grants#<org>         <product>#<created>#<sha256>   the same grant in its organization's list
//!              grants#<org>         slot#<n>            a slot of the organization, with the grant that took it
//! assets       <family>#<org>       asset#<asset>       an asset's head
//!              <family>#<org>       count#<shard>       assets by state, one shard's share
//!              <family>#<org>       tombstone#<asset>   what is left of an asset deleted while queued
//!              <family>#<org>       customer#<digest>#<asset>   an asset by its customer_scenario_id
//!              measured#<event>     event               an applied measurement event
//!              <family>#<org>#create#<sha256>   create   the asset that an idempotency key created, by the key's digest
//!              <family>#<org>#<asset>   applied#<asset or tombstone>#<version>   what an event did to that version
//!              <family>#<org>#<asset>#<n>   chunk#<asset>#<n>   a part of a body that does not fit into its head
//!     index    <family>#<org>#<state>   asset#<asset>   the assets in one state
//!     index    <family>#<org>       asset#<asset>       all assets, with what lists filter them by
//! ```

use accounting::{AccountKey, Day, GrantId, KeyId, Month, OrgId, Timestamp};

use crate::{
    AssetId, AssetState, CustomerScenarioDigest, Email, EventId, Family, IdempotencyKey, InvitationId,
    PortalCaller, SecretDigest, Subject, TileProduct,
};

/// The shards of an organization's counters in one family.
pub(super) const COUNT_SHARDS: u8 = 8;

/// The first characters of every asset head's sort key.
pub(super) const ASSET: &str = "asset#";

/// The first characters of the sort keys of what measurement events did to an asset.
pub(super) const APPLIED: &str = "applied#";

/// The first characters of every counter's sort key.
pub(super) const COUNT: &str = "count#";

/// The sort key of an account.
pub(super) const ACCOUNT: &str = "account";

/// The first characters of the sort keys of an organization's bills.
pub(super) const BILL: &str = "bill#";

/// The first characters of the sort keys of what became of an organization's prepaid grants.
pub(super) const GRANT_HISTORY: &str = "grant#";

/// The partition in which organizations are listed.
pub(super) const DIRECTORY: &str = "directory";

/// The sort key of an API key found by its digest.
pub(super) const KEY: &str = "key";

/// A partition in which no API key lies: looking there finds out whether the table answers.
pub(super) const NO_KEY: &str = "key#health";

/// The partition and the sort key of the item that is written to find out whether the table takes writes.
pub(super) const HEALTH: &str = "health";

/// The first characters of the sort keys of an organization's list of keys.
pub(super) const KEY_LIST: &str = "key#";

/// The sort key of a person.
pub(super) const SUBJECT: &str = "subject";

/// The first characters of the sort keys of an organization's members.
pub(super) const MEMBER_LIST: &str = "subject#";

/// The sort key of what an organization's lists have in common.
pub(super) const ORGANIZATION: &str = "organization";

/// The sort key of what finds an invitation by the digest of its token.
pub(super) const INVITATION: &str = "invitation";

/// The first characters of the sort keys of an organization's invitations.
pub(super) const INVITATION_LIST: &str = "invitation#";

/// The sort key of a caller's count of calls of the portal.
pub(super) const PORTAL_RATE: &str = "rate";

/// The sort key of what is kept of a sign-up.
pub(super) const SIGN_UP: &str = "sign_up";

/// The sort key of a day's count of sign-ups.
pub(super) const SIGN_UPS: &str = "sign_ups";

/// The sort key of a tile grant found by the digest of its id.
pub(super) const TILE_GRANT: &str = "grant";

/// The first characters of the sort keys of an organization's slots for live tile grants.
pub(super) const TILE_SLOTS: &str = "slot#";

/// The sort key of an applied measurement event.
pub(super) const EVENT: &str = "event";

/// The sort key of what an idempotency key created.
pub(super) const CREATE: &str = "create";

/// The partition of an account.
pub(super) fn account(key: &AccountKey) -> String {
    match key {
        AccountKey::Org(org) => organization(org),
        AccountKey::Session(session) => format!("session#{}", session.as_str()),
    }
}

/// The partition of an organization in the accounts and credentials tables.
pub(super) fn organization(org: &OrgId) -> String {
    format!("org#{org}")
}

/// The first characters of the sort keys of a month's days.
pub(super) fn usage_of_month(month: Month) -> String {
    format!("usage#{month}")
}

/// The sort key of a past day's usage.
pub(super) fn usage_of_day(day: Day) -> String {
    format!("usage#{day}")
}

/// The sort key of a past month's bill.
pub(super) fn bill(month: Month) -> String {
    format!("{BILL}{month}")
}

/// The sort key of what became of a prepaid grant.
pub(super) fn grant_in_history(id: &GrantId) -> String {
    format!("{GRANT_HISTORY}{id}")
}

/// The sort key of an organization in the directory.
pub(super) fn organization_in_directory(org: &OrgId) -> String {
    org.to_string()
}

/// The partition of an API key.
pub(super) fn key(digest: &SecretDigest) -> String {
    format!("key#{}", digest.as_str())
}

/// The sort key of an API key in its organization's list.
pub(super) fn key_in_list(id: &KeyId) -> String {
    format!("{KEY_LIST}{id}")
}

/// The partition of a person, and their sort key in the list of their organization's members.
pub(super) fn subject(subject: &Subject) -> String {
    format!("{MEMBER_LIST}{}", subject.digest())
}

/// The partition of what finds an invitation by the digest of its token.
pub(super) fn invitation(digest: &SecretDigest) -> String {
    format!("{INVITATION_LIST}{}", digest.as_str())
}

/// The sort key of an invitation among those of its organization.
pub(super) fn invitation_in_list(id: &InvitationId) -> String {
    format!("{INVITATION_LIST}{id}")
}

/// The partition of a caller's count of calls of the portal in a numbered minute.
pub(super) fn portal_rate(caller: &PortalCaller, minute: i64) -> String {
    match caller {
        PortalCaller::Person(subject) => format!("rate#person#{}#{minute}", subject.digest()),
        PortalCaller::Key { org, id } => format!("rate#key#{org}#{id}#{minute}"),
    }
}

/// The partition of what is kept of a person's sign-up.
pub(super) fn sign_up_of_person(subject: &Subject) -> String {
    format!("sign_up#person#{}", subject.digest())
}

/// The partition of what is kept of an e-mail address that has signed up.
pub(super) fn sign_up_of_email(email: &Email) -> String {
    format!("sign_up#email#{}", email.digest())
}

/// The partition of a day's count of sign-ups.
pub(super) fn sign_ups_of_day(day: Day) -> String {
    format!("sign_ups#{day}")
}

/// The partition of a tile grant.
pub(super) fn tile_grant(digest: &SecretDigest) -> String {
    format!("tiles#{}", digest.as_str())
}

/// The partition of an organization's tile grants: its own, so that who lists and mints them reaches no API
/// key.
pub(super) fn tile_grants(org: &OrgId) -> String {
    format!("grants#{org}")
}

/// The first characters of the sort keys of an organization's list of one product's tile grants.
pub(super) fn tile_grant_list(product: TileProduct) -> String {
    format!("{product}#")
}

/// The sort key of a tile grant in its organization's list: as many digits for each moment, so that they sort
/// by time.
pub(super) fn tile_grant_in_list(
    product: TileProduct,
    created_at: Timestamp,
    digest: &SecretDigest,
) -> String {
    format!("{}{:015}#{}", tile_grant_list(product), created_at.unix_millis(), digest.as_str())
}

/// The sort key of one of an organization's slots for live tile grants: as many digits for each.
pub(super) fn tile_slot(number: usize) -> String {
    format!("{TILE_SLOTS}{number:02}")
}

/// The partition of an organization's library, in the table and in the index of all assets.
pub(super) fn library(family: Family, org: &OrgId) -> String {
    format!("{family}#{org}")
}

/// The partition, in the index, of an organization's assets in one state.
pub(super) fn by_state(family: Family, org: &OrgId, state: AssetState) -> String {
    format!("{family}#{org}#{state}")
}

/// The sort key of an asset's head.
pub(super) fn asset(id: AssetId) -> String {
    format!("{ASSET}{id}")
}

/// The partition of a part of an asset's body: its own, because a partition takes 1,000 write units a second
/// and a large body's parts cost six times as many.
pub(super) fn chunk_partition(family: Family, org: &OrgId, id: AssetId, part: usize) -> String {
    format!("{}#{id}#{part}", library(family, org))
}

/// The sort key of a part of an asset's body.
pub(super) fn chunk(id: AssetId, part: usize) -> String {
    format!("chunk#{id}#{part}")
}

/// The sort key of the counter that counts an asset.
pub(super) fn count(id: AssetId) -> String {
    // The last byte of a UUIDv7 is random: as good a hash as any.
    format!("{COUNT}{}", id.as_bytes()[15] % COUNT_SHARDS)
}

/// The first characters of the sort keys of the assets with one `customer_scenario_id`.
pub(super) fn customer_scenario(digest: &CustomerScenarioDigest) -> String {
    format!("customer#{}#", digest.as_str())
}

/// The sort key of an asset among those with its `customer_scenario_id`.
pub(super) fn asset_of_customer_scenario(digest: &CustomerScenarioDigest, id: AssetId) -> String {
    format!("{}{id}", customer_scenario(digest))
}

/// The sort key of a tombstone.
pub(super) fn tombstone(id: AssetId) -> String {
    format!("tombstone#{id}")
}

/// The partition of what an idempotency key created: its own, so that no partition takes all creates.
pub(super) fn create(family: Family, org: &OrgId, key: &IdempotencyKey) -> String {
    let digest = accounting::sha256_hex(&[key.to_string().as_bytes()]);
    format!("{}#{CREATE}#{digest}", library(family, org))
}

/// The partition of an applied measurement event.
pub(super) fn event(id: &EventId) -> String {
    format!("measured#{id}")
}

/// The partition of what measurement events did to an asset: its own, which stays when the asset is deleted.
pub(super) fn applied_events(family: Family, org: &OrgId, id: AssetId) -> String {
    format!("{}#{id}", library(family, org))
}

/// The sort key of what an event did to a version of an asset: as many digits for each, so that they sort by
/// the order in which they were applied, whatever the clocks say.
pub(super) fn applied_to_asset(version: u64) -> String {
    format!("{APPLIED}asset#{version:010}")
}

/// The sort key of what an event did to a version of a tombstone: after all that was done to the asset.
pub(super) fn applied_to_tombstone(version: u64) -> String {
    format!("{APPLIED}tombstone#{version:010}")
}

#[cfg(test)]
mod tests;
