//! An account as an item, attribute by attribute.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;

use super::account_change::MarkedAccount;
use super::error::StoreError;
use super::item::{Attributes, Item, binary, map, number, parse_number, text};
use super::retry_marker::{RetryMarker, RetryMarkers};
use crate::types::{
    AccessTier, Account, Credits, Day, DayUsage, Deductions, Grant, GrantId, GrantKind, Holder, KeyId,
    MAX_MONTHLY_CAP, Plan, RateWindow, Tier, Timestamp, Totals, Usage, UsageLine,
};

/// The calls of all people in the minute of the account's window; absent while there are none.
pub(super) const PEOPLE_CALLS: &str = "people_hits";

/// Reads an account with its retry markers.
pub(super) fn decode_marked(item: &Item) -> Result<MarkedAccount, StoreError> {
    Ok(MarkedAccount { account: decode(item)?, markers: decode_markers(Attributes(item))? })
}

/// Reads an account.
pub(super) fn decode(item: &Item) -> Result<Account, StoreError> {
    let attributes = Attributes(item);
    Ok(Account {
        holder: decode_holder(attributes)?,
        grants: decode_grants(attributes)?,
        totals: Totals {
            granted: attributes.number("granted")?,
            used: attributes.number("used")?,
            expired: attributes.number("expired")?,
        },
        window: RateWindow { minute: attributes.number("minute")?, calls: attributes.number("hits")? },
        key_windows: decode_key_windows(attributes)?,
        people_calls: attributes.optional_number(PEOPLE_CALLS)?.unwrap_or(0),
        today: DayUsage { day: attributes.parsed::<Day>("day")?, usage: decode_usage(attributes)? },
        deductions: Deductions {
            refunds: attributes.optional_number("refunds")?.unwrap_or(0),
            credit_notes: attributes.optional_number("notes")?.unwrap_or(0),
            carried_in: attributes.optional_number("carried")?.unwrap_or(0),
        },
        suspended_at: attributes.optional_number("suspended")?.map(Timestamp::from_unix_millis),
    })
}

/// Writes a new account's attributes: no step has left a marker in it yet, nothing lowers its bill, nobody has
/// suspended it, and no person has called.
pub(super) fn encode(account: &Account) -> Item {
    let Account {
        holder,
        grants,
        totals,
        window,
        key_windows,
        people_calls: _,
        today,
        deductions: _,
        suspended_at: _,
    } = account;
    let grants = grants.iter().map(|(id, grant)| (id.as_str().to_owned(), encode_grant(grant)));
    let minutes = key_windows.iter().map(|(id, window)| (id.as_str().to_owned(), number(window.minute)));
    let calls = key_windows.iter().map(|(id, window)| (id.as_str().to_owned(), number(window.calls)));
    let (tier, cap, ends_at) = match holder {
        Holder::Organization(plan) => (holder.tier(), stored_cap(*plan), None),
        Holder::Session { ends_at } => (AccessTier::Anonymous, 0, Some(ends_at)),
    };
    let attributes = [
        ("tier", text(tier.name())),
        ("cap", number(cap)),
        ("grants", map(grants)),
        ("granted", number(totals.granted)),
        ("used", number(totals.used)),
        ("expired", number(totals.expired)),
        ("minute", number(window.minute)),
        ("hits", number(window.calls)),
        ("key_minutes", map(minutes)),
        ("key_hits", map(calls)),
        ("day", text(today.day.to_string())),
        ("ring", map([])),
    ];
    let mut item: Item = attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    item.extend(encode_usage(&today.usage).map(|(name, value)| (name.to_owned(), value)));
    item.extend(ends_at.map(|end| ("ttl".to_owned(), number(end.unix_seconds()))));
    item
}

/// Returns what the attribute `cap` says of a plan: 0 where nothing is metered.
pub(super) fn stored_cap(plan: Plan) -> Credits {
    plan.monthly_cap().unwrap_or(0)
}

/// Writes a retry marker: the step's bytes, and the number of the try.
pub(super) fn encode_marker(marker: RetryMarker) -> AttributeValue {
    let RetryMarker { step, attempt } = marker;
    binary([step.as_slice(), &[attempt]].concat())
}

/// Writes a grant.
pub(super) fn encode_grant(grant: &Grant) -> AttributeValue {
    let Grant { kind, granted, left, expires_at } = grant;
    let mut entries = vec![
        ("kind".to_owned(), text(kind.letter())),
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
        let letter = fields.text("kind")?;
        let kind = GrantKind::all().find(|known| known.letter() == letter);
        let grant = Grant {
            kind: kind.ok_or(StoreError::Corrupt("kind"))?,
            granted: fields.number("of")?,
            left: fields.number("left")?,
            expires_at: fields.optional_number("end")?.map(Timestamp::from_unix_seconds),
        };
        Ok((id.parse::<GrantId>().map_err(|_| StoreError::Corrupt("grants"))?, grant))
    };
    attributes.entries("grants")?.map(decode_one).collect()
}

fn decode_key_windows(attributes: Attributes<'_>) -> Result<BTreeMap<KeyId, RateWindow>, StoreError> {
    let calls: HashMap<_, _> = attributes.entries("key_hits")?.collect();
    let decode_one = |(id, minute): (&String, &AttributeValue)| {
        let minute = parse_number(minute, "key_minutes")?;
        let calls = calls.get(id).map_or(Ok(0), |calls| parse_number(calls, "key_hits"))?;
        Ok((id.parse().map_err(|_| StoreError::Corrupt("key_minutes"))?, RateWindow { minute, calls }))
    };
    attributes.entries("key_minutes")?.map(decode_one).collect()
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

fn decode_holder(attributes: Attributes<'_>) -> Result<Holder, StoreError> {
    if attributes.text("tier")? == AccessTier::Anonymous.name() {
        return Ok(Holder::Session { ends_at: Timestamp::from_unix_seconds(attributes.number("ttl")?) });
    }
    Ok(Holder::Organization(match attributes.parsed("tier")? {
        Tier::Sandbox => Plan::Sandbox,
        Tier::PayAsYouGo => Plan::PayAsYouGo { monthly_cap: decode_cap(attributes)? },
        Tier::Enterprise => Plan::Enterprise,
    }))
}

fn decode_cap(attributes: Attributes<'_>) -> Result<Credits, StoreError> {
    let cap = attributes.number("cap")?;
    if cap > MAX_MONTHLY_CAP { Err(StoreError::Corrupt("cap")) } else { Ok(cap) }
}

fn decode_markers(attributes: Attributes<'_>) -> Result<RetryMarkers, StoreError> {
    let decode_one = |(slot, marker): (&String, &AttributeValue)| {
        let bytes = marker.as_b().ok().and_then(|bytes| <[u8; 7]>::try_from(bytes.as_ref()).ok());
        let [step @ .., attempt] = bytes.ok_or(StoreError::Corrupt("ring"))?;
        Ok((slot.parse().map_err(|_| StoreError::Corrupt("ring"))?, RetryMarker { step, attempt }))
    };
    attributes.entries("ring")?.map(decode_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PrepaidKind;

    /// An organization's item as the previous version stored it.
    fn stored(tier: &str, cap: i64) -> Item {
        let grant = |kind: &str, left: i64| {
            map([
                ("kind".to_owned(), text(kind)),
                ("of".to_owned(), number(10)),
                ("left".to_owned(), number(left)),
            ])
        };
        [
            ("pk", text("org#org_1")),
            ("sk", text("account")),
            ("tier", text(tier)),
            ("cap", number(cap)),
            ("grants", map([("0011aabb".to_owned(), grant("p", 4)), ("m202611".to_owned(), grant("m", 7))])),
            ("granted", number(20)),
            ("used", number(9)),
            ("expired", number(0)),
            ("minute", number(29_393_820)),
            ("hits", number(3)),
            ("key_minutes", map([("0011aabb".to_owned(), number(29_393_820))])),
            ("key_hits", map([("0011aabb".to_owned(), number(2))])),
            ("day", text("2026-11-20")),
            ("calls", map([("place_search".to_owned(), number(9))])),
            ("spent", map([("place_search".to_owned(), number(9))])),
            ("ring", map([("7".to_owned(), binary([1, 2, 3, 4, 5, 6, 200]))])),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    #[test]
    fn reads_what_the_previous_version_stored_of_each_tier() {
        for (item, holder) in [
            (stored("sandbox", 0), Holder::Organization(Plan::Sandbox)),
            (stored("pay_as_you_go", 500), Holder::Organization(Plan::PayAsYouGo { monthly_cap: 500 })),
            (stored("enterprise", 0), Holder::Organization(Plan::Enterprise)),
        ] {
            let MarkedAccount { account, markers } = decode_marked(&item).expect("it is readable");
            assert_eq!(account.holder, holder);
            assert_eq!((account.left(), account.totals.granted, account.totals.used), (11, 20, 9));
            let kinds: Vec<_> = account.grants.values().map(|grant| grant.kind).collect();
            assert_eq!(kinds, [GrantKind::Prepaid(PrepaidKind::Promotional), GrantKind::Metered]);
            assert_eq!(account.window, RateWindow { minute: 29_393_820, calls: 3 });
            assert_eq!(account.key_windows.values().map(|window| window.calls).collect::<Vec<_>>(), [2]);
            assert_eq!(account.today.day.to_string(), "2026-11-20");
            assert_eq!(markers.get(7), Some(RetryMarker { step: [1, 2, 3, 4, 5, 6], attempt: 200 }));
            assert_eq!(encode_marker(markers.get(7).expect("a marker")), binary([1, 2, 3, 4, 5, 6, 200]));
            // But for the keys and the markers, it is what this version writes.
            let mut written = encode(&account);
            written.extend(["pk", "sk", "ring"].map(|name| (name.to_owned(), item[name].clone())));
            assert_eq!(written, item);
        }
    }

    #[test]
    fn reads_what_the_previous_version_stored_of_a_session() {
        let mut item = stored("anonymous", 0);
        item.insert("ttl".to_owned(), number(1_795_251_630));
        let account = decode(&item).expect("it is readable");
        assert_eq!(account.holder, Holder::Session { ends_at: Timestamp::from_unix_seconds(1_795_251_630) });
        assert_eq!(
            (encode(&account)["tier"].clone(), encode(&account)["ttl"].clone()),
            (text("anonymous"), item["ttl"].clone())
        );
        item.remove("ttl");
        assert!(matches!(decode(&item), Err(StoreError::Corrupt("ttl"))), "a session has an end");
    }

    #[test]
    fn reads_the_largest_cap_and_calls_a_larger_one_unreadable() {
        let item = |cap: u64| {
            let mut item = stored("pay_as_you_go", 0);
            item.insert("cap".to_owned(), number(cap));
            decode(&item)
        };
        let account = item(MAX_MONTHLY_CAP).expect("it is readable");
        assert_eq!(account.holder.monthly_cap(), Some(MAX_MONTHLY_CAP));
        assert!(matches!(item(MAX_MONTHLY_CAP + 1), Err(StoreError::Corrupt("cap"))));
    }

    #[test]
    fn names_the_attribute_that_it_cannot_read() {
        for (name, value) in [
            ("tier", text("platinum")),
            ("cap", text("many")),
            ("grants", map([("Grant#1".to_owned(), map([]))])),
            ("hits", number("-1")),
            ("day", text("2026-11-31")),
            ("ring", map([("7".to_owned(), binary([1, 2, 3]))])),
        ] {
            let mut item = stored("pay_as_you_go", 500);
            item.insert(name.to_owned(), value);
            assert!(decode_marked(&item).is_err(), "{name}");
        }
    }
}
