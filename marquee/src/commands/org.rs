//! `marquee org`.

use accounting::{AccessTier, Credits, MAX_MONTHLY_CAP, OrgId, Tier};
use clap::{Args, Subcommand};
use gateway::App;
use serde_json::{Value, json};
use store::{ListedOrg, OrgPage, OrgProfile, Role, Subject};
use strum::IntoEnumIterator;

use super::arguments::{OrgArg, one_of};
use super::error::CommandError;
use super::render;
use crate::administrator::{Administrator, NewOrg};
use crate::failure::Failure;

/// A subcommand of `marquee org`.
#[derive(Debug, Subcommand)]
pub enum OrgCommand {
    /// Create an organization; a sandbox organization starts with its tier's credits.
    Create {
        /// The organization's ID; random by default.
        #[arg(long)]
        id: Option<OrgId>,
        #[command(flatten)]
        tier: TierArgs,
    },
    /// List organizations, sorted by ID.
    List {
        /// The maximum number of organizations to list.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1_000))]
        limit: u16,
        /// The `cursor` from the previous page.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<OrgId>,
    },
    /// Suspend an organization; calls are rejected immediately, and map tiles within 30 seconds, but the
    /// organization can still read its balance and bills.
    Suspend(OrgArg),
    /// Resume a suspended organization; takes effect within 30 seconds.
    Resume(OrgArg),
    /// Show an organization's account.
    Show(OrgArg),
    /// Set an organization's tier and monthly cap.
    Tier {
        /// The organization's ID.
        org: OrgId,
        #[command(flatten)]
        tier: TierArgs,
    },
    /// Show an organization's monthly bills, newest first.
    Bills(OrgArg),
    /// Add a member to an organization, or change their role; the member leaves any other organization.
    AddMember {
        #[command(flatten)]
        member: MemberArgs,
        /// The member's role; by default, the current role, or `member` for a new member.
        #[arg(long, value_parser = one_of(Role::iter(), Role::description))]
        role: Option<Role>,
    },
    /// Remove a member from an organization; their tokens stop working within 30 seconds.
    RemoveMember(MemberArgs),
    /// List an organization's members.
    Members(OrgArg),
    /// Revoke all active tile grants of an organization; its maps stop loading within 30 seconds.
    RevokeTiles(OrgArg),
}

/// An organization and the issuer and subject of a member's tokens.
#[derive(Args, Debug)]
pub struct MemberArgs {
    /// The organization's ID.
    org: OrgId,
    /// The `iss` claim of the member's tokens.
    #[arg(long)]
    issuer: String,
    /// The `sub` claim of the member's tokens.
    #[arg(long)]
    subject: String,
}

/// A tier and its monthly cap.
#[derive(Args, Debug)]
pub struct TierArgs {
    /// The access tier.
    #[arg(long, value_parser = one_of(Tier::iter(), meaning))]
    tier: Tier,
    /// The monthly cap in credits, for the pay-as-you-go tier; by default, the current cap, or 20,000.
    #[arg(long, value_name = "CREDITS", value_parser = clap::value_parser!(u64).range(1..=MAX_MONTHLY_CAP))]
    cap: Option<Credits>,
}

impl OrgCommand {
    pub async fn run(self, app: &App) -> Result<Value, Failure> {
        let administrator = Administrator::new(app.clone());
        Ok(match self {
            Self::Create { id, tier: TierArgs { tier, cap } } => {
                check_cap(tier, cap)?;
                let id = id.unwrap_or_else(|| OrgId::from_random(app.random.bytes()));
                if !administrator.create_org(NewOrg { id: id.clone(), tier, monthly_cap: cap }).await? {
                    return Err(CommandError::OrgExists(id).into());
                }
                shown(app, &administrator, &id).await?
            }
            Self::List { limit, cursor } => {
                let OrgPage { organizations, has_more } =
                    administrator.accounts.list(cursor.as_ref(), limit.into()).await?;
                let now = app.clock.now();
                let orgs: Vec<_> = organizations.iter().map(|listed| &listed.org).collect();
                let profiles = administrator.credentials.profiles(&orgs).await?;
                let shown = |listed: &ListedOrg| render::listed(listed, profiles.get(&listed.org), now);
                let data: Vec<_> = organizations.iter().map(shown).collect();
                let cursor = organizations.last().filter(|_| has_more).map(|last| &last.org);
                json!({ "data": data, "pagination": { "cursor": cursor, "has_more": has_more } })
            }
            Self::Suspend(OrgArg { org }) => {
                let outcome =
                    if administrator.suspend(&org).await? { "suspended" } else { "already_suspended" };
                json!({ "org_id": org, "outcome": outcome })
            }
            Self::Resume(OrgArg { org }) => {
                let outcome = if administrator.resume(&org).await? { "resumed" } else { "not_suspended" };
                json!({ "org_id": org, "outcome": outcome })
            }
            Self::Show(OrgArg { org }) => shown(app, &administrator, &org).await?,
            Self::Tier { org, tier: TierArgs { tier, cap } } => {
                check_cap(tier, cap)?;
                administrator.set_tier(&org, tier, cap).await?;
                shown(app, &administrator, &org).await?
            }
            Self::Bills(OrgArg { org }) => {
                json!({ "org_id": org, "bills": administrator.bills(&org).await? })
            }
            Self::AddMember { member: MemberArgs { org, issuer, subject }, role } => {
                let mut shown = json!({ "org_id": org, "issuer": issuer, "subject": subject });
                shown["role"] =
                    json!(administrator.add_member(&org, Subject::new(issuer, subject), role).await?);
                shown
            }
            Self::RemoveMember(MemberArgs { org, issuer, subject }) => {
                let shown = json!({ "org_id": org, "issuer": issuer, "subject": subject, "removed": true });
                administrator.remove_member(&org, Subject::new(issuer, subject)).await?;
                shown
            }
            Self::Members(OrgArg { org }) => {
                administrator.members(&org).await?.iter().map(render::member).collect()
            }
            Self::RevokeTiles(OrgArg { org }) => {
                json!({ "org_id": org, "revoked": administrator.revoke_tile_grants(&org).await? })
            }
        })
    }
}

/// Returns an organization's account and profile as JSON.
async fn shown(app: &App, administrator: &Administrator, org: &OrgId) -> Result<Value, Failure> {
    let mut shown = render::account(org, &administrator.statement(org).await?, app.clock.now());
    let OrgProfile { name, signed_up_at } = administrator.credentials.profile(org).await?;
    (shown["name"], shown["signed_up_at"]) = (json!(name), json!(signed_up_at));
    Ok(shown)
}

fn check_cap(tier: Tier, cap: Option<Credits>) -> Result<(), CommandError> {
    match (tier, cap) {
        (Tier::PayAsYouGo, _) | (_, None) => Ok(()),
        (Tier::Sandbox | Tier::Enterprise, Some(_)) => Err(CommandError::CapWithoutMeter),
    }
}

fn meaning(tier: Tier) -> String {
    let credits = match tier {
        Tier::Sandbox => "with starter credits",
        Tier::PayAsYouGo => "metered up to a monthly cap",
        Tier::Enterprise => "paid from granted credits",
    };
    format!("{} requests per minute, {credits}", AccessTier::Organization(tier).calls_per_minute())
}
