use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use shared::App;
use shared::types::{Credits, OrgId, Tier};

use super::operator::{NewOrg, Operator};
use super::render;

/// What can be done with organizations.
#[derive(Debug, Subcommand)]
pub enum OrgCommand {
    /// Creates an organization; a sandbox one gets its 2,000 credits.
    Create {
        /// Its id; a random one by default.
        #[arg(long)]
        id: Option<OrgId>,
        #[command(flatten)]
        tier: TierArgs,
    },
    /// Shows an organization's account.
    Show {
        /// The organization.
        org: OrgId,
    },
    /// Sets an organization's tier and monthly cap.
    Tier {
        /// The organization.
        org: OrgId,
        #[command(flatten)]
        tier: TierArgs,
    },
    /// Maps the subject of a bearer token to an organization.
    MapSubject {
        /// The organization.
        org: OrgId,
        /// The token's `iss`.
        #[arg(long)]
        issuer: String,
        /// The token's `sub`.
        #[arg(long)]
        subject: String,
    },
}

/// A tier and its cap.
#[derive(Args, Debug)]
pub struct TierArgs {
    /// The access tier.
    #[arg(long)]
    tier: TierName,
    /// The monthly cap of a pay-as-you-go organization, in credits; what it had, else 20,000, by default.
    #[arg(long, value_name = "CREDITS")]
    cap: Option<Credits>,
}

/// The tiers that an organization can have.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TierName {
    /// 10 requests a minute, 2,000 credits.
    Sandbox,
    /// 100 requests a minute, metered.
    PayAsYouGo,
    /// 1,000 requests a minute, custom grants.
    Enterprise,
}

impl OrgCommand {
    pub(super) async fn run(self, app: &App) -> Result<Value, String> {
        let operator = Operator::new(app.clone());
        let org = match self {
            Self::Create { id, tier } => {
                tier.check()?;
                let id = id.unwrap_or_else(|| OrgId::from_random(app.random.bytes()));
                let new = NewOrg { id: id.clone(), tier: tier.tier.into(), monthly_cap: tier.cap };
                if !operator.create_org(new).await? {
                    return Err(format!("there is an organization {id} already"));
                }
                id
            }
            Self::Show { org } => org,
            Self::Tier { org, tier } => {
                tier.check()?;
                operator.set_tier(&org, tier.tier.into(), tier.cap).await?;
                org
            }
            Self::MapSubject { org, issuer, subject } => {
                operator.map_subject(&org, &issuer, &subject).await?;
                return Ok(json!({ "org_id": org, "issuer": issuer, "subject": subject }));
            }
        };
        Ok(render::account(&org, &operator.account(&org).await?, app.clock.now()))
    }
}

impl TierArgs {
    fn check(&self) -> Result<(), String> {
        match (self.tier, self.cap) {
            (TierName::PayAsYouGo, _) | (_, None) => Ok(()),
            (TierName::Sandbox | TierName::Enterprise, Some(_)) => {
                Err("only a pay-as-you-go organization has a monthly cap; leave out --cap".to_owned())
            }
        }
    }
}

impl From<TierName> for Tier {
    fn from(name: TierName) -> Self {
        match name {
            TierName::Sandbox => Self::Sandbox,
            TierName::PayAsYouGo => Self::PayAsYouGo,
            TierName::Enterprise => Self::Enterprise,
        }
    }
}
