//! Builds a release from the base data and all sources, and checks its differences from an earlier release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dataset::{AreaNames, Folder, Geographies, Manifest, Part, Progress};

use super::all_displays::{self, SourceKeys};
use super::cache::Cache;
use super::context::Context;
use super::error::BuildError;
use super::guards;
use super::ids::{Ids, namespace};
use super::notice::Notice;
use super::provenance::{provenance, sources};
use super::read_displays::Displays;
use super::read_places::SourcePlaces;
use super::rejects::Rejects;
use super::report::{Built, Report};
use super::source_list::SourceList;
use super::{read_measures, read_places, write};
use crate::diff::Kind;
use crate::diff::compare_except;
use crate::location::Locator;
use crate::packing::{NewFolder, entries, write_derived};

/// The inputs and options of a build.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    pub list: &'a SourceList,
    /// The folder with the source data of the public sample.
    pub data: &'a Path,
    /// The folder in which the build creates the new release's folder.
    pub releases: &'a Path,
    /// The folder for cached results, which later builds reuse.
    pub cache: &'a Path,
    /// The release to compare with, if any. Without one, the guards don't check changes.
    pub against: Option<&'a Folder>,
    /// The namespaces or names of the sources that the guards don't check because their changes are accepted.
    pub accepted: &'a [String],
    /// The vintage for sources that don't specify one, as `YYYY-MM-DD`.
    pub today: &'a str,
    pub progress: Progress<'a>,
}

/// The displays and places from all sources.
struct Records {
    displays: Vec<Displays>,
    display_keys: SourceKeys,
    places: Vec<SourcePlaces>,
}

/// Builds a release. The same sources always produce the same bytes.
///
/// # Errors
///
/// Fails if an entire source can't be used, if sources contradict each other, if a guard stops the build, or
/// if a file can't be read or written. In these cases, no release is created, but rejected rows and cached
/// results may have been written. Files of assigned IDs are written only after all checks have passed.
pub fn build(build: Build<'_>, rejects: &mut Rejects) -> Result<Built, BuildError> {
    let Build { list, today, progress, .. } = build;
    let cache = Cache::open(build.cache)?;
    let areas = cache.areas(build.data, progress)?;
    let geographies = Geographies::open_file(&areas.file(Part::Geographies))?;
    let (names, locator) = (AreaNames::new(&geographies), Locator::of(&geographies));
    let context = Context { geographies: &geographies, names: &names, locator: &locator, today, progress };
    let mut ids = read_ids(list, build.against)?;
    let (base, records) = rayon::join(
        || cache.with_places(&areas, build.data, progress),
        || read_records(list, &context, (&cache, &areas.key), &mut ids, rejects),
    );
    let (base, Records { displays, display_keys, places }) = (base?, records?);

    let folder = NewFolder::create(build.releases)?;
    let target = write::Target { list, base: &base, folder: folder.path(), geographies: &geographies };
    let mut report = Report::default();
    let new = write_release(&target, (displays, places), &context, (&mut ids, rejects), &mut report)?;
    check_changes(build, &new, &cache.unchanged(build.against, &display_keys), &mut report)?;
    // Write an empty file for a namespace without assigned IDs. Otherwise, the next build would assume that
    // the file was lost.
    for ids in ids.values_mut().filter(|ids| ids.is_changed() || !ids.is_stored()) {
        ids.write()?;
        report.ids.push(ids.file().to_owned());
    }
    let folder = folder.publish(new.manifest())?;
    cache.put_sources(&folder, &display_keys);
    Ok(Built { folder, report })
}

/// Reads the displays and places from all sources. `areas` is the cache key of the geographies and the
/// population.
fn read_records(
    list: &SourceList,
    context: &Context<'_>,
    (cache, areas): (&Cache, &str),
    ids: &mut BTreeMap<String, Ids>,
    rejects: &mut Rejects,
) -> Result<Records, BuildError> {
    let (displays, display_keys) = all_displays::read_all(list, context, (cache, areas), ids, rejects)?;
    let mut places = Vec::new();
    for entry in list.of_kind(Kind::Places) {
        places.push(read_places::read(entry, context, namespace(ids, entry), rejects)?);
    }
    Ok(Records { displays, display_keys, places })
}

/// Writes all of the release's files except the manifest. Also reads the sources of place measures, because
/// these refer to the release's places.
fn write_release(
    target: &write::Target<'_>,
    (displays, places): (Vec<Displays>, Vec<SourcePlaces>),
    context: &Context<'_>,
    (ids, rejects): (&mut BTreeMap<String, Ids>, &mut Rejects),
    report: &mut Report,
) -> Result<Folder, BuildError> {
    let (list, folder, today) = (target.list, target.folder, context.today);
    let is_modelled = displays.iter().any(|source| source.is_modelled);
    let mut rows = target.write_displays(displays, report)?;
    let released = target.write_places(places, report)?;
    rows.insert(Part::Places, released.rows);
    let mut measures = Vec::new();
    for entry in list.of_kind(Kind::PlaceMeasures) {
        let (ids, released) = (namespace(ids, entry), (&released.population, &released.places));
        measures.push(read_measures::read(entry, context, released, ids.as_deref(), rejects)?);
    }
    rows.insert(Part::Measures, target.write_measures(measures, &released.places, report)?);
    for part in [Part::Geographies, Part::Population, Part::BaseMap] {
        rows.insert(part, target.base.share(part, folder)?);
    }
    rows.extend(write_derived(folder)?);
    for entry in list.entries.iter().filter(|entry| entry.vintage.is_none()) {
        report.notices.push(Notice::NoVintage { source_name: entry.to_string(), today: today.to_owned() });
    }
    let provenance = provenance(list, is_modelled, today);
    let manifest = Manifest::new(&list.label, entries(folder, rows)?, provenance, sources(list, today));
    Ok(Folder::new(folder.to_owned(), manifest))
}

/// Reads the assigned IDs in all namespaces. Fails if a namespace's file is missing but the release to
/// compare with contains IDs from this namespace, because the build could assign different IDs.
fn read_ids(list: &SourceList, against: Option<&Folder>) -> Result<BTreeMap<String, Ids>, BuildError> {
    let mut all = BTreeMap::<String, Ids>::new();
    for entry in &list.entries {
        if let Some(namespace) = entry.ids.as_ref().filter(|namespace| !all.contains_key(*namespace)) {
            let ids = Ids::read(&entry.ids_folder, namespace)?;
            let is_known = |old: &&Folder| {
                old.manifest().sources.iter().any(|source| source.ids.as_ref() == Some(namespace))
            };
            if let Some(old) = against.filter(is_known).filter(|_| !ids.is_stored()) {
                return Err(BuildError::IdsMissing {
                    file: ids.file().to_owned(),
                    namespace: namespace.clone(),
                    release: old.path().display().to_string(),
                });
            }
            all.insert(namespace.clone(), ids);
        }
    }
    Ok(all)
}

/// Compares the new release with an earlier one and checks the changes with the guards. `unchanged` contains
/// the names of sources whose displays are the same in both.
fn check_changes(
    build: Build<'_>,
    new: &Folder,
    unchanged: &BTreeSet<String>,
    report: &mut Report,
) -> Result<(), BuildError> {
    let Build { list, against, accepted, progress, .. } = build;
    let Some(old) = against else { return Ok(()) };
    let difference = compare_except(unchanged, old, new, false, progress)?;
    guards::check(list, &difference, old.manifest(), accepted)?;
    report.difference = Some((old.manifest().name.clone(), difference));
    Ok(())
}
