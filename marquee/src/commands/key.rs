use clap::Subcommand;
use serde_json::{Value, json};
use shared::App;
use shared::types::{KeyId, OrgId, Scope, Scopes};

use super::operator::Operator;
use super::render;

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Mints a key and shows it, this once.
    Mint {
        /// The organization.
        org: OrgId,
        /// Whose key it is; every integration has its own.
        #[arg(long)]
        label: String,
        /// What it may be used for; everything by default.
        #[arg(long, value_delimiter = ',')]
        scopes: Vec<Scope>,
    },
    /// Lists an organization's keys.
    List {
        /// The organization.
        org: OrgId,
    },
    /// Revokes a key; it is dead within 30 seconds.
    Revoke {
        /// The organization.
        org: OrgId,
        /// The key's id, as `key list` shows it.
        key: KeyId,
    },
}

impl KeyCommand {
    pub(super) async fn run(self, app: &App) -> Result<Value, String> {
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
