//! Compares place measures.

use dataset::{
    Figures, Folder, GeographyIndex, Measure, Measures, PlaceId, Places, RecordSource, ReleaseError,
    SegmentIndex,
};

use super::areas::{Areas, Segments};
use super::difference::Kind;
use super::matching::{Buffers, Changes, Pair, Records, Release};

/// The place measures in two releases.
pub(super) struct PlaceMeasures {
    old: Measures,
    new: Measures,
    old_places: Places,
    new_places: Places,
    areas: Areas,
    segments: Segments,
}

impl PlaceMeasures {
    pub(super) fn open(old: &Folder, new: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self {
            old: Measures::open(old)?,
            new: Measures::open(new)?,
            old_places: Places::open(old)?,
            new_places: Places::open(new)?,
            areas: Areas::open(old, new)?,
            segments: Segments::open(old, new)?,
        })
    }

    fn of(&self, release: Release) -> &Measures {
        match release {
            Release::Old => &self.old,
            Release::New => &self.new,
        }
    }

    fn are_origins_same(&self, old: &[(GeographyIndex, u64)], new: &[(GeographyIndex, u64)]) -> bool {
        let mut translated: Vec<_> =
            old.iter().filter_map(|(zip, visits)| Some((self.areas.of(*zip)?, *visits))).collect();
        translated.sort_unstable();
        old.len() == translated.len() && translated == new
    }

    fn are_segments_same(&self, old: &[(SegmentIndex, u64)], new: &[(SegmentIndex, u64)]) -> bool {
        let mut translated: Vec<_> = old
            .iter()
            .filter_map(|(segment, persons)| Some((self.segments.of(*segment)?, *persons)))
            .collect();
        translated.sort_unstable();
        old.len() == translated.len() && translated == new
    }
}

impl Records for PlaceMeasures {
    const KIND: Kind = Kind::PlaceMeasures;

    type Index = PlaceId;

    fn records(&self, release: Release) -> impl Iterator<Item = (u64, PlaceId, RecordSource)> {
        let measures = self.of(release);
        measures.ids().map(|place| {
            let is_modelled = measures.glance(place).is_some_and(|record| record.modelled);
            let figures = if is_modelled { Figures::ModelledMeasures } else { Figures::LoadedMeasures };
            let source = RecordSource { name: figures.name().to_owned(), vintage: String::new() };
            (place.raw(), place, source)
        })
    }

    fn compare(&self, pair: Pair<'_, PlaceId>, _: &mut Buffers) -> Result<Changes, ReleaseError> {
        let (Some(old), Some(new)) = (self.old.get(pair.old)?, self.new.get(pair.new)?) else {
            return Ok(Changes::default());
        };
        let are_origins_same = self.are_origins_same(&old.origins, &new.origins);
        let are_segments_same = self.are_segments_same(&old.segments, &new.segments);
        let members = [
            ("certified", old.certified == new.certified),
            ("percentile", old.percentile == new.percentile),
            ("activities", old.activities == new.activities),
            ("visits", old.hours == new.hours),
            ("visits_unique_persons", old.unique_persons == new.unique_persons),
            ("visits_avg_dwell", old.dwell_minutes == new.dwell_minutes),
            ("local_visits", old.local_visits == new.local_visits),
            ("dwell", old.dwell == new.dwell),
            ("origins", are_origins_same),
            ("segments", are_segments_same),
            ("history", is_history_same(&old, &new)),
        ];
        let members = members.into_iter().filter(|(_, is_same)| !is_same).map(|(member, _)| member).collect();
        Ok(Changes { members, distance_km: None })
    }

    fn name(&self, release: Release, place: PlaceId) -> String {
        let places = match release {
            Release::Old => &self.old_places,
            Release::New => &self.new_places,
        };
        places.find(place).map(|index| places.get(index).name.to_owned()).unwrap_or_default()
    }
}

fn is_history_same(old: &Measure, new: &Measure) -> bool {
    old.years == new.years && old.weeks == new.weeks
}
