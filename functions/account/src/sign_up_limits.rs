//! The daily limits that apply to a person's sign-up.

use std::net::IpAddr;

use gateway::SelfSignUp;
use store::{Email, SignUpGroup, SignUpLimit};

/// The largest domains that offer free email addresses. Because many unrelated people share them, they have a
/// higher daily limit.
const FREE_MAIL: [&str; 16] = [
    "aol.com",
    "comcast.net",
    "fastmail.com",
    "gmail.com",
    "gmx.com",
    "gmx.net",
    "hotmail.com",
    "icloud.com",
    "live.com",
    "mail.com",
    "me.com",
    "msn.com",
    "outlook.com",
    "proton.me",
    "protonmail.com",
    "yahoo.com",
];

/// Returns the limits for a person with the given email address and IP address. The limit for all sign-ups
/// comes first.
pub(crate) fn limits(allowed: SelfSignUp, email: &Email, client: IpAddr) -> [SignUpLimit; 3] {
    let domain = email.registered_domain();
    let is_free_mail = FREE_MAIL.contains(&domain.as_str());
    let per_domain = if is_free_mail { allowed.per_free_mail_domain() } else { allowed.per_source() };
    [
        (SignUpGroup::Everyone, allowed.per_day),
        (SignUpGroup::Domain(domain), per_domain),
        (SignUpGroup::Range(client.into()), allowed.per_source()),
    ]
    .map(|(group, per_day)| SignUpLimit { group, per_day })
}
