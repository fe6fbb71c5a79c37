//! Tests of record encoding and of the file format.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use zerocopy::little_endian::{U32, U64};

use super::samples::{plain, valid};
use crate::measures::codec::{self, RecordError};
use crate::measures::predictor::{Predictor, Sum};
use crate::measures::table::{IDS, PREDICTOR, RECORDS, VISITS};
use crate::measures::training::{ListCounts, Training};
use crate::measures::{Measure, Measures, MeasuresWriter};
use crate::places::PlaceId;
use crate::release::file::{FileWriter, SectionFile};
use crate::release::{ReleaseError, RowCounts};

proptest! {
    #[test]
    fn records_round_trip(measures in proptest::collection::vec(valid(), 1..6), other in valid()) {
        let (predictor, profiles) = trained(&measures);
        for (measure, profile) in measures.iter().zip(profiles) {
            prop_assert_eq!(decoded(&codec::encode(measure, &predictor, profile), measure, &predictor), Ok(measure.clone()));
        }
        // Encode a record that the predictor wasn't trained on, and also encode it with an untrained
        // predictor.
        for predictor in [predictor, Predictor::blank()] {
            let bytes = codec::encode(&other, &predictor, 0);
            prop_assert_eq!(decoded(&bytes, &other, &predictor), Ok(other.clone()));
        }
    }

    #[test]
    fn changed_bytes_return_an_error_or_a_plausible_record(
        measure in valid(),
        is_known: bool,
        changes in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..8),
        cut in proptest::option::of(any::<Index>()),
    ) {
        let predictor = if is_known { trained(std::slice::from_ref(&measure)).0 } else { Predictor::blank() };
        let mut bytes = codec::encode(&measure, &predictor, 0);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(read) = decoded(&bytes, &measure, &predictor) {
            prop_assert_eq!(read.check(), Ok(()));
        }
    }

    #[test]
    fn truncated_record_returns_an_error(measure in valid(), is_known: bool, cut: Index) {
        let predictor = if is_known { trained(std::slice::from_ref(&measure)).0 } else { Predictor::blank() };
        let mut bytes = codec::encode(&measure, &predictor, 0);
        bytes.truncate(cut.index(bytes.len()));
        prop_assert!(decoded(&bytes, &measure, &predictor).is_err());
    }

    #[test]
    fn decoding_arbitrary_bytes_never_panics(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        visits: u32,
        known in proptest::option::of(valid()),
    ) {
        let predictor = known.map_or_else(Predictor::blank, |known| trained(&[known]).0);
        if let Ok(read) = codec::decode(&bytes, visits, &predictor) {
            prop_assert_eq!(read.check(), Ok(()));
        }
    }
}

/// Trains a predictor. Returns the predictor and the number of each record's profile.
fn trained(measures: &[Measure]) -> (Predictor, Vec<usize>) {
    let mut met = ListCounts::default();
    measures.iter().for_each(|measure| met.meet(measure));
    let mut training = Training::new(met.usual());
    let profiles = measures.iter().map(|measure| training.learn(measure)).collect();
    (training.predictor(), profiles)
}

fn decoded(bytes: &[u8], measure: &Measure, predictor: &Predictor) -> Result<Measure, RecordError> {
    codec::decode(bytes, u32::try_from(measure.visits()).unwrap(), predictor)
}

/// A temporary folder that's deleted when the test ends.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dataset-measures-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn write(folder: &Path, records: &[(PlaceId, Measure)]) -> RowCounts {
    let mut writer = MeasuresWriter::default();
    for (place, measure) in records {
        writer.push(*place, measure).unwrap();
    }
    writer.write(folder).unwrap()
}

fn open(path: &Path) -> Result<Measures, ReleaseError> {
    Measures::from_file(SectionFile::open(path)?)
}

#[test]
fn finds_records_by_place() {
    let scratch = Scratch::new("found");
    let path = scratch.0.join("measures.bin");
    let records =
        [3, 70, u64::MAX].map(|id| (PlaceId::from_raw(id), Measure { activities: id % 1000, ..plain() }));
    let rows = write(&scratch.0, &records);
    assert_eq!(rows["measures"], 3);
    let measures = open(&path).unwrap();
    for (place, measure) in &records {
        assert_eq!(measures.get(*place).unwrap().as_ref(), Some(measure));
    }
    assert_eq!(measures.get(PlaceId::from_raw(4)), Ok(None));
    assert_eq!(measures.glance(PlaceId::from_raw(4)), None);
    for (place, measure) in &records {
        let glance = measures.glance(*place).unwrap();
        assert_eq!((glance.visits.into(), glance.modelled), (measure.visits(), measure.modelled));
    }
    assert!(measures.ids().eq(records.iter().map(|(place, _)| *place)));
}

#[test]
fn damaged_record_returns_an_error_with_the_place() {
    let scratch = Scratch::new("damaged");
    let path = scratch.0.join("measures.bin");
    write(&scratch.0, &[(PlaceId::from_raw(7), plain())]);
    let whole = std::fs::read(&path).unwrap();
    let record = codec::encode(&plain(), &trained(&[plain()]).0, 0);
    let at = whole.windows(record.len()).position(|bytes| bytes == record).unwrap();
    let mut bytes = whole;
    bytes[at..at + record.len()].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let measures = open(&path).unwrap();
    let error = measures.get(PlaceId::from_raw(7)).unwrap_err().to_string();
    assert!(error.starts_with("measures.bin: the record for place 7: "), "{error}");
}

#[test]
fn record_outside_the_file_returns_an_error() {
    let scratch = Scratch::new("outside");
    let path = scratch.0.join("measures.bin");
    let mut file = FileWriter::default();
    file.rows(IDS, &[1, 2, 3].map(U64::new));
    file.rows(VISITS, &[U32::new(1); 3]);
    file.bytes(PREDICTOR, postcard::to_allocvec(&Predictor::blank()).unwrap());
    file.bytes(RECORDS, vec![0; 20]);
    file.ascending(&format!("{RECORDS}.ends"), &[21, 25, u32::MAX]);
    file.write(&path).unwrap();
    let measures = open(&path).unwrap();
    for id in 1..=3 {
        let error = measures.get(PlaceId::from_raw(id)).unwrap_err().to_string();
        assert_eq!(error, format!("measures.bin: the record for place {id}: it is outside the file"));
        assert_eq!(measures.glance(PlaceId::from_raw(id)), None);
    }
}

#[test]
fn common_properties_of_records_are_stored_once() {
    // All records have the same distribution. The second cohort consists of everyone who isn't in the first
    // one.
    let alike = |times: u64| {
        let mut one = plain();
        let counts = one.hours.as_flattened_mut().iter_mut().chain(&mut one.dwell);
        counts.for_each(|count| *count *= times);
        one.origins.iter_mut().for_each(|origin| origin.1 *= times);
        one.segments.iter_mut().for_each(|segment| segment.1 *= times);
        one.years.iter_mut().for_each(|year| year.1 *= times);
        one.weeks.iter_mut().for_each(|week| week.2 *= times);
        one.unique_persons *= times;
        Measure {
            activities: one.activities * times,
            dwell_minutes: one.dwell_minutes * times,
            local_visits: one.local_visits * times,
            ..one
        }
    };
    let records: Vec<Measure> = (1..=40).rev().map(alike).collect();
    let (predictor, profiles) = trained(&records);
    assert_eq!(predictor.profiles.len(), 1);
    assert_eq!(predictor.sums, [None, Some(Sum { plus: 0..1, minus: 1..2 })]);
    for (record, profile) in records.iter().zip(profiles) {
        let (long, short) =
            (codec::encode(record, &Predictor::blank(), 0), codec::encode(record, &predictor, profile));
        assert!(short.len() * 2 < long.len(), "{} of {} bytes", short.len(), long.len());
    }
}

#[test]
fn writer_rejects_unordered_and_implausible_records() {
    let mut writer = MeasuresWriter::default();
    writer.push(PlaceId::from_raw(7), &plain()).unwrap();
    let twice = writer.push(PlaceId::from_raw(7), &plain()).unwrap_err().to_string();
    assert!(twice.starts_with("place 7 follows place 7"), "{twice}");
    let empty = writer.push(PlaceId::from_raw(8), &Measure::default()).unwrap_err().to_string();
    assert!(empty.starts_with("the record for place 8: visits: must be at least 1"), "{empty}");
}
