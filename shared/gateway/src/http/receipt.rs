//! A call's receipt, from which the account headers, `meta`, and the log line are written.

use accounting::{ACCOUNT_API_CALLS_PER_MINUTE, Account, KeyId, OrgId, Product, RateWindow, Timestamp};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::admission::Identity;

/// The product name in responses to unknown paths and methods.
const PLATFORM: &str = "platform";

/// A call's cost and account, as reported to the caller and in the log.
#[derive(Clone, Debug, Default)]
pub(super) struct Receipt {
    pub(super) product: &'static str,
    pub(super) org: Option<OrgId>,
    /// The API key that made the call, if any.
    pub(super) key: Option<KeyId>,
    pub(super) credits_used: u64,
    /// The account's remaining credits. `None` if the account wasn't read.
    pub(super) credits_remaining: Option<u64>,
    /// The rate limits that apply to the call. Empty if none apply, or if the account wasn't read.
    rates: Vec<RateLimitState>,
    /// The session token, if this call opened a session.
    pub(super) session_token: Option<String>,
}

/// The state of a rate limit in the current minute.
#[derive(Clone, Copy, Debug)]
struct RateLimitState {
    /// The name of the limit in `RateLimit` and `RateLimit-Policy`.
    name: &'static str,
    limit: u32,
    remaining: u32,
    reset: Timestamp,
    seconds_left: i64,
}

impl Receipt {
    /// Creates the receipt for a call to an unknown path or method.
    pub(super) fn platform() -> Self {
        Self { product: PLATFORM, ..Self::default() }
    }

    /// Creates the receipt for a call that skips admission, because the operation is open to everyone or the
    /// function isn't ready.
    pub(super) fn open(product: Product) -> Self {
        Self { product: product.name(), ..Self::platform() }
    }

    /// Creates a call's receipt with 0 credits used.
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
        let rates = match (account_api_calls, account) {
            (Some(calls), _) => vec![RateLimitState::of("minute", calls, ACCOUNT_API_CALLS_PER_MINUTE, now)],
            (None, Some(account)) => rates_of_account(product, identity, account, now),
            (None, None) => Vec::new(),
        };
        Self {
            org: identity.and_then(Identity::org).cloned(),
            key,
            credits_remaining: account.map(|account| account.balance(None, account.moment(now))),
            rates,
            session_token,
            ..Self::open(product)
        }
    }

    /// Writes the headers for credits, a new session's token, and rate limits. `X-RateLimit-*` describe the
    /// limit with the fewest remaining calls, and `RateLimit` and `RateLimit-Policy` list every limit
    /// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/>).
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
        let Some(tightest) = self.rates.iter().min_by_key(|rate| rate.remaining) else { return };
        set("x-ratelimit-limit", tightest.limit.to_string());
        set("x-ratelimit-remaining", tightest.remaining.to_string());
        set("x-ratelimit-reset", tightest.reset.unix_seconds().to_string());
        let listed =
            |of: fn(&RateLimitState) -> String| self.rates.iter().map(of).collect::<Vec<_>>().join(", ");
        set("ratelimit-policy", listed(|rate| format!("\"{}\";q={};w=60", rate.name, rate.limit)));
        set(
            "ratelimit",
            listed(|rate| format!("\"{}\";r={};t={}", rate.name, rate.remaining, rate.seconds_left)),
        );
    }
}

impl RateLimitState {
    fn of(name: &'static str, window: RateWindow, limit: u32, now: Timestamp) -> Self {
        let minute = window.moment(now).minute();
        let reset = Timestamp::at_minute(minute + 1);
        Self {
            name,
            limit,
            remaining: limit.saturating_sub(window.calls_in(minute)),
            reset,
            seconds_left: (reset.unix_seconds() - now.unix_seconds()).max(1),
        }
    }
}

/// Returns the tier's rate limit and, if the product has one, the limit for each caller.
fn rates_of_account(
    product: Product,
    identity: Option<&Identity>,
    account: &Account,
    now: Timestamp,
) -> Vec<RateLimitState> {
    let limit = account.holder.tier().calls_per_minute();
    let mut rates = vec![RateLimitState::of("minute", account.window, limit, now)];
    if let Some((caller, limit)) = identity.and_then(Identity::limited_caller).zip(product.caller_limit()) {
        let calls = account.callers.get(&caller).copied().unwrap_or(0);
        rates.push(RateLimitState::of("inventory", RateWindow { calls, ..account.window }, limit, now));
    }
    rates
}
