//! Daily sign-up limits: one for everyone, one per email domain, and one per range of client addresses. The
//! narrower limits prevent one person from using up the limit for everyone.

use std::net::{IpAddr, Ipv6Addr};

use accounting::Day;
use aws_sdk_dynamodb::types::TransactWriteItem;
use derive_more::Display;

use super::expression::Expression;
use super::item::{Item, key};
use super::keys;

/// How long a day's counts are kept after the day starts, in days. They're deleted early because their keys
/// contain digests of email domains and address ranges.
const COUNTS_KEPT_DAYS: i64 = 2;

/// The maximum number of sign-ups by a group per UTC day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignUpLimit {
    pub group: SignUpGroup,
    pub per_day: u32,
}

/// A group of people whose sign-ups are counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignUpGroup {
    Everyone,
    /// People whose email addresses belong to a [registered domain](crate::Email::registered_domain).
    Domain(String),
    /// People who call from a range of IP addresses.
    Range(AddressRange),
}

/// The IP addresses that one client can usually choose from: an IPv4 /24 or an IPv6 /48.
#[derive(Clone, Debug, PartialEq, Eq, Display)]
pub struct AddressRange(String);

impl From<IpAddr> for AddressRange {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                format!("{a}.{b}.{c}.0/24")
            }
            IpAddr::V6(address) => {
                let [a, b, c, ..] = address.segments();
                format!("{}/48", Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
            }
        })
    }
}

impl SignUpLimit {
    /// Returns the key of the item that counts the group's sign-ups on a day.
    pub(super) fn count_key(&self, day: Day) -> Item {
        key(keys::sign_ups_of_day(day, &self.group), keys::SIGN_UPS)
    }

    /// Returns the write that counts a sign-up, on the condition that the limit hasn't been reached.
    pub(super) fn count(&self, table: &str, day: Day) -> TransactWriteItem {
        let mut expression = Expression::default();
        let taken = expression.name("taken");
        expression.count_below(taken, self.per_day);
        expression.set_time_to_live(day.start().plus_days(COUNTS_KEPT_DAYS));
        expression.into_write(table, self.count_key(day))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_24_bits_of_ipv4_and_48_bits_of_ipv6() {
        for (address, range) in [
            ("203.0.113.9", "203.0.113.0/24"),
            ("203.0.113.255", "203.0.113.0/24"),
            ("203.0.114.9", "203.0.114.0/24"),
            ("::ffff:203.0.113.9", "203.0.113.0/24"),
            ("2001:db8:1:2::3", "2001:db8:1::/48"),
            ("2001:db8:1:ffff::", "2001:db8:1::/48"),
            ("2001:db8:2::", "2001:db8:2::/48"),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(AddressRange::from(address).to_string(), range);
        }
    }
}
