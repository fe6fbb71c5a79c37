//! What was paid for a measurement, as a member of an asset's item.

use accounting::{BillingName, Draw, GrantKind, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;

use super::error::StoreError;
use super::item::{Attributes, NewItem, number};

/// What was paid for a measurement, and from which grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// The measurement product's own number.
    pub id: String,
    pub product: BillingName,
    /// The grants' parts of the price.
    pub draws: Vec<Draw>,
    /// When it was bought, as its sender says: the run that it pays for has no measurement from before.
    pub purchased_at: Timestamp,
}

impl Purchase {
    pub(super) fn encode(&self) -> AttributeValue {
        let Self { id, product, draws, purchased_at } = self;
        let draws = draws.iter().map(encode_draw).collect();
        let fields = NewItem::default()
            .text("id", id)
            .text("product", product)
            .with("draws", AttributeValue::L(draws))
            .moment("at", *purchased_at);
        AttributeValue::M(fields.build())
    }

    pub(super) fn decode(value: &AttributeValue) -> Result<Self, StoreError> {
        let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("purchase"))?);
        let draws =
            fields.0.get("draws").and_then(|draws| draws.as_l().ok()).ok_or(StoreError::Corrupt("draws"))?;
        Ok(Self {
            id: fields.text("id")?.to_owned(),
            product: fields.parsed("product")?,
            draws: draws.iter().map(decode_draw).collect::<Result<_, _>>()?,
            purchased_at: fields.moment("at")?,
        })
    }
}

fn encode_draw(draw: &Draw) -> AttributeValue {
    let Draw { grant, kind, expires_at, credits } = draw;
    let fields = NewItem::default()
        .text("grant", grant)
        .text("kind", kind.letter())
        .number("credits", credits)
        .with_some("end", expires_at.map(|expiry| number(expiry.unix_seconds())));
    AttributeValue::M(fields.build())
}

fn decode_draw(value: &AttributeValue) -> Result<Draw, StoreError> {
    let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("draws"))?);
    Ok(Draw {
        grant: fields.parsed("grant")?,
        kind: GrantKind::of_letter(fields.text("kind")?).ok_or(StoreError::Corrupt("kind"))?,
        expires_at: fields.optional_number("end")?.map(Timestamp::from_unix_seconds),
        credits: fields.number("credits")?,
    })
}
