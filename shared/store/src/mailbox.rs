//! The mailbox and the registered domain of an email address. Sign-ups are limited per mailbox and per
//! domain.
//!
//! See `docs/decisions/0038-sign-up.md`.

use accounting::HexDigits;

use crate::Email;

/// The second-level labels under which names are registered in country domains, such as `co` in
/// `example.co.uk`.
const SECOND_LEVEL: [&str; 10] = ["ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org"];

impl Email {
    /// Returns the SHA-256 digest of the mailbox that receives mail for the address. Sign-up records contain
    /// only this digest, not the address.
    ///
    /// Subaddresses such as `me+news@example.com` belong to the `me@example.com` mailbox. Gmail also ignores
    /// dots and delivers mail for both of its domains to the same mailbox.
    pub fn mailbox_digest(&self) -> HexDigits<64> {
        HexDigits::of_sha256(&[self.mailbox().as_bytes()])
    }

    /// Returns the part of the host name that an owner usually registers: the last two labels, or the last
    /// three under endings such as `co.uk`. The public suffix list would be more precise, but it's larger
    /// than the rest of the account function.
    pub fn registered_domain(&self) -> String {
        let host = self.host();
        let labels: Vec<_> = host.split('.').collect();
        let count = match labels[..] {
            [.., second, top] if top.len() == 2 && SECOND_LEVEL.contains(&second) => 3,
            _ => 2,
        };
        labels[labels.len().saturating_sub(count)..].join(".")
    }

    fn mailbox(&self) -> String {
        let (name, host) = (self.name(), self.host());
        let folded = match name.split_once('+') {
            Some((before, _)) if !before.is_empty() => before,
            _ => name,
        };
        if host == "gmail.com" {
            return format!("{}@{host}", folded.replace('.', ""));
        }
        format!("{folded}@{host}")
    }

    /// Returns the part before the `@`.
    fn name(&self) -> &str {
        self.as_str().split_once('@').map_or("", |(name, _)| name)
    }

    /// Returns the host name without a trailing dot. `googlemail.com` becomes `gmail.com`.
    fn host(&self) -> &str {
        let host = self.as_str().split_once('@').map_or("", |(_, host)| host);
        match host.trim_end_matches('.') {
            "googlemail.com" => "gmail.com",
            host => host,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(text: &str) -> Email {
        text.parse().expect("an address")
    }

    #[test]
    fn sub_addresses_and_dots_of_gmail_belong_to_one_mailbox() {
        for (address, mailbox) in [
            ("me@example.com", "me@example.com"),
            ("Me+Tag@Example.com", "me@example.com"),
            ("me+a+b@example.com.", "me@example.com"),
            ("m.e@example.com", "m.e@example.com"),
            ("m.e+tag@gmail.com", "me@gmail.com"),
            ("m.e@googlemail.com", "me@gmail.com"),
            ("+tag@example.com", "+tag@example.com"),
            ("me+tag@notgmail.com", "me@notgmail.com"),
        ] {
            assert_eq!(email(address).mailbox(), mailbox, "{address}");
        }
    }

    #[test]
    fn host_names_of_one_owner_have_one_registered_domain() {
        for (address, domain) in [
            ("me@example.com", "example.com"),
            ("me@a.b.example.com", "example.com"),
            ("me@EXAMPLE.com.", "example.com"),
            ("me@example.co.uk", "example.co.uk"),
            ("me@mail.example.co.uk", "example.co.uk"),
            ("me@mail.example.de", "example.de"),
            ("me@a.abc.io", "abc.io"),
            ("me@googlemail.com", "gmail.com"),
            ("me@localhost", "localhost"),
            ("me@co.uk", "co.uk"),
        ] {
            assert_eq!(email(address).registered_domain(), domain, "{address}");
        }
    }
}
