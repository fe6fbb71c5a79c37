//! Builds a release: reads the base data and all sources, checks the result, and writes it.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::{AreaNames, Folder, Geographies, Manifest, Part, Progress};

use super::cache::Cache;
use super::context::Context;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::guards;
use super::ids::Ids;
use super::notice::Notice;
use super::provenance::{provenance, sources};
use super::rejects::Rejects;
use super::report::{Built, Report};
use super::source_list::SourceList;
use super::{all_displays, read_measures, read_places, write};
use crate::diff::Kind;
use crate::diff::compare;
use crate::location::Locator;
use crate::packing::{NewFolder, entries, write_derived};

/// How a release is built.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    pub list: &'a SourceList,
    /// The folder with the source data of the public sample.
    pub data: &'a Path,
    /// The folder of releases in which the release gets a folder of its own.
    pub releases: &'a Path,
    /// The folder with results of earlier builds.
    pub cache: &'a Path,
    /// The release to compare with.
    pub against: Option<&'a Folder>,
    /// The namespaces or names of the sources whose changes the guards don't check.
    pub accepted: &'a [String],
    /// The vintage of sources without one, `YYYY-MM-DD`.
    pub today: &'a str,
    pub progress: Progress<'a>,
}

/// Builds a release. The same sources always produce the same bytes.
///
/// # Errors
///
/// Fails if a source as a whole can't be used, if sources contradict each other, or if a guard stops the
/// build. No release is written in this case, only rejected rows.
pub fn build(build: Build<'_>, rejects: &mut Rejects) -> Result<Built, BuildError> {
    let Build { list, today, progress, .. } = build;
    let cache = Cache::open(build.cache)?;
    let base = cache.base(build.data, progress)?;
    let geographies = Geographies::open_file(&base.file(Part::Geographies))?;
    let (names, locator) = (AreaNames::new(&geographies), Locator::of(&geographies));
    let context = Context { geographies: &geographies, names: &names, locator: &locator, today, progress };
    let mut ids = read_ids(list, build.against)?;
    let displays = all_displays::read_all(list, &context, (&cache, &base.key), &mut ids, rejects)?;
    let mut places = Vec::new();
    for entry in list.of_kind(Kind::Places) {
        places.push(read_places::read(entry, &context, namespace(&mut ids, entry), rejects)?);
    }

    let folder = NewFolder::create(build.releases)?;
    let target = write::Target { list, base: &base, folder: folder.path(), geographies: &geographies };
    let is_modelled = displays.iter().any(|source| source.is_modelled);
    let mut report = Report::default();
    let mut rows = target.write_displays(displays, &mut report)?;
    let released = target.write_places(places, &mut report)?;
    rows.insert(Part::Places, released.rows);
    let mut measures = Vec::new();
    for entry in list.of_kind(Kind::PlaceMeasures) {
        let (ids, released) = (namespace(&mut ids, entry), (&released.population, &released.places));
        measures.push(read_measures::read(entry, &context, released, ids.as_deref(), rejects)?);
    }
    rows.insert(Part::Measures, target.write_measures(measures, &released.places, &mut report)?);

    for part in [Part::Geographies, Part::Population] {
        rows.insert(part, base.share(part, folder.path())?);
    }
    rows.extend(write_derived(folder.path())?);
    let files = entries(folder.path(), rows)?;
    let manifest =
        Manifest::new(&list.label, files, provenance(list, is_modelled, today), sources(list, today));
    for entry in list.entries.iter().filter(|entry| entry.vintage.is_none()) {
        report.notices.push(Notice::NoVintage { source_name: entry.to_string(), today: today.to_owned() });
    }
    let new = Folder::new(folder.path().to_owned(), manifest);
    check_changes(build, &new, &mut report)?;
    for ids in ids.values_mut().filter(|ids| ids.is_changed()) {
        ids.write()?;
        report.ids.push(ids.file().to_owned());
    }
    Ok(Built { folder: folder.publish(new.manifest())?, report })
}

/// Reads the assigned IDs of all namespaces. Fails if a file is missing but the release to compare with has
/// IDs of its namespace, because the IDs could change.
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

/// Compares the new release with the one to compare with, and checks the changes.
fn check_changes(build: Build<'_>, new: &Folder, report: &mut Report) -> Result<(), BuildError> {
    let Build { list, against, accepted, progress, .. } = build;
    let Some(old) = against else {
        if !list.entries.iter().all(|entry| entry.is_sample) {
            report.notices.push(Notice::NothingToCompare);
        }
        return Ok(());
    };
    let difference = compare(old, new, false, progress)?;
    guards::check(list, &difference, old.manifest(), accepted)?;
    report.difference = Some((old.manifest().name.clone(), difference));
    Ok(())
}

/// Returns the assigned IDs of a source's namespace, ready for its rows.
fn namespace<'a>(ids: &'a mut BTreeMap<String, Ids>, entry: &SourceEntry) -> Option<&'a mut Ids> {
    let ids = ids.get_mut(entry.ids.as_ref()?)?;
    ids.begin_source();
    Some(ids)
}
