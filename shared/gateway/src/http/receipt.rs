//! The receipt of a call, which its headers, `meta`, and log line are written from.

use accounting::{
    ACCOUNT_API_CALLS_PER_MINUTE, Account, KeyId, OrgId, Product, RateLimitOf, RateWindow, Refusal, Timestamp,
};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::admission::Identity;

/// The product of unknown paths and methods.
const PLATFORM: &str = "platform";

/// A record of a call and its cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Receipt {
    pub(super) product: &'static str,
    pub(super) org: Option<OrgId>,
    /// The API key that made the call.
    pub(super) key: Option<KeyId>,
    pub(super) credits_used: u64,
    /// The remaining credits of the caller's account, or `None` if no account was read.
    pub(super) credits_remaining: Option<u64>,
    /// The caller's remaining calls, or `None` if calls aren't counted.
    rate: Option<RateStanding>,
    /// The token of a session that this call opened.
    pub(super) session_token: Option<String>,
}

/// The state of a rate limit.
#[derive(Clone, Copy, Debug)]
struct RateStanding {
    limit: u32,
    remaining: u32,
    reset: Timestamp,
    seconds_left: i64,
}

impl Receipt {
    /// Creates the receipt of a call to an unknown path or method.
    pub(super) fn platform() -> Self {
        Self { product: PLATFORM, ..Self::default() }
    }

    /// Creates the receipt of a call to a product that is open to everyone.
    pub(super) fn open(product: Product) -> Self {
        Self { product: product.name(), ..Self::platform() }
    }

    /// Creates the receipt of a call that cost nothing, with the caller, the account's remaining credits, and
    /// the remaining calls of the limit that counted it.
    pub(super) fn of(
        product: Product,
        identity: Option<&Identity>,
        account: Option<&Account>,
        account_api_calls: Option<RateWindow>,
        now: Timestamp,
    ) -> Self {
        let (key, session_token) = match identity {
            Some(Identity::Key { id, .. }) => (Some(id.clone()), None),
            Some(Identity::Session { token, .. }) => (None, token.clone()),
            Some(Identity::Bearer { .. } | Identity::Public) | None => (None, None),
        };
        let of_account = |account: &Account| {
            RateStanding::of(account.window, account.holder.tier().calls_per_minute(), now)
        };
        let of_account_api = |calls| RateStanding::of(calls, ACCOUNT_API_CALLS_PER_MINUTE, now);
        Self {
            org: identity.and_then(Identity::org).cloned(),
            key,
            credits_remaining: account.map(|account| account.balance(None, account.moment(now))),
            rate: account_api_calls.map(of_account_api).or_else(|| account.map(of_account)),
            session_token,
            ..Self::open(product)
        }
    }

    /// Shows the limit that refused the call if it is a limit of the API key or of the members. The
    /// organization's remaining calls wouldn't help this caller.
    pub(super) fn limited_by(self, refusal: Option<Refusal>) -> Self {
        let Some(Refusal::RateLimited { limit, of: RateLimitOf::Key | RateLimitOf::People, .. }) = refusal
        else {
            return self;
        };
        Self { rate: self.rate.map(|rate| RateStanding { limit, remaining: 0, ..rate }), ..self }
    }

    /// Adds the headers that every response has.
    pub(super) fn write_headers(&self, headers: &mut HeaderMap) {
        let mut set = |name: &'static str, value: String| {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        set("x-credits-used", self.credits_used.to_string());
        if let Some(token) = &self.session_token {
            set("x-session-token", token.clone());
            set("cache-control", "no-store".to_owned());
        }
        if let Some(credits) = self.credits_remaining {
            set("x-credits-remaining", credits.to_string());
        }
        let Some(RateStanding { limit, remaining, reset, seconds_left }) = self.rate else { return };
        set("x-ratelimit-limit", limit.to_string());
        set("x-ratelimit-remaining", remaining.to_string());
        set("x-ratelimit-reset", reset.unix_seconds().to_string());
        set("ratelimit-policy", format!("\"minute\";q={limit};w=60"));
        set("ratelimit", format!("\"minute\";r={remaining};t={seconds_left}"));
    }
}

impl RateStanding {
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
}
