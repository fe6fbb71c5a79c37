//! What a call was and cost: the source of its headers, its `meta` and its log line.

use accounting::{
    Account, KeyId, OrgId, PORTAL_CALLS_PER_MINUTE, Product, RateLimitOf, RateWindow, Refusal, Timestamp,
};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::admission::{Admission, AdmissionError, Forbidden, Identified, Identity};

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
    /// The credits that the caller's account has left; `None` where none was looked at.
    pub(super) credits_remaining: Option<u64>,
    /// The calls that the caller has left; `None` where they are not counted.
    rate: Option<RateStanding>,
    /// The token of a session that this call opened.
    pub(super) session_token: Option<String>,
}

/// What is left of a limit of calls a minute.
#[derive(Clone, Copy, Debug)]
struct RateStanding {
    limit: u32,
    remaining: u32,
    reset: Timestamp,
    seconds_left: i64,
}

impl Receipt {
    /// Makes the receipt of a call that no product took.
    pub(super) fn platform() -> Self {
        Self {
            product: PLATFORM,
            org: None,
            key: None,
            credits_used: 0,
            credits_remaining: None,
            rate: None,
            session_token: None,
        }
    }

    /// Makes the receipt of an admitted call.
    pub(super) fn admitted(product: Product, admission: &Admission, now: Timestamp) -> Self {
        let free = Self::free(product, Some(admission.identity()));
        let receipt =
            Self { credits_used: admission.credits(), ..free }.with_account(admission.account(), now);
        match admission.portal_calls() {
            Some(calls) => Self { rate: Some(RateStanding::of_portal(calls, now)), ..receipt },
            None => receipt,
        }
    }

    /// Makes the receipt of a call that ends before it is admitted.
    pub(super) fn identified(product: Product, identified: &Identified, now: Timestamp) -> Self {
        let Identified { identity, portal_calls } = identified;
        let rate = portal_calls.map(|calls| RateStanding::of_portal(calls, now));
        Self { rate, ..Self::free(product, Some(identity)) }
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
                let receipt = free.with_account(Some(account), now);
                Self { rate: receipt.rate.map(|rate| rate.limited_by(*refusal)), ..receipt }
            }
            AdmissionError::PortalRateLimited { window, .. } => {
                Self { rate: Some(RateStanding::of_portal(*window, now)), ..free }
            }
            AdmissionError::Forbidden(Forbidden::ScopeMissing { org, key, account, .. }) => Self {
                org: Some(org.clone()),
                key: Some(key.clone()),
                ..free.with_account(account.as_deref(), now)
            },
            AdmissionError::Unauthenticated(_)
            | AdmissionError::AmbiguousCredentials
            | AdmissionError::Forbidden(
                Forbidden::KeyRequired
                | Forbidden::PersonRequired
                | Forbidden::NoOrganization
                | Forbidden::NoAccount,
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
        Self { product: product.name(), org, key, session_token, ..Self::platform() }
    }

    /// Adds what an account has left, where one was looked at.
    fn with_account(self, account: Option<&Account>, now: Timestamp) -> Self {
        Self {
            credits_remaining: account.map(|account| account.balance(None, account.moment(now))),
            rate: account.map(|account| RateStanding::of_account(account, now)),
            ..self
        }
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
        if let Some(credits) = self.credits_remaining {
            set("x-credits-remaining", credits.to_string());
        }
        let Some(rate) = self.rate else {
            return;
        };
        let RateStanding { limit, remaining, reset, seconds_left } = rate;
        set("x-ratelimit-limit", limit.to_string());
        set("x-ratelimit-remaining", remaining.to_string());
        set("x-ratelimit-reset", reset.unix_seconds().to_string());
        set("ratelimit-policy", format!("\"minute\";q={limit};w=60"));
        set("ratelimit", format!("\"minute\";r={remaining};t={seconds_left}"));
    }
}

impl RateStanding {
    fn of_account(account: &Account, now: Timestamp) -> Self {
        Self::of(account.window, account.holder.tier().calls_per_minute(), now)
    }

    fn of_portal(calls: RateWindow, now: Timestamp) -> Self {
        Self::of(calls, PORTAL_CALLS_PER_MINUTE, now)
    }

    fn of(window: RateWindow, limit: u32, now: Timestamp) -> Self {
        let minute = window.moment(now).minute();
        let reset = Timestamp::at_minute(minute + 1);
        Self {
            limit,
            remaining: limit.saturating_sub(window.calls_in(minute)),
            reset,
            seconds_left: (reset.unix_seconds() - now.unix_seconds()).max(1),
        }
    }

    /// Shows the limit that refused a call, where that is the key's own or all people's: what the organization
    /// has left does not help this caller.
    fn limited_by(self, refusal: Refusal) -> Self {
        match refusal {
            Refusal::RateLimited { limit, of: RateLimitOf::Key | RateLimitOf::People, .. } => {
                Self { limit, remaining: 0, ..self }
            }
            Refusal::RateLimited { of: RateLimitOf::Account, .. }
            | Refusal::QuotaExceeded { .. }
            | Refusal::Suspended => self,
        }
    }
}
