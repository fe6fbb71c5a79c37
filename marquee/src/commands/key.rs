//! `marquee key`.

use account::ShownKey;
use accounting::{KeyId, OrgId, Scope};
use clap::Subcommand;
use gateway::App;
use serde_json::{Value, json};
use store::{CreatedKey, KeyLabel, MAX_KEY_DAYS, NewKey};
use strum::IntoEnumIterator;

use super::arguments::{OrgArg, one_of};
use crate::administrator::Administrator;
use crate::failure::Failure;

/// A subcommand of `marquee key`.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Create a key and show it once.
    Create {
        /// The organization's ID.
        org: OrgId,
        /// A label for the key; use a separate key for each integration.
        #[arg(long)]
        label: KeyLabel,
        /// The key's scopes, separated by commas; all scopes by default.
        #[arg(long, value_delimiter = ',', value_parser = one_of(Scope::iter(), meaning))]
        scopes: Vec<Scope>,
        /// The number of days until the key expires; by default, it doesn't expire.
        #[arg(
        long,
        value_name = "DAYS",
        value_parser = clap::value_parser!(u16).range(1..=MAX_KEY_DAYS as i64)
    )]
        expires_in_days: Option<u16>,
    },
    /// List an organization's active keys and its last 100 expired or revoked keys, newest first.
    List(OrgArg),
    /// Revoke a key; it stops working within 30 seconds.
    Revoke {
        /// The organization's ID.
        org: OrgId,
        /// The key's ID, as listed by `marquee key list`.
        key: KeyId,
    },
}

impl KeyCommand {
    pub async fn run(self, app: &App) -> Result<Value, Failure> {
        let administrator = Administrator::new(app.clone());
        match self {
            Self::Create { org, label, scopes, expires_in_days } => {
                let scopes = if scopes.is_empty() { Scope::all() } else { scopes.into_iter().collect() };
                let expires_at = expires_in_days.map(|days| app.clock.now().plus_days(days.into()));
                let new = NewKey { label, scopes, expires_at };
                let CreatedKey { api_key, key } = administrator.create_key(&org, &new).await?;
                // The members aren't needed, because an administrator created this key.
                let mut shown = json!(ShownKey::new(key, &[], app.clock.now()));
                shown["api_key"] = json!(api_key.reveal());
                Ok(shown)
            }
            Self::List(OrgArg { org }) => {
                let (keys, members) = (administrator.keys(&org).await?, administrator.members(&org).await?);
                let shown = |key| json!(ShownKey::new(key, &members, app.clock.now()));
                Ok(keys.into_iter().map(shown).collect())
            }
            Self::Revoke { org, key } => {
                administrator.revoke_key(&org, &key).await?;
                Ok(json!({ "org_id": org, "key_id": key, "revoked": true }))
            }
        }
    }
}

fn meaning(scope: Scope) -> &'static str {
    match scope {
        Scope::ScenariosRead => "Read campaigns and events",
        Scope::ScenariosWrite => "Create, edit, and delete campaigns and events",
        Scope::Measurements => "Buy measurements",
        Scope::Inventory => "Search the inventory",
        Scope::Analytics => "Search places, cohorts, population, and markets",
        Scope::Tiles => "Manage tile grants",
        Scope::Billing => "Read the organization's credits",
    }
}
