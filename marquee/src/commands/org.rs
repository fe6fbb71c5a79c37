//! `marquee org`.

use accounting::{AccessTier, Credits, MAX_MONTHLY_CAP, OrgId, Tier};
use clap::{Args, Subcommand};
use gateway::App;
use serde_json::{Value, json};
use store::{ListedOrg, OrgPage, OrgProfile, Role, Subject};
use strum::IntoEnumIterator;

use super::arguments::one_of;
use super::error::CommandError;
use super::render;
use crate::failure::Failure;
use crate::operator::{NewOrg, Operator};

/// What can be done with organizations.
#[derive(Debug, Subcommand)]
pub enum OrgCommand {
    /// Creates an organization; a sandbox one gets the credits of its tier.
    Create {
        /// Its id; a random one by default.
        #[arg(long)]
        id: Option<OrgId>,
        #[command(flatten)]
        tier: TierArgs,
    },
    /// Lists organizations in the order of their ids.
    List {
        /// The most to list at once.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1_000))]
        limit: u16,
        /// The `cursor` of the page before.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<OrgId>,
    },
    /// Suspends an organization: its calls are refused, and its tiles within 30 seconds; balance and bills
    /// stay readable.
    Suspend {
        /// The organization.
        org: OrgId,
    },
    /// Ends an organization's suspension within 30 seconds.
    Resume {
        /// The organization.
        org: OrgId,
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
    /// Shows what each month cost an organization, newest first.
    Bills {
        /// The organization.
        org: OrgId,
    },
    /// Maps the subject of a bearer token to an organization, in place of any other; once more with another
    /// role, to change it.
    MapSubject {
        /// The organization.
        org: OrgId,
        #[command(flatten)]
        subject: SubjectArgs,
        /// What the person may do in the organization's account; by default what they may already, or what a
        /// member may.
        #[arg(long, value_parser = one_of(Role::iter(), Role::description))]
        role: Option<Role>,
    },
    /// Takes the subject of a bearer token from an organization; its tokens stop working within 30 seconds.
    UnmapSubject {
        /// The organization.
        org: OrgId,
        #[command(flatten)]
        subject: SubjectArgs,
    },
    /// Lists the subjects of bearer tokens that are mapped to an organization.
    Subjects {
        /// The organization.
        org: OrgId,
    },
    /// Revokes all live tile grants of an organization; its maps end within 30 seconds.
    RevokeTiles {
        /// The organization.
        org: OrgId,
    },
}

/// Whom a bearer token is for.
#[derive(Args, Debug)]
pub struct SubjectArgs {
    /// The token's `iss`.
    #[arg(long)]
    issuer: String,
    /// The token's `sub`.
    #[arg(long)]
    subject: String,
}

/// A tier and its cap.
#[derive(Args, Debug)]
pub struct TierArgs {
    /// The access tier.
    #[arg(long, value_parser = one_of(Tier::iter(), meaning))]
    tier: Tier,
    /// The monthly cap of a pay-as-you-go organization, in credits; by default the one it has, or 20,000.
    #[arg(long, value_name = "CREDITS", value_parser = clap::value_parser!(u64).range(1..=MAX_MONTHLY_CAP))]
    cap: Option<Credits>,
}

impl OrgCommand {
    pub async fn run(self, app: &App) -> Result<Value, Failure> {
        let operator = Operator::new(app.clone());
        let org = match self {
            Self::Create { id, tier } => {
                tier.check()?;
                let id = id.unwrap_or_else(|| OrgId::from_random(app.random.bytes()));
                let TierArgs { tier, cap } = tier;
                if !operator.create_org(NewOrg { id: id.clone(), tier, monthly_cap: cap }).await? {
                    return Err(CommandError::OrgExists(id).into());
                }
                id
            }
            Self::List { limit, cursor } => {
                let OrgPage { organizations, has_more } =
                    operator.organizations(cursor.as_ref(), limit.into()).await?;
                let now = app.clock.now();
                let orgs: Vec<_> = organizations.iter().map(|listed| &listed.org).collect();
                let profiles = operator.profiles(&orgs).await?;
                let shown = |listed: &ListedOrg| render::listed(listed, profiles.get(&listed.org), now);
                let data: Vec<_> = organizations.iter().map(shown).collect();
                let cursor = organizations.last().filter(|_| has_more).map(|last| &last.org);
                let pagination = json!({ "cursor": cursor, "has_more": has_more });
                return Ok(json!({ "data": data, "pagination": pagination }));
            }
            Self::Suspend { org } => {
                let is_new = operator.suspend(&org).await?;
                let outcome = if is_new { "suspended" } else { "already_suspended" };
                return Ok(json!({ "org_id": org, "outcome": outcome }));
            }
            Self::Resume { org } => {
                let is_new = operator.resume(&org).await?;
                let outcome = if is_new { "resumed" } else { "not_suspended" };
                return Ok(json!({ "org_id": org, "outcome": outcome }));
            }
            Self::Show { org } => org,
            Self::Tier { org, tier } => {
                tier.check()?;
                operator.set_tier(&org, tier.tier, tier.cap).await?;
                org
            }
            Self::Bills { org } => {
                let bills = operator.bills(&org).await?;
                return Ok(json!({ "org_id": org, "bills": bills }));
            }
            Self::MapSubject { org, subject: SubjectArgs { issuer, subject }, role } => {
                let mut shown = json!({ "org_id": org, "issuer": issuer, "subject": subject });
                shown["role"] = json!(operator.map_subject(&org, Subject::new(issuer, subject), role).await?);
                return Ok(shown);
            }
            Self::UnmapSubject { org, subject: SubjectArgs { issuer, subject } } => {
                let shown = json!({ "org_id": org, "issuer": issuer, "subject": subject, "unmapped": true });
                operator.unmap_subject(&org, Subject::new(issuer, subject)).await?;
                return Ok(shown);
            }
            Self::Subjects { org } => {
                return Ok(operator.members(&org).await?.iter().map(render::member).collect());
            }
            Self::RevokeTiles { org } => {
                let revoked = operator.revoke_tile_grants(&org).await?;
                return Ok(json!({ "org_id": org, "revoked": revoked }));
            }
        };
        let mut shown = render::account(&org, &operator.statement(&org).await?, app.clock.now());
        let OrgProfile { name, signed_up_at } = operator.profile(&org).await?;
        (shown["name"], shown["signed_up_at"]) = (json!(name), json!(signed_up_at));
        Ok(shown)
    }
}

impl TierArgs {
    fn check(&self) -> Result<(), CommandError> {
        match (self.tier, self.cap) {
            (Tier::PayAsYouGo, _) | (_, None) => Ok(()),
            (Tier::Sandbox | Tier::Enterprise, Some(_)) => Err(CommandError::CapWithoutMeter),
        }
    }
}

fn meaning(tier: Tier) -> String {
    let credits = match tier {
        Tier::Sandbox => "with credits to begin with",
        Tier::PayAsYouGo => "metered up to a monthly cap",
        Tier::Enterprise => "on the credits that it is granted",
    };
    format!("{} requests a minute, {credits}", AccessTier::Organization(tier).calls_per_minute())
}
