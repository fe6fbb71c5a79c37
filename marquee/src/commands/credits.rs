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

/// A subcommand of `marquee credits`.
#[derive(Debug, Subcommand)]
pub enum CreditsCommand {
    /// Grant credits to an organization.
    Grant {
        /// The organization's ID.
        org: OrgId,
        /// The kind of credits.
        #[arg(long, value_parser = one_of(PrepaidKind::iter(), meaning))]
        kind: PrepaidKind,
        /// The number of credits.
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
        credits: Credits,
        /// The first day (UTC) on which the credits are no longer valid; by default, they don't expire.
        #[arg(long, value_name = "YYYY-MM-DD")]
        expires: Option<Day>,
    },
    /// Show an organization's credits.
    Show(OrgArg),
    /// Revoke the unused credits of a grant.
    Revoke {
        /// The organization's ID.
        org: OrgId,
        /// The grant's ID, as listed by `marquee credits show`.
        grant: GrantId,
    },
    /// Show the history of an organization's grants, oldest first.
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
        PrepaidKind::Promotional => "Free of charge",
        PrepaidKind::Allocated => "Part of a contract",
        PrepaidKind::Purchased => "Paid in advance",
    }
}
