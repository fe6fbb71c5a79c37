//! `marquee key`.

use clap::Subcommand;
use serde_json::{Value, json};
use shared::App;
use shared::types::{KeyId, OrgId, Scope, Scopes};
use strum::IntoEnumIterator;

use super::arguments::{label, one_of};
use super::error::CommandError;
use super::render;
use crate::operator::Operator;

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Mints a key and shows it, this once.
    Mint {
        /// The organization.
        org: OrgId,
        /// What the key is for; give each integration a key of its own.
        #[arg(long, value_parser = label)]
        label: String,
        /// What the key may be used for, separated by commas; everything by default.
        #[arg(long, value_delimiter = ',', value_parser = one_of(Scope::iter(), meaning))]
        scopes: Vec<Scope>,
    },
    /// Lists an organization's keys.
    List {
        /// The organization.
        org: OrgId,
    },
    /// Revokes a key; it stops working within 30 seconds.
    Revoke {
        /// The organization.
        org: OrgId,
        /// The key's id, as `key list` shows it.
        key: KeyId,
    },
}

impl KeyCommand {
    pub async fn run(self, app: &App) -> Result<Value, CommandError> {
        let operator = Operator::new(app.clone());
        match self {
            Self::Mint { org, label, scopes } => {
                let scopes = if scopes.is_empty() { Scopes::all() } else { scopes.into_iter().collect() };
                let (api_key, key) = operator.mint_key(&org, &label, scopes).await?;
                let mut shown = render::key(&key);
                shown["api_key"] = json!(api_key.reveal());
                Ok(shown)
            }
            Self::List { org } => Ok(operator.keys(&org).await?.iter().map(render::key).collect()),
            Self::Revoke { org, key } => {
                operator.revoke_key(&org, &key).await?;
                Ok(json!({ "org_id": org, "key_id": key, "revoked": true }))
            }
        }
    }
}

fn meaning(scope: Scope) -> &'static str {
    match scope {
        Scope::ScenariosRead => "Read campaigns and events",
        Scope::ScenariosWrite => "Create, edit and delete campaigns and events",
        Scope::Inventory => "Search the inventory",
        Scope::Analytics => "Places, cohorts, population and markets",
        Scope::Tiles => "Manage grants of vector tiles",
        Scope::Billing => "Read the organization's credits",
    }
}
