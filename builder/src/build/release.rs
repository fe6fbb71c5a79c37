//! Builds a release: reads the base data and all sources, checks the result, and writes it.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use dataset::{AreaNames, Geographies, Manifest, Part, Progress};

use super::cache::Cache;
use super::context::Context;
use super::entry::{Kind, SourceEntry};
use super::error::BuildError;
use super::guards::Violation;
use super::ids::Ids;
use super::notice::Notice;
use super::provenance::{provenance, sources};
use super::rejects::Rejects;
use super::report::{Built, Report, SourceSummary};
use super::source_list::SourceList;
use super::{read_displays, read_measures, read_places, write};
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
    /// The vintage of sources without one, `YYYY-MM-DD`.
    pub today: &'a str,
    pub progress: Progress<'a>,
}

/// Builds a release. The same sources always produce the same bytes.
///
/// # Errors
///
/// Fails if a source as a whole can't be used, if sources contradict each other, or if a guard stops the build. No
/// release is written in this case, only rejected rows.
pub fn build(build: Build<'_>, rejects: &mut Rejects) -> Result<Built, BuildError> {
    let Build { list, today, progress, .. } = build;
    let cache = Cache::open(build.cache)?;
    let base = cache.base(build.data, progress)?;
    let geographies = Geographies::open_file(&base.file(Part::Geographies))?;
    let (names, locator) = (AreaNames::new(&geographies), Locator::of(&geographies));
    let context = Context { geographies: &geographies, names: &names, locator: &locator, today, progress };
    let mut ids = read_ids(list)?;
    let (mut displays, mut places, mut measures) = (Vec::new(), Vec::new(), Vec::new());
    for entry in list.of_kind(Kind::Displays) {
        displays.push(read_displays::read(entry, &context, namespace(&mut ids, entry), rejects)?);
    }
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
    for entry in list.of_kind(Kind::PlaceMeasures) {
        let ids = entry.ids.as_ref().map(|ids_of| &ids[ids_of]);
        measures.push(read_measures::read(
            entry,
            &context,
            (&released.population, &released.places),
            ids,
            rejects,
        )?);
    }
    rows.insert(Part::Measures, target.write_measures(measures, &released.places, &mut report)?);
    check_rejects(list, &report.sources)?;

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
    for ids in ids.values_mut().filter(|ids| ids.is_changed()) {
        ids.write()?;
        report.ids.push(ids.file().to_owned());
    }
    cache.prune();
    Ok(Built { folder: folder.publish(&manifest)?, report })
}

/// Reads the assigned IDs of all namespaces.
fn read_ids(list: &SourceList) -> Result<BTreeMap<String, Ids>, BuildError> {
    let mut all = BTreeMap::new();
    for entry in &list.entries {
        if let Some(namespace) = entry.ids.as_ref().filter(|namespace| !all.contains_key(*namespace)) {
            all.insert(namespace.clone(), Ids::read(&entry.ids_folder, namespace)?);
        }
    }
    Ok(all)
}

fn namespace<'a>(ids: &'a mut BTreeMap<String, Ids>, entry: &SourceEntry) -> Option<&'a mut Ids> {
    ids.get_mut(entry.ids.as_ref()?)
}

fn check_rejects(list: &SourceList, summaries: &[SourceSummary]) -> Result<(), BuildError> {
    let limits: HashMap<_, _> = list
        .entries
        .iter()
        .filter_map(|entry| Some(((entry.kind, entry.to_string()), entry.max_rejects?)))
        .collect();
    let violation = |summary: &SourceSummary| {
        let most = *limits.get(&(summary.kind, summary.name.clone()))?;
        let (rejected, rows) = (summary.rejected(), summary.rows);
        let source_name = summary.name.clone();
        most.is_exceeded(rejected, rows).then_some(Violation::Rejects { source_name, rejected, rows, most })
    };
    let violations: Vec<Violation> = summaries.iter().filter_map(violation).collect();
    if violations.is_empty() { Ok(()) } else { Err(BuildError::Stopped(violations)) }
}
