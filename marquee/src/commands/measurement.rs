//! `marquee measurement`. Sends measurement events as a measurement product would, for local use and tests.

use std::path::PathBuf;
use std::sync::Arc;

use accounting::{Credits, Day, Meter, OrgId, Timestamp};
use clap::{Args, Subcommand};
use estimates::{OwnMeasurement, Release, Sweep};
use gateway::App;
use measurement::{EventType, MeasurementEvent, Outcome, read_purchase_names};
use runtime::Environment;
use serde_json::{Value, json};
use store::{AssetId, EventId, Family};
use strum::IntoEnumIterator;

use super::arguments::{date_time, one_of};
use super::error::CommandError;
use super::render;
use crate::administrator::Administrator;
use crate::failure::Failure;
use crate::release::{FolderError, LOCAL_RELEASE, open};
use crate::sweep::{measurement_of, new_event, sweep};

/// A subcommand of `marquee measurement`.
#[derive(Debug, Subcommand)]
pub enum MeasurementCommand {
    /// Send an event that moves an asset to its next state.
    Send(SendArgs),
    /// Run all due steps of measurements bought from the service, as the service does every minute.
    Sweep(SweepArgs),
    /// Show the events that were applied to an asset in the last 400 days, oldest first, even if it was
    /// deleted.
    Show(AssetArgs),
}

/// The arguments that identify an asset.
#[derive(Args, Debug)]
pub struct AssetArgs {
    /// The organization's ID.
    #[arg(long)]
    org: OrgId,
    /// The asset's family.
    #[arg(long, value_parser = one_of(Family::iter(), contents))]
    family: Family,
    /// The asset's ID.
    #[arg(long)]
    asset: AssetId,
}

/// The arguments of a sweep.
#[derive(Args, Debug)]
pub struct SweepArgs {
    /// Run the steps that are due by 12:00 UTC on this date, as a rehearsal; by default, those due now.
    #[arg(long, value_name = "DATE")]
    date: Option<Day>,
    /// The data release to compute reports from.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
}

/// The arguments of an event.
#[derive(Args, Debug)]
pub struct SendArgs {
    #[command(flatten)]
    asset: AssetArgs,
    /// The type of event.
    #[arg(long = "type", value_parser = one_of(EventType::iter(), effect))]
    event_type: EventType,
    /// The price of the purchase, in credits.
    #[arg(long, default_value_t = OwnMeasurement::DEFAULT_CREDITS)]
    credits: Credits,
    /// The billing name of the purchase, as listed in PURCHASE_NAMES; by default, FAMILY_measurement.
    #[arg(long, value_name = "NAME")]
    product: Option<Meter>,
    /// The event's ID, to resend an event; random by default.
    #[arg(long)]
    event_id: Option<EventId>,
    /// When the event happened; now by default.
    #[arg(long, value_name = "DATE-TIME", value_parser = date_time)]
    occurred_at: Option<Timestamp>,
}

impl MeasurementCommand {
    pub async fn run(self, app: &App) -> Result<Value, Failure> {
        match self {
            Self::Send(sent) => sent.run(app).await,
            Self::Sweep(args) => args.run(app).await,
            Self::Show(AssetArgs { org, family, asset }) => {
                let applied = Administrator::new(app.clone()).applied_events(&org, family, asset).await?;
                let events: Vec<_> = applied.iter().map(render::applied_event).collect();
                Ok(json!({ "org_id": org, "family": family, "asset_id": asset, "events": events }))
            }
        }
    }
}

impl SweepArgs {
    /// Sweeps until a sweep applies no events or has failures, because a measurement's next step can be due
    /// as soon as the previous one has run. Each sweep uses a time one minute later than the previous one,
    /// because assets are due for their next check then.
    async fn run(self, app: &App) -> Result<Value, Failure> {
        let folder = open(&self.release)?;
        let opened = folder.verify(&Release::PARTS).and_then(|()| Release::open(&folder));
        let release = Arc::new(opened.map_err(FolderError::unusable(&self.release))?);
        let mut now = self.date.map_or_else(|| app.clock.now(), noon);
        let mut applied = 0;
        loop {
            let swept = sweep(app, &release, now).await;
            applied += swept.applied;
            if swept.applied == 0 || swept.failed > 0 {
                return Ok(json!({ "swept_at": now, "steps": applied, "failed": swept.failed }));
            }
            now = now.plus_seconds(Sweep::CHECKED_AGAIN_SECONDS);
        }
    }
}

fn noon(date: Day) -> Timestamp {
    date.start().plus_seconds(12 * 60 * 60)
}

impl SendArgs {
    async fn run(self, app: &App) -> Result<Value, Failure> {
        let event = self.into_event(app);
        let function = measurement_of(app, read_purchase_names(&Environment::Process)?);
        match measurement::apply(&function, &event).await? {
            Outcome::Refused { reason } => Err(CommandError::EventRefused(reason).into()),
            outcome => {
                let mut shown = serde_json::to_value(outcome).expect("an outcome serializes to JSON");
                shown["event_id"] = json!(event.event_id);
                Ok(shown)
            }
        }
    }

    fn into_event(self, app: &App) -> MeasurementEvent {
        let Self { asset, event_type, credits, product, event_id, occurred_at } = self;
        let AssetArgs { org, family, asset } = asset;
        let mut event = new_event(app, org, family, asset, event_type, credits);
        if let (Some(purchase), Some(product)) = (&mut event.purchase, product) {
            purchase.product = product;
        }
        MeasurementEvent {
            event_id: event_id.unwrap_or_else(|| event.event_id.clone()),
            occurred_at: occurred_at.unwrap_or(event.occurred_at),
            ..event
        }
    }
}

fn contents(family: Family) -> &'static str {
    match family {
        Family::Campaign => "Spots on displays",
        Family::Event => "Places and time periods",
    }
}

fn effect(event_type: EventType) -> &'static str {
    match event_type {
        EventType::Purchased => "A measurement was purchased; a draft or failed asset becomes queued",
        EventType::Started => "The active period has started; a queued asset becomes in_flight",
        EventType::Measured => "Preliminary results are available; the asset stays in_flight",
        EventType::Completed => "All results are final; a queued or in-flight asset becomes completed",
        EventType::Failed => {
            "The measurement failed; a queued or in-flight asset becomes failed, and all but one credit is \
             refunded"
        }
    }
}
