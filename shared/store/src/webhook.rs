//! Webhooks, their URLs, and their secrets.

use std::collections::BTreeSet;
use std::str::FromStr;

use accounting::{InvalidId, OrgId, Timestamp, UnknownName, is_lower_hex};
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString};
use thiserror::Error;

use super::item::{Attribute, stored, text};
use crate::{MemberId, RecordedChange};

/// The maximum number of webhooks per organization.
pub const MAX_WEBHOOKS: usize = 10;

/// How long deliveries are also signed with the previous secret after a rotation, in hours.
pub const PREVIOUS_SECRET_HOURS: i64 = 24;

/// A webhook's ID: `wh_` followed by 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, derive_more::Display, SerializeDisplay)]
pub struct WebhookId(String);

/// The URL that deliveries are sent to: an `https` URL on port 443, or an `http` URL on this machine, which
/// is accepted only when the service runs locally. It has a host name, no credentials, and no fragment.
#[derive(Clone, Debug, PartialEq, Eq, derive_more::Display, SerializeDisplay)]
pub struct WebhookUrl(String);

/// The error for a string that isn't an allowed webhook URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "must be an https URL, such as \"https://example.com/marquee\", with a host name and without \
     credentials, a fragment, or a port other than 443"
)]
pub struct InvalidWebhookUrl;

/// The key that signs a webhook's deliveries: 32 random bytes, shown as `whsec_` followed by Base64. The type
/// doesn't implement `Debug` or `Display`, so secrets can't be logged by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret([u8; 32]);

/// A type of change that a webhook can subscribe to. `ChangeType` in openapi.yaml describes all types.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, SerializeDisplay, Display, EnumIter, EnumString,
)]
#[strum(parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<ChangeType>)]
pub enum ChangeType {
    #[strum(serialize = "asset.created")]
    AssetCreated,
    /// An asset's body or measurement results changed, but its state didn't.
    #[strum(serialize = "asset.updated")]
    AssetUpdated,
    #[strum(serialize = "asset.state_changed")]
    AssetStateChanged,
    #[strum(serialize = "asset.deleted")]
    AssetDeleted,
    #[strum(serialize = "key.created")]
    KeyCreated,
    #[strum(serialize = "key.revoked")]
    KeyRevoked,
    /// A charge reduced the balance to at most 25%, 10%, or 0% of the granted credits.
    #[strum(serialize = "credits.low")]
    CreditsLow,
}

/// Why a webhook is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, Display, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum DisabledReason {
    /// An owner disabled the webhook.
    Owner,
    /// All attempts at a delivery failed, and no other delivery succeeded in the meantime.
    Failures,
    /// The receiver responded with 410 Gone.
    Gone,
}

/// An organization's webhook.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Webhook {
    #[serde(skip)]
    pub org: OrgId,
    #[serde(rename = "webhook_id")]
    pub id: WebhookId,
    pub url: WebhookUrl,
    /// The types of changes that are delivered. Never empty.
    pub event_types: BTreeSet<ChangeType>,
    /// The key that signs deliveries.
    #[serde(skip)]
    pub secret: WebhookSecret,
    /// The key before the latest rotation, or `None` if the key was never rotated.
    #[serde(skip)]
    pub previous_secret: Option<WebhookSecret>,
    /// When the previous key stops signing deliveries, or `None` if the key was never rotated.
    pub previous_secret_expires_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// The owner who created the webhook.
    #[serde(skip)]
    pub created_by: MemberId,
    /// When the webhook was disabled, or `None` if it's enabled.
    pub disabled_at: Option<Timestamp>,
    pub disabled_reason: Option<DisabledReason>,
    /// The time of a recent successful delivery, or `None` before the first one. It's updated at most once
    /// per hour, so it may not be the latest success.
    #[serde(skip)]
    pub last_success_at: Option<Timestamp>,
}

impl WebhookId {
    const PREFIX: &str = "wh_";

    pub fn from_random(bytes: [u8; 8]) -> Self {
        Self(format!("{}{}", Self::PREFIX, hex::encode(bytes)))
    }
}

impl FromStr for WebhookId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        match text.strip_prefix(Self::PREFIX) {
            Some(digits) if digits.len() == 16 && is_lower_hex(digits) => Ok(Self(text.to_owned())),
            _ => Err(InvalidId("must be `wh_` followed by 16 lowercase hexadecimal digits")),
        }
    }
}

impl WebhookUrl {
    /// The maximum length of a URL, in bytes.
    pub const MAX_BYTES: usize = 1000;

    /// The allowed characters in addition to letters and digits: those in
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-2>, except for the ones that are needed only for
    /// fragments, user information, and IPv6 addresses.
    const PUNCTUATION: &[u8] = b"-._~:/?!$&'()*+,;=%";

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this is an unencrypted URL on this machine.
    pub fn is_local(&self) -> bool {
        self.0.starts_with("http://")
    }
}

impl FromStr for WebhookUrl {
    type Err = InvalidWebhookUrl;

    fn from_str(text: &str) -> Result<Self, InvalidWebhookUrl> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || Self::PUNCTUATION.contains(&byte);
        if text.len() > Self::MAX_BYTES || !text.bytes().all(is_allowed) {
            return Err(InvalidWebhookUrl);
        }
        let (is_local, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return Err(InvalidWebhookUrl),
        };
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        let is_valid = if is_local {
            ["127.0.0.1", "localhost"].contains(&host) && port.is_none_or(|port| port.parse::<u16>().is_ok())
        } else {
            is_host_name(host) && port.is_none_or(|port| port == "443")
        };
        if is_valid { Ok(Self(text.to_owned())) } else { Err(InvalidWebhookUrl) }
    }
}

impl WebhookSecret {
    const PREFIX: &str = "whsec_";

    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the secret in clear text. It's shown only once, to the owner who creates or rotates it.
    pub fn reveal(&self) -> String {
        format!("{}{}", Self::PREFIX, self.stored())
    }

    /// Returns the secret's stored form, which is Base64.
    pub(super) fn stored(&self) -> String {
        BASE64_STANDARD.encode(self.0)
    }

    /// Returns the signing key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Webhook {
    /// Returns whether a change is delivered to the webhook. The webhook must be enabled, subscribe to this
    /// type of change, and have been created before the change. A change that appears to be less than a
    /// second older than the webhook is also delivered, because streams report times in whole seconds.
    pub fn receives(&self, change: &RecordedChange) -> bool {
        self.disabled_at.is_none()
            && self.event_types.contains(&change.change_type)
            && change.at.plus_seconds(1) > self.created_at
    }

    /// Returns the keys that sign a delivery at `now`, newest first: two keys during the first
    /// [`PREVIOUS_SECRET_HOURS`] hours after a rotation, and one key otherwise.
    pub fn signing_keys(&self, now: Timestamp) -> Vec<&[u8]> {
        let is_valid = self.previous_secret_expires_at.is_some_and(|expires_at| now < expires_at);
        let previous = self.previous_secret.as_ref().filter(|_| is_valid);
        [Some(&self.secret), previous].into_iter().flatten().map(WebhookSecret::as_bytes).collect()
    }
}

impl Attribute for WebhookSecret {
    fn write(&self) -> Option<AttributeValue> {
        Some(text(self.stored()))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(value.as_s().ok()?).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }
}

stored!(Webhook {
    org: "org",
    id: "webhook_id",
    url: "url",
    event_types: "types",
    secret: "secret",
    previous_secret: "previous_secret",
    previous_secret_expires_at: "previous_expires",
    created_at: "created",
    created_by: "created_by",
    disabled_at: "disabled",
    disabled_reason: "disabled_reason",
    last_success_at: "succeeded",
});

/// Returns whether a string is a DNS name with at least one dot and a last label that starts with a letter,
/// so that it can't be an IP address.
fn is_host_name(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let top = host.rsplit('.').next().unwrap_or_default();
    host.len() <= 253
        && host.contains('.')
        && host.split('.').all(is_label)
        && top.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_a_host_name_and_the_https_port() {
        for (url, is_valid) in [
            ("https://example.com", true),
            ("https://hooks.example.com:443/marquee?team=7", true),
            ("http://127.0.0.1:8080/marquee", true),
            ("http://localhost/marquee", true),
            ("http://example.com/marquee", false),
            ("https://example.com:8443/", false),
            ("https://user:secret@example.com/", false),
            ("https://example.com/#part", false),
            ("https://10.0.0.1/", false),
            ("https://[::1]/", false),
            ("https://0x7f000001/", false),
            ("https://127.1/", false),
            ("https://localhost/", false),
            ("https://example.com\\@10.0.0.1/", false),
            ("https://exam ple.com/", false),
            ("https://example.com:/", false),
            ("https://example.com/a<b>", false),
            ("https://example.com/?q=caf%C3%A9&x=(1)", true),
            ("https://example.com/caf\u{e9}", false),
            ("https://.example.com/", false),
            ("https:///path", false),
            ("ftp://example.com/", false),
            ("", false),
        ] {
            assert_eq!(url.parse::<WebhookUrl>().is_ok(), is_valid, "{url}");
        }
        let longest = format!("https://example.com/{}", "a".repeat(WebhookUrl::MAX_BYTES - 20));
        assert!(longest.parse::<WebhookUrl>().is_ok());
        assert!(format!("{longest}a").parse::<WebhookUrl>().is_err());
    }
}
