//! `marquee credits`.

use clap::Subcommand;
use serde_json::Value;
use shared::App;
use shared::types::{Credits, Day, OrgId, PrepaidKind};
use strum::IntoEnumIterator;

use super::arguments::one_of;
use super::error::CommandError;
use super::render;
use crate::operator::Operator;

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
    Show {
        /// The organization.
        org: OrgId,
    },
}

impl CreditsCommand {
    pub async fn run(self, app: &App) -> Result<Value, CommandError> {
        let operator = Operator::new(app.clone());
        let now = app.clock.now();
        let (org, account) = match self {
            Self::Grant { org, kind, credits, expires } => {
                if let Some(expires) = expires.filter(|day| day.start() <= now) {
                    return Err(CommandError::AlreadyExpired(expires));
                }
                let account = operator.grant(&org, kind, credits, expires.map(Day::start)).await?;
                (org, account)
            }
            Self::Show { org } => {
                let account = operator.account(&org).await?;
                (org, account)
            }
        };
        Ok(render::account(&org, &account, app.clock.now()))
    }
}

fn meaning(kind: PrepaidKind) -> &'static str {
    match kind {
        PrepaidKind::Promotional => "Given away",
        PrepaidKind::Allocated => "Part of a contract",
        PrepaidKind::Purchased => "Bought in advance",
    }
}
