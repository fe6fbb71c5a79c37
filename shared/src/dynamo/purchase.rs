//! What was paid for a measurement, as a member of an asset's item.

use aws_sdk_dynamodb::types::AttributeValue;

use super::error::StoreError;
use super::item::{Attributes, map, number, text};
use crate::types::{BillingName, Draw, GrantKind, Timestamp};

/// What was paid for a measurement, and from which grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// The measurement product's own number.
    pub id: String,
    pub product: BillingName,
    /// The grants' parts of the price.
    pub draws: Vec<Draw>,
    /// When it was bought, as its sender says: the run that it pays for has no measurement from before.
    /// `None` of a purchase that was stored without.
    pub purchased_at: Option<Timestamp>,
}

impl Purchase {
    pub(super) fn encode(&self) -> AttributeValue {
        let Self { id, product, draws, purchased_at } = self;
        let draws = draws.iter().map(encode_draw).collect();
        let mut fields = vec![
            ("id".to_owned(), text(id)),
            ("product".to_owned(), text(product.as_str())),
            ("draws".to_owned(), AttributeValue::L(draws)),
        ];
        fields.extend(purchased_at.map(|at| ("at".to_owned(), number(at.unix_millis()))));
        map(fields)
    }

    pub(super) fn decode(value: &AttributeValue) -> Result<Self, StoreError> {
        let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("purchase"))?);
        let draws =
            fields.0.get("draws").and_then(|draws| draws.as_l().ok()).ok_or(StoreError::Corrupt("draws"))?;
        Ok(Self {
            id: fields.text("id")?.to_owned(),
            product: fields.parsed("product")?,
            draws: draws.iter().map(decode_draw).collect::<Result<_, _>>()?,
            purchased_at: fields.optional_number("at")?.map(Timestamp::from_unix_millis),
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
    fields.extend(expires_at.map(|expiry| ("end".to_owned(), number(expiry.unix_seconds()))));
    map(fields)
}

fn decode_draw(value: &AttributeValue) -> Result<Draw, StoreError> {
    let fields = Attributes(value.as_m().map_err(|_| StoreError::Corrupt("draws"))?);
    Ok(Draw {
        grant: fields.parsed("grant")?,
        kind: decode_kind(fields.text("kind")?)?,
        expires_at: fields.optional_number("end")?.map(Timestamp::from_unix_seconds),
        credits: fields.number("credits")?,
    })
}

fn decode_kind(name: &str) -> Result<GrantKind, StoreError> {
    GrantKind::all().find(|kind| kind.as_str() == name).ok_or(StoreError::Corrupt("kind"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_previous_version_stored_of_each_kind() {
        for kind in GrantKind::all() {
            let kind_name = text(kind.as_str());
            let draw = [
                ("grant", text("m202611")),
                ("kind", kind_name),
                ("credits", number(24)),
                ("end", number(1_796_083_200)),
            ];
            let draw = map(draw.map(|(name, value)| (name.to_owned(), value)));
            let draws = AttributeValue::L(vec![draw]);
            let stored = [("id", text("p-1")), ("product", text("event_measurement")), ("draws", draws)];
            let stored = map(stored.map(|(name, value)| (name.to_owned(), value)));
            let purchase = Purchase::decode(&stored).expect("it is readable");
            assert_eq!((purchase.draws[0].kind, purchase.draws[0].credits), (kind, 24));
            assert_eq!(purchase.purchased_at, None);
            assert_eq!(purchase.encode(), stored);
            let dated =
                Purchase { purchased_at: Some(Timestamp::from_unix_millis(1_795_165_230_123)), ..purchase };
            assert_eq!(Purchase::decode(&dated.encode()).expect("it is readable"), dated);
        }
        let names: Vec<_> = GrantKind::all().map(GrantKind::as_str).collect();
        assert_eq!(names, ["promotional", "allocated", "purchased", "metered"]);
    }
}
