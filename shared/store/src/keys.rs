//! The partition keys and sort keys of all items in the three tables.
//!
//! ```text
//! accounts     org#<org>            account             an organization's account
//!              org#<org>            usage#<day>         a past day's usage
//!              org#<org>            bill#<month>        a past month's bill
//!              org#<org>            grant#<grant>       the history of a prepaid grant
//!              session#<session>    account             an anonymous session's account
//!              rate#person#<sha256>#<minute>   rate     a person's call count for a minute
//!              rate#link#<sha256>#<session>#<minute>   rate   an address's view count for a link and minute
//!              rate#key#<org>#<key id>#<minute>   rate  an API key's call count for a minute
//!              sign_ups#<day>       sign_ups            the number of sign-ups on a day
//!              sign_ups#<day>#domain#<sha256>   sign_ups   the number of sign-ups from a domain on a day
//!              sign_ups#<day>#range#<sha256>   sign_ups   the number from an address range on a day
//!              org#<org>            credits_low         the latest low-balance notice
//!              health               health              the item that health checks write
//!              directory            <org>               an organization in the list of all organizations
//! credentials  key#<sha256>         key                 an API key, found by its digest
//!              org#<org>            key#<key id>        the same key in its organization's list
//!              subject#<sha256>     subject             a person's organization and role
//!              org#<org>            subject#<sha256>    the same person in the list of members
//!              org#<org>            organization        the organization's profile, and the version of its
//!                                                       lists of keys, members, and invitations
//!              sign_up#person#<sha256>   sign_up        the organization that a person signed up with
//!              sign_up#email#<sha256>    sign_up        a mailbox that was used for a sign-up
//!              org#<org>            invitation#<id>     an invitation in its organization's list
//!              invitation#<sha256>  invitation          the invitation's ID, found by its token's digest
//!              tiles#<sha256>       grant               a tile grant, found by the digest of its ID
//!              grants#<org>         <product>#<created>#<sha256>   the same grant in its organization's list
//!              grants#<org>         slot#<n>            one of the organization's slots for tile grants
//!              org#<org>            webhook#<id>        a webhook in its organization's list
//!              link#<sha256>        link                a client link, found by the digest of its token
//!              links#<org>          slot#<n>            a slot that contains a client link
//! assets       <family>#<org>       asset#<asset>       an asset's main item (its head)
//!              <family>#<org>       count#<shard>       one shard of the asset counts by state
//!              <family>#<org>       tombstone#<asset>   the record of a queued asset that was deleted
//!              <family>#<org>       customer#<digest>#<asset>   an asset by its customer_scenario_id
//!              <family>#<org>       customer_id#<digest>#<asset>   an asset by its customer_id
//!              <family>#<org>       put#<digest>        the asset that was last created by this ID
//!              measured#<event>     event               an applied measurement event
//!              <family>#<org>#create#<sha256>   create   how an idempotency key was used
//!              <family>#<org>#<asset>   applied#<asset or tombstone>#<version>   an event's effects
//!              <family>#<org>#<asset>   report              an asset's measurement report
//!              <family>#<org>#<asset>#<n>   chunk#<asset>#<n>   a part of a large body
//!              changes#<org>        sequence            the end of an organization's sequence of changes
//!              changes#<org>        change#<n>          a change in the sequence
//!              changes#<org>        record#<id>         marks a stream record whose change is stored
//!              deliveries#<org>#<webhook>   delivery#<time>_<n>   a delivery to a webhook
//!              due#<shard>          <due>#<family>#<org>#<asset>   when to check a measurement
//!     index    <family>#<org>#<state>   asset#<asset>   the assets in one state
//!     index    <family>#<org>       asset#<asset>       all assets, with the attributes to filter lists by
//! ```

use accounting::{AccountKey, Day, GrantId, KeyId, Month, OrgId, Timestamp};

use crate::{
    AccountApiCaller, AssetId, AssetState, CustomerDigest, CustomerScenarioDigest, Email, EventId, Family,
    IdempotencyKey, InvitationId, MessageId, SecretDigest, SignUpGroup, Subject, TileProduct, WebhookId,
};

/// The number of shards for an organization's asset counters in one family.
pub(super) const COUNT_SHARDS: u8 = 8;

/// The sort key prefix for assets' main items (heads).
pub(super) const ASSET: &str = "asset#";

/// The sort key prefix for the recorded effects of measurement events on an asset.
pub(super) const APPLIED: &str = "applied#";

/// The sort key prefix for asset counters.
pub(super) const COUNT: &str = "count#";

/// The sort key of an account.
pub(super) const ACCOUNT: &str = "account";

/// The sort key prefix for an organization's bills.
pub(super) const BILL: &str = "bill#";

/// The sort key prefix for an organization's grant history.
pub(super) const GRANT_HISTORY: &str = "grant#";

/// The sort key of an organization's latest low-balance notice.
pub(super) const CREDITS_LOW: &str = "credits_low";

/// The partition key of the directory of organizations.
pub(super) const DIRECTORY: &str = "directory";

/// The sort key of an API key in its own partition.
pub(super) const KEY: &str = "key";

/// The key of an empty partition, which health checks read to test whether the table responds.
pub(super) const NO_KEY: &str = "key#health";

/// The partition key and sort key of the item that health checks write.
pub(super) const HEALTH: &str = "health";

/// The sort key prefix for an organization's API keys.
pub(super) const KEY_LIST: &str = "key#";

/// The sort key of a person in their own partition.
pub(super) const SUBJECT: &str = "subject";

/// The sort key prefix for an organization's members.
pub(super) const MEMBER_LIST: &str = "subject#";

/// The sort key of the item that contains an organization's profile and the version of its lists.
pub(super) const ORGANIZATION: &str = "organization";

/// The sort key of an invitation in its token's partition.
pub(super) const INVITATION: &str = "invitation";

/// The sort key prefix for an organization's invitations.
pub(super) const INVITATION_LIST: &str = "invitation#";

/// The sort key prefix for an organization's webhooks.
pub(super) const WEBHOOK_LIST: &str = "webhook#";

/// The sort key of a caller's call count for a minute.
pub(super) const ACCOUNT_API_RATE: &str = "rate";

/// The sort key of a sign-up record.
pub(super) const SIGN_UP: &str = "sign_up";

/// The sort key of a sign-up count for a day.
pub(super) const SIGN_UPS: &str = "sign_ups";

/// The sort key of a tile grant in its own partition.
pub(super) const TILE_GRANT: &str = "grant";

/// The sort key of a client link in its token's partition.
pub(super) const CLIENT_LINK: &str = "link";

/// The sort key prefix for an organization's slots for active tile grants or client links.
pub(super) const SLOTS: &str = "slot#";

/// The sort key of an applied measurement event's record.
pub(super) const EVENT: &str = "event";

/// The sort key of an asset's measurement report.
pub(super) const REPORT: &str = "report";

/// The sort key of the item that contains the end of an organization's sequence of changes.
pub(super) const SEQUENCE: &str = "sequence";

/// The sort key prefix for changes.
pub(super) const CHANGE: &str = "change#";

/// The sort key prefix for deliveries.
pub(super) const DELIVERY: &str = "delivery#";

/// The number of partitions that scheduled checks are distributed across.
pub(super) const CHECK_SHARDS: u8 = 8;

/// The sort key of an idempotency key's record.
pub(super) const CREATE: &str = "create";

/// Returns the partition key of an account.
pub(super) fn account(key: &AccountKey) -> String {
    match key {
        AccountKey::Org(org) => organization(org),
        AccountKey::Session(session) => format!("session#{}", session.as_str()),
    }
}

/// Returns the partition key of an organization in the accounts and credentials tables.
pub(super) fn organization(org: &OrgId) -> String {
    format!("org#{org}")
}

/// Returns the sort key prefix for a month's daily usage.
pub(super) fn usage_of_month(month: Month) -> String {
    format!("usage#{month}")
}

/// Returns the sort key of a past day's usage.
pub(super) fn usage_of_day(day: Day) -> String {
    format!("usage#{day}")
}

/// Returns the sort key of a past month's bill.
pub(super) fn bill(month: Month) -> String {
    format!("{BILL}{month}")
}

/// Returns the sort key of a prepaid grant in the grant history.
pub(super) fn grant_in_history(id: &GrantId) -> String {
    format!("{GRANT_HISTORY}{id}")
}

/// Returns the sort key of an organization in the directory.
pub(super) fn organization_in_directory(org: &OrgId) -> String {
    org.to_string()
}

/// Returns the partition key of an API key.
pub(super) fn key(digest: &SecretDigest) -> String {
    format!("key#{}", digest.as_str())
}

/// Returns the sort key of an API key in its organization's list.
pub(super) fn key_in_list(id: &KeyId) -> String {
    format!("{KEY_LIST}{id}")
}

/// Returns the partition key of a person, which is also the person's sort key in the organization's list of
/// members.
pub(super) fn subject(subject: &Subject) -> String {
    format!("{MEMBER_LIST}{}", subject.digest())
}

/// Returns the partition key of an invitation, which contains the digest of its token.
pub(super) fn invitation(digest: &SecretDigest) -> String {
    format!("{INVITATION_LIST}{}", digest.as_str())
}

/// Returns the sort key of an invitation in its organization's list.
pub(super) fn invitation_in_list(id: &InvitationId) -> String {
    format!("{INVITATION_LIST}{id}")
}

/// Returns the sort key of a webhook in its organization's list.
pub(super) fn webhook_in_list(id: &WebhookId) -> String {
    format!("{WEBHOOK_LIST}{id}")
}

/// Returns the partition key of an organization's sequence of changes.
pub(super) fn changes(org: &OrgId) -> String {
    format!("changes#{org}")
}

/// Returns the sort key of a change. Numbers are zero-padded.
pub(super) fn change(number: u64) -> String {
    format!("{CHANGE}{number:020}")
}

/// Returns the sort key of the marker for a stream record whose change is in the sequence.
pub(super) fn recorded(record: &str) -> String {
    format!("record#{record}")
}

/// Returns the partition key of the deliveries to a webhook.
pub(super) fn deliveries(org: &OrgId, webhook: &WebhookId) -> String {
    format!("deliveries#{org}#{webhook}")
}

/// Returns the sort key of a delivery.
pub(super) fn delivery(id: &MessageId) -> String {
    format!("{DELIVERY}{}", id.sortable())
}

/// Returns the partition key of a caller's call count for a minute. Minutes are numbered from the Unix epoch.
pub(super) fn account_api_rate(caller: &AccountApiCaller, minute: i64) -> String {
    match caller {
        AccountApiCaller::Person(subject) => format!("rate#person#{}#{minute}", subject.digest()),
        AccountApiCaller::Key { org, id } => format!("rate#key#{org}#{id}#{minute}"),
        AccountApiCaller::Viewer { link, address } => {
            format!("rate#link#{}#{}#{minute}", link.as_str(), address.as_str())
        }
    }
}

/// Returns the partition key of a person's sign-up record.
pub(super) fn sign_up_of_person(subject: &Subject) -> String {
    format!("sign_up#person#{}", subject.digest())
}

/// Returns the partition key of a mailbox's sign-up record.
pub(super) fn sign_up_of_email(email: &Email) -> String {
    format!("sign_up#email#{}", email.mailbox_digest())
}

/// Returns the partition key of a group's sign-up count for a day.
pub(super) fn sign_ups_of_day(day: Day, group: &SignUpGroup) -> String {
    match group {
        SignUpGroup::Everyone => format!("sign_ups#{day}"),
        SignUpGroup::Domain(domain) => {
            format!("sign_ups#{day}#domain#{}", accounting::sha256_hex(&[domain.as_bytes()]))
        }
        SignUpGroup::Range(range) => {
            format!("sign_ups#{day}#range#{}", accounting::sha256_hex(&[range.to_string().as_bytes()]))
        }
    }
}

/// Returns the partition key of a tile grant.
pub(super) fn tile_grant(digest: &SecretDigest) -> String {
    format!("tiles#{}", digest.as_str())
}

/// Returns the partition key of an organization's tile grants. They have a partition of their own, so
/// functions that list and create tile grants don't need access to API keys.
pub(super) fn tile_grants(org: &OrgId) -> String {
    format!("grants#{org}")
}

/// Returns the sort key prefix for an organization's tile grants for one product.
pub(super) fn tile_grant_list(product: TileProduct) -> String {
    format!("{product}#")
}

/// Returns the sort key of a tile grant in its organization's list. Timestamps are zero-padded, so keys sort
/// by time.
pub(super) fn tile_grant_in_list(
    product: TileProduct,
    created_at: Timestamp,
    digest: &SecretDigest,
) -> String {
    format!("{}{:015}#{}", tile_grant_list(product), created_at.unix_millis(), digest.as_str())
}

/// Returns the partition key of a client link, which contains the digest of its token.
pub(super) fn client_link(digest: &SecretDigest) -> String {
    format!("link#{}", digest.as_str())
}

/// Returns the partition key of an organization's active client links.
pub(super) fn client_links(org: &OrgId) -> String {
    format!("links#{org}")
}

/// Returns the sort key of a slot for an active tile grant or client link. Slot numbers are zero-padded.
pub(super) fn slot(number: usize) -> String {
    format!("{SLOTS}{number:02}")
}

/// Returns the partition key of an organization's assets of one family, in the table and in the index of all
/// assets.
pub(super) fn library(family: Family, org: &OrgId) -> String {
    format!("{family}#{org}")
}

/// Returns the partition key of an organization's assets in one state, in the index by state.
pub(super) fn by_state(family: Family, org: &OrgId, state: AssetState) -> String {
    format!("{family}#{org}#{state}")
}

/// Returns the sort key of an asset's main item (head).
pub(super) fn asset(id: AssetId) -> String {
    format!("{ASSET}{id}")
}

/// Returns the partition key of one part of an asset's body. Each part has its own partition, because writing
/// a large body takes about 6,000 write units, and a partition accepts only 1,000 per second.
pub(super) fn chunk_partition(family: Family, org: &OrgId, id: AssetId, part: usize) -> String {
    format!("{}#{id}#{part}", library(family, org))
}

/// Returns the sort key of one part of an asset's body.
pub(super) fn chunk(id: AssetId, part: usize) -> String {
    format!("chunk#{id}#{part}")
}

/// Returns the sort key of the counter shard for an asset.
pub(super) fn count(id: AssetId) -> String {
    // The last byte of a UUIDv7 is random, so it distributes assets evenly across the shards.
    format!("{COUNT}{}", id.as_bytes()[15] % COUNT_SHARDS)
}

/// Returns the sort key prefix for the assets with the given `customer_scenario_id`.
pub(super) fn customer_scenario(digest: &CustomerScenarioDigest) -> String {
    format!("customer#{}#", digest.as_str())
}

/// Returns the sort key of the item that records which asset was last created by this `customer_scenario_id`.
pub(super) fn put(digest: &CustomerScenarioDigest) -> String {
    format!("put#{}", digest.as_str())
}

/// Returns the sort key prefix for the assets with the given `customer_id`.
pub(super) fn customer(digest: &CustomerDigest) -> String {
    format!("customer_id#{}#", digest.as_str())
}

/// Returns an asset's sort key in the index by `customer_scenario_id` or `customer_id`. `prefix` is the sort
/// key prefix for the ID.
pub(super) fn asset_of_customer(prefix: &str, id: AssetId) -> String {
    format!("{prefix}{id}")
}

/// Returns the sort key of a tombstone.
pub(super) fn tombstone(id: AssetId) -> String {
    format!("tombstone#{id}")
}

/// Returns the partition key of an idempotency key's record. Each record has its own partition, which
/// distributes the writes.
pub(super) fn create(family: Family, org: &OrgId, key: &IdempotencyKey) -> String {
    let digest = accounting::sha256_hex(&[key.to_string().as_bytes()]);
    format!("{}#{CREATE}#{digest}", library(family, org))
}

/// Returns the partition key of an applied measurement event's record.
pub(super) fn event(id: &EventId) -> String {
    format!("measured#{id}")
}

/// Returns the partition key for the recorded effects of measurement events on an asset. These records are
/// kept after the asset is deleted.
pub(super) fn applied_events(family: Family, org: &OrgId, id: AssetId) -> String {
    format!("{}#{id}", library(family, org))
}

/// Returns the sort key of an event's recorded effects on one version of an asset. Versions are zero-padded,
/// so keys sort in the order in which the events were applied, regardless of clocks.
pub(super) fn applied_to_asset(version: u64) -> String {
    format!("{APPLIED}asset#{version:010}")
}

/// Returns the sort key of an event's recorded effects on one version of a tombstone. It sorts after all keys
/// for the asset itself.
pub(super) fn applied_to_tombstone(version: u64) -> String {
    format!("{APPLIED}tombstone#{version:010}")
}

/// Returns the partition key of one shard of the scheduled checks.
pub(super) fn scheduled_checks(shard: u8) -> String {
    format!("due#{shard}")
}

/// Returns the partition key of an asset's scheduled checks.
pub(super) fn scheduled_checks_of(id: AssetId) -> String {
    scheduled_checks(id.as_bytes()[15] % CHECK_SHARDS)
}

/// Returns the sort key of a scheduled check. Timestamps are zero-padded, so keys sort by time.
pub(super) fn scheduled_check(due_at: Timestamp, family: Family, org: &OrgId, id: AssetId) -> String {
    format!("{:015}#{}#{id}", due_at.unix_millis(), library(family, org))
}

/// Returns a sort key that sorts after all checks due at `now` and before all later checks.
pub(super) fn first_due_after(now: Timestamp) -> String {
    format!("{:015}", now.unix_millis() + 1)
}

#[cfg(test)]
mod tests;
