use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::inventory::{self, InventorySummary, Outcome, Taken};
use super::measures::{self, Known, MeasuresSummary};
use super::places::{self, Existing, Setup, Summary};
use super::{ColumnMap, Locator, Rejects};
use dataset::Progress;
use dataset::folder::file_entry;
use dataset::inventory::{FieldSet, Inventory, InventoryWriter, Record};
use dataset::measures::MeasuresWriter;
use dataset::places::{NewPlace, writer};
use dataset::{
    Figures, Folder, Geographies, GeographyId, GeographyType, Manifest, Maturity, Measure, Measures, Part, PlaceId,
    Places, Population, Provenance, ReleaseError, Source, write_folder,
};

/// What an operator says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Whose data it is, under what terms.
    pub source: String,
    /// The day that it describes, `YYYY-MM-DD`.
    pub vintage: String,
}

/// Adds an operator's places to a release, and writes the result into a folder; into none for a dry run.
///
/// # Errors
///
/// When the file as a whole or the release cannot be used, or nothing was accepted. No release is written then.
pub fn add_places(
    base: &Folder,
    file: &Path,
    map: &ColumnMap,
    about: &About,
    rejects: &mut Rejects,
    out: Option<&Path>,
    progress: Progress<'_>,
) -> Result<Summary, String> {
    let geographies = Geographies::open(base).map_err(text)?;
    let known = Places::open(base).map_err(text)?;
    let locator = Locator::of(&geographies);
    let setup = Setup { map, locator: &locator, published_date: &about.vintage, progress };
    let existing = known.indexes().map(|index| Existing::from(known.get(index)));
    let (added, summary) = places::read(file, setup, existing, rejects)?;
    let Some(out) = out else { return Ok(summary) };
    if added.is_empty() {
        return Err(nothing_accepted(file));
    }
    let mut all = known.to_new();
    all.extend(added.into_iter().map(NewPlace::from));
    let name = |area| geographies.get(area).name.to_owned();
    let write = |folder: &Path| {
        let rows = writer::write(all, &name, &folder.join(Part::Places.file()))?;
        Ok([(Part::Places, rows)].into())
    };
    let provenance = joined(base, Figures::Places, about);
    write_folder(out, |folder| extended(base, folder, write, provenance, agreed(about)))?;
    Ok(summary)
}

/// Loads measured records into a release, in the place of those that its places had, and writes the result into a
/// folder; into none for a dry run.
///
/// # Errors
///
/// When the file as a whole or the release cannot be used, or nothing was accepted. No release is written then.
pub fn add_measures(
    base: &Folder,
    file: &Path,
    about: &About,
    rejects: &mut Rejects,
    out: Option<&Path>,
    progress: Progress<'_>,
) -> Result<MeasuresSummary, String> {
    let geographies = Geographies::open(base).map_err(text)?;
    let (population, places) = (Population::open(base).map_err(text)?, Places::open(base).map_err(text)?);
    let zip = |zip: &str| geographies.find(&GeographyId::from_national_id(GeographyType::Zip, zip)?);
    let segment = |id: &uuid::Uuid| population.find(id);
    let place = |place| places.find(place).is_some();
    let known = Known { place: &place, zip: &zip, segment: &segment };
    let (loaded, summary) = measures::read(file, &known, rejects, progress)?;
    let Some(out) = out else { return Ok(summary) };
    if loaded.is_empty() {
        return Err(nothing_accepted(file));
    }
    let old = Measures::open(base).map_err(text)?;
    let write = |folder: &Path| {
        let rows = merged(&old, loaded, &folder.join(Part::Measures.file()), progress)?;
        Ok([(Part::Measures, rows)].into())
    };
    let provenance = joined(base, Figures::LoadedMeasures, about);
    write_folder(out, |folder| extended(base, folder, write, provenance, agreed(about)))?;
    Ok(summary)
}

/// Adds an operator's spots to a release, in the place of those of the same ids, and writes the result into a folder;
/// into none for a dry run. Without a map, a file of JSON lines holds full records, and another one columns of the
/// targets' own names.
///
/// # Errors
///
/// When the file as a whole or the release cannot be used, or nothing was accepted. No release is written then.
pub fn add_inventory(
    base: &Folder,
    file: &Path,
    map: Option<&ColumnMap>,
    about: &About,
    rejects: &mut Rejects,
    out: Option<&Path>,
    progress: Progress<'_>,
) -> Result<InventorySummary, String> {
    let geographies = Geographies::open(base).map_err(text)?;
    let old = Inventory::open(base).map_err(text)?;
    let setup = inventory::Setup { map, geographies: &geographies, locator: &Locator::of(&geographies), progress };
    let mut writer = InventoryWriter::default();
    let mut accept = |record: &Record<'_>| {
        if out.is_some() {
            writer.push(record);
        }
    };
    let mut reject = |line: u64, reason: &str, original: &str| rejects.add(line, reason, original);
    let outcome = Outcome { accept: &mut accept, reject: &mut reject };
    let summary = inventory::read(file, setup, &mut Taken::by(Some(&old)), outcome)?;
    let Some(out) = out else { return Ok(summary) };
    if summary.accepted == 0 {
        return Err(nothing_accepted(file));
    }
    let remaining = old.indexes().filter(|index| !writer.has(old.id(*index))).collect::<Vec<_>>();
    for (done, index) in remaining.iter().enumerate() {
        writer.push(&old.record(*index, FieldSet::ALL));
        if done % 1_000 == 0 {
            progress("copying spots", done as u64, remaining.len() as u64);
        }
    }
    let is_modelled = map.is_some_and(|map| map.modelled().is_some());
    let provenance = if is_modelled { modelled(base, about) } else { joined(base, Figures::Inventory, about) };
    let write = |folder: &Path| writer.write(folder, &geographies);
    write_folder(out, |folder| extended(base, folder, write, provenance, agreed(about)))?;
    Ok(summary)
}

/// Says where spots come from of which a model has filled in what an operator's file lacks.
fn modelled(base: &Folder, about: &About) -> (Figures, Provenance) {
    const FILLED_IN: &str = "what the source lacks is modelled";
    let (figures, mut provenance) = joined(base, Figures::Inventory, about);
    provenance.data_maturity = Maturity::SyntheticOnly;
    if !provenance.source.contains(FILLED_IN) {
        provenance.source = format!("{}; {FILLED_IN}", provenance.source);
    }
    (figures, provenance)
}

/// Writes the records of both, those that were loaded in the place of older ones.
fn merged(
    old: &Measures,
    mut loaded: BTreeMap<PlaceId, Measure>,
    path: &Path,
    progress: Progress<'_>,
) -> Result<BTreeMap<String, u64>, String> {
    let places: BTreeSet<PlaceId> = old.ids().chain(loaded.keys().copied()).collect();
    let mut writer = MeasuresWriter::default();
    for (done, place) in places.iter().enumerate() {
        let measure = match loaded.remove(place) {
            Some(measure) => measure,
            None => old.get(*place).map_err(text)?.ok_or("a record is gone while it is copied")?,
        };
        writer.push(*place, &measure)?;
        if done % 1_000 == 0 {
            progress("copying records", done as u64, places.len() as u64);
        }
    }
    writer.write(path)
}

/// Says where figures come from to which an operator's are added: from both, and of the later day.
fn joined(base: &Folder, figures: Figures, about: &About) -> (Figures, Provenance) {
    let About { source, vintage } = about.clone();
    let joined = match base.manifest().provenance(figures) {
        Ok(known) => {
            let is_named = known.source.split("; ").any(|one| one == source);
            Provenance {
                source: if is_named { known.source.clone() } else { format!("{}; {source}", known.source) },
                data_vintage: vintage.max(known.data_vintage.clone()),
                ..known.clone()
            }
        }
        Err(_) => Provenance {
            source,
            source_doc: String::new(),
            methodology_version: "as loaded".to_owned(),
            data_vintage: vintage,
            data_freshness: "on-demand".to_owned(),
            data_latency_days: None,
            data_maturity: Maturity::Production,
        },
    };
    (figures, joined)
}

/// Makes a release that differs in the parts that are written; `write` says how many rows of each kind each has.
pub(crate) fn extended(
    base: &Folder,
    folder: &Path,
    write: impl FnOnce(&Path) -> Result<BTreeMap<Part, BTreeMap<String, u64>>, String>,
    provenance: (Figures, Provenance),
    source: Source,
) -> Result<Manifest, String> {
    let old = base.manifest();
    let mut files = old.files.clone();
    for (part, rows) in write(folder)? {
        files.insert(part, file_entry(folder, part, rows).map_err(|error| format!("{}: {error}", part.file()))?);
    }
    for part in files.keys() {
        let (from, to) = (base.file(*part), folder.join(part.file()));
        if to.exists() {
            continue;
        }
        // Files of a release never change, so two releases may share one.
        std::fs::hard_link(&from, &to)
            .or_else(|_| std::fs::copy(&from, &to).map(drop))
            .map_err(|error| format!("{}: cannot be copied: {error}", from.display()))?;
    }
    let mut figures = old.provenance.clone();
    figures.extend([provenance]);
    let mut sources = old.sources.clone();
    sources.retain(|other| *other != source);
    sources.push(source);
    Ok(Manifest::new(old.label(), files, figures, sources))
}

fn agreed(About { source, vintage }: &About) -> Source {
    Source {
        name: source.clone(),
        vintage: vintage.clone(),
        licence: "as agreed with the operator".to_owned(),
        attribution: String::new(),
    }
}

fn nothing_accepted(file: &Path) -> String {
    format!("{}: no row was accepted, so no release was written", file.display())
}

fn text(error: ReleaseError) -> String {
    error.to_string()
}
