use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use measurement::{Event, EventType, Outcome, PurchaseOrder};
use serde_json::{Value, json};
use shared::App;
use shared::types::{
    AssetId, BillingName, Credits, Day, EventId, Family, GrantKind, KeyId, OrgId, RequestId, Scope, Scopes, Tier,
    Timestamp,
};

use super::operator::{NewOrg, Operator};
use super::place::Place;
use super::render;
use crate::local::{ServeOptions, init_logging, serve};

/// A command of the command line.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves everything on 127.0.0.1, with an embedded database.
    Serve {
        /// The port; 0 for any free one.
        #[arg(long, default_value_t = 3000)]
        port: u16,
        /// The data folder.
        #[arg(long, value_name = "DIR", default_value = ".local/data")]
        data_dir: PathBuf,
        /// Forget what the data folder holds.
        #[arg(long)]
        fresh: bool,
    },
    /// Creates, shows and changes organizations.
    Org(At<OrgCommand>),
    /// Mints, lists and revokes API keys.
    Key(At<KeyCommand>),
    /// Grants and shows credits.
    Credits(At<CreditsCommand>),
    /// Plays the part of the measurement products.
    Measurement(At<MeasurementCommand>),
}

/// A command and the place where it acts.
#[derive(Args, Debug)]
pub struct At<C: Subcommand> {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: C,
}

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
    /// The monthly cap of a pay-as-you-go organization, in credits.
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

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Mints a key and shows it, this once.
    Mint {
        /// The organization.
        org: OrgId,
        /// Whose key it is: one a integration.
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
        /// The first day on which they are gone; never by default.
        #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
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

/// What the measurement products do.
#[derive(Debug, Subcommand)]
pub enum MeasurementCommand {
    /// Sends an event, which moves an asset to its next state.
    Send {
        /// The organization.
        #[arg(long)]
        org: OrgId,
        /// The asset's family.
        #[arg(long)]
        family: Family,
        /// The asset.
        #[arg(long)]
        asset: AssetId,
        /// What happened.
        #[arg(long = "type")]
        event_type: EventName,
        /// The price of a purchase, in credits.
        #[arg(long, default_value_t = 25)]
        credits: Credits,
        /// The event's id, to send it again; a new one by default.
        #[arg(long, value_parser = event_id)]
        event_id: Option<EventId>,
        /// When it happened; now by default.
        #[arg(long, value_name = "DATE-TIME", value_parser = date_time)]
        occurred_at: Option<Timestamp>,
    },
}

/// The events that can be sent.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EventName {
    /// A measurement was bought: draft or failed to queued.
    Purchased,
    /// The active period began: queued to in flight.
    Started,
    /// Measures were pulled.
    Measured,
    /// Every measure is final: completed.
    Completed,
    /// The measurement met a problem: failed, and refunded less a credit.
    Failed,
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    ///
    /// What went wrong, for the reader.
    pub async fn run(self) -> Result<(), String> {
        match self {
            Self::Serve { port, data_dir, fresh } => {
                init_logging();
                serve(ServeOptions { port, data_dir, fresh }).await
            }
            Self::Org(At { place, command }) => at(place, async |app| command.run(app).await).await,
            Self::Key(At { place, command }) => at(place, async |app| command.run(app).await).await,
            Self::Credits(At { place, command }) => at(place, async |app| command.run(app).await).await,
            Self::Measurement(At { place, command }) => at(place, async |app| command.run(app).await).await,
        }
    }
}

async fn at(place: Place, run: impl AsyncFnOnce(&App) -> Result<Value, String>) -> Result<(), String> {
    let opened = place.open().await?;
    let result = run(&opened.app).await;
    opened.close().await;
    println!("{:#}", result?);
    Ok(())
}

impl OrgCommand {
    async fn run(self, app: &App) -> Result<Value, String> {
        let operator = Operator::new(app.clone());
        let org = match self {
            Self::Create { id, tier } => {
                let id = id.unwrap_or_else(|| OrgId::generate(&app.random));
                let new = NewOrg { id: id.clone(), tier: tier.tier.into(), monthly_cap: tier.cap };
                if !operator.create_org(new).await? {
                    return Err(format!("there is an organization {id} already"));
                }
                id
            }
            Self::Show { org } => org,
            Self::Tier { org, tier } => {
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

impl KeyCommand {
    async fn run(self, app: &App) -> Result<Value, String> {
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

impl CreditsCommand {
    async fn run(self, app: &App) -> Result<Value, String> {
        let operator = Operator::new(app.clone());
        let (org, account) = match self {
            Self::Grant { org, kind, credits, expires } => {
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

impl MeasurementCommand {
    async fn run(self, app: &App) -> Result<Value, String> {
        let Self::Send { org, family, asset, event_type, credits, event_id, occurred_at } = self;
        let event_type = EventType::from(event_type);
        let fresh = RequestId::generate(&app.random).to_string();
        let purchase = (event_type == EventType::Purchased).then(|| PurchaseOrder {
            purchase_id: format!("purchase-{fresh}"),
            product: BillingName::try_from(format!("{family}_measurement")).expect("family names are short"),
            credits,
        });
        let event = Event {
            event_id: event_id.map_or_else(|| EventId::try_from(fresh).map_err(|error| error.to_string()), Ok)?,
            org_id: org,
            family,
            asset_id: asset,
            event_type,
            occurred_at: occurred_at.unwrap_or_else(|| app.clock.now()),
            purchase,
        };
        match measurement::apply(app, &event).await.map_err(|error| error.to_string())? {
            Outcome::Refused { reason } => Err(format!("the event was refused: {reason}")),
            outcome => {
                let mut shown = serde_json::to_value(outcome).map_err(|error| error.to_string())?;
                shown["event_id"] = json!(event.event_id);
                Ok(shown)
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

impl From<GrantName> for GrantKind {
    fn from(name: GrantName) -> Self {
        match name {
            GrantName::Promotional => Self::Promotional,
            GrantName::Allocated => Self::Allocated,
            GrantName::Purchased => Self::Purchased,
        }
    }
}

impl From<EventName> for EventType {
    fn from(name: EventName) -> Self {
        match name {
            EventName::Purchased => Self::Purchased,
            EventName::Started => Self::Started,
            EventName::Measured => Self::Measured,
            EventName::Completed => Self::Completed,
            EventName::Failed => Self::Failed,
        }
    }
}

fn day(text: &str) -> Result<Day, String> {
    text.parse().map_err(|()| "must be a calendar date YYYY-MM-DD".to_owned())
}

fn event_id(text: &str) -> Result<EventId, String> {
    EventId::try_from(text.to_owned()).map_err(|error| error.to_string())
}

fn date_time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "must be an RFC 3339 date-time with its offset".to_owned())
}
