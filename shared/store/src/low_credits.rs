//! Notices about low balances, for the administrator's log and for webhooks.

use accounting::{AccountKey, Change, Credits, Timestamp};

use super::accounts::Accounts;
use super::error::StoreError;
use super::item::{NewItem, stored};
use super::keys;

/// The thresholds, as percentages of the credits granted by unexpired grants.
const THRESHOLDS: [Credits; 3] = [25, 10, 0];

/// The latest low-balance threshold that an organization reached. It's stored in an item so that the table's
/// stream reports it for webhooks.
pub(super) struct LowCredits {
    pub(super) percent_left: u64,
    pub(super) balance: Credits,
    pub(super) at: Timestamp,
}

stored!(LowCredits { percent_left: "percent", balance: "balance", at: "at" });

impl Accounts {
    /// Logs and stores a notice if a charge reduces an organization's balance to at most 25%, 10%, or 0% of
    /// the credits granted by unexpired grants. Does nothing for sessions. If a charge crosses several
    /// thresholds, only the lowest is reported. If the notice can't be stored, the charge stays valid and
    /// only the log contains the notice.
    pub async fn notice_low_credits(&self, key: &AccountKey, charge: &Change, now: Timestamp) {
        let Some(org) = key.org() else { return };
        let Some(low) = crossed(charge, now) else { return };
        let (percent_left, balance) = (low.percent_left, low.balance);
        tracing::warn!(event = "credits_low", %org, percent_left, balance);
        let item = NewItem::of_key(keys::organization(org), keys::CREDITS_LOW).with_all(&low);
        let put = self.0.once.put_item().table_name(&self.0.accounts).set_item(Some(item.build()));
        if let Err(error) = put.send().await {
            let error = StoreError::from(error);
            tracing::error!(event = "credits_low_not_stored", %org, %error);
        }
    }
}

/// Returns the lowest threshold that a charge crossed, if any.
fn crossed(charge: &Change, now: Timestamp) -> Option<LowCredits> {
    let account = &charge.account;
    let moment = account.moment(now);
    let unexpired = account.grants.values().filter(|grant| !grant.is_expired(moment));
    let granted = unexpired.map(|grant| grant.granted).fold(0, Credits::saturating_add);
    let after = account.balance(None, moment);
    let before = after.saturating_add(charge.credits());
    let is_above =
        |credits: Credits, percent: Credits| credits.saturating_mul(100) > granted.saturating_mul(percent);
    let is_crossed = |percent: &Credits| is_above(before, *percent) && !is_above(after, *percent);
    let percent = THRESHOLDS.into_iter().rev().find(is_crossed)?;
    Some(LowCredits { percent_left: percent, balance: after, at: now })
}
