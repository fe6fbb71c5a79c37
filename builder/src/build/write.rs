//! Writes the records from all sources to the parts of a release.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use dataset::inventory::{InventoryWriter, SpotId};
use dataset::measures::{Measure, MeasuresWriter};
use dataset::places::NewPlace;
use dataset::{Geographies, Measures, Part, PlaceId, Places, Population, RowCounts, normalize};

use super::cache::Base;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::file_row::{FileRow, Files};
use super::merge::{Claims, Winners, is_kept, winners};
use super::notice::Notice;
use super::read_displays::Displays;
use super::read_measures::SourceMeasures;
use super::read_places::{SourcePlaces, new_place_types};
use super::report::{Report, SourceSummary};
use super::source_list::SourceList;
use crate::diff::Kind;
use crate::places::PlaceIdentity;

/// The release to write, and the data on which it's based.
pub(super) struct Target<'a> {
    pub(super) list: &'a SourceList,
    pub(super) base: &'a Base,
    pub(super) folder: &'a Path,
    pub(super) geographies: &'a Geographies,
}

/// A release's places and population, which are needed to read place measures.
pub(super) struct Released {
    pub(super) places: Places,
    pub(super) population: Population,
    pub(super) rows: RowCounts,
}

impl Target<'_> {
    /// Writes the `Inventory` and `SpotCounts` parts.
    pub(super) fn write_displays(
        &self,
        sources: Vec<Displays>,
        report: &mut Report,
    ) -> Result<BTreeMap<Part, RowCounts>, BuildError> {
        let entries = self.list.of_kind(Kind::Displays).map(Some);
        let claims =
            entries.zip(&sources).map(|(entry, Displays { files, rows, .. })| Claims { entry, files, rows });
        let winners = winners("spot", |id: SpotId| id.raw().into(), &claims.collect::<Vec<_>>())?;
        let mut writer = InventoryWriter::default();
        for (at, source) in sources.into_iter().enumerate() {
            let overridden = losses(&winners, source.rows.keys(), at);
            writer.append(source.writer, |id| is_kept(&winners, &id, at));
            report.sources.push(SourceSummary { overridden, ..source.summary });
            report.notices.extend(source.notices);
        }
        Ok(writer.write(self.folder, self.geographies)?)
    }

    /// Writes the `Places` part.
    pub(super) fn write_places(
        &self,
        sources: Vec<SourcePlaces>,
        report: &mut Report,
    ) -> Result<Released, BuildError> {
        let base = Places::open_file(&self.base.file(Part::Places))?;
        let population = Population::open_file(&self.base.file(Part::Population))?;
        if sources.is_empty() && self.list.sample.places {
            return Ok(Released {
                places: base,
                population,
                rows: self.base.share(Part::Places, self.folder)?,
            });
        }
        let mut sample = if self.list.sample.places { base.to_new() } else { Vec::new() };
        let (sample_files, sample_rows) = (Files::default(), sample_rows(&sample));
        let mut claims = vec![Claims { entry: None, files: &sample_files, rows: &sample_rows }];
        let entries: Vec<&SourceEntry> = self.list.of_kind(Kind::Places).collect();
        claims.extend(entries.iter().zip(&sources).map(|(entry, SourcePlaces { files, rows, .. })| Claims {
            entry: Some(entry),
            files,
            rows,
        }));
        let winners = winners("place", PlaceId::raw, &claims)?;
        drop(claims);
        let types: BTreeMap<String, &str> =
            base.place_types().map(|one| (normalize(one.name), one.name)).collect();
        let mut identities = HashMap::<PlaceIdentity, PlaceId>::new();
        sample.retain(|place| is_kept(&winners, &place.id, 0));
        identities.extend(sample.iter().map(|place| (identity(place), place.id)));
        let mut all = sample;
        for (at, mut source) in (1..).zip(sources) {
            let overridden = losses(&winners, source.rows.keys(), at);
            source.places.retain(|place| is_kept(&winners, &place.id, at));
            let name = source.summary.name.clone();
            report.notices.extend(source.notices);
            report.notices.extend(new_place_types(&name, &source.places, &types));
            report.notices.extend(same_places(name, &source.places, &mut identities));
            report.sources.push(SourceSummary { overridden, ..source.summary });
            all.append(&mut source.places);
        }
        let name = |area| self.geographies.get(area).name.to_owned();
        let rows = dataset::places::write(self.folder, all, &name)?;
        Ok(Released { places: Places::open_file(&self.folder.join(Part::Places.file()))?, population, rows })
    }

    /// Writes the `Measures` part. Places without measures in any source keep the sample's modelled measures,
    /// if they have any.
    pub(super) fn write_measures(
        &self,
        sources: Vec<SourceMeasures>,
        places: &Places,
        report: &mut Report,
    ) -> Result<RowCounts, BuildError> {
        let modelled = Measures::open_file(&self.base.file(Part::Measures))?;
        if sources.is_empty() && modelled.ids().all(|place| places.find(place).is_some()) {
            return Ok(self.base.share(Part::Measures, self.folder)?);
        }
        let entries = self.list.of_kind(Kind::PlaceMeasures).map(Some);
        let claims = entries.zip(&sources).map(|(entry, source)| Claims {
            entry,
            files: &source.files,
            rows: &source.rows,
        });
        winners("the record for place", PlaceId::raw, &claims.collect::<Vec<_>>())?;
        let mut loaded = HashMap::<PlaceId, Measure>::new();
        for source in sources {
            report.sources.push(source.summary);
            report.notices.extend(source.notices);
            loaded.extend(source.measures);
        }
        let of_sample =
            modelled.ids().filter(|place| self.list.sample.places && places.find(*place).is_some());
        let all: BTreeSet<PlaceId> = of_sample.chain(loaded.keys().copied()).collect();
        let mut writer = MeasuresWriter::default();
        for place in all {
            let measure = match loaded.remove(&place) {
                Some(measure) => measure,
                None => modelled.get(place)?.expect("the record was listed"),
            };
            writer.push(place, &measure)?;
        }
        Ok(writer.write(self.folder)?)
    }
}

/// Returns the number of a source's records that other sources override.
fn losses<'a, I: Eq + std::hash::Hash + 'a>(
    winners: &Winners<I>,
    ids: impl Iterator<Item = &'a I>,
    source: usize,
) -> u64 {
    ids.filter(|id| !is_kept(winners, *id, source)).count() as u64
}

/// Returns a placeholder row for each of the sample's places, because they aren't read from a source's files.
fn sample_rows(places: &[NewPlace]) -> HashMap<PlaceId, FileRow> {
    places.iter().map(|place| (place.id, FileRow::default())).collect()
}

fn identity(place: &NewPlace) -> PlaceIdentity {
    PlaceIdentity::of(&place.name, &place.street_address, &place.zip_code, place.position)
}

/// Returns a notice if any of a source's places have the same name and address as a place from another
/// source.
fn same_places(
    source_name: String,
    places: &[NewPlace],
    identities: &mut HashMap<PlaceIdentity, PlaceId>,
) -> Option<Notice> {
    let mut same = Vec::new();
    for place in places {
        if let Some(other) = identities.insert(identity(place), place.id) {
            same.push((other, place.id));
        }
    }
    let (one, other) = *same.first()?;
    Some(Notice::SamePlaces { source_name, places: same.len(), one: one.raw(), other: other.raw() })
}
