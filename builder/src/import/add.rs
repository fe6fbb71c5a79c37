//! Adds what an operator's files hold to a release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dataset::inventory::{FieldSet, Inventory, InventoryWriter, Record};
use dataset::measures::MeasuresWriter;
use dataset::{
    Figures, Folder, Geographies, GeographyId, GeographyType, Measure, Measures, Part, PlaceId, Places,
    Population, Progress, RowCounts,
};

use super::about::{About, agreed, joined, modelled};
use super::error::ImportError;
use super::inventory::{self, InventorySummary, RowSink, Taken};
use super::locator::Locator;
use super::map::ColumnMap;
use super::measures::{self, Known, MeasuresSummary};
use super::places::{self, Existing, Setup, Summary};
use super::rejects::Rejects;
use crate::packing::{extended, write_folder};

/// Adds an operator's places to a release, and writes the result into a folder; into none for a dry run.
///
/// # Errors
///
/// When the file as a whole or the release cannot be used, or nothing was accepted. No release is written
/// then.
pub fn add_places(
    base: &Folder,
    file: &Path,
    map: &ColumnMap,
    about: &About,
    rejects: &mut Rejects,
    out: Option<&Path>,
    progress: Progress<'_>,
) -> Result<Summary, ImportError> {
    let geographies = Geographies::open(base)?;
    let known = Places::open(base)?;
    let locator = Locator::of(&geographies);
    let setup = Setup { map, locator: &locator, published_date: &about.vintage, progress };
    let existing = known.indexes().map(|index| Existing::from(known.get(index)));
    let (added, summary) = places::read(file, setup, existing, rejects)?;
    let Some(out) = out else { return Ok(summary) };
    if added.is_empty() {
        return Err(ImportError::NothingAccepted(file.to_owned()));
    }
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
/// into a folder; into none for a dry run.
///
/// # Errors
///
/// When the file as a whole or the release cannot be used, or nothing was accepted. No release is written
/// then.
pub fn add_measures(
    base: &Folder,
    file: &Path,
    about: &About,
    rejects: &mut Rejects,
    out: Option<&Path>,
    progress: Progress<'_>,
) -> Result<MeasuresSummary, ImportError> {
    let geographies = Geographies::open(base)?;
    let (population, places) = (Population::open(base)?, Places::open(base)?);
    let zip = |zip: &str| geographies.find(&GeographyId::from_national_id(GeographyType::Zip, zip)?);
    let segment = |id: &uuid::Uuid| population.find(id);
    let place = |place| places.find(place).is_some();
    let known = Known { place: &place, zip: &zip, segment: &segment };
    let (loaded, summary) = measures::read(file, &known, rejects, progress)?;
    let Some(out) = out else { return Ok(summary) };
    if loaded.is_empty() {
        return Err(ImportError::NothingAccepted(file.to_owned()));
    }
    let old = Measures::open(base)?;
    write_folder(out, |folder| {
        let written = [(Part::Measures, merged(&old, loaded, folder, progress)?)].into();
        let provenance = joined(base, Figures::LoadedMeasures, about);
        Ok::<_, ImportError>(extended(base, folder, written, provenance, agreed(about))?)
    })?;
    Ok(summary)
}

/// Adds an operator's spots to a release, in the place of those of the same ids, and writes the result into a
/// folder; into none for a dry run. Without a map, a file of JSON lines holds full records, and another one
/// columns of the targets' own names.
///
/// # Errors
///
/// When the file as a whole or the release cannot be used, or nothing was accepted. No release is written
/// then.
pub fn add_inventory(
    base: &Folder,
    file: &Path,
    map: Option<&ColumnMap>,
    about: &About,
    rejects: &mut Rejects,
    out: Option<&Path>,
    progress: Progress<'_>,
) -> Result<InventorySummary, ImportError> {
    let geographies = Geographies::open(base)?;
    let old = Inventory::open(base)?;
    let setup =
        inventory::Setup { map, geographies: &geographies, locator: &Locator::of(&geographies), progress };
    let mut writer = InventoryWriter::default();
    let mut accept = |record: &Record<'_>| {
        if out.is_some() {
            writer.push(record);
        }
    };
    let mut reject = |line: u64, reason: &str, original: &str| Ok(rejects.add(line, reason, original)?);
    let sink = RowSink { accept: &mut accept, reject: &mut reject };
    let summary = inventory::read::<ImportError>(file, setup, &mut Taken::by(Some(&old)), sink)?;
    let Some(out) = out else { return Ok(summary) };
    if summary.accepted == 0 {
        return Err(ImportError::NothingAccepted(file.to_owned()));
    }
    let remaining = old.indexes().filter(|index| !writer.has(old.id(*index))).collect::<Vec<_>>();
    for (done, index) in remaining.iter().enumerate() {
        writer.push(&old.record(*index, FieldSet::ALL));
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
