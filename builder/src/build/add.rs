//! Adds what an operator's files hold to a release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dataset::inventory::{FieldSet, Inventory, InventoryWriter, Record};
use dataset::measures::MeasuresWriter;
use dataset::{
    Figures, Folder, Geographies, GeographyId, GeographyType, Measure, Measures, Part, PlaceId, Places,
    Population, Progress, RowCounts,
};

use super::about::{About, agreed, joined, modelled};
use super::error::ImportError;
use super::notice::new_place_types;
use super::rejects::{MaxRejects, Rejects};
use crate::columns::ColumnMap;
use crate::displays::{self as inventory, InventorySummary, RowSink, Taken};
use crate::location::Locator;
use crate::location::Region;
use crate::measures::{self, Known, MeasuresSummary};
use crate::packing::{extended, write_folder};
use crate::places::{self, Existing, Setup, Summary};
use crate::rows::{Layout, RowProblem};

/// How files are imported.
#[derive(Clone, Copy)]
pub struct Import<'a> {
    /// The release that is extended.
    pub base: &'a Folder,
    /// The files, all of the same columns.
    pub files: &'a [PathBuf],
    pub about: &'a About,
    /// Whether rows that name no country lie outside the United States.
    pub is_foreign: bool,
    /// How many rows may be rejected; any number when it is not said.
    pub max_rejects: Option<MaxRejects>,
    /// Where the new release is written; nowhere in a dry run.
    pub out: Option<&'a Path>,
    pub progress: Progress<'a>,
}

/// Adds an operator's places to a release, and writes the result into a folder.
///
/// # Errors
///
/// When a file as a whole or the release cannot be used, nothing was accepted, or too much was rejected. No
/// release is written then.
pub fn add_places(
    import: &Import<'_>,
    map: &ColumnMap,
    rejects: &mut Rejects,
) -> Result<Summary, ImportError> {
    let Import { base, files, about, is_foreign, progress, .. } = *import;
    let geographies = Geographies::open(base)?;
    let known = Places::open(base)?;
    let locator = Locator::of(&geographies);
    let source = &about.of_records();
    let setup = Setup { map, locator: &locator, is_foreign, source, progress };
    let existing = known.indexes().map(|index| Existing::from(known.get(index)));
    let (added, mut summary) = places::read(files, setup, existing, rejects)?;
    let types = known.indexes().map(|index| known.get(index).place_type);
    summary.notices.extend(new_place_types(&added, types));
    let Some(out) = import.accepted(summary.rows, summary.accepted)? else { return Ok(summary) };
    let mut all = known.to_new();
    all.extend(added);
    let name = |area| geographies.get(area).name.to_owned();
    write_folder(out, |folder| {
        let written = [(Part::Places, dataset::places::write(folder, all, &name)?)].into();
        let provenance = joined(base, Figures::Places, about);
        Ok::<_, ImportError>(extended(base, folder, written, provenance, agreed(about))?)
    })?;
    Ok(summary)
}

/// Loads measured records into a release, in the place of those that its places had, and writes the result
/// into a folder.
///
/// # Errors
///
/// When a file as a whole or the release cannot be used, nothing was accepted, or too much was rejected. No
/// release is written then.
pub fn add_measures(import: &Import<'_>, rejects: &mut Rejects) -> Result<MeasuresSummary, ImportError> {
    let Import { base, files, about, progress, .. } = *import;
    let geographies = Geographies::open(base)?;
    let (population, places) = (Population::open(base)?, Places::open(base)?);
    let zip = |zip: &str| geographies.find(&GeographyId::from_national_id(GeographyType::Zip, zip)?);
    let segment = |id: &uuid::Uuid| population.find(id);
    let place = |place| places.find(place).is_some();
    let known = Known { place: &place, zip: &zip, segment: &segment };
    let (loaded, summary) = measures::read(files, &known, rejects, progress)?;
    let Some(out) = import.accepted(summary.rows, summary.accepted)? else { return Ok(summary) };
    let old = Measures::open(base)?;
    write_folder(out, |folder| {
        let written = [(Part::Measures, merged(&old, loaded, folder, progress)?)].into();
        let provenance = joined(base, Figures::LoadedMeasures, about);
        Ok::<_, ImportError>(extended(base, folder, written, provenance, agreed(about))?)
    })?;
    Ok(summary)
}

/// Adds an operator's spots to a release, in the place of those of the same ids, and writes the result into a
/// folder. Without a map, a file of JSON lines holds full records, and another one columns of the targets'
/// own names. A row without an id takes the place of a spot of the same source, and of any other where the
/// import `replaces`.
///
/// # Errors
///
/// When a file as a whole or the release cannot be used, nothing was accepted, or too much was rejected. No
/// release is written then.
pub fn add_inventory(
    import: &Import<'_>,
    map: Option<&ColumnMap>,
    replaces: bool,
    rejects: &mut Rejects,
) -> Result<InventorySummary, ImportError> {
    let Import { base, files, about, is_foreign, out, progress, .. } = *import;
    rejects.check(files)?;
    let geographies = Geographies::open(base)?;
    let old = Inventory::open(base)?;
    let region = Region { locator: &Locator::of(&geographies), is_foreign };
    let setup = inventory::Setup { map, geographies: &geographies, region, progress };
    let mut taken = Taken::by(Some(&old));
    if !replaces {
        taken = taken.of_source(&about.source);
    }
    let (mut writer, source) = (InventoryWriter::default(), about.of_records());
    let mut summary = InventorySummary::default();
    for file in files {
        let mut accept = |record: &Record<'_>| {
            if out.is_some() {
                writer.push(record, &source);
            }
        };
        rejects.begin(file);
        let mut reject = |layout: &Layout, problem: &RowProblem| Ok(rejects.add(layout, problem)?);
        let sink = RowSink { accept: &mut accept, reject: &mut reject };
        summary.add(inventory::read::<ImportError>(file, setup, &mut taken, sink)?);
    }
    let Some(out) = import.accepted(summary.rows, summary.accepted)? else { return Ok(summary) };
    let remaining = old.indexes().filter(|index| !writer.has(old.id(*index))).collect::<Vec<_>>();
    for (done, index) in remaining.iter().enumerate() {
        writer.push(&old.record(*index, FieldSet::ALL), &old.source(*index));
        if done % 1_000 == 0 {
            progress("copying spots", done as u64, remaining.len() as u64);
        }
    }
    let is_modelled = map.is_some_and(|map| map.modelled().is_some());
    let provenance =
        if is_modelled { modelled(base, about) } else { joined(base, Figures::Inventory, about) };
    write_folder(out, |folder| {
        let written = writer.write(folder, &geographies)?;
        Ok::<_, ImportError>(extended(base, folder, written, provenance, agreed(about))?)
    })?;
    Ok(summary)
}

impl<'a> Import<'a> {
    /// Returns where the release is to be written, when enough was accepted for one.
    fn accepted(&self, rows: u64, accepted: u64) -> Result<Option<&'a Path>, ImportError> {
        let rejected = rows - accepted;
        if let Some(most) = self.max_rejects.filter(|most| most.is_exceeded(rejected, rows)) {
            return Err(ImportError::TooManyRejects { rejected, rows, most });
        }
        if self.out.is_some() && accepted == 0 {
            return Err(ImportError::NothingAccepted(self.files.to_owned()));
        }
        Ok(self.out)
    }
}

/// Writes the records of both, those that were loaded in the place of older ones.
fn merged(
    old: &Measures,
    mut loaded: BTreeMap<PlaceId, Measure>,
    folder: &Path,
    progress: Progress<'_>,
) -> Result<RowCounts, ImportError> {
    let places: BTreeSet<PlaceId> = old.ids().chain(loaded.keys().copied()).collect();
    let mut writer = MeasuresWriter::default();
    for (done, place) in places.iter().enumerate() {
        let measure = match loaded.remove(place) {
            Some(measure) => measure,
            None => old.get(*place)?.ok_or(ImportError::RecordGone)?,
        };
        writer.push(*place, &measure)?;
        if done % 1_000 == 0 {
            progress("copying records", done as u64, places.len() as u64);
        }
    }
    Ok(writer.write(folder)?)
}
