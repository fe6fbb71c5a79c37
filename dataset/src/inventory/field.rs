/// A member of a record that holds no further members: what can be asked for, and sorted by where a record has one
/// value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the member of the record at its path")]
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
}

impl Field {
    /// Every field, in the order of the record.
    pub const ALL: [Self; 58] = [
        Self::SpotId,
        Self::Digital,
        Self::Audio,
        Self::FullMotion,
        Self::PartialMotion,
        Self::Interactive,
        Self::Rotating,
        Self::MediaName,
        Self::IlluminationType,
        Self::IlluminationStartTime,
        Self::IlluminationEndTime,
        Self::ClassificationType,
        Self::ConstructionTypeId,
        Self::ConstructionTypeName,
        Self::MediaType,
        Self::PlacementType,
        Self::StatusType,
        Self::State,
        Self::CountyId,
        Self::CountyName,
        Self::DmaId,
        Self::DmaName,
        Self::CbsaCode,
        Self::CbsaName,
        Self::ZipCode,
        Self::PrimaryArtery,
        Self::GeometryType,
        Self::Coordinates,
        Self::GeoPoint,
        Self::LocationPlaces,
        Self::PlaceTypes,
        Self::Orientation,
        Self::LayoutId,
        Self::LayoutAudio,
        Self::LayoutFullMotion,
        Self::LayoutInteractive,
        Self::LayoutPartialMotion,
        Self::LayoutRotating,
        Self::LayoutSpotShareOfVoice,
        Self::FaceId,
        Self::FaceWidth,
        Self::FaceHeight,
        Self::FaceSpotId,
        Self::FaceSpotPlantSpotId,
        Self::FaceSpotSpotShareOfVoice,
        Self::FaceSpotSpotLength,
        Self::FaceSpotMaxFrames,
        Self::FaceSpotRotating,
        Self::FaceSpotAudio,
        Self::FaceSpotFullMotion,
        Self::FaceSpotPartialMotion,
        Self::FaceSpotInteractive,
        Self::FaceSpotMeasures,
        Self::AccountName,
        Self::ParentAccountName,
        Self::RepresentationType,
        Self::PlaceId,
        Self::PlaceName,
    ];

    /// Returns where the field is: the names of the members that lead to it, with dots between them.
    pub const fn path(self) -> &'static str {
        match self {
            Self::SpotId => "spot_id",
            Self::Digital => "digital",
            Self::Audio => "audio",
            Self::FullMotion => "full_motion",
            Self::PartialMotion => "partial_motion",
            Self::Interactive => "interactive",
            Self::Rotating => "rotating",
            Self::MediaName => "media_name",
            Self::IlluminationType => "illumination_type.name",
            Self::IlluminationStartTime => "illumination_start_time",
            Self::IlluminationEndTime => "illumination_end_time",
            Self::ClassificationType => "classification_type.name",
            Self::ConstructionTypeId => "construction.construction_type.id",
            Self::ConstructionTypeName => "construction.construction_type.name",
            Self::MediaType => "media_type.name",
            Self::PlacementType => "placement_type.name",
            Self::StatusType => "status_type.name",
            Self::State => "location.state",
            Self::CountyId => "location.county_id",
            Self::CountyName => "location.county_name",
            Self::DmaId => "location.dma_id",
            Self::DmaName => "location.dma_name",
            Self::CbsaCode => "location.cbsa_code",
            Self::CbsaName => "location.cbsa_name",
            Self::ZipCode => "location.zip_code",
            Self::PrimaryArtery => "location.primary_artery",
            Self::GeometryType => "location.geometry.type",
            Self::Coordinates => "location.geometry.coordinates",
            Self::GeoPoint => "location.geo_point",
            Self::LocationPlaces => "location.places.place_name",
            Self::PlaceTypes => "location.place_types.name",
            Self::Orientation => "location.orientation",
            Self::LayoutId => "layouts.id",
            Self::LayoutAudio => "layouts.audio",
            Self::LayoutFullMotion => "layouts.full_motion",
            Self::LayoutInteractive => "layouts.interactive",
            Self::LayoutPartialMotion => "layouts.partial_motion",
            Self::LayoutRotating => "layouts.rotating",
            Self::LayoutSpotShareOfVoice => "layouts.spot_share_of_voice",
            Self::FaceId => "layouts.faces.id",
            Self::FaceWidth => "layouts.faces.width",
            Self::FaceHeight => "layouts.faces.height",
            Self::FaceSpotId => "layouts.faces.spots.id",
            Self::FaceSpotPlantSpotId => "layouts.faces.spots.plant_spot_id",
            Self::FaceSpotSpotShareOfVoice => "layouts.faces.spots.spot_share_of_voice",
            Self::FaceSpotSpotLength => "layouts.faces.spots.spot_length",
            Self::FaceSpotMaxFrames => "layouts.faces.spots.max_frames",
            Self::FaceSpotRotating => "layouts.faces.spots.rotating",
            Self::FaceSpotAudio => "layouts.faces.spots.audio",
            Self::FaceSpotFullMotion => "layouts.faces.spots.full_motion",
            Self::FaceSpotPartialMotion => "layouts.faces.spots.partial_motion",
            Self::FaceSpotInteractive => "layouts.faces.spots.interactive",
            Self::FaceSpotMeasures => "layouts.faces.spots.measures",
            Self::AccountName => "representations.account.name",
            Self::ParentAccountName => "representations.account.parent_account_name",
            Self::RepresentationType => "representations.representation_type.name",
            Self::PlaceId => "place.place_id",
            Self::PlaceName => "place.place_name",
        }
    }
}

/// The fields of a text that a record has one value of, but for that of its point.
pub(super) const TEXTS: [Field; 22] = [
    Field::MediaName,
    Field::IlluminationType,
    Field::IlluminationStartTime,
    Field::IlluminationEndTime,
    Field::ClassificationType,
    Field::ConstructionTypeId,
    Field::ConstructionTypeName,
    Field::MediaType,
    Field::PlacementType,
    Field::StatusType,
    Field::State,
    Field::CountyId,
    Field::CountyName,
    Field::DmaId,
    Field::DmaName,
    Field::CbsaCode,
    Field::CbsaName,
    Field::ZipCode,
    Field::PrimaryArtery,
    Field::PlaceTypes,
    Field::PlaceId,
    Field::PlaceName,
];

/// The fields of yes and no that a record has one value of.
pub(super) const FLAGS: [Field; 6] =
    [Field::Digital, Field::Audio, Field::FullMotion, Field::PartialMotion, Field::Interactive, Field::Rotating];

/// The fields in which words are searched (Specification, Inventory search, `search`).
pub(super) const SEARCHED: [Field; 5] =
    [Field::DmaName, Field::CbsaName, Field::CountyName, Field::PrimaryArtery, Field::MediaName];

/// The texts of which the spots of each value are kept: those that are searched or filtered by.
pub(super) const POSTED: [Field; 10] = [
    Field::DmaName,
    Field::CbsaName,
    Field::CountyName,
    Field::PrimaryArtery,
    Field::MediaName,
    Field::State,
    Field::ZipCode,
    Field::MediaType,
    Field::ConstructionTypeName,
    Field::IlluminationType,
];

/// A field that a record has one value of, by which records are sorted. Texts are compared as filters compare them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortField(Field);

impl SortField {
    /// The spot's id: the default.
    pub const SPOT_ID: Self = Self(Field::SpotId);

    /// Finds a field by its path, `id` for the spot's id; `None` when there is none, or it may have several values.
    pub fn find(path: &str) -> Option<Self> {
        Self::all().find(|field| path == field.0.path() || field.0 == Field::SpotId && path == "id")
    }

    /// Returns all of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let scalars = [Field::SpotId, Field::GeometryType, Field::GeoPoint, Field::Orientation];
        let is_one = move |field: &Field| scalars.contains(field) || FLAGS.contains(field) || TEXTS.contains(field);
        Field::ALL.into_iter().filter(is_one).map(Self)
    }

    /// Returns the field.
    pub const fn field(self) -> Field {
        self.0
    }
}
