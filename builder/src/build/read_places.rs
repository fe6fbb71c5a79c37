//! Reads a source's places.

use std::collections::{BTreeMap, HashMap};

use dataset::places::NewPlace;
use dataset::{PlaceId, normalize};

use super::context::Context;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::file_row::{FileRow, Files};
use super::ids::{IdKind, Ids};
use super::notice::Notice;
use super::rejects::Rejects;
use super::report::SourceSummary;
use super::source_files::{NotAccepted, Reading};
use crate::columns::{ColumnMap, Matching};
use crate::places::{self, PlaceIdentity, PlaceNumber, REQUIRED, ReadPlace, SCHEMA, Setup, TARGETS};
use crate::rows::Row;

/// A source's places, and its part of the build report.
pub(super) struct SourcePlaces {
    pub(super) places: Vec<NewPlace>,
    /// The row that each place was read from.
    pub(super) rows: HashMap<PlaceId, FileRow>,
    pub(super) files: Files,
    pub(super) summary: SourceSummary,
    pub(super) notices: Vec<Notice>,
}

/// The places accepted so far, with the data needed to accept more.
struct Accepting<'a> {
    reading: Reading<'a>,
    ids: Option<&'a mut Ids>,
    places: Vec<NewPlace>,
    rows: HashMap<PlaceId, FileRow>,
    identities: HashMap<PlaceIdentity, FileRow>,
}

/// Reads a source's places. `ids` contains the IDs in the source's namespace, if it has one. Places outside
/// the United States don't belong to any geography.
pub(super) fn read(
    entry: &SourceEntry,
    context: &Context<'_>,
    ids: Option<&mut Ids>,
    rejects: &mut Rejects,
) -> Result<SourcePlaces, BuildError> {
    let mut map = entry.map.as_deref().map(|map| ColumnMap::read(map, &TARGETS)).transpose()?;
    if map.as_ref().is_some_and(|map| map.modelled().is_some()) {
        return Err(BuildError::ModelledPlaces { source_name: entry.to_string() });
    }
    let source = entry.record_source(context.today);
    let mut accepting = Accepting {
        reading: Reading::new(entry, rejects),
        ids,
        places: Vec::new(),
        rows: HashMap::new(),
        identities: HashMap::new(),
    };
    for file in &entry.files {
        let mut reader = accepting.reading.open(file, map.as_ref(), context.progress)?;
        let map = match &mut map {
            Some(map) => {
                let fits = map.check(&reader, &REQUIRED);
                fits.map_err(|error| BuildError::MapOfFile {
                    file: file.clone(),
                    source: map.explain(&mut reader, error),
                })?;
                map
            }
            none => none.insert(Matching::of(&mut reader, &SCHEMA)?.into_map()?),
        };
        let setup = Setup::new(map, context.markets(entry.outside_us), &source);
        while let Some(row) = reader.next_row()? {
            accepting.read(row, setup)?;
        }
        accepting.reading.end_file(file, &reader, Some(map));
    }
    let Accepting { reading, ids, places, rows, .. } = accepting;
    let is_live = |kind, id| ids.as_ref().is_some_and(|ids| ids.is_live(kind, id));
    let (summary, files, notices) = reading.end(is_live, IdKind::Place)?;
    Ok(SourcePlaces { places, rows, files, summary, notices })
}

impl Accepting<'_> {
    fn read(&mut self, row: Row, setup: Setup<'_>) -> Result<(), BuildError> {
        match row {
            Row::Read(row) => match places::read(row, setup) {
                Ok((row, place)) => self.accept(row.line, row.raw, place),
                Err(problem) => self.reading.reject(&problem),
            },
            Row::Unreadable(problem) => self.reading.reject(&problem),
        }
    }

    /// Assigns an ID to a place if it doesn't have one. Rejects the row if another row has the same ID or
    /// describes the same place.
    fn accept(&mut self, line: u64, raw: Vec<u8>, mut read: ReadPlace) -> Result<(), BuildError> {
        let row = self.reading.files.row(line);
        let contradictions = std::mem::take(&mut read.contradictions);
        let identified = self.identify(read, row);
        if let Some(place) = self.reading.accepted(line, raw, identified)? {
            self.reading.accept(place.zip.is_none());
            self.reading.notes.add_contradictions(row, contradictions);
            self.places.push(place);
        }
        Ok(())
    }

    fn identify(&mut self, read: ReadPlace, row: FileRow) -> Result<NewPlace, NotAccepted> {
        let ReadPlace { mut place, number, identity, .. } = read;
        if let Some(other) = self.identities.get(&identity) {
            let what =
                "has the same name and either the same street address and ZIP code or the same position";
            return Err(self.reading.duplicate(*other, what));
        }
        if let PlaceNumber::Own(numbered) = number {
            let ids = self.ids.as_deref_mut();
            place.id = PlaceId::from_raw(self.reading.assign(ids, IdKind::Place, numbered, row)?);
        }
        if let Some(other) = self.rows.get(&place.id) {
            return Err(self.reading.duplicate(*other, &format!("also has place_id {}", place.id)));
        }
        self.rows.insert(place.id, row);
        self.identities.insert(identity, row);
        Ok(place)
    }
}

/// Returns a notice for each place type that isn't in the sample. The notice suggests the most similar type
/// in the sample. `known` maps the normalized names of the sample's types to their names.
pub(super) fn new_place_types(
    source_name: &str,
    places: &[NewPlace],
    known: &BTreeMap<String, &str>,
) -> Vec<Notice> {
    let mut new: BTreeMap<String, (&str, usize)> = BTreeMap::new();
    for place in places {
        let key = normalize(&place.place_type);
        if !known.contains_key(&key) {
            new.entry(key).or_insert((&place.place_type, 0)).1 += 1;
        }
    }
    let nearest = |key: &str| {
        let likeness = |other: &str| strsim::jaro_winkler(key, other);
        let nearest = known.iter().max_by(|(one, _), (other, _)| likeness(one).total_cmp(&likeness(other)));
        nearest.map(|(_, name)| (*name).to_owned())
    };
    let notice = |(key, (name, places)): (String, (&str, usize))| Notice::NewPlaceType {
        source_name: source_name.to_owned(),
        name: name.to_owned(),
        places,
        nearest_name: nearest(&key),
    };
    new.into_iter().map(notice).collect()
}
