//! Estimates the residents of each part, which is the overlap of a ZIP code and a county.

use std::collections::BTreeMap;

use dataset::GeographyId;
use dataset::cohorts::{AGE_SEX, AGES, Cells, ETHNICITIES, EthnicGroup};

use super::fit::fit;
use super::incomes::Incomes;
use super::people::{CountyPeople, People, ZIP_AGES, ZipPeople};
use super::residents::Residents;
use super::sources::{OVERLAPS_TABLE, Overlap, Sources};
use crate::cohorts::apportion;
use crate::model::apportion as apportion_by;
use crate::sample::error::SourceError;

/// The number of scaling rounds. Each round scales overlaps to the ZIP code totals and then to the county
/// totals.
const ROUNDS: usize = 100;

/// For each age band of the cells, the index of the wider ZIP code age band that contains it.
const ZIP_BANDS: [usize; AGES] = [0, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 7, 7, 7];

/// The overlap of a ZIP code and a county, with its residents.
pub(super) struct Part {
    pub(super) zip: GeographyId,
    pub(super) county: GeographyId,
    pub(super) residents: Residents,
}

/// Divides the residents of each county among its parts. In every cell, the parts add up to exactly the
/// county's count.
pub(super) fn parts(sources: &Sources, people: &People) -> Result<Vec<Part>, SourceError> {
    let mut by_county = BTreeMap::<GeographyId, Vec<(GeographyId, f64)>>::new();
    for Overlap { zip, county, weight } in scaled_overlaps(sources, people) {
        by_county.entry(county).or_default().push((zip, weight));
    }
    if let Some(county) = sources.counties.keys().find(|county| !by_county.contains_key(county)) {
        let reason = format!("no inhabited ZIP code overlaps county {}", county.national_id());
        return Err(SourceError::Table { table: OVERLAPS_TABLE.to_owned(), reason });
    }
    Ok(by_county.into_iter().flat_map(|(county, zips)| parts_of(sources, people, county, &zips)).collect())
}

/// Returns the overlaps between ZIP codes and counties, weighted by the number of residents.
///
/// Each ZIP code's residents are distributed over its counties by area. These numbers are then alternately
/// scaled to the populations of ZIP codes and of counties. ZIP code populations are first scaled so that they
/// add up to the nation's population.
fn scaled_overlaps(sources: &Sources, people: &People) -> Vec<Overlap> {
    let persons = |zip: &GeographyId| people.zips.get(zip).map_or(0, |zip| zip.persons);
    let mut overlaps = sources.overlaps.clone();
    overlaps.retain(|overlap| persons(&overlap.zip) > 0);
    let counted: f64 = people.zips.values().map(|zip| f64::from(zip.persons)).sum();
    let nation: f64 = sources.counties.values().map(|county| f64::from(county.persons)).sum();
    for _ in 0..ROUNDS {
        scale(&mut overlaps, |overlap| overlap.zip, |zip| f64::from(persons(zip)) * nation / counted);
        scale(&mut overlaps, |overlap| overlap.county, |county| f64::from(sources.counties[county].persons));
    }
    overlaps
}

fn scale(
    overlaps: &mut [Overlap],
    of: impl Fn(&Overlap) -> GeographyId,
    total: impl Fn(&GeographyId) -> f64,
) {
    let mut sums = BTreeMap::<GeographyId, f64>::new();
    for overlap in overlaps.iter() {
        *sums.entry(of(overlap)).or_default() += overlap.weight;
    }
    let factor = |id: GeographyId, sum: f64| if sum > 0.0 { total(&id) / sum } else { 0.0 };
    let factors: BTreeMap<_, f64> = sums.into_iter().map(|(id, sum)| (id, factor(id, sum))).collect();
    overlaps.iter_mut().for_each(|overlap| overlap.weight *= factors[&of(overlap)]);
}

fn parts_of(sources: &Sources, people: &People, id: GeographyId, zips: &[(GeographyId, f64)]) -> Vec<Part> {
    let (county, total) = (&people.counties[&id], sources.counties[&id].persons);
    let weights: Vec<f64> = zips.iter().map(|(_, weight)| *weight).collect();
    let persons: Vec<u32> = whole_parts(total, &weights);
    let of: Vec<&ZipPeople> = zips.iter().map(|(zip, _)| &people.zips[zip]).collect();
    let households: Vec<f64> = persons
        .iter()
        .zip(&of)
        .map(|(persons, zip)| f64::from(*persons) * f64::from(zip.households) / f64::from(zip.persons))
        .collect();
    let households = whole_parts(county.households, &households);

    let ages = fit(&persons, &county.age_sex, of.iter().map(|zip| age_seed(county, zip)).collect());
    let groups: Vec<[f64; ETHNICITIES]> = of.iter().map(|zip| zip.ethnicity.map(f64::from)).collect();
    let ethnicity = fit(&persons, &ethnicity_of(county, total, &persons, &groups), groups);
    let incomes = Incomes::new(&county.income);
    let income_seed = |zip: &&ZipPeople| match zip.median_income {
        Some(median) if median > 0 => incomes.with_median(f64::from(median)),
        _ => county.income.map(f64::from),
    };
    let income = array(&apportion(total, &county.income));
    let income = fit(&persons, &income, of.iter().map(income_seed).collect());

    let part = |at: usize| {
        let (zip, _) = zips[at];
        let cells = Cells { age_sex: ages[at], ethnicity: ethnicity[at], income: income[at] };
        let residents = Residents::new(persons[at], households[at], cells, sources.zips[&zip].position);
        Part { zip, county: id, residents }
    };
    (0..zips.len()).map(part).collect()
}

/// Returns a ZIP code's expected proportions by sex and age, which are its county's proportions, adjusted to
/// the ZIP code's age bands and sexes.
fn age_seed(county: &CountyPeople, zip: &ZipPeople) -> [f64; AGE_SEX] {
    let (mut bands, mut sexes) = ([0_u32; ZIP_AGES], [0_u32; 2]);
    for (cell, persons) in county.age_sex.iter().enumerate() {
        bands[ZIP_BANDS[cell % AGES]] += persons;
        sexes[cell / AGES] += persons;
    }
    let ratio = |of: &[u32], to: &[u32], at: usize| {
        let sum = |all: &[u32]| all.iter().copied().map(f64::from).sum::<f64>();
        let share = f64::from(to[at]) / sum(to);
        if sum(of) == 0.0 || share == 0.0 { 1.0 } else { f64::from(of[at]) / sum(of) / share }
    };
    std::array::from_fn(|cell| {
        let band = ratio(&zip.ages, &bands, ZIP_BANDS[cell % AGES]);
        f64::from(county.age_sex[cell]) * band * ratio(&zip.sexes, &sexes, cell / AGES)
    })
}

/// Returns the number of a county's residents in each ethnic group. The county's survey determines the share
/// of Hispanic residents, and the ZIP codes determine the proportions of the other groups.
fn ethnicity_of(
    county: &CountyPeople,
    total: u32,
    persons: &[u32],
    zips: &[[f64; ETHNICITIES]],
) -> [u32; ETHNICITIES] {
    const HISPANIC: usize = EthnicGroup::Hispanic as usize;
    let mut groups = [0.0; ETHNICITIES];
    for (persons, zip) in persons.iter().zip(zips) {
        let sum: f64 = zip.iter().sum();
        if sum > 0.0 {
            groups.iter_mut().zip(zip).for_each(|(group, count)| *group += f64::from(*persons) * count / sum);
        }
    }
    let (hispanic, surveyed) = county.hispanic;
    let others: f64 = groups.iter().sum::<f64>() - groups[HISPANIC];
    if surveyed > 0 && others > 0.0 {
        // Limit the Hispanic share, so that the other groups get at least one resident in a thousand.
        let share = (f64::from(hispanic) / f64::from(surveyed)).min(0.999);
        groups[HISPANIC] = others * share / (1.0 - share);
    }
    array(&whole_parts(total, &groups))
}

/// Divides a total in proportion to weights. If all weights are 0, they're treated as equal.
fn whole_parts(total: u32, weights: &[f64]) -> Vec<u32> {
    let parts = match weights.iter().sum::<f64>() {
        0.0 => apportion_by(total.into(), &vec![1.0; weights.len()]),
        _ => apportion_by(total.into(), weights),
    };
    parts.into_iter().map(|part| u32::try_from(part).expect("a part is at most the total")).collect()
}

fn array<const N: usize>(parts: &[u32]) -> [u32; N] {
    parts.try_into().expect("there is one part per cell")
}
