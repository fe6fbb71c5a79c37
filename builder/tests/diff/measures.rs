//! Tests differences between place measures.

use std::collections::BTreeMap;

use builder::diff::{Change, Kind};
use dataset::cohorts::CELLS;
use dataset::measures::{DAYS, HOURS};
use dataset::population::SegmentIndex;
use dataset::{GeographyIndex, Measure, PlaceId};

use crate::release::{Release, changed, only};

fn segment(position: usize) -> SegmentIndex {
    SegmentIndex::from_raw(u16::try_from(position).expect("there are few cohorts"))
}

fn measure() -> Measure {
    let mut hours = [[0; HOURS]; DAYS];
    hours[0][8] = 40;
    Measure {
        modelled: false,
        certified: true,
        percentile: Some(50),
        activities: 100,
        unique_persons: 20,
        dwell_minutes: 400,
        local_visits: 30,
        hours,
        dwell: [20, 12, 5, 2, 1],
        origins: vec![(GeographyIndex::from_raw(2), 25)],
        segments: vec![(segment(1), 9), (segment(2), 11)],
        years: vec![(2025, 2184)],
        weeks: vec![(2026, 31, 44)],
    }
}

fn release(measure: Measure) -> Release {
    let measures = BTreeMap::from([(PlaceId::from_raw(7), measure)]);
    Release { measures, ..Release::default() }
}

#[test]
fn changed_measures_list_their_members() {
    type Alter = fn(&mut Measure);
    let cases: [(&[&str], Alter); 11] = [
        (&["certified"], |measure| measure.certified = false),
        (&["percentile"], |measure| measure.percentile = None),
        (&["activities"], |measure| measure.activities += 1),
        (&["visits"], |measure| measure.hours[0].swap(8, 9)),
        (&["visits_unique_persons"], |measure| measure.unique_persons += 1),
        (&["visits_avg_dwell"], |measure| measure.dwell_minutes += 1),
        (&["local_visits"], |measure| measure.local_visits -= 1),
        (&["dwell"], |measure| measure.dwell.swap(0, 4)),
        (&["origins"], |measure| measure.origins[0].1 -= 1),
        (&["segments"], |measure| measure.segments.truncate(1)),
        (&["history"], |measure| measure.weeks[0].2 += 1),
    ];
    for (members, alter) in cases {
        let mut altered = measure();
        alter(&mut altered);
        let difference = release(measure()).compare(&release(altered));
        assert_eq!(changed(&difference, Kind::PlaceMeasures), (members.to_vec(), None));
    }
}

#[test]
fn loaded_measures_that_replace_modelled_ones_change_their_source() {
    let modelled = Measure { modelled: true, certified: false, ..measure() };
    let difference = release(modelled).compare(&release(measure()));
    let counts: Vec<_> = difference
        .by_source()
        .map(|one| (one.to_string(), one.before, one.after, one.added, one.changed, one.removed))
        .collect();
    let expected = [
        ("loaded place measures".to_owned(), 0, 1, 0, 1, 0),
        ("modelled place measures".to_owned(), 1, 0, 0, 0, 0),
    ];
    assert_eq!(counts, expected);
    let members = vec!["certified", "source"];
    assert_eq!(difference.rows()[0].change, Change::Changed { members, moved_km: None });
}

#[test]
fn added_and_removed_measures_are_counted() {
    let (empty, one) = (Release::default(), release(measure()));
    assert_eq!(only(&empty.compare(&one)).added, 1);
    assert_eq!(only(&one.compare(&empty)).removed, 1);
}

#[test]
fn areas_and_cohorts_are_compared_by_id() {
    let old = release(measure());
    let mut new = Release {
        are_cohorts_reversed: true,
        ..release(Measure {
            origins: vec![(GeographyIndex::from_raw(1), 25)],
            segments: vec![(segment(CELLS - 1), 11), (segment(CELLS), 9)],
            ..measure()
        })
    };
    new.geographies.remove(1);
    let difference = old.compare(&new);
    assert!(difference.by_source().next().is_none(), "{difference:?}");
    assert!(difference.geographies_differ && difference.population_differs);
    let same_positions = Release { are_cohorts_reversed: true, ..old.clone() };
    assert_eq!(changed(&old.compare(&same_positions), Kind::PlaceMeasures).0, ["segments"]);
}
