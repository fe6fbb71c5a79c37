//! `marquee credits`.

use accounting::{Credits, Day, GrantId, OrgId, PrepaidKind};
use clap::Subcommand;
use gateway::App;
use serde_json::{Value, json};
use strum::IntoEnumIterator;

use super::arguments::{OrgArg, one_of};
use super::error::CommandError;
use super::render;
use crate::administrator::Administrator;
use crate::failure::Failure;

/// What can be done with credits.
#[derive(Debug, Subcommand)]
pub enum CreditsCommand {
    /// Grants credits.
    Grant {
        /// The organization.
        org: OrgId,
        /// Where the credits come from.
        #[arg(long, value_parser = one_of(PrepaidKind::iter(), meaning))]
        kind: PrepaidKind,
        /// How many credits to grant.
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
        credits: Credits,
        /// The first day, in UTC, on which they can no longer be used; never by default.
        #[arg(long, value_name = "YYYY-MM-DD")]
        expires: Option<Day>,
    },
    /// Shows an organization's credits.
    Show(OrgArg),
    /// Takes what is left of a grant away; what was used of it stays used.
    Revoke {
        /// The organization.
        org: OrgId,
        /// The grant's id, as `credits show` lists it.
        grant: GrantId,
    },
    /// Shows what became of each grant, the oldest first.
    History(OrgArg),
}

impl CreditsCommand {
    pub async fn run(self, app: &App) -> Result<Value, Failure> {
        let (administrator, now) = (Administrator::new(app.clone()), app.clock.now());
        Ok(match self {
            Self::Grant { org, kind, credits, expires } => {
                if let Some(expires) = expires.filter(|day| day.start() <= now) {
                    return Err(CommandError::AlreadyExpired(expires).into());
                }
                administrator.grant(&org, kind, credits, expires.map(Day::start)).await?;
                render::account(&org, &administrator.statement(&org).await?, app.clock.now())
            }
            Self::Show(OrgArg { org }) => render::account(&org, &administrator.statement(&org).await?, now),
            Self::Revoke { org, grant } => {
                let revoked = administrator.revoke_credits(&org, &grant).await?;
                let outcome = if revoked > 0 { "revoked" } else { "already_revoked" };
                json!({ "org_id": org, "grant_id": grant, "outcome": outcome, "revoked": revoked })
            }
            Self::History(OrgArg { org }) => {
                administrator.credits_history(&org).await?.iter().map(|life| json!(life)).collect()
            }
        })
    }
}

fn meaning(kind: PrepaidKind) -> &'static str {
    match kind {
        PrepaidKind::Promotional => "Given away",
        PrepaidKind::Allocated => "Part of a contract",
        PrepaidKind::Purchased => "Bought in advance",
    }
}
