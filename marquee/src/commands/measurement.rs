use clap::{Subcommand, ValueEnum};
use measurement::{EventType, MeasurementEvent, Outcome, PurchaseOrder};
use serde_json::{Value, json};
use shared::App;
use shared::types::{AssetId, Credits, EventId, Family, OrgId, RequestId, Timestamp};

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
        #[arg(long)]
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

impl MeasurementCommand {
    pub(super) async fn run(self, app: &App) -> Result<Value, String> {
        let Self::Send { org, family, asset, event_type, credits, event_id, occurred_at } = self;
        let event_type = EventType::from(event_type);
        let fresh = RequestId::from_random(app.random.bytes()).to_string();
        let purchase = (event_type == EventType::Purchased).then(|| PurchaseOrder {
            purchase_id: format!("purchase-{fresh}"),
            product: format!("{family}_measurement").parse().expect("family names are short"),
            credits,
        });
        let event = MeasurementEvent {
            event_id: event_id.unwrap_or_else(|| fresh.parse().expect("a request's id is visible ASCII")),
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

fn date_time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "must be an RFC 3339 date-time with its offset".to_owned())
}
