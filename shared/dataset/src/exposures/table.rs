//! The exposures of all displays, read from their file.

use std::path::Path;

use super::display::{DisplayExposure, Row};
use super::environment::Environment;
use crate::geographies::{Geographies, GeographyId, GeographyIndex, GeographyType};
use crate::inventory::positions::Positions;
use crate::inventory::{Field, FieldSet, Inventory, SpotId, SpotIndex};
use crate::position::Position;
use crate::release::file::{Ascending, FileWriter, Rows};
use crate::release::{Folder, Part, ReleaseError, RowCounts, WriteError};

const IDS: &str = "ids";
const ROWS: &str = "displays";
const POSITIONS: &str = "positions";

/// The fields of a record from which a [`DisplayExposure`] is derived.
const FIELDS: FieldSet = FieldSet::NONE
    .with(Field::SpotId)
    .with(Field::Digital)
    .with(Field::ClassificationType)
    .with(Field::ConstructionTypeName)
    .with(Field::MediaType)
    .with(Field::ZipCode)
    .with(Field::LayoutSpotShareOfVoice)
    .with(Field::FaceSpotId)
    .with(Field::FaceSpotSpotShareOfVoice)
    .with(Field::WeeklyImpressions)
    .with(Field::Persons)
    .with(Field::ImpressionsOf)
    .with(Field::VenueType)
    .with(Field::Modelled);

/// The surroundings, impressions, and share of voice of every display, sorted by display ID.
#[derive(Clone, Debug)]
pub struct Exposures {
    ids: Ascending,
    rows: Rows<Row>,
    positions: Positions,
}

impl Exposures {
    /// Opens the exposures in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let file = folder.open_part(Part::Exposures)?;
        let positions = Positions::open(&file, POSITIONS)?;
        let exposures = Self { ids: file.ascending(IDS)?, rows: file.rows(ROWS)?, positions };
        let is_complete = exposures.positions.len() == exposures.rows.len();
        if is_complete { Ok(exposures) } else { Err(file.inconsistent("has displays without a position")) }
    }

    /// Returns the exposure and the position of a display, or `None` if the release doesn't contain the
    /// display.
    pub fn find(&self, id: SpotId) -> Option<(DisplayExposure, Position)> {
        let at = self.ids.find(id.raw())?;
        Some((DisplayExposure::from(self.rows.get(at)?), self.positions.get(at as u32)))
    }

    /// Returns the position of a spot's ZIP code among the ZIP codes in the release, and the environment of
    /// the spot's display. Returns `None` if the ZIP code is unknown.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range, which can happen if it's from a different release.
    pub fn surroundings(&self, spot: SpotIndex) -> Option<(u16, Environment)> {
        self.rows[spot.raw() as usize].surroundings()
    }
}

/// Writes the [`Part::Exposures`] file to a folder. Returns the number of displays, and the number of
/// displays that have impressions.
pub fn write(
    folder: &Path,
    inventory: &Inventory,
    geographies: &Geographies,
) -> Result<RowCounts, WriteError> {
    let (file, counts) = to_file(inventory, geographies);
    file.write_part(folder, Part::Exposures)?;
    Ok(counts)
}

/// Creates the exposures file. Also returns the number of displays, and the number of displays that have
/// impressions.
pub(crate) fn to_file(inventory: &Inventory, geographies: &Geographies) -> (FileWriter, RowCounts) {
    let first = geographies.of_type(GeographyType::Zip).next().map_or(0, GeographyIndex::position);
    let zip = |code: &str| {
        let found = geographies.find(&GeographyId::from_national_id(GeographyType::Zip, code)?)?;
        u16::try_from(found.position() - first).ok()
    };
    let displays = inventory.indexes().map(|index| {
        let record = inventory.record(index, FIELDS);
        let code = record.location.as_ref().and_then(|location| location.zip_code.as_deref());
        DisplayExposure::of(&record, code.and_then(zip))
    });
    let displays: Vec<DisplayExposure> = displays.collect();
    let ids: Vec<u32> = inventory.indexes().map(|index| inventory.id(index).raw()).collect();
    let mut file = FileWriter::default();
    file.ascending(IDS, &ids);
    file.rows(ROWS, &displays.iter().map(Row::from).collect::<Vec<Row>>());
    let positions: Vec<Position> = inventory.indexes().map(|index| inventory.position(index)).collect();
    Positions::write(&mut file, POSITIONS, &positions);
    let with_impressions = displays.iter().filter(|display| display.impressions.is_some()).count();
    let counts = [("displays", displays.len()), ("displays_with_impressions", with_impressions)];
    (file, counts.map(|(kind, rows)| (kind.to_owned(), rows as u64)).into())
}
