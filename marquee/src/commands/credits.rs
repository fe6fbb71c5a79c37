use clap::{Subcommand, ValueEnum};
use serde_json::Value;
use shared::App;
use shared::types::{Credits, Day, OrgId, PrepaidKind};

use super::operator::Operator;
use super::render;

/// What can be done with credits.
#[derive(Debug, Subcommand)]
pub enum CreditsCommand {
    /// Grants credits.
    Grant {
        /// The organization.
        org: OrgId,
        /// Where the credits come from.
        #[arg(long)]
        kind: GrantName,
        /// How many.
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
        credits: Credits,
        /// The first day, in UTC, on which they are gone; never by default.
        #[arg(long, value_name = "YYYY-MM-DD")]
        expires: Option<Day>,
    },
    /// Shows an organization's credits.
    Show {
        /// The organization.
        org: OrgId,
    },
}

/// The kinds of credits that can be granted.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum GrantName {
    /// Given away.
    Promotional,
    /// Part of a contract.
    Allocated,
    /// Bought in advance.
    Purchased,
}

impl CreditsCommand {
    pub(super) async fn run(self, app: &App) -> Result<Value, String> {
        let operator = Operator::new(app.clone());
        let (org, account) = match self {
            Self::Grant { org, kind, credits, expires } => {
                if let Some(expires) = expires.filter(|day| day.start() <= app.clock.now()) {
                    return Err(format!(
                        "credits that expire on {expires} are gone already; name a day after today (UTC)"
                    ));
                }
                let account = operator.grant(&org, kind.into(), credits, expires.map(Day::start)).await?;
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

impl From<GrantName> for PrepaidKind {
    fn from(name: GrantName) -> Self {
        match name {
            GrantName::Promotional => Self::Promotional,
            GrantName::Allocated => Self::Allocated,
            GrantName::Purchased => Self::Purchased,
        }
    }
}
