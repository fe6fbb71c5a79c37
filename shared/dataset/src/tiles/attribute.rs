//! The attributes of map features, defined in one table per layer. The encoder, the TileJSON documents, and
//! the entity tags are all based on these tables.

use provenance::Maturity;

use super::layer::Visits;
use super::place_feature::PlaceFeature;
use crate::inventory::MapFace;

/// An attribute of the features in a layer. To add one, add a row to the layer's table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute<Of> {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// The description in TileJSON documents.
    pub(super) about: &'static str,
    /// Whether the attribute is omitted from tiles without visits.
    pub(super) is_visits: bool,
    /// Returns a feature's value. The encoder omits missing values and empty strings.
    pub(super) of: Of,
}

/// The type of an attribute's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number that's also used as the feature's ID. Each layer has exactly one such attribute.
    Id,
    Number,
    Text,
    Flag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Id(u64),
    Number(u64),
    Text(&'a str),
    Flag(bool),
}

/// The number of points in a cluster.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster(pub(super) u64);

pub(super) type OfFace = for<'a> fn(&MapFace<'a>) -> Option<Value<'a>>;
pub(super) type OfPlace = for<'a> fn(&PlaceFeature<'a>) -> Option<Value<'a>>;
pub(super) type OfCluster = fn(&Cluster) -> Option<Value<'static>>;

/// The attributes of clusters, which are the same in every layer.
pub(super) static CLUSTER: [Attribute<OfCluster>; 2] = [
    Attribute::new(
        "cluster",
        Kind::Flag,
        "True for a cluster of several points; absent for single points",
        |_| Some(Value::Flag(true)),
    ),
    Attribute::new(
        "count",
        Kind::Number,
        "The number of points in a cluster; absent for single points",
        |cluster| Some(Value::Number(cluster.0)),
    ),
];

/// The attributes of single points in the faces layer.
pub(super) static FACES: [Attribute<OfFace>; 6] = [
    Attribute::new("spot_id", Kind::Id, "The spot's id, as returned by inventory search", |face| {
        Some(Value::Id(face.spot_id.raw().into()))
    }),
    Attribute::new(
        "media_type",
        Kind::Text,
        "The display's media type, such as Bulletin or Poster",
        |face| face.media_type.map(Value::Text),
    ),
    Attribute::new("digital", Kind::Flag, "Whether the face is digital", |face| {
        face.digital.map(Value::Flag)
    }),
    Attribute::new("operator", Kind::Text, "The display's media owner", |face| {
        face.operator.map(Value::Text)
    }),
    Attribute::new("dma", Kind::Text, "The name of the television market", |face| face.dma.map(Value::Text)),
    Attribute::new(
        "maturity",
        Kind::Text,
        "The maturity of the display's data; absent if it's the same as the tile set's",
        |face| production(face.is_unmodelled),
    ),
];

/// The attributes of single points in the places layer.
pub(super) static PLACES: [Attribute<OfPlace>; 5] = [
    Attribute::new("place_id", Kind::Id, "The place's id, as returned by place search", |place| {
        Some(Value::Id(place.id.raw()))
    }),
    Attribute::new("name", Kind::Text, "The place's name", |place| Some(Value::Text(place.name))),
    Attribute::new("type", Kind::Text, "The name of the place type", |place| {
        Some(Value::Text(place.place_type))
    }),
    Attribute {
        is_visits: true,
        ..Attribute::new(
            "weekly_visits",
            Kind::Number,
            "The visits per week, measured or modelled; absent if unknown",
            |place: &PlaceFeature<'_>| place.record.map(|record| Value::Number(record.visits.into())),
        )
    },
    Attribute {
        is_visits: true,
        ..Attribute::new(
            "maturity",
            Kind::Text,
            "The maturity of the visits; absent if it's the same as the tile set's",
            |place: &PlaceFeature<'_>| production(place.record.is_some_and(|record| !record.modelled)),
        )
    },
];

/// Returns the value of the `maturity` attribute. It's set only on features with production maturity. All
/// other features have the maturity of their tile set.
fn production<'a>(is_production: bool) -> Option<Value<'a>> {
    is_production.then(|| Value::Text(Maturity::Production.into()))
}

impl<Of> Attribute<Of> {
    const fn new(name: &'static str, kind: Kind, about: &'static str, of: Of) -> Self {
        Self { name, kind, about, is_visits: false, of }
    }
}

impl<Of: Copy> Attribute<Of> {
    /// Returns the attribute without its value function.
    pub(super) fn shown(&self) -> Attribute<()> {
        let Self { name, kind, about, is_visits, of: _ } = *self;
        Attribute { name, kind, about, is_visits, of: () }
    }

    /// Returns whether tiles contain the attribute, which can depend on whether they include visits.
    pub(super) fn is_shown(&self, visits: Visits) -> bool {
        visits == Visits::Included || !self.is_visits
    }

    /// Returns the description in TileJSON documents, which starts with the JSON type.
    pub(super) fn described(&self) -> String {
        format!("{}. {}", self.kind.name(), self.about)
    }
}

impl Kind {
    /// Returns the name of the JSON type, such as `Number`.
    fn name(self) -> &'static str {
        match self {
            Self::Id | Self::Number => "Number",
            Self::Text => "String",
            Self::Flag => "Boolean",
        }
    }
}

impl Value<'_> {
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Id(_) => Kind::Id,
            Self::Number(_) => Kind::Number,
            Self::Text(_) => Kind::Text,
            Self::Flag(_) => Kind::Flag,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inventory::SpotId;
    use crate::measures::Glance;
    use crate::places::PlaceId;

    fn check<Of: Copy>(layer: &[Attribute<Of>], value: impl Fn(Of) -> Option<Value<'static>>) {
        for attribute in layer {
            let value = value(attribute.of).map(Value::kind);
            assert_eq!(value, Some(attribute.kind), "{}", attribute.name);
        }
    }

    #[test]
    fn every_value_has_the_kind_of_its_attribute() {
        let face = MapFace {
            spot_id: SpotId::from_raw(1),
            media_type: Some("Poster"),
            digital: Some(true),
            operator: Some("Sky Panels"),
            dma: Some("New York"),
            is_unmodelled: true,
        };
        let place = PlaceFeature {
            id: PlaceId::from_raw(1),
            name: "Starbucks",
            place_type: "Coffee Shop",
            record: Some(Glance { visits: 7, modelled: false }),
        };
        check(&CLUSTER, |of| of(&Cluster(2)));
        check(&FACES, |of| of(&face));
        check(&PLACES, |of| of(&place));
    }
}
