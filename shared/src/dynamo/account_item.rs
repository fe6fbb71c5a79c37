use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;

use super::StoreError;
use super::item::{Attributes, Item, binary, map, number, parse_number, text};
use crate::types::{
    Account, BillingName, Day, DayUsage, Grant, GrantId, GrantKind, KeyId, Ring, SlotMark, Timestamp, Totals, Usage,
    UsageLine, Window,
};

/// Reads an account.
pub(super) fn decode(item: &Item) -> Result<Account, StoreError> {
    let attributes = Attributes(item);
    Ok(Account {
        tier: attributes.parsed("tier")?,
        monthly_cap: attributes.number("cap")?,
        grants: decode_grants(attributes)?,
        totals: Totals {
            granted: attributes.number("granted")?,
            used: attributes.number("used")?,
            expired: attributes.number("expired")?,
        },
        window: Window { minute: attributes.number("minute")?, hits: attributes.number("hits")? },
        key_windows: decode_key_windows(attributes)?,
        today: DayUsage { day: attributes.parsed::<Day>("day")?, usage: decode_usage(attributes)? },
        ring: decode_ring(attributes)?,
        ends_at: attributes.optional_number("ttl")?.map(Timestamp::from_unix_seconds),
    })
}

/// Writes an account's attributes.
pub(super) fn encode(account: &Account) -> Item {
    let Account { tier, monthly_cap, grants, totals, window, key_windows, today, ring, ends_at } = account;
    let grants = grants.iter().map(|(id, grant)| (id.as_str().to_owned(), encode_grant(grant)));
    let minutes = key_windows.iter().map(|(id, window)| (id.as_str().to_owned(), number(window.minute)));
    let hits = key_windows.iter().map(|(id, window)| (id.as_str().to_owned(), number(window.hits)));
    let marks = ring.iter().map(|(slot, mark)| (slot.to_string(), binary(*mark)));
    let attributes = [
        ("tier", text(tier.as_str())),
        ("cap", number(monthly_cap)),
        ("grants", map(grants)),
        ("granted", number(totals.granted)),
        ("used", number(totals.used)),
        ("expired", number(totals.expired)),
        ("minute", number(window.minute)),
        ("hits", number(window.hits)),
        ("key_minutes", map(minutes)),
        ("key_hits", map(hits)),
        ("day", text(today.day.to_string())),
        ("ring", map(marks)),
    ];
    let mut item: Item = attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    item.extend(encode_usage(&today.usage).map(|(name, value)| (name.to_owned(), value)));
    item.extend(ends_at.map(|end| ("ttl".to_owned(), number(end.unix_seconds()))));
    item
}

/// Writes a grant.
pub(super) fn encode_grant(grant: &Grant) -> AttributeValue {
    let Grant { kind, granted, left, expires_at } = grant;
    let mut entries = vec![
        ("kind".to_owned(), text(kind_letter(*kind))),
        ("of".to_owned(), number(granted)),
        ("left".to_owned(), number(left)),
    ];
    entries.extend(expires_at.map(|expiry| ("end".to_owned(), number(expiry.unix_seconds()))));
    map(entries)
}

/// Writes a day's usage, as two maps: an update can then make an entry that is not there yet.
pub(super) fn encode_usage(usage: &Usage) -> [(&'static str, AttributeValue); 2] {
    let calls = usage.iter().map(|(name, line)| (name.as_str().to_owned(), number(line.calls)));
    let spent = usage.iter().map(|(name, line)| (name.as_str().to_owned(), number(line.credits)));
    [("calls", map(calls)), ("spent", map(spent))]
}

fn decode_grants(attributes: Attributes<'_>) -> Result<BTreeMap<GrantId, Grant>, StoreError> {
    let decode_one = |(id, value): (&String, &AttributeValue)| {
        let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("grants"))?);
        let kind = fields.text("kind")?;
        let kind = GrantKind::ALL.into_iter().find(|known| kind_letter(*known) == kind);
        let grant = Grant {
            kind: kind.ok_or(StoreError::Corrupt("kind"))?,
            granted: fields.number("of")?,
            left: fields.number("left")?,
            expires_at: fields.optional_number("end")?.map(Timestamp::from_unix_seconds),
        };
        Ok((GrantId::stored(id.clone()), grant))
    };
    attributes.entries("grants")?.map(decode_one).collect()
}

fn decode_key_windows(attributes: Attributes<'_>) -> Result<BTreeMap<KeyId, Window>, StoreError> {
    let hits: HashMap<_, _> = attributes.entries("key_hits")?.collect();
    let decode_one = |(id, minute): (&String, &AttributeValue)| {
        let minute = parse_number(minute, "key_minutes")?;
        let hits = hits.get(id).map_or(Ok(0), |hits| parse_number(hits, "key_hits"))?;
        Ok((id.parse().map_err(|_| StoreError::Corrupt("key_minutes"))?, Window { minute, hits }))
    };
    attributes.entries("key_minutes")?.map(decode_one).collect()
}

/// Reads a day's usage.
pub(super) fn decode_usage(attributes: Attributes<'_>) -> Result<Usage, StoreError> {
    let spent: HashMap<_, _> = attributes.entries("spent")?.collect();
    let decode_one = |(name, calls): (&String, &AttributeValue)| {
        let calls = parse_number(calls, "calls")?;
        let credits = spent.get(name).map_or(Ok(0), |credits| parse_number(credits, "spent"))?;
        let name = BillingName::try_from(name.clone()).map_err(|_| StoreError::Corrupt("calls"))?;
        Ok((name, UsageLine { calls, credits }))
    };
    attributes.entries("calls")?.map(decode_one).collect()
}

fn decode_ring(attributes: Attributes<'_>) -> Result<Ring, StoreError> {
    let decode_one = |(slot, mark): (&String, &AttributeValue)| {
        let mark = mark.as_b().ok().and_then(|bytes| SlotMark::try_from(bytes.as_ref()).ok());
        let slot = slot.parse().map_err(|_| StoreError::Corrupt("ring"))?;
        Ok((slot, mark.ok_or(StoreError::Corrupt("ring"))?))
    };
    attributes.entries("ring")?.map(decode_one).collect()
}

/// The kind as it is stored: a letter, to keep the item small.
fn kind_letter(kind: GrantKind) -> &'static str {
    match kind {
        GrantKind::Promotional => "p",
        GrantKind::Allocated => "a",
        GrantKind::Purchased => "b",
        GrantKind::Metered => "m",
    }
}
