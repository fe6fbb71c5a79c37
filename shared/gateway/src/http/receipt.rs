//! What a call was and cost: the source of its headers, its `meta` and its log line.

use accounting::{
    Account, KeyId, OrgId, PORTAL_CALLS_PER_MINUTE, Product, RateLimitOf, RateWindow, Refusal, Timestamp,
};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::admission::Identity;

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

    /// Makes the receipt of a call of a product that is open to all.
    pub(super) fn open(product: Product) -> Self {
        Self { product: product.name(), ..Self::platform() }
    }

    /// Makes the receipt of a call that cost nothing: who called, what the account has left that was looked at,
    /// and what is left of the limit of the portal's calls that counted it.
    pub(super) fn of(
        product: Product,
        identity: Option<&Identity>,
        account: Option<&Account>,
        portal_calls: Option<RateWindow>,
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
        let of_portal = |calls| RateStanding::of(calls, PORTAL_CALLS_PER_MINUTE, now);
        Self {
            org: identity.and_then(Identity::org).cloned(),
            key,
            credits_remaining: account.map(|account| account.balance(None, account.moment(now))),
            rate: portal_calls.map(of_portal).or_else(|| account.map(of_account)),
            session_token,
            ..Self::open(product)
        }
    }

    /// Shows the limit that refused a call, where that is the key's own or all people's: what the organization
    /// has left does not help this caller.
    pub(super) fn limited_by(self, refusal: Option<Refusal>) -> Self {
        let Some(Refusal::RateLimited { limit, of: RateLimitOf::Key | RateLimitOf::People, .. }) = refusal
        else {
            return self;
        };
        Self { rate: self.rate.map(|rate| RateStanding { limit, remaining: 0, ..rate }), ..self }
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
