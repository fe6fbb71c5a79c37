//! Tests that figures are consistent: segments equal the sums of their cells, counties add up to states and
//! to the nation, and areas that contain other areas have the right type.

use std::collections::HashMap;

use dataset::cohorts::Cells;
use dataset::{GeographyIndex, GeographyType, Population};

use crate::built::BUILT;

fn all() -> impl Iterator<Item = GeographyIndex> {
    GeographyType::ALL.into_iter().flat_map(|kind| BUILT.geographies.of_type(kind))
}

#[test]
fn areas_are_in_order_and_have_parents_of_the_right_type() {
    use GeographyType::{County, Dma, Micropolitan, Msa, State, Zip};

    assert_eq!(all().count(), BUILT.geographies.len());
    assert!(all().map(|area| BUILT.geographies.get(area).id).is_sorted_by(|one, other| one < other));
    for area in all() {
        let area = BUILT.geographies.get(area);
        let kind = area.id.geography_type();
        let is_part = matches!(kind, County | Zip);
        let parents = [
            ("state", area.state, [State, State], is_part, is_part),
            ("county", area.county, [County, County], kind == Zip, kind == Zip),
            ("cbsa", area.cbsa, [Msa, Micropolitan], is_part, false),
            ("dma", area.dma, [Dma, Dma], is_part, false),
        ];
        for (name, parent, types, may, must) in parents {
            let parent = parent.map(|parent| BUILT.geographies.get(parent).id.geography_type());
            let is_right = parent.map_or(!must, |parent| may && types.contains(&parent));
            assert!(is_right, "{}: its {name} is {parent:?}", area.id);
        }
    }
}

#[test]
fn segments_are_sums_of_their_cells() {
    let population = &BUILT.population;
    for area in all() {
        let (geography, everyone) =
            (BUILT.geographies.get(area), population.persons(Population::EVERYONE, area));
        assert_eq!(everyone, geography.population, "{}", geography.id);
        let cells = population.cells(area);
        let Cells { age_sex, ethnicity, income } = &cells;
        for part in [&age_sex[..], &ethnicity[..], &income[..]] {
            let sum: u64 = part.iter().map(|persons| u64::from(*persons)).sum();
            assert_eq!(sum, u64::from(everyone), "{}", geography.id);
        }
        for (segment, persons) in population.segments().zip(population.expand(&cells, everyone)) {
            assert_eq!(population.persons(segment.index, area), persons, "{}: {}", geography.id, segment.key);
        }
    }
}

#[test]
fn zips_sum_to_the_nation() {
    let (geographies, population) = (&BUILT.geographies, &BUILT.population);
    for segment in population.segments() {
        let zips = geographies.of_type(GeographyType::Zip);
        let sum: u32 = zips.map(|zip| population.persons(segment.index, zip)).sum();
        assert_eq!(sum, population.persons(segment.index, geographies.nation()), "{}", segment.key);
    }
}

#[test]
fn counties_sum_to_states_and_nation() {
    let (geographies, population) = (&BUILT.geographies, &BUILT.population);
    for segment in population.segments() {
        let mut sums: HashMap<GeographyIndex, u64> = HashMap::new();
        for county in geographies.of_type(GeographyType::County) {
            let state = geographies.get(county).state.expect("every county has a state");
            for whole in [state, geographies.nation()] {
                *sums.entry(whole).or_default() += u64::from(population.persons(segment.index, county));
            }
        }
        for whole in geographies.of_type(GeographyType::State).chain([geographies.nation()]) {
            let persons = u64::from(population.persons(segment.index, whole));
            let id = geographies.get(whole).id;
            assert_eq!(sums.get(&whole).copied().unwrap_or(0), persons, "{id}: {}", segment.key);
        }
    }
}
