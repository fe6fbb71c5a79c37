//! What a call was and cost: the source of its headers, its `meta` and its log line.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::admission::{Admission, AdmissionError, Forbidden, Identity, Refusal};
use crate::types::{Account, KeyId, OrgId, Product, Timestamp};

/// The product of a path that has none.
const PLATFORM: &str = "platform";

/// What a call was and cost, for its headers, its envelope and its log line.
#[derive(Clone, Debug)]
pub(super) struct Receipt {
    pub(super) product: &'static str,
    pub(super) org: Option<OrgId>,
    /// The API key that called.
    pub(super) key: Option<KeyId>,
    pub(super) credits_used: u64,
    /// What the caller has left; `None` where no account was looked at.
    pub(super) account: Option<AccountStanding>,
    /// The token of a session that this call opened.
    pub(super) session_token: Option<String>,
}

/// What an account has left after a call: credits, and calls of the minute.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccountStanding {
    pub(super) credits_remaining: u64,
    limit: u32,
    remaining: u32,
    reset: Timestamp,
    seconds_left: i64,
}

impl Receipt {
    /// Makes the receipt of a call that no product took.
    pub(super) fn platform() -> Self {
        Self { product: PLATFORM, org: None, key: None, credits_used: 0, account: None, session_token: None }
    }

    /// Makes the receipt of an admitted call.
    pub(super) fn admitted(product: Product, admission: &Admission, now: Timestamp) -> Self {
        Self {
            credits_used: admission.credits(),
            account: admission.account().map(|account| AccountStanding::of(account, now)),
            ..Self::free(product, Some(admission.identity()))
        }
    }

    /// Makes the receipt of a call that was not admitted.
    pub(super) fn not_admitted(
        product: Product,
        identity: Option<&Identity>,
        error: &AdmissionError,
        now: Timestamp,
    ) -> Self {
        let free = Self::free(product, identity);
        match error {
            AdmissionError::Refused(refusal, account) => {
                let standing = AccountStanding::of(account, now);
                Self { account: Some(standing.limited_by(*refusal)), ..free }
            }
            AdmissionError::Forbidden(Forbidden::ScopeMissing { org, key, account, .. }) => Self {
                org: Some(org.clone()),
                key: Some(key.clone()),
                account: account.as_ref().map(|account| AccountStanding::of(account, now)),
                ..free
            },
            AdmissionError::Unauthenticated(_)
            | AdmissionError::AmbiguousCredentials
            | AdmissionError::Forbidden(
                Forbidden::KeyRequired | Forbidden::NoOrganization | Forbidden::NoAccount,
            )
            | AdmissionError::IssuerUnavailable
            | AdmissionError::Unanswered
            | AdmissionError::Panicked
            | AdmissionError::ClockSkewed(_)
            | AdmissionError::Store(_) => free,
        }
    }

    pub(super) fn free(product: Product, identity: Option<&Identity>) -> Self {
        let (key, session_token) = match identity {
            Some(Identity::Key { id, .. }) => (Some(id.clone()), None),
            Some(Identity::Session { token, .. }) => (None, token.clone()),
            Some(Identity::Bearer { .. } | Identity::Public) | None => (None, None),
        };
        let org = identity.and_then(Identity::org).cloned();
        Self { product: product.name(), org, key, credits_used: 0, account: None, session_token }
    }

    /// Adds the headers that every response carries.
    pub(super) fn write_headers(&self, headers: &mut HeaderMap) {
        let mut set = |name: &'static str, value: String| {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        set("x-credits-used", self.credits_used.to_string());
        if let Some(token) = &self.session_token {
            set("x-session-token", token.clone());
        }
        let Some(account) = self.account else {
            return;
        };
        let AccountStanding { credits_remaining, limit, remaining, reset, seconds_left } = account;
        set("x-credits-remaining", credits_remaining.to_string());
        set("x-ratelimit-limit", limit.to_string());
        set("x-ratelimit-remaining", remaining.to_string());
        set("x-ratelimit-reset", reset.unix_seconds().to_string());
        set("ratelimit-policy", format!("\"minute\";q={limit};w=60"));
        set("ratelimit", format!("\"minute\";r={remaining};t={seconds_left}"));
    }
}

impl AccountStanding {
    fn of(account: &Account, now: Timestamp) -> Self {
        let minute = account.rate_moment(now).minute();
        let limit = account.holder.tier().calls_per_minute();
        let reset = Timestamp::at_minute(minute + 1);
        Self {
            credits_remaining: account.balance(None, account.moment(now)),
            limit,
            remaining: limit.saturating_sub(account.window.calls_in(minute)),
            reset,
            seconds_left: (reset.unix_seconds() - now.unix_seconds()).max(1),
        }
    }

    /// Shows the limit that refused a call, where that is the key's own: what the organization has left does
    /// not help this caller.
    fn limited_by(self, refusal: Refusal) -> Self {
        match refusal {
            Refusal::RateLimited { limit, of_key: true, .. } => Self { limit, remaining: 0, ..self },
            Refusal::RateLimited { of_key: false, .. }
            | Refusal::QuotaExceeded { .. }
            | Refusal::Suspended => self,
        }
    }
}
