use aws_sdk_dynamodb::types::AttributeValue;

use super::StoreError;
use super::item::{Attributes, map, number, text};
use crate::types::{BillingName, Draw, GrantId, GrantKind};

/// What was paid for a measurement, and from which grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// The measurement product's own number.
    pub id: String,
    /// The billing name.
    pub product: BillingName,
    /// The grants' parts of the price.
    pub draws: Vec<Draw>,
}

impl Purchase {
    pub(super) fn encode(&self) -> AttributeValue {
        let Self { id, product, draws } = self;
        let draws = draws.iter().map(encode_draw).collect();
        map([
            ("id".to_owned(), text(id)),
            ("product".to_owned(), text(product.as_str())),
            ("draws".to_owned(), AttributeValue::L(draws)),
        ])
    }

    pub(super) fn decode(value: &AttributeValue) -> Result<Self, StoreError> {
        let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("purchase"))?);
        let draws = fields.0.get("draws").and_then(|draws| draws.as_l().ok()).ok_or(StoreError::Corrupt("draws"))?;
        let product = BillingName::try_from(fields.text("product")?.to_owned());
        Ok(Self {
            id: fields.text("id")?.to_owned(),
            product: product.map_err(|_| StoreError::Corrupt("product"))?,
            draws: draws.iter().map(decode_draw).collect::<Result<_, _>>()?,
        })
    }
}

fn encode_draw(draw: &Draw) -> AttributeValue {
    let Draw { grant, kind, expires_at, credits } = draw;
    let mut fields = vec![
        ("grant".to_owned(), text(grant.as_str())),
        ("kind".to_owned(), text(kind.as_str())),
        ("credits".to_owned(), number(credits)),
    ];
    fields.extend(expires_at.map(|expiry| ("end".to_owned(), number(expiry))));
    map(fields)
}

fn decode_draw(value: &AttributeValue) -> Result<Draw, StoreError> {
    let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("draws"))?);
    Ok(Draw {
        grant: GrantId::stored(fields.text("grant")?.to_owned()),
        kind: fields.parsed::<GrantKind>("kind")?,
        expires_at: fields.optional_number("end")?,
        credits: fields.number("credits")?,
    })
}
