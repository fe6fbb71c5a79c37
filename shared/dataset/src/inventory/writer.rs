//! Writes a release's inventory. The output doesn't depend on the order of the input.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::slice;
use std::thread::{self, ScopedJoinHandle};

use foldhash::{HashMap, HashSet};
use provenance::RecordSource;
use serde::{Deserialize, Serialize};

use super::field::{Field, Stored};
use super::geo_points::GeoPointsWriter;
use super::id::SpotId;
use super::layouts_writer::LayoutsWriter;
use super::normalize::FOLDING;
use super::plant_spots::{PlantSpots, digest};
use super::positions::Positions;
use super::record::Record;
use super::spot_counts::{self, AreaCounts};
use super::table::{IDS, MEASURED, MODELLED, OPERATOR, PLACES, POINTS, REPRESENTATIONS, UNMODELLED};
use crate::geographies::Geographies;
use crate::index::{ColumnWriter, FlagColumn, Indexing, Normalization, NumberColumn, StoredBits, ZOrder};
use crate::position::Position;
use crate::record_sources::RecordSourcesWriter;
use crate::release::file::FileWriter;
use crate::release::{Part, RowCounts, WriteError};

/// Collects spots in any order and then writes the inventory.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InventoryWriter {
    ids: Vec<SpotId>,
    #[serde(skip)]
    known: HashSet<SpotId>,
    measured: Vec<bool>,
    /// Whether none of the spot's members are modelled.
    unmodelled: Vec<bool>,
    positions: Vec<Position>,
    columns: FieldColumns,
    operators: ColumnWriter,
    /// For each spot, the digest of the media owner's own ID for the display, if there is one.
    plant_spots: Vec<Option<u32>>,
    geo_points: GeoPointsWriter,
    layouts: LayoutsWriter,
    representations: ColumnWriter,
    places: ColumnWriter,
    modelled: ColumnWriter,
    sources: RecordSourcesWriter,
}

/// The values of flags, strings, and numbers, indexed by field.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FieldColumns {
    flags: Vec<Vec<Option<bool>>>,
    texts: Vec<ColumnWriter>,
    /// For each numeric field, the numbers, each with the position of its spot.
    numbers: Vec<Vec<(u32, f64)>>,
}

impl Default for FieldColumns {
    fn default() -> Self {
        let fields = Field::ALL.len();
        Self {
            flags: vec![Vec::new(); fields],
            texts: vec![ColumnWriter::default(); fields],
            numbers: vec![Vec::new(); fields],
        }
    }
}

impl InventoryWriter {
    /// Adds a spot.
    ///
    /// # Panics
    ///
    /// Panics if the record has no ID or no coordinates, or if a spot with the same ID was added before.
    pub fn push(&mut self, record: &Record<'_>, source: &RecordSource) {
        self.push_each(slice::from_ref(record), source);
    }

    /// Adds spots from one data source. Adding a few hundred spots per call is faster than adding them one by
    /// one, because a column's strings stay in the processor's cache while its values are added.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`push`](Self::push).
    pub fn push_each(&mut self, records: &[Record<'_>], source: &RecordSource) {
        let first = u32::try_from(self.ids.len()).expect("spot counts fit in 32 bits");
        records.iter().for_each(|record| self.push_all_but_columns(record, source));
        for field in Field::ALL {
            let numbers = &mut self.columns.numbers[field as usize];
            match field.stored() {
                Stored::Flag(of) => self.columns.flags[field as usize].extend(records.iter().map(of)),
                Stored::Text(_, of) => {
                    let column = &mut self.columns.texts[field as usize];
                    records.iter().for_each(|record| column.push(of(record)));
                }
                Stored::Integer(of) => {
                    let numbered = (first..).zip(records);
                    numbers.extend(numbered.filter_map(|(spot, record)| Some((spot, of(record)? as f64))));
                }
                Stored::Number(of) => {
                    let numbered = (first..).zip(records);
                    // Adding 0 turns -0 into 0, which is the same number.
                    numbers.extend(numbered.filter_map(|(spot, record)| Some((spot, of(record)? + 0.0))));
                }
                Stored::SpotId
                | Stored::GeometryType
                | Stored::Coordinates
                | Stored::GeoPoint
                | Stored::Layouts
                | Stored::Representations
                | Stored::Places
                | Stored::Modelled => {}
            }
        }
    }

    fn push_all_but_columns(&mut self, record: &Record<'_>, source: &RecordSource) {
        let Record { spot_id, location, layouts, representations, modelled, .. } = record;
        let id = spot_id.expect("a spot has an id");
        assert!(self.known.insert(id), "spot {id} was added twice");
        let location = location.as_ref().expect("a spot has a location");
        let coordinates = location.geometry.as_ref().and_then(|geometry| geometry.coordinates);
        let [longitude, latitude] = coordinates.expect("a spot has coordinates");
        let position = Position { latitude, longitude };
        self.ids.push(id);
        self.measured.push(record.has_measures());
        self.unmodelled.push(modelled.as_ref().is_none_or(Vec::is_empty));
        self.positions.push(position);
        self.geo_points.push(location.geo_point.as_deref(), position);
        self.operators.push(record.operator());
        self.plant_spots.push(record.plant_spot_id().map(digest));
        self.sources.push(source);
        self.layouts.push(id, layouts.as_deref());
        self.representations.push(as_json(representations).as_deref());
        self.places.push(as_json(&location.places).as_deref());
        self.modelled.push(as_json(modelled).as_deref());
    }

    /// Adds the spots of another writer for which `keep` returns true.
    ///
    /// # Panics
    ///
    /// Panics if a spot with the same ID was added before.
    pub fn append(&mut self, other: Self, keep: impl Fn(SpotId) -> bool) {
        let all = (0..).zip(&other.ids).filter(|(_, id)| keep(**id));
        let kept: Vec<u32> = all.map(|(at, _)| at).collect();
        if self.ids.is_empty() && kept.len() == other.ids.len() {
            *self = other;
            return;
        }
        let Self { ids, known: _, measured, unmodelled, positions, columns, operators, plant_spots, .. } =
            &other;
        let Self { geo_points, layouts, representations, places, modelled, sources, .. } = &other;
        self.columns.append(columns, &kept, self.ids.len());
        for id in in_order(ids, &kept) {
            assert!(self.known.insert(id), "spot {id} was added twice");
            self.ids.push(id);
        }
        self.measured.extend(in_order(measured, &kept));
        self.unmodelled.extend(in_order(unmodelled, &kept));
        self.positions.extend(in_order(positions, &kept));
        self.operators.append(operators, &kept);
        self.plant_spots.extend(in_order(plant_spots, &kept));
        self.geo_points.append(geo_points, &kept);
        self.layouts.append(layouts, &kept);
        self.representations.append(representations, &kept);
        self.places.append(places, &kept);
        self.modelled.append(modelled, &kept);
        self.sources.append(sources, &kept);
    }

    /// Encodes the collected spots. Only the same version of the program can decode them.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("writing to memory doesn't fail")
    }

    /// Decodes the output of [`to_bytes`](Self::to_bytes). Returns `None` if the bytes can't be decoded.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut writer: Self = postcard::from_bytes(bytes).ok()?;
        writer.known = writer.ids.iter().copied().collect();
        Some(writer)
    }

    /// Writes the [`Part::Inventory`] and [`Part::SpotCounts`] files to a folder. Returns the row counts for
    /// each part.
    pub fn write(
        self,
        folder: &Path,
        geographies: &Geographies,
    ) -> Result<BTreeMap<Part, RowCounts>, WriteError> {
        let mut order: Vec<u32> = (0..).take(self.ids.len()).collect();
        order.sort_unstable_by_key(|at| self.ids[*at as usize]);
        let measured = in_order(&self.measured, &order);
        let spots = [("spots", order.len()), ("measured_spots", measured.iter().filter(|one| **one).count())];
        let (file, markets) = self.into_file(&order, &measured);
        file.write_part(folder, Part::Inventory)?;
        let counts = markets.counts(geographies);
        spot_counts::write(folder, &counts)?;
        let rows = |kinds: &[(&str, usize)]| {
            kinds.iter().map(|(kind, rows)| ((*kind).to_owned(), *rows as u64)).collect()
        };
        Ok([(Part::Inventory, rows(&spots)), (Part::SpotCounts, rows(&[("geographies", counts.len())]))]
            .into())
    }

    /// Creates the inventory file, with the spots in the given order. Also counts the measured spots by area
    /// code.
    fn into_file(self, order: &[u32], measured: &[bool]) -> (FileWriter, AreaCounts) {
        let Self { ids, positions, columns, operators, plant_spots, geo_points, .. } = self;
        let Self { unmodelled, layouts, representations, places, modelled, sources, .. } = self;
        let mut file = FileWriter::default();
        let ids = order.iter().map(|at| ids[*at as usize].raw());
        file.ascending(IDS, &ids.collect::<Vec<u32>>());
        StoredBits::write(&mut file, MEASURED, measured.iter().copied());
        write_unmodelled(&mut file, &in_order(&unmodelled, order));
        thread::scope(|scope| {
            let rest = scope.spawn(move || {
                let mut file = FileWriter::default();
                let operators = operators.sorted(FOLDING, order.iter().copied());
                operators.write(&mut file, OPERATOR, Indexing::Filtered);
                for (section, texts) in
                    [(REPRESENTATIONS, representations), (PLACES, places), (MODELLED, modelled)]
                {
                    let sorted = texts.sorted(Normalization::AsIs, order.iter().copied());
                    sorted.write(&mut file, section, Indexing::Stored);
                }
                PlantSpots::write(&mut file, in_order(&plant_spots, order).into_iter());
                let positions = in_order(&positions, order);
                geo_points.write(&mut file, order);
                Positions::write(&mut file, POINTS, &positions);
                let points = (0..).zip(positions).zip(measured).filter(|(_, is_measured)| **is_measured);
                ZOrder::write(&mut file, POINTS, points.map(|(point, _)| point));
                layouts.write(&mut file, order);
                sources.write(&mut file, order.iter().copied());
                file
            });
            let markets = columns.write(&mut file, order, measured);
            file.append(joined(rest));
            (file, markets)
        })
    }
}

impl FieldColumns {
    /// Appends the given spots of another writer. `count` is the number of spots so far.
    fn append(&mut self, other: &Self, spots: &[u32], count: usize) {
        let Self { flags, texts, numbers } = self;
        let places: HashMap<u32, u32> = spots.iter().copied().zip((0..).skip(count)).collect();
        for (numbers, other) in numbers.iter_mut().zip(&other.numbers) {
            numbers.extend(other.iter().filter_map(|(spot, number)| Some((*places.get(spot)?, *number))));
        }
        for (flags, other) in flags.iter_mut().zip(&other.flags).filter(|(_, other)| !other.is_empty()) {
            flags.extend(in_order(other, spots));
        }
        for (texts, other) in texts.iter_mut().zip(&other.texts) {
            texts.append(other, spots);
        }
    }

    /// Writes the columns, with the spots in the given order. Also counts the measured spots by
    /// geography code.
    fn write(mut self, file: &mut FileWriter, order: &[u32], measured: &[bool]) -> AreaCounts {
        let mut markets = AreaCounts::default();
        thread::scope(|scope| {
            let mut searched = Vec::new();
            for field in Field::ALL {
                let texts = std::mem::take(&mut self.texts[field as usize]);
                let sorted = move || texts.sorted(FOLDING, order.iter().copied());
                match field.stored() {
                    Stored::Flag(_) => {
                        let flags = in_order(&self.flags[field as usize], order);
                        FlagColumn::write(file, field.path(), &flags);
                    }
                    // Splitting strings into words takes longer than all other steps, so a separate thread
                    // writes each searched column.
                    Stored::Text(Indexing::Searched, _) => searched.push(scope.spawn(move || {
                        let mut file = FileWriter::default();
                        sorted().write(&mut file, field.path(), Indexing::Searched);
                        file
                    })),
                    Stored::Text(indexing, _) => {
                        let sorted = sorted();
                        markets.add(field, &sorted, measured);
                        sorted.write(file, field.path(), indexing);
                    }
                    Stored::Integer(_) | Stored::Number(_) => {
                        let mut numbers = vec![None; order.len()];
                        for (spot, number) in &self.numbers[field as usize] {
                            numbers[*spot as usize] = Some(*number);
                        }
                        NumberColumn::write(file, field.path(), &in_order(&numbers, order));
                    }
                    _ => {}
                }
            }
            searched.into_iter().for_each(|writing| file.append(joined(writing)));
        });
        markets
    }
}

/// Writes one bit per spot, which is set if none of the spot's members are modelled. Writes no bits if no
/// spot has modelled members.
fn write_unmodelled(file: &mut FileWriter, unmodelled: &[bool]) {
    let bits = if unmodelled.contains(&false) { unmodelled } else { &[] };
    StoredBits::write(file, UNMODELLED, bits.iter().copied());
}

fn joined(writing: ScopedJoinHandle<'_, FileWriter>) -> FileWriter {
    writing.join().unwrap_or_else(|panic| resume_unwind(panic))
}

fn as_json(list: &Option<impl Serialize>) -> Option<String> {
    list.as_ref().map(|list| serde_json::to_string(list).expect("writing to memory doesn't fail"))
}

fn in_order<T: Copy>(values: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|at| values[*at as usize]).collect()
}
