//! The attributes of an account's item. Their names are short because the item's size determines the cost of
//! each write.
use std::collections::BTreeMap;

use accounting::{
    AccessTier, Account, Change, DayUsage, Deductions, Grant, Holder, Meter, Plan, RateWindow, Tier,
    Timestamp, Totals, Usage, UsageLine,
};
use aws_sdk_dynamodb::types::AttributeValue;

use super::entry::{EntryId, RecentEntries};
use super::error::StoreError;
use super::item::{Attribute, Item, NewItem, Seconds, Stored, attribute, stored};

/// The attribute that contains the IDs of recent entries, by slot.
pub(super) const RECENT: &str = "recent";

/// A stored account, with its version and the IDs of recent entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAccount {
    pub account: Account,
    pub version: Version,
    pub recent: RecentEntries,
}

/// The version of a stored account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The number of writes since the account was created.
    pub revision: u64,
    /// The revision of the last write that replaced the account. Later writes changed only counters and the
    /// remaining credits of at most one grant each.
    pub epoch: u64,
}

impl StoredAccount {
    /// Creates the stored form of a new account.
    pub(super) fn new(account: Account) -> Self {
        Self { account, version: Version::default(), recent: RecentEntries::default() }
    }

    /// Returns the account after `change` replaces it. The next revision also becomes the epoch, and `entry`
    /// is added to the recent entries.
    pub(super) fn replaced(&self, entry: Option<EntryId>, change: &Change) -> Self {
        let revision = self.version.revision + 1;
        let mut recent = self.recent.clone();
        if let Some(entry) = entry {
            recent.add(entry);
        }
        Self { account: change.account.clone(), version: Version { revision, epoch: revision }, recent }
    }
}

stored!(StoredAccount { recent: RECENT } with account, version);
stored!(Version { revision: "rev", epoch: "epoch" });
stored!(Account {
    grants: "grants",
    callers: "callers",
    suspended_at: "suspended" in Suspension,
} with holder, totals, window, today, deductions);
stored!(Grant { kind: "kind", granted: "of", left: "left", expires_at: "end" in Seconds });
stored!(Totals { granted: "granted", used: "used", expired: "expired" });
stored!(RateWindow { minute: "minute", calls: "hits" });
stored!(DayUsage { day: "day" } with usage);
stored!(Deductions { refunds: "refunds", credit_notes: "notes", carried_in: "carried" });

/// When an organization was suspended, or `None` if it isn't suspended. `None` is stored as 0 because account
/// updates never remove attributes.
struct Suspension(Option<Timestamp>);

impl Attribute for Suspension {
    fn write(&self) -> Option<AttributeValue> {
        self.0.map_or(0, Timestamp::unix_millis).write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        let millis = i64::read(value)?;
        Some(Self((millis != 0).then(|| Timestamp::from_unix_millis(millis))))
    }
}

impl Stored for Holder {
    fn store(&self, item: NewItem) -> NewItem {
        let item = item.with("tier", &self.tier().name().to_owned());
        let item = item.with("cap", &self.monthly_cap().unwrap_or(0));
        match self {
            Self::Organization(_) => item,
            Self::Session { ends_at } => item.time_to_live(*ends_at),
        }
    }

    fn load(item: &Item) -> Result<Self, StoreError> {
        let tier: String = attribute(item, "tier")?;
        if tier == AccessTier::Anonymous.name() {
            return Ok(Self::Session { ends_at: Timestamp::from_unix_seconds(attribute(item, "ttl")?) });
        }
        Ok(Self::Organization(match tier.parse().map_err(|_| StoreError::Corrupt("tier"))? {
            Tier::Sandbox => Plan::Sandbox,
            Tier::PayAsYouGo => Plan::PayAsYouGo { monthly_cap: attribute(item, "cap")? },
            Tier::Enterprise => Plan::Enterprise,
        }))
    }
}

/// Calls and credits are stored in separate maps from billing name to number, so that an update can increment
/// the numbers for a billing name that isn't in the maps yet.
impl Stored for Usage {
    fn store(&self, item: NewItem) -> NewItem {
        let of_name = |value: fn(&UsageLine) -> i64| -> BTreeMap<Meter, i64> {
            self.iter().map(|(name, line)| (name.clone(), value(line))).collect()
        };
        item.with("calls", &of_name(|line| line.calls)).with("spent", &of_name(|line| line.credits))
    }

    fn load(item: &Item) -> Result<Self, StoreError> {
        let calls: BTreeMap<Meter, i64> = attribute(item, "calls")?;
        let mut spent: BTreeMap<Meter, i64> = attribute(item, "spent")?;
        let line = |(name, calls)| {
            let credits = spent.remove(&name).unwrap_or(0);
            (name, UsageLine { calls, credits })
        };
        Ok(calls.into_iter().map(line).collect())
    }
}
