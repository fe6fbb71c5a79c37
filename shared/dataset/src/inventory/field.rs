//! The fields of a record, in one table that defines how each field is read, written, searched, and sorted.

use strum::VariantArray;

use super::record::{Construction, ConstructionType, Location, Named, PlaceRef, Record, Text};
use crate::index::Indexing;

/// A member of a record that callers can request individually, such as `digital` or the coordinates. Most
/// fields with a single value are also sort keys ([`SortField`]). The variants are in the same order as the
/// record's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum Field {
    SpotId,
    Digital,
    Audio,
    FullMotion,
    PartialMotion,
    Interactive,
    Rotating,
    MediaName,
    IlluminationType,
    IlluminationStartTime,
    IlluminationEndTime,
    ClassificationType,
    ConstructionTypeId,
    ConstructionTypeName,
    MediaType,
    PlacementType,
    StatusType,
    State,
    CountyId,
    CountyName,
    DmaId,
    DmaName,
    CbsaCode,
    CbsaName,
    ZipCode,
    PrimaryArtery,
    GeometryType,
    Coordinates,
    GeoPoint,
    LocationPlaces,
    PlaceTypes,
    Orientation,
    LayoutId,
    LayoutAudio,
    LayoutFullMotion,
    LayoutInteractive,
    LayoutPartialMotion,
    LayoutRotating,
    LayoutSpotShareOfVoice,
    FaceId,
    FaceWidth,
    FaceHeight,
    FaceOrientation,
    FaceSpotId,
    FaceSpotPlantSpotId,
    FaceSpotSpotShareOfVoice,
    FaceSpotSpotLength,
    FaceSpotMaxFrames,
    FaceSpotRotating,
    FaceSpotAudio,
    FaceSpotFullMotion,
    FaceSpotPartialMotion,
    FaceSpotInteractive,
    FaceSpotMeasures,
    AccountName,
    ParentAccountName,
    RepresentationType,
    PlaceId,
    PlaceName,
    WeeklyImpressions,
    ImpressionsSource,
    ImpressionsVintage,
    Persons,
    ImpressionsOf,
    RateAmount,
    RateCurrency,
    RateWeeks,
    PhotoUrl,
    AvailableFrom,
    ReadSide,
    VenueType,
    Modelled,
}

/// How a field is stored, which determines the queries that it supports. Each function returns the field's
/// value from a record.
#[derive(Clone, Copy)]
pub(super) enum Stored {
    SpotId,
    /// A column of optional booleans.
    Flag(fn(&Record<'_>) -> Option<bool>),
    /// A column of strings, with the operations that it supports.
    Text(Indexing, TextOf),
    /// A column of whole numbers, up to 2^53.
    Integer(fn(&Record<'_>) -> Option<i64>),
    /// A column of numbers.
    Number(fn(&Record<'_>) -> Option<f64>),
    /// Not stored, because every geometry is a point.
    GeometryType,
    Coordinates,
    /// The coordinates as text. They aren't a sort key, because sorting coordinates as text is meaningless.
    GeoPoint,
    /// Part of the list of layouts, which is stored as a whole and can contain several values for the field.
    Layouts,
    Representations,
    Places,
    Modelled,
}

type TextOf = for<'a> fn(&'a Record<'_>) -> Option<&'a str>;

impl Field {
    /// All fields, in the same order as the record's members.
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    /// Returns the path of the field, which consists of the names of the enclosing members and the field's
    /// own name, separated by dots.
    pub const fn path(self) -> &'static str {
        self.row().0
    }

    /// Returns the path under which the field is stored. For a field in a list, that's the path of the list.
    /// For any other field, it's the field's own path.
    pub(super) const fn member(self) -> &'static str {
        match self.stored() {
            Stored::Layouts => "layouts",
            Stored::Representations => "representations",
            Stored::Places => "location.places",
            _ => self.path(),
        }
    }

    pub(super) const fn stored(self) -> Stored {
        self.row().1
    }

    /// Returns the field's path and how the field is stored.
    const fn row(self) -> (&'static str, Stored) {
        match self {
            Self::SpotId => ("spot_id", Stored::SpotId),
            Self::Digital => ("digital", Stored::Flag(|one| one.digital)),
            Self::Audio => ("audio", Stored::Flag(|one| one.audio)),
            Self::FullMotion => ("full_motion", Stored::Flag(|one| one.full_motion)),
            Self::PartialMotion => ("partial_motion", Stored::Flag(|one| one.partial_motion)),
            Self::Interactive => ("interactive", Stored::Flag(|one| one.interactive)),
            Self::Rotating => ("rotating", Stored::Flag(|one| one.rotating)),
            Self::MediaName => ("media_name", searched(|one| text(&one.media_name))),
            Self::IlluminationType => {
                ("illumination_type.name", filtered(|one| name(&one.illumination_type)))
            }
            Self::IlluminationStartTime => {
                ("illumination_start_time", stored(|one| text(&one.illumination_start_time)))
            }
            Self::IlluminationEndTime => {
                ("illumination_end_time", stored(|one| text(&one.illumination_end_time)))
            }
            Self::ClassificationType => {
                ("classification_type.name", stored(|one| name(&one.classification_type)))
            }
            Self::ConstructionTypeId => {
                ("construction.construction_type.id", stored(|one| text(&construction(one)?.id)))
            }
            Self::ConstructionTypeName => {
                ("construction.construction_type.name", filtered(|one| text(&construction(one)?.name)))
            }
            Self::MediaType => ("media_type.name", filtered(|one| name(&one.media_type))),
            Self::PlacementType => ("placement_type.name", stored(|one| name(&one.placement_type))),
            Self::StatusType => ("status_type.name", stored(|one| name(&one.status_type))),
            Self::State => ("location.state", filtered(|one| text(&location(one)?.state))),
            Self::CountyId => ("location.county_id", stored(|one| text(&location(one)?.county_id))),
            Self::CountyName => ("location.county_name", searched(|one| text(&location(one)?.county_name))),
            Self::DmaId => ("location.dma_id", stored(|one| text(&location(one)?.dma_id))),
            Self::DmaName => ("location.dma_name", searched(|one| text(&location(one)?.dma_name))),
            Self::CbsaCode => ("location.cbsa_code", stored(|one| text(&location(one)?.cbsa_code))),
            Self::CbsaName => ("location.cbsa_name", searched(|one| text(&location(one)?.cbsa_name))),
            Self::ZipCode => ("location.zip_code", filtered(|one| text(&location(one)?.zip_code))),
            Self::PrimaryArtery => {
                ("location.primary_artery", searched(|one| text(&location(one)?.primary_artery)))
            }
            Self::GeometryType => ("location.geometry.type", Stored::GeometryType),
            Self::Coordinates => ("location.geometry.coordinates", Stored::Coordinates),
            Self::GeoPoint => ("location.geo_point", Stored::GeoPoint),
            Self::LocationPlaces => ("location.places.place_name", Stored::Places),
            Self::PlaceTypes => {
                ("location.place_types.name", stored(|one| name(&location(one)?.place_types)))
            }
            Self::Orientation => ("location.orientation", Stored::Number(|one| location(one)?.orientation)),
            Self::LayoutId => ("layouts.id", Stored::Layouts),
            Self::LayoutAudio => ("layouts.audio", Stored::Layouts),
            Self::LayoutFullMotion => ("layouts.full_motion", Stored::Layouts),
            Self::LayoutInteractive => ("layouts.interactive", Stored::Layouts),
            Self::LayoutPartialMotion => ("layouts.partial_motion", Stored::Layouts),
            Self::LayoutRotating => ("layouts.rotating", Stored::Layouts),
            Self::LayoutSpotShareOfVoice => ("layouts.spot_share_of_voice", Stored::Layouts),
            Self::FaceId => ("layouts.faces.id", Stored::Layouts),
            Self::FaceWidth => ("layouts.faces.width", Stored::Layouts),
            Self::FaceHeight => ("layouts.faces.height", Stored::Layouts),
            Self::FaceOrientation => ("layouts.faces.orientation", Stored::Layouts),
            Self::FaceSpotId => ("layouts.faces.spots.id", Stored::Layouts),
            Self::FaceSpotPlantSpotId => ("layouts.faces.spots.plant_spot_id", Stored::Layouts),
            Self::FaceSpotSpotShareOfVoice => ("layouts.faces.spots.spot_share_of_voice", Stored::Layouts),
            Self::FaceSpotSpotLength => ("layouts.faces.spots.spot_length", Stored::Layouts),
            Self::FaceSpotMaxFrames => ("layouts.faces.spots.max_frames", Stored::Layouts),
            Self::FaceSpotRotating => ("layouts.faces.spots.rotating", Stored::Layouts),
            Self::FaceSpotAudio => ("layouts.faces.spots.audio", Stored::Layouts),
            Self::FaceSpotFullMotion => ("layouts.faces.spots.full_motion", Stored::Layouts),
            Self::FaceSpotPartialMotion => ("layouts.faces.spots.partial_motion", Stored::Layouts),
            Self::FaceSpotInteractive => ("layouts.faces.spots.interactive", Stored::Layouts),
            Self::FaceSpotMeasures => ("layouts.faces.spots.measures", Stored::Layouts),
            Self::AccountName => ("representations.account.name", Stored::Representations),
            Self::ParentAccountName => {
                ("representations.account.parent_account_name", Stored::Representations)
            }
            Self::RepresentationType => ("representations.representation_type.name", Stored::Representations),
            Self::PlaceId => ("place.place_id", stored(|one| text(&place(one)?.place_id))),
            Self::PlaceName => ("place.place_name", stored(|one| text(&place(one)?.place_name))),
            Self::WeeklyImpressions => ("weekly_impressions", Stored::Integer(|one| one.weekly_impressions)),
            Self::ImpressionsSource => ("impressions_source", stored(|one| text(&one.impressions_source))),
            Self::ImpressionsVintage => ("impressions_vintage", stored(|one| text(&one.impressions_vintage))),
            Self::Persons => ("persons", stored(|one| text(&one.persons))),
            Self::ImpressionsOf => ("impressions_of", stored(|one| text(&one.impressions_of))),
            Self::RateAmount => ("rate.amount", Stored::Number(|one| one.rate.as_ref()?.amount)),
            Self::RateCurrency => ("rate.currency", stored(|one| text(&one.rate.as_ref()?.currency))),
            Self::RateWeeks => ("rate.weeks", Stored::Integer(|one| one.rate.as_ref()?.weeks)),
            Self::PhotoUrl => ("photo_url", stored(|one| text(&one.photo_url))),
            Self::AvailableFrom => ("available_from", filtered(|one| text(&one.available_from))),
            Self::ReadSide => ("read_side", stored(|one| text(&one.read_side))),
            Self::VenueType => ("venue_type", filtered(|one| text(&one.venue_type))),
            Self::Modelled => ("modelled", Stored::Modelled),
        }
    }
}

/// A field that search results can be sorted by, because it has a single value. Strings are sorted in
/// normalized form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortField(Field);

impl SortField {
    /// The spot's ID, which is the default sort key.
    pub const SPOT_ID: Self = Self(Field::SpotId);

    /// Returns the sort field with the given path, where `id` is short for `spot_id`. Returns `None` if the
    /// field doesn't exist or can't be a sort key.
    pub fn find(path: &str) -> Option<Self> {
        Self::all().find(|field| path == field.0.path() || field.0 == Field::SpotId && path == "id")
    }

    /// Returns all sort fields.
    pub fn all() -> impl Iterator<Item = Self> {
        let is_one = |field: &Field| {
            let is_unordered =
                matches!(field.stored(), Stored::Coordinates | Stored::GeoPoint | Stored::Modelled);
            field.path() == field.member() && !is_unordered
        };
        Field::ALL.into_iter().filter(is_one).map(Self)
    }

    pub const fn field(self) -> Field {
        self.0
    }
}

const fn stored(of: TextOf) -> Stored {
    Stored::Text(Indexing::Stored, of)
}

const fn filtered(of: TextOf) -> Stored {
    Stored::Text(Indexing::Filtered, of)
}

const fn searched(of: TextOf) -> Stored {
    Stored::Text(Indexing::Searched, of)
}

fn text<'a>(text: &'a Option<Text<'_>>) -> Option<&'a str> {
    text.as_deref()
}

fn name<'a>(named: &'a Option<Named<'_>>) -> Option<&'a str> {
    named.as_ref().and_then(|Named { name }| name.as_deref())
}

fn location<'a, 'r>(record: &'a Record<'r>) -> Option<&'a Location<'r>> {
    record.location.as_ref()
}

fn construction<'a, 'r>(record: &'a Record<'r>) -> Option<&'a ConstructionType<'r>> {
    record.construction.as_ref().and_then(|Construction { construction_type }| construction_type.as_ref())
}

fn place<'a, 'r>(record: &'a Record<'r>) -> Option<&'a PlaceRef<'r>> {
    record.place.as_ref()
}

#[cfg(test)]
mod tests {
    use super::super::query::{FlagCriterion, TextCriterion};
    use super::*;

    #[test]
    fn fields_with_a_criterion_support_filtering() {
        let fields =
            TextCriterion::ALL.into_iter().filter(|criterion| *criterion != TextCriterion::MediaOwner);
        for criterion in fields {
            let Stored::Text(indexing, _) = criterion.field().stored() else {
                panic!("{criterion:?} isn't stored as text")
            };
            assert_ne!(indexing, Indexing::Stored, "{criterion:?}");
        }
        for criterion in FlagCriterion::ALL {
            assert!(matches!(criterion.field().stored(), Stored::Flag(_)), "{criterion:?}");
        }
    }

    #[test]
    fn field_paths_are_unique() {
        let mut paths = Field::ALL.map(Field::path).to_vec();
        paths.sort_unstable();
        assert!(paths.is_sorted_by(|one, other| one < other), "{paths:?}");
    }
}
