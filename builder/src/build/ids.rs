//! Assigns IDs to records that are identified only by a register number: the source's own number for a
//! display or place.
//!
//! Each namespace has a file that maps register numbers to IDs. IDs are never reused, so the file also keeps
//! the IDs of records that no longer exist. If a number reappears, it gets its previous ID, unless it now
//! identifies a different display or place.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dataset::position::great_circle_km;
use dataset::{PlaceId, Position, derived_id};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::entry::SourceEntry;
use super::file_row::{FileRow, Files};
use crate::diff::MOVED_KM;
use crate::rows::quoted;

/// Displays whose directions differ by at least this angle, in degrees, can't be the same display.
const SAME_FACING: f64 = 60.0;

/// The maximum distance between two faces of the same structure, in kilometers.
const SAME_STRUCTURE_KM: f64 = 0.1;

/// The range for derived spot IDs. It's above the IDs that registers usually assign.
const SPOT_IDS: std::ops::Range<u64> = 1_000_000_000..1 << 32;

/// A kind of record that can have an assigned ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdKind {
    Display,
    Place,
}

impl OtherRow {
    /// Describes the row for messages. `files` contains the current source's files.
    pub(super) fn name(self, files: &Files) -> String {
        match self {
            Self::OfThisSource(row) => files.name(row),
            Self::OfAnotherSource => "a row in another source with the same `ids`".to_owned(),
        }
    }
}

impl IdKind {
    /// Returns the column map's target for the register number.
    pub(super) fn number(self) -> &'static str {
        match self {
            Self::Display => "plant_spot_id",
            Self::Place => "register_id",
        }
    }
}

/// A record that needs an ID.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// The number in the source's register.
    pub number: String,
    pub position: Position,
    /// The direction that a display faces, in degrees.
    pub facing: Option<f64>,
    /// The properties that rarely change, as a single line of text.
    pub description: String,
}

/// The result of assigning an ID to a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assigned {
    New {
        id: u64,
    },
    Known {
        id: u64,
    },
    /// The record moved by this distance and kept its ID.
    Moved {
        id: u64,
        km: f64,
    },
    /// The number previously identified a different record, which has the ID `before` and is this far away.
    Reused {
        id: u64,
        before: u64,
        km: f64,
    },
}

/// The reason that a record can't be assigned an ID.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unassigned {
    #[error("another row has the same number, position, direction, and description")]
    SameRecord(OtherRow),
    #[error(
        "numbers {} and {} both produce ID {id}, so assigned IDs must be stored in {}; if you have already \
         built a release from these sources, recover the file with `marquee release ids RELEASE`; otherwise, \
         create an empty file",
        quoted(one), quoted(other), file.display()
    )]
    Collision { one: String, other: String, id: u64, file: PathBuf },
}

/// Another row in this build with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherRow {
    OfThisSource(FileRow),
    OfAnotherSource,
}

/// The error for a namespace's file that can't be read or written, or that contains an ID twice.
#[derive(Debug, Error)]
pub enum IdsError {
    #[error("{}: {source}", file.display())]
    Unreadable { file: PathBuf, source: csv::Error },
    #[error(
        "{}: ID {id} is assigned to both {} and {}; remove one of them",
        file.display(), quoted(one), quoted(other)
    )]
    SameId { file: PathBuf, id: u64, one: String, other: String },
    #[error("{}: cannot be written: {source}", file.display())]
    Unwritable { file: PathBuf, source: io::Error },
}

/// The assigned IDs of one namespace.
#[derive(Debug)]
pub struct Ids {
    namespace: String,
    file: PathBuf,
    /// Whether the file existed before the build.
    is_stored: bool,
    is_changed: bool,
    entries: Vec<Entry>,
    by_number: HashMap<(IdKind, String), Vec<usize>>,
    holders: HashMap<(IdKind, u64), usize>,
    /// The 1-based number of the current source, counting only the sources in this namespace.
    source: u32,
    /// The entries that this build uses. Maps each entry's index to the number of its source and the row with
    /// its ID.
    rows: HashMap<usize, (u32, FileRow)>,
}

/// A line in a namespace's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    kind: IdKind,
    number: String,
    id: u64,
    latitude: f64,
    longitude: f64,
    facing: Option<f64>,
    description: String,
}

/// Returns the assigned IDs in an entry's namespace and makes the entry the current source. Returns `None`
/// if the entry has no namespace.
pub(super) fn namespace<'a>(ids: &'a mut BTreeMap<String, Ids>, entry: &SourceEntry) -> Option<&'a mut Ids> {
    let ids = ids.get_mut(entry.ids.as_ref()?)?;
    ids.source += 1;
    Some(ids)
}

impl Ids {
    /// Reads a namespace's file from a folder. A missing file is treated like an empty one, except that
    /// [`Self::assign`] then fails if two numbers produce the same ID.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read or contains an ID twice.
    pub fn read(folder: &Path, namespace: &str) -> Result<Self, IdsError> {
        let mut ids = Self::of(folder, namespace);
        let file = ids.file.clone();
        let unreadable = |source| IdsError::Unreadable { file: file.clone(), source };
        let bytes = match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ids),
            other => other.map_err(|error| unreadable(error.into()))?,
        };
        ids.is_stored = true;
        for entry in csv::Reader::from_reader(bytes.as_slice()).deserialize() {
            let entry: Entry = entry.map_err(unreadable)?;
            if let Some(other) = ids.holders.get(&(entry.kind, entry.id)) {
                let (id, one, other) = (entry.id, ids.entries[*other].number.clone(), entry.number);
                return Err(IdsError::SameId { file, id, one, other });
            }
            ids.add(entry);
        }
        ids.is_changed = false;
        Ok(ids)
    }

    /// Creates an empty namespace without reading its file.
    pub fn of(folder: &Path, namespace: &str) -> Self {
        Self {
            namespace: namespace.to_owned(),
            file: folder.join(format!("{namespace}.csv")),
            is_stored: false,
            is_changed: false,
            entries: Vec::new(),
            by_number: HashMap::new(),
            holders: HashMap::new(),
            source: 0,
            rows: HashMap::new(),
        }
    }

    /// Returns the number of IDs, including those of records that no longer exist.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Returns whether the file existed before the build.
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }

    /// Adds a record whose ID is already known, for example from an earlier release.
    pub fn recover(&mut self, kind: IdKind, id: u64, record: Numbered) {
        let Numbered { number, position: Position { latitude, longitude }, facing, description } = record;
        self.add(Entry { kind, number, id, latitude, longitude, facing, description });
    }

    /// Returns whether any row in this build has the given ID.
    pub fn is_live(&self, kind: IdKind, id: u64) -> bool {
        self.holders.get(&(kind, id)).is_some_and(|at| self.rows.contains_key(at))
    }

    /// Returns the 1-based number of the current source in this namespace. Sources are numbered in list
    /// order.
    pub(super) fn source(&self) -> u32 {
        self.source
    }

    /// Records that a row in the current source has the given ID. Ignores IDs that aren't in this namespace.
    pub(super) fn mark(&mut self, kind: IdKind, id: u64, row: FileRow) {
        if let Some(at) = self.holders.get(&(kind, id)) {
            self.rows.insert(*at, (self.source, row));
        }
    }

    /// Computes a digest of the IDs of the given kind. The digest also depends on which of the IDs are used
    /// by sources before `source`.
    pub(super) fn digest(&self, kind: IdKind, source: u32) -> String {
        let is_earlier = |at| self.rows.get(&at).is_some_and(|(other, _)| *other < source);
        let entries = self.entries.iter().enumerate().map(|(at, entry)| (entry, is_earlier(at)));
        let mut order: Vec<(&Entry, bool)> = entries.filter(|(entry, _)| entry.kind == kind).collect();
        order.sort_by(|(one, _), (other, _)| one.key().cmp(&other.key()));
        let bytes = postcard::to_allocvec(&order).expect("writing to memory doesn't fail");
        hex::encode(&ring::digest::digest(&ring::digest::SHA256, &bytes).as_ref()[..16])
    }

    /// Returns the ID assigned to a register number. If several records have the number, prefers one in this
    /// build.
    pub fn find(&self, kind: IdKind, number: &str) -> Option<u64> {
        let entries = self.by_number.get(&(kind, number.to_owned()))?;
        let current = entries.iter().find(|at| self.rows.contains_key(at)).or(entries.first())?;
        Some(self.entries[*current].id)
    }

    /// Finds a row in this build that has the same number as a record but isn't another face of its
    /// structure.
    pub(super) fn other_with_number(&self, kind: IdKind, record: &Numbered) -> Option<OtherRow> {
        let same_number = self.by_number.get(&(kind, record.number.clone()))?;
        let is_other =
            |at: &&usize| self.rows.contains_key(at) && !self.entries[**at].is_same_structure(record);
        same_number.iter().find(is_other).map(|at| self.other_row(*at))
    }

    /// Assigns an ID to a record.
    ///
    /// # Errors
    ///
    /// Fails if another row in this build describes the same record. Also fails if another number produces
    /// the same ID and the namespace has no file to store an alternative ID.
    pub fn assign(&mut self, kind: IdKind, record: Numbered, row: FileRow) -> Result<Assigned, Unassigned> {
        let same_number = self.by_number.get(&(kind, record.number.clone())).map_or(&[][..], Vec::as_slice);
        let candidate = |at: &usize| Some((*at, self.entries[*at].likeness(&record)?));
        let candidates: Vec<_> = same_number.iter().filter_map(candidate).collect();
        let taken = candidates.iter().find(|(at, likeness)| likeness.is_same && self.rows.contains_key(at));
        if let Some((at, _)) = taken {
            return Err(Unassigned::SameRecord(self.other_row(*at)));
        }
        let free = candidates.into_iter().filter(|(at, _)| !self.rows.contains_key(at));
        if let Some((at, Likeness { km, .. })) = free.min_by(|(_, one), (_, other)| one.order(other)) {
            self.rows.insert(at, (self.source, row));
            let id = self.entries[at].id;
            self.update(at, record);
            return Ok(if km > MOVED_KM { Assigned::Moved { id, km } } else { Assigned::Known { id } });
        }
        let gone = same_number.iter().find(|at| !self.rows.contains_key(at));
        let gone = gone.map(|at| (self.entries[*at].id, self.entries[*at].km_to(record.position)));
        let id = self.derive(kind, &record)?;
        self.rows.insert(self.entries.len(), (self.source, row));
        self.recover(kind, id, record);
        Ok(match gone {
            Some((before, km)) => Assigned::Reused { id, before, km },
            None => Assigned::New { id },
        })
    }

    /// Writes the namespace's file, sorted by kind, number, and ID.
    pub fn write(&mut self) -> Result<(), IdsError> {
        let unwritable = |source| IdsError::Unwritable { file: self.file.clone(), source };
        let mut order: Vec<&Entry> = self.entries.iter().collect();
        order.sort_by(|one, other| one.key().cmp(&other.key()));
        let mut table = csv::Writer::from_writer(Vec::new());
        for entry in order {
            table.serialize(entry).map_err(|error| unwritable(error.into()))?;
        }
        let bytes = table.into_inner().map_err(|error| unwritable(error.into_error()))?;
        let new = self.file.with_extension(format!("csv.new-{}", std::process::id()));
        let folder = self.file.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&new, bytes))
            .and_then(|()| fs::rename(&new, &self.file))
            .inspect_err(|_| drop(fs::remove_file(&new)))
            .map_err(unwritable)?;
        self.is_changed = false;
        Ok(())
    }

    fn other_row(&self, at: usize) -> OtherRow {
        match self.rows[&at] {
            (source, row) if source == self.source => OtherRow::OfThisSource(row),
            _ => OtherRow::OfAnotherSource,
        }
    }

    /// Derives an ID from a hash of the namespace and the number. If the ID is taken, adds the direction to
    /// the hashed values, then the description, and then a constant, until the ID is free.
    fn derive(&self, kind: IdKind, record: &Numbered) -> Result<u64, Unassigned> {
        let range = match kind {
            IdKind::Display => SPOT_IDS,
            IdKind::Place => PlaceId::DERIVED,
        };
        let facing = record.facing.map_or_else(String::new, |degrees| degrees.to_string());
        let mut texts = vec![self.namespace.as_str(), record.number.as_str()];
        let mut more = [facing.as_str(), record.description.as_str()].into_iter();
        loop {
            let id = derived_id(&texts, range.clone());
            let Some(holder) = self.holders.get(&(kind, id)) else { return Ok(id) };
            let other = &self.entries[*holder].number;
            if *other != record.number && !self.is_stored {
                let (one, other, file) = (record.number.clone(), other.clone(), self.file.clone());
                return Err(Unassigned::Collision { one, other, id, file });
            }
            texts.push(more.next().unwrap_or("again"));
        }
    }

    fn add(&mut self, entry: Entry) {
        let at = self.entries.len();
        self.by_number.entry((entry.kind, entry.number.clone())).or_default().push(at);
        self.holders.insert((entry.kind, entry.id), at);
        self.entries.push(entry);
        self.is_changed = true;
    }

    fn update(&mut self, at: usize, record: Numbered) {
        let Numbered { number: _, position: Position { latitude, longitude }, facing, description } = record;
        let entry = &mut self.entries[at];
        let new = Entry { latitude, longitude, facing, description, ..entry.clone() };
        self.is_changed |= *entry != new;
        *entry = new;
    }
}

/// The similarity of a record to an entry with the same number.
struct Likeness {
    km: f64,
    /// The angle between the two directions in degrees, or 0 if a direction is unknown.
    angle: f64,
    is_described_alike: bool,
    /// Whether the record has the entry's description and direction, and is less than 10 meters away.
    is_same: bool,
}

impl Likeness {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let key = |one: &Self| (!one.is_described_alike, one.angle, one.km);
        key(self).partial_cmp(&key(other)).unwrap_or(std::cmp::Ordering::Equal)
    }
}

impl Entry {
    fn key(&self) -> (IdKind, &str, u64) {
        (self.kind, &self.number, self.id)
    }

    fn km_to(&self, position: Position) -> f64 {
        let Self { latitude, longitude, .. } = *self;
        great_circle_km(Position { latitude, longitude }.to_unit_vector(), position.to_unit_vector())
    }

    /// Returns whether a record is another face of the entry's structure: it's at most 100 meters away and
    /// faces a different direction.
    fn is_same_structure(&self, record: &Numbered) -> bool {
        let faces_other_way = self.facing.zip(record.facing).is_some_and(|(one, other)| one != other);
        faces_other_way && self.km_to(record.position) <= SAME_STRUCTURE_KM
    }

    /// Compares a record with the entry. Returns `None` if they can't describe the same display or place,
    /// because they face different directions, or because they're far apart and have different descriptions.
    fn likeness(&self, record: &Numbered) -> Option<Likeness> {
        let km = self.km_to(record.position);
        let angle = match (self.facing, record.facing) {
            (Some(one), Some(other)) => {
                let angle = (one - other).abs() % 360.0;
                angle.min(360.0 - angle)
            }
            _ => 0.0,
        };
        let is_described_alike = self.description == record.description;
        let is_same = is_described_alike && self.facing == record.facing && km < 0.01;
        let may_be_it = angle < SAME_FACING && (km <= MOVED_KM || is_described_alike);
        may_be_it.then_some(Likeness { km, angle, is_described_alike, is_same })
    }
}
