//! The IP addresses that deliveries can be sent to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A block of addresses: its first address and the length of its prefix in bits.
type Block<T> = (T, u32);

/// The IPv4 blocks that aren't globally reachable, and the multicast block. See
/// <https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml>.
const V4: [Block<Ipv4Addr>; 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The block of global IPv6 unicast addresses. All other blocks have special purposes or aren't assigned. See
/// <https://www.iana.org/assignments/ipv6-address-space/ipv6-address-space.xhtml>.
const V6_GLOBAL: Block<Ipv6Addr> = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Blocks of global unicast addresses that have special purposes, including the addresses that contain an
/// IPv4 address (6to4, Teredo). See
/// <https://www.iana.org/assignments/iana-ipv6-special-registry/iana-ipv6-special-registry.xhtml>.
const V6: [Block<Ipv6Addr>; 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Returns whether an address is on the public internet.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let bits = u32::from(address);
            !V4.iter().any(|(first, shared)| (bits ^ u32::from(*first)) >> (32 - shared) == 0)
        }
        IpAddr::V6(address) => {
            let bits = u128::from(address);
            let is_in =
                |(first, shared): &Block<Ipv6Addr>| (bits ^ u128::from(*first)) >> (128 - shared) == 0;
            is_in(&V6_GLOBAL) && !V6.iter().any(is_in)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_purpose_addresses_are_not_public() {
        for (special, neighbors) in [
            ("0.0.0.0", &["1.0.0.0"][..]),
            ("10.255.255.255", &["9.255.255.255", "11.0.0.0"]),
            ("100.64.0.1", &["100.63.255.255", "100.128.0.0"]),
            ("127.0.0.1", &["126.255.255.255", "128.0.0.0"]),
            ("169.254.169.254", &["169.253.255.255", "169.255.0.0"]),
            ("172.31.255.255", &["172.15.255.255", "172.32.0.0"]),
            ("192.0.0.170", &["191.255.255.255", "192.0.1.0"]),
            ("192.0.2.1", &["192.0.3.0"]),
            ("192.88.99.1", &["192.88.98.255", "192.88.100.0"]),
            ("192.168.1.1", &["192.167.255.255", "192.169.0.0"]),
            ("198.19.255.255", &["198.17.255.255", "198.20.0.0"]),
            ("198.51.100.7", &["198.51.99.255", "198.51.101.0"]),
            ("203.0.113.9", &["203.0.112.255", "203.0.114.0"]),
            ("224.0.0.1", &["223.255.255.255"]),
            ("240.0.0.1", &[]),
            ("255.255.255.255", &[]),
            ("::", &[]),
            ("::1", &[]),
            ("::ffff:10.0.0.1", &["::ffff:8.8.8.8"]),
            ("64:ff9b::a00:1", &[]),
            ("100::1", &[]),
            ("64:ff9b:1::1", &[]),
            ("1fff:ffff::1", &["2000::1"]),
            ("2001:1ff:ffff::1", &["2000:ffff::1", "2001:200::1"]),
            ("2001:db8::1", &["2001:db7::1", "2001:db9::1"]),
            ("2002:a00:1::", &["2001:ffff::1", "2003::1"]),
            ("3fff:fff::1", &["3ffe:ffff::1", "3fff:1000::1"]),
            ("4000::1", &[]),
            ("5f00::1", &[]),
            ("fc00::1", &[]),
            ("fd00:ec2::254", &[]),
            ("fe80::1", &[]),
            ("fec0::1", &[]),
            ("ff02::1", &[]),
        ] {
            let is_public = |address: &str| is_public(address.parse().expect("an address"));
            assert!(!is_public(special), "{special}");
            for neighbor in neighbors {
                assert!(is_public(neighbor), "{neighbor}");
            }
        }
    }
}
