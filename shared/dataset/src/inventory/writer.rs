//! Writes the inventory of a release. The output doesn't depend on the order of the input.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::slice;
use std::thread::{self, ScopedJoinHandle};

use foldhash::HashSet;
use provenance::RecordSource;
use serde::Serialize;

use super::field::{Field, Stored};
use super::geo_points::GeoPointsWriter;
use super::id::SpotId;
use super::layouts_writer::LayoutsWriter;
use super::normalize::FOLDING;
use super::plant_spots::{PlantSpots, digest};
use super::positions::Positions;
use super::record::Record;
use super::spot_counts::{self, AreaCounts};
use super::table::{IDS, MEASURED, OPERATOR, PLACES, POINTS, REPRESENTATIONS};
use crate::geographies::Geographies;
use crate::index::{ColumnWriter, FlagColumn, Indexing, Normalization, NumberColumn, StoredBits, ZOrder};
use crate::position::Position;
use crate::record_sources::RecordSourcesWriter;
use crate::release::file::FileWriter;
use crate::release::{Part, RowCounts, WriteError};

/// Collects spots, in any order, and writes them as the inventory of a release.
#[derive(Clone, Debug, Default)]
pub struct InventoryWriter {
    ids: Vec<SpotId>,
    known: HashSet<SpotId>,
    measured: Vec<bool>,
    positions: Vec<Position>,
    columns: FieldColumns,
    operators: ColumnWriter,
    /// The digest of each spot's ID of its media owner.
    plant_spots: Vec<Option<u32>>,
    geo_points: GeoPointsWriter,
    orientations: Vec<Option<f64>>,
    layouts: LayoutsWriter,
    representations: ColumnWriter,
    places: ColumnWriter,
    sources: RecordSourcesWriter,
}

/// The values of flags and strings, indexed by field.
#[derive(Clone, Debug)]
struct FieldColumns {
    flags: Vec<Vec<Option<bool>>>,
    texts: Vec<ColumnWriter>,
}

impl Default for FieldColumns {
    fn default() -> Self {
        let fields = Field::ALL.len();
        Self { flags: vec![Vec::new(); fields], texts: vec![ColumnWriter::default(); fields] }
    }
}

impl InventoryWriter {
    /// Adds a spot with its data source.
    ///
    /// # Panics
    ///
    /// Panics if the spot has no id or no coordinates, or if a spot with the same id was added before.
    pub fn push(&mut self, record: &Record<'_>, source: &RecordSource) {
        self.push_each(slice::from_ref(record), source);
    }

    /// Adds spots from one data source. Adding a few hundred spots per call is faster than adding them one by
    /// one, because the strings of one column stay in the processor's cache while its values are added.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`push`](Self::push).
    pub fn push_each(&mut self, records: &[Record<'_>], source: &RecordSource) {
        records.iter().for_each(|record| self.push_all_but_columns(record, source));
        for field in Field::ALL {
            match field.stored() {
                Stored::Flag(of) => self.columns.flags[field as usize].extend(records.iter().map(of)),
                Stored::Text(_, of) => {
                    let column = &mut self.columns.texts[field as usize];
                    records.iter().for_each(|record| column.push(of(record)));
                }
                Stored::SpotId
                | Stored::Orientation
                | Stored::GeometryType
                | Stored::Coordinates
                | Stored::GeoPoint
                | Stored::Layouts
                | Stored::Representations
                | Stored::Places => {}
            }
        }
    }

    fn push_all_but_columns(&mut self, record: &Record<'_>, source: &RecordSource) {
        let Record { spot_id, location, layouts, representations, .. } = record;
        let id = spot_id.expect("a spot has an id");
        assert!(self.known.insert(id), "spot {id} was added twice");
        let location = location.as_ref().expect("a spot has a location");
        let coordinates = location.geometry.as_ref().and_then(|geometry| geometry.coordinates);
        let [longitude, latitude] = coordinates.expect("a spot has coordinates");
        let position = Position { latitude, longitude };
        self.ids.push(id);
        self.measured.push(record.is_measured());
        self.positions.push(position);
        // Adding 0 turns -0 into 0, which is the same direction.
        self.orientations.push(location.orientation.map(|degrees| degrees + 0.0));
        self.geo_points.push(location.geo_point.as_deref(), position);
        self.operators.push(record.operator());
        self.plant_spots.push(record.plant_spot_id().map(digest));
        self.sources.push(source);
        self.layouts.push(id, layouts.as_deref());
        self.representations.push(as_json(representations).as_deref());
        self.places.push(as_json(&location.places).as_deref());
    }

    /// Adds the spots of another writer, except those for which `keep` is false.
    ///
    /// # Panics
    ///
    /// Panics if a spot with the same id was added before.
    pub fn append(&mut self, other: Self, keep: impl Fn(SpotId) -> bool) {
        let all = (0..).zip(&other.ids).filter(|(_, id)| keep(**id));
        let kept: Vec<u32> = all.map(|(at, _)| at).collect();
        if self.ids.is_empty() && kept.len() == other.ids.len() {
            *self = other;
            return;
        }
        let Self { ids, known: _, measured, positions, columns, operators, plant_spots, geo_points, .. } =
            &other;
        let Self { orientations, layouts, representations, places, sources, .. } = &other;
        for id in in_order(ids, &kept) {
            assert!(self.known.insert(id), "spot {id} was added twice");
            self.ids.push(id);
        }
        self.measured.extend(in_order(measured, &kept));
        self.positions.extend(in_order(positions, &kept));
        self.columns.append(columns, &kept);
        self.operators.append(operators, &kept);
        self.plant_spots.extend(in_order(plant_spots, &kept));
        self.geo_points.append(geo_points, &kept);
        self.orientations.extend(in_order(orientations, &kept));
        self.layouts.append(layouts, &kept);
        self.representations.append(representations, &kept);
        self.places.append(places, &kept);
        self.sources.append(sources, &kept);
    }

    /// Writes the parts `Inventory` and `SpotCounts` into a folder. Returns the number of rows of each kind
    /// in each part.
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

    /// Creates the inventory file with the spots rearranged into `order`, and counts the measured spots by
    /// area code.
    fn into_file(self, order: &[u32], measured: &[bool]) -> (FileWriter, AreaCounts) {
        let Self { ids, positions, columns, operators, plant_spots, geo_points, .. } = self;
        let Self { orientations, layouts, representations, places, sources, .. } = self;
        let mut file = FileWriter::default();
        let ids = order.iter().map(|at| ids[*at as usize].raw());
        file.ascending(IDS, &ids.collect::<Vec<u32>>());
        StoredBits::write(&mut file, MEASURED, measured.iter().copied());
        thread::scope(|scope| {
            let rest = scope.spawn(move || {
                let mut file = FileWriter::default();
                for (section, texts) in
                    [(OPERATOR, operators), (REPRESENTATIONS, representations), (PLACES, places)]
                {
                    let sorted = texts.sorted(Normalization::AsIs, order.iter().copied());
                    sorted.write(&mut file, section, Indexing::Stored);
                }
                PlantSpots::write(&mut file, in_order(&plant_spots, order).into_iter());
                NumberColumn::write(&mut file, Field::Orientation.path(), &in_order(&orientations, order));
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
    fn append(&mut self, other: &Self, spots: &[u32]) {
        let Self { flags, texts } = self;
        for (flags, other) in flags.iter_mut().zip(&other.flags).filter(|(_, other)| !other.is_empty()) {
            flags.extend(in_order(other, spots));
        }
        for (texts, other) in texts.iter_mut().zip(&other.texts).filter(|(_, other)| !other.is_empty()) {
            texts.append(other, spots);
        }
    }

    /// Writes the columns with the spots rearranged into `order`, and counts the measured spots by area code.
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
                    // Splitting strings into words takes longer than all other steps, so each searched column
                    // is written by a separate thread.
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
                    _ => {}
                }
            }
            searched.into_iter().for_each(|writing| file.append(joined(writing)));
        });
        markets
    }
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
