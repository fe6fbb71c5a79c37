//! The layers of the map, their attributes, and the parts of a release that contain their points.

use std::fmt::Write;
use std::sync::LazyLock;

use ring::digest::{SHA256, digest};

use super::attribute::{Attribute, CLUSTER, FACES, PLACES};
use super::encode;
use crate::release::Part;

/// A layer of the map. Each tile contains exactly one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Display faces, with one point for each measured spot.
    Faces,
    Places,
}

/// Whether place tiles include visits. By default, they don't, because anyone who can see the map could read
/// the visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visits {
    Omitted,
    Included,
}

impl Layer {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faces => "faces",
            Self::Places => "places",
        }
    }

    /// Returns the part of a release that contains the layer's points.
    pub const fn part(self) -> Part {
        match self {
            Self::Faces => Part::DisplayTiles,
            Self::Places => Part::PlaceTiles,
        }
    }

    /// Returns the name and the description of each attribute, for the `fields` member of a TileJSON
    /// document.
    pub fn fields(self, visits: Visits) -> Vec<(&'static str, String)> {
        let of_clusters = CLUSTER.iter().map(Attribute::shown);
        let attributes = of_clusters.chain(self.attributes()).filter(|attribute| attribute.is_shown(visits));
        attributes.map(|attribute| (attribute.name, attribute.described())).collect()
    }

    /// Returns a digest of the layer's attributes and encoding parameters. The digest, the release name, and
    /// [`Visits`] together identify a version of the layer's tiles.
    pub fn encoding(self) -> &'static str {
        static ENCODINGS: LazyLock<[String; 2]> =
            LazyLock::new(|| [encoding_of(Layer::Faces), encoding_of(Layer::Places)]);
        match self {
            Self::Faces => &ENCODINGS[0],
            Self::Places => &ENCODINGS[1],
        }
    }

    /// Returns the attributes of single points in the layer.
    pub(super) fn attributes(self) -> Vec<Attribute<()>> {
        match self {
            Self::Faces => FACES.iter().map(Attribute::shown).collect(),
            Self::Places => PLACES.iter().map(Attribute::shown).collect(),
        }
    }
}

fn encoding_of(layer: Layer) -> String {
    let mut text = format!("{} {:?}\n", layer.name(), encode::LAYOUT);
    for attribute in CLUSTER.iter().map(Attribute::shown).chain(layer.attributes()) {
        let Attribute { name, kind, about, is_visits, of: () } = attribute;
        let _ = writeln!(text, "{name} {kind:?} {about} {is_visits}");
    }
    hex::encode(digest(&SHA256, text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::attribute::Kind;
    use super::*;

    #[test]
    fn each_layer_has_exactly_one_id_attribute() {
        for layer in [Layer::Faces, Layer::Places] {
            let ids = layer.attributes().into_iter().filter(|attribute| attribute.kind == Kind::Id);
            assert_eq!(ids.count(), 1, "{layer:?}");
        }
    }
}
