//! An account as an item, attribute by attribute. Names are short: the item's size is what a write costs.
use std::collections::{BTreeMap, HashMap};

use accounting::{
    AccessTier, Account, Change, Credits, Day, DayUsage, Deductions, Grant, GrantId, GrantKind, Holder,
    LimitedCaller, Plan, RateWindow, Tier, Timestamp, Totals, Usage, UsageLine,
};
use aws_sdk_dynamodb::types::AttributeValue;

use super::entry::{EntryId, RecentEntries};
use super::error::StoreError;
use super::item::{Attributes, Item, NewItem, binary, map, number, parse_number};

/// The calls of all people in the map of calls by caller, beside those of keys.
const PEOPLE: &str = "people";

/// The ids of recent entries, by slot.
pub(super) const RECENT: &str = "recent";

/// An account as it is stored: with its version and the ids of its recent entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAccount {
    pub account: Account,
    pub version: Version,
    pub recent: RecentEntries,
}

/// Which writes a stored account has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The number of writes.
    pub revision: u64,
    /// The revision of the last write that replaced the account: writes since then only added to counters and
    /// drew from one grant.
    pub epoch: u64,
}

impl StoredAccount {
    /// Takes an account that is new.
    pub(super) fn new(account: Account) -> Self {
        Self { account, version: Version::default(), recent: RecentEntries::default() }
    }

    /// Returns the account as a change replaces it.
    pub(super) fn replaced(&self, entry: Option<EntryId>, change: &Change) -> Self {
        let revision = self.version.revision + 1;
        let mut recent = self.recent.clone();
        if let Some(entry) = entry {
            recent.add(entry);
        }
        Self { account: change.account.clone(), version: Version { revision, epoch: revision }, recent }
    }
}

/// Reads an account.
pub(super) fn decode(item: &Item) -> Result<StoredAccount, StoreError> {
    let attributes = Attributes(item);
    let account = Account {
        holder: decode_holder(attributes)?,
        grants: decode_grants(attributes)?,
        totals: Totals {
            granted: attributes.number("granted")?,
            used: attributes.number("used")?,
            expired: attributes.number("expired")?,
        },
        window: RateWindow { minute: attributes.number("minute")?, calls: attributes.number("hits")? },
        callers: decode_callers(attributes)?,
        today: DayUsage { day: attributes.parsed::<Day>("day")?, usage: decode_usage(attributes)? },
        deductions: Deductions {
            refunds: attributes.number("refunds")?,
            credit_notes: attributes.number("notes")?,
            carried_in: attributes.number("carried")?,
        },
        suspended_at: Some(attributes.number("suspended")?)
            .filter(|millis| *millis != 0)
            .map(Timestamp::from_unix_millis),
    };
    let version = Version { revision: attributes.number("rev")?, epoch: attributes.number("epoch")? };
    Ok(StoredAccount { account, version, recent: decode_recent(attributes)? })
}

/// Writes all attributes of an account.
pub(super) fn encode(stored: &StoredAccount) -> Item {
    let StoredAccount { account, version: Version { revision, epoch }, recent } = stored;
    let Account { holder, grants, totals, window, callers, today, deductions, suspended_at } = account;
    let Deductions { refunds, credit_notes, carried_in } = deductions;
    let ends_at = match holder {
        Holder::Organization(_) => None,
        Holder::Session { ends_at } => Some(ends_at),
    };
    let [calls, spent] = encode_usage(&today.usage);
    NewItem::default()
        .text("tier", holder.tier().name())
        .number("cap", holder.monthly_cap().unwrap_or(0))
        .with("grants", map(grants.iter().map(|(id, grant)| (id.to_string(), encode_grant(grant)))))
        .number("granted", totals.granted)
        .number("used", totals.used)
        .number("expired", totals.expired)
        .number("minute", window.minute)
        .number("hits", window.calls)
        .with("callers", map(callers.iter().map(|(caller, calls)| (caller_name(caller), number(calls)))))
        .text("day", today.day)
        .with("calls", calls)
        .with("spent", spent)
        .number("refunds", refunds)
        .number("notes", credit_notes)
        .number("carried", carried_in)
        .number("suspended", suspended_at.map_or(0, Timestamp::unix_millis))
        .number("rev", revision)
        .number("epoch", epoch)
        .with(RECENT, map(recent.iter().map(|id| (id.slot().to_string(), encode_entry(id)))))
        .with_some("ttl", ends_at.map(|ends_at| number(ends_at.unix_seconds())))
        .build()
}

/// Writes the id of an entry.
pub(super) fn encode_entry(id: EntryId) -> AttributeValue {
    binary(id.as_bytes())
}

/// Returns the name of a caller in the map of calls by caller.
pub(super) fn caller_name(caller: &LimitedCaller) -> String {
    match caller {
        LimitedCaller::Key(id) => id.to_string(),
        LimitedCaller::People => PEOPLE.to_owned(),
    }
}

/// Writes a day's calls and credits, as two maps: an update can then make an entry that is not there yet.
pub(super) fn encode_usage(usage: &Usage) -> [AttributeValue; 2] {
    let calls = usage.iter().map(|(name, line)| (name.to_string(), number(line.calls)));
    let spent = usage.iter().map(|(name, line)| (name.to_string(), number(line.credits)));
    [map(calls), map(spent)]
}

/// Reads a day's usage.
pub(super) fn decode_usage(attributes: Attributes<'_>) -> Result<Usage, StoreError> {
    let spent: HashMap<_, _> = attributes.entries("spent")?.collect();
    let decode_one = |(name, calls): (&String, &AttributeValue)| {
        let calls = parse_number(calls, "calls")?;
        let credits = spent.get(name).map_or(Ok(0), |credits| parse_number(credits, "spent"))?;
        Ok((name.parse().map_err(|_| StoreError::Corrupt("calls"))?, UsageLine { calls, credits }))
    };
    attributes.entries("calls")?.map(decode_one).collect()
}

fn encode_grant(grant: &Grant) -> AttributeValue {
    let Grant { kind, granted, left, expires_at } = grant;
    let fields = NewItem::default()
        .text("kind", kind.letter())
        .number("of", granted)
        .number("left", left)
        .with_some("end", expires_at.map(|expiry| number(expiry.unix_seconds())));
    AttributeValue::M(fields.build())
}

fn decode_grant(value: &AttributeValue) -> Result<Grant, StoreError> {
    let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("grants"))?);
    Ok(Grant {
        kind: GrantKind::of_letter(fields.text("kind")?).ok_or(StoreError::Corrupt("kind"))?,
        granted: fields.number("of")?,
        left: fields.number("left")?,
        expires_at: fields.optional_number("end")?.map(Timestamp::from_unix_seconds),
    })
}

fn decode_grants(attributes: Attributes<'_>) -> Result<BTreeMap<GrantId, Grant>, StoreError> {
    let decode_one = |(id, value): (&String, &AttributeValue)| {
        Ok((id.parse().map_err(|_| StoreError::Corrupt("grants"))?, decode_grant(value)?))
    };
    attributes.entries("grants")?.map(decode_one).collect()
}

fn decode_callers(attributes: Attributes<'_>) -> Result<BTreeMap<LimitedCaller, u32>, StoreError> {
    let decode_one = |(name, calls): (&String, &AttributeValue)| {
        let caller = match name.as_str() {
            PEOPLE => LimitedCaller::People,
            id => LimitedCaller::Key(id.parse().map_err(|_| StoreError::Corrupt("callers"))?),
        };
        Ok((caller, parse_number(calls, "callers")?))
    };
    attributes.entries("callers")?.map(decode_one).collect()
}

fn decode_recent(attributes: Attributes<'_>) -> Result<RecentEntries, StoreError> {
    let decode_one = |(_, id): (&String, &AttributeValue)| {
        let bytes = id.as_b().map_err(|_| StoreError::Corrupt(RECENT))?;
        EntryId::from_bytes(bytes.as_ref()).ok_or(StoreError::Corrupt(RECENT))
    };
    attributes.entries(RECENT)?.map(decode_one).collect()
}

fn decode_holder(attributes: Attributes<'_>) -> Result<Holder, StoreError> {
    if attributes.text("tier")? == AccessTier::Anonymous.name() {
        return Ok(Holder::Session { ends_at: Timestamp::from_unix_seconds(attributes.number("ttl")?) });
    }
    let monthly_cap: Credits = attributes.number("cap")?;
    Ok(Holder::Organization(match attributes.parsed("tier")? {
        Tier::Sandbox => Plan::Sandbox,
        Tier::PayAsYouGo => Plan::PayAsYouGo { monthly_cap },
        Tier::Enterprise => Plan::Enterprise,
    }))
}
