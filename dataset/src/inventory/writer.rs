use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use super::column::{Bits, FlagColumn, NumberColumn, TextColumn};
use super::field::{FLAGS, POSTED, SEARCHED, TEXTS};
use super::geo_points::GeoPointsWriter;
use super::lists::ListsWriter;
use super::points::Points;
use super::postings::Postings;
use super::record::{Construction, Location, Named, PlaceRef, Record, Text};
use super::spot_counts::Markets;
use super::text::key;
use super::words::Words;
use super::{Field, OPERATOR, SpotId, count, number, spot_counts};
use crate::file::FileWriter;
use crate::{Geographies, Part, Position};

/// Puts the inventory of a release together, spot by spot, in any order.
#[derive(Debug, Default)]
pub struct InventoryWriter {
    ids: Vec<SpotId>,
    known: HashSet<SpotId>,
    measured: Vec<bool>,
    positions: Vec<Position>,
    flags: [Vec<Option<bool>>; FLAGS.len()],
    texts: [Interned; TEXTS.len()],
    operators: Interned,
    geo_points: GeoPointsWriter,
    orientations: Vec<Option<f64>>,
    lists: ListsWriter,
}

/// The texts of one field: each once, and the number of each spot's, from 1; 0 for none.
#[derive(Debug, Default)]
pub(super) struct Interned {
    texts: HashMap<Box<str>, u32>,
    numbers: Vec<u32>,
}

/// The texts of one field as they are written: by ascending key, and the number of each spot's by ascending id.
pub(super) struct Sorted {
    pub(super) values: Vec<(String, Box<str>)>,
    pub(super) numbers: Vec<u32>,
}

impl InventoryWriter {
    /// Adds a spot.
    ///
    /// # Panics
    ///
    /// When it has no id or no coordinates, or its id was there already.
    pub fn push(&mut self, record: &Record<'_>) {
        let Record { spot_id, location, layouts, representations, .. } = record;
        let id = spot_id.expect("a spot has an id");
        assert!(self.known.insert(id), "the spot {id} comes twice");
        let location = location.as_ref().expect("a spot has a location");
        let coordinates = location.geometry.as_ref().and_then(|geometry| geometry.coordinates);
        let [longitude, latitude] = coordinates.expect("a spot has coordinates");
        self.ids.push(id);
        self.measured.push(record.is_measured());
        let position = Position { latitude, longitude };
        self.positions.push(position);
        self.geo_points.push(location.geo_point.as_deref(), position);
        for (flag, column) in flags(record).into_iter().zip(&mut self.flags) {
            column.push(flag);
        }
        for (text, column) in texts(record, location).into_iter().zip(&mut self.texts) {
            column.push(text);
        }
        self.operators.push(record.operator());
        // Adding 0 turns -0 into 0: they are one direction.
        self.orientations.push(location.orientation.map(|degrees| degrees + 0.0));
        self.lists.push(id, layouts.as_deref(), representations.as_deref(), location.places.as_deref());
    }

    /// Tells whether a spot of this id was added.
    pub fn has(&self, id: SpotId) -> bool {
        self.known.contains(&id)
    }

    /// Writes the parts `Inventory` and `SpotCounts` into a folder, and returns how many rows of each kind each has.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn write(
        self,
        folder: &Path,
        geographies: &Geographies,
    ) -> Result<BTreeMap<Part, BTreeMap<String, u64>>, String> {
        let failed = |part: Part| move |error| format!("{}: {error}", part.file());
        let mut order: Vec<u32> = (0..count(self.ids.len())).collect();
        order.sort_unstable_by_key(|at| self.ids[*at as usize]);
        let measured = in_order(&self.measured, &order);
        let mut file = FileWriter::default();
        file.rows("ids", &order.iter().map(|at| number(self.ids[*at as usize].raw() as usize)).collect::<Vec<_>>());
        Bits::write(&mut file, "measured", measured.iter().copied());
        for (field, column) in FLAGS.iter().zip(&self.flags) {
            FlagColumn::write(&mut file, field.path(), &in_order(column, &order));
        }
        let mut markets = Markets::default();
        for (field, column) in TEXTS.into_iter().zip(self.texts) {
            let sorted = column.sorted(&order);
            markets.add(field, &sorted.values, &sorted.numbers, &measured);
            sorted.write(&mut file, field);
        }
        let Sorted { values, numbers } = self.operators.sorted(&order);
        TextColumn::write(&mut file, OPERATOR, &values, &numbers);
        NumberColumn::write(&mut file, Field::Orientation.path(), &in_order(&self.orientations, &order));
        let positions = in_order(&self.positions, &order);
        self.geo_points.write(&mut file, &order, &positions);
        Points::write(&mut file, &positions, &measured);
        self.lists.write(&mut file, &order);
        file.write(&folder.join(Part::Inventory.file())).map_err(failed(Part::Inventory))?;
        let counts = markets.counts(geographies);
        spot_counts::write(&folder.join(Part::SpotCounts.file()), &counts).map_err(failed(Part::SpotCounts))?;
        let measured = measured.into_iter().filter(|is_measured| *is_measured).count();
        let rows =
            |kinds: &[(&str, usize)]| kinds.iter().map(|(kind, rows)| ((*kind).to_owned(), *rows as u64)).collect();
        Ok([
            (Part::Inventory, rows(&[("spots", order.len()), ("measured_spots", measured)])),
            (Part::SpotCounts, rows(&[("geographies", counts.len())])),
        ]
        .into())
    }
}

impl Interned {
    pub(super) fn push(&mut self, text: Option<&str>) {
        let next = count(self.texts.len() + 1);
        let number = match text {
            None => 0,
            Some(text) => match self.texts.get(text) {
                Some(number) => *number,
                None => *self.texts.entry(text.into()).or_insert(next),
            },
        };
        self.numbers.push(number);
    }

    pub(super) fn sorted(self, order: &[u32]) -> Sorted {
        let mut values: Vec<(String, Box<str>, u32)> =
            self.texts.into_iter().map(|(text, number)| (key(&text), text, number)).collect();
        values.sort_unstable();
        let mut positions = vec![0; values.len() + 1];
        for (at, (_, _, number)) in values.iter().enumerate() {
            positions[*number as usize] = count(at + 1);
        }
        let numbers = order.iter().map(|at| positions[self.numbers[*at as usize] as usize]).collect();
        Sorted { values: values.into_iter().map(|(key, text, _)| (key, text)).collect(), numbers }
    }
}

impl Sorted {
    fn write(self, file: &mut FileWriter, field: Field) {
        let Self { values, numbers } = self;
        TextColumn::write(file, field.path(), &values, &numbers);
        if POSTED.contains(&field) {
            Postings::write(file, field.path(), &numbers, values.len());
        }
        if SEARCHED.contains(&field) {
            Words::write(file, field.path(), &values.into_iter().map(|(key, _)| key).collect::<Vec<String>>());
        }
    }
}

/// Returns a record's flags, as [`FLAGS`] lists them.
fn flags(record: &Record<'_>) -> [Option<bool>; FLAGS.len()] {
    let Record { digital, audio, full_motion, partial_motion, interactive, rotating, .. } = record;
    [*digital, *audio, *full_motion, *partial_motion, *interactive, *rotating]
}

/// Returns a record's texts, as [`TEXTS`] lists them.
fn texts<'a>(record: &'a Record<'_>, location: &'a Location<'_>) -> [Option<&'a str>; TEXTS.len()] {
    let construction =
        record.construction.as_ref().and_then(|Construction { construction_type }| construction_type.as_ref());
    let place = record.place.as_ref();
    [
        of(&record.media_name),
        name(&record.illumination_type),
        of(&record.illumination_start_time),
        of(&record.illumination_end_time),
        name(&record.classification_type),
        construction.and_then(|one| of(&one.id)),
        construction.and_then(|one| of(&one.name)),
        name(&record.media_type),
        name(&record.placement_type),
        name(&record.status_type),
        of(&location.state),
        of(&location.county_id),
        of(&location.county_name),
        of(&location.dma_id),
        of(&location.dma_name),
        of(&location.cbsa_code),
        of(&location.cbsa_name),
        of(&location.zip_code),
        of(&location.primary_artery),
        name(&location.place_types),
        place.and_then(|PlaceRef { place_id, .. }| of(place_id)),
        place.and_then(|PlaceRef { place_name, .. }| of(place_name)),
    ]
}

fn of<'a>(text: &'a Option<Text<'_>>) -> Option<&'a str> {
    text.as_deref()
}

fn name<'a>(named: &'a Option<Named<'_>>) -> Option<&'a str> {
    named.as_ref().and_then(|Named { name }| name.as_deref())
}

fn in_order<T: Copy>(values: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|at| values[*at as usize]).collect()
}
