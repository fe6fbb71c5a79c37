//! The target audience of a campaign or an event: a cohort in one or more markets.

use std::collections::HashSet;

use contact_model::Homes;
use dataset::{ComposedCohort, Geography, GeographyId, GeographyIndex};
use filters::not_a_cohort;
use gateway::{Violations, quoted};
use serde::Serialize;

use crate::Release;

/// The people that a campaign or an event is meant to reach.
pub(crate) struct Audience {
    pub(crate) cohort: ComposedCohort,
    pub(crate) homes: Homes,
    /// The markets in request order, without duplicates.
    pub(crate) markets: Vec<Market>,
    /// The ZIP codes that are in at least one of the markets, as positions in `Release::zips`.
    pub(crate) zips: Vec<usize>,
}

pub(crate) struct Market {
    area: GeographyIndex,
    pub(crate) zips: Vec<usize>,
}

/// A market and its estimated figures.
#[derive(Debug, Serialize)]
pub(crate) struct EstimatedMarket<F> {
    geography_id: String,
    description: String,
    #[serde(flatten)]
    figures: F,
}

/// A cohort ID in a request body, and the JSON pointer to it.
#[derive(Clone, Copy)]
pub(crate) struct CohortId<'a> {
    pub(crate) pointer: &'a str,
    pub(crate) id: &'a str,
}

impl Audience {
    /// Finds the target cohort, the base cohort that it's compared with, and the markets. The default base is
    /// everyone. Returns an error if any of them isn't in the release.
    pub(crate) fn of(
        target: CohortId<'_>,
        base: Option<CohortId<'_>>,
        areas: &[String],
        release: &Release,
    ) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let target = find_cohort(release, target, &mut violations);
        let base = base.map_or_else(
            || Some(ComposedCohort::everyone()),
            |base| find_cohort(release, base, &mut violations),
        );
        let areas = find_areas(release, areas, &mut violations);
        let (Some(cohort), Some(base)) = (target, base) else { return Err(violations) };
        let areas = violations.or(areas)?;
        let markets = markets(release, &areas);
        let mut zips: Vec<usize> = markets.iter().flat_map(|market| market.zips.iter().copied()).collect();
        zips.sort_unstable();
        zips.dedup();
        let homes = release.zips.homes(&release.geographies, &release.population, [&cohort, &base]);
        Ok(Self { homes, cohort, markets, zips })
    }

    /// Returns the number of target persons in the given ZIP codes.
    pub(crate) fn persons(&self, zips: &[usize]) -> f64 {
        zips.iter().map(|zip| self.homes.zips()[*zip].target).sum()
    }
}

impl Market {
    /// Combines the market's ID and name with its figures.
    pub(crate) fn row<F>(&self, release: &Release, figures: F) -> EstimatedMarket<F> {
        let area = release.geographies.get(self.area);
        EstimatedMarket {
            geography_id: area.id.to_string(),
            description: area.name_with_zip().into_owned(),
            figures,
        }
    }
}

fn find_cohort(
    release: &Release,
    CohortId { pointer, id }: CohortId<'_>,
    violations: &mut Violations,
) -> Option<ComposedCohort> {
    let found = ComposedCohort::find(&release.population, id);
    found.map_err(|error| violations.add(pointer, not_a_cohort(id, &error))).ok()
}

/// Finds the areas with the given IDs, without duplicates. Adds a violation for each unknown ID.
fn find_areas(release: &Release, ids: &[String], violations: &mut Violations) -> Vec<GeographyIndex> {
    let mut areas = Vec::new();
    let mut seen = HashSet::new();
    for (at, text) in ids.iter().enumerate() {
        let found = text.parse::<GeographyId>().ok().and_then(|id| release.geographies.find(&id));
        match found {
            Some(area) => areas.extend(seen.insert(area).then_some(area)),
            None => {
                let rule = format!("must be a geography in this release, got {}", quoted(text));
                violations.add(format!("/cohort/geography_ids/{at}"), rule);
            }
        }
    }
    areas
}

/// Creates a market from each area, with the ZIP codes that it contains.
fn markets(release: &Release, areas: &[GeographyIndex]) -> Vec<Market> {
    let mut markets: Vec<Market> =
        areas.iter().map(|area| Market { area: *area, zips: Vec::new() }).collect();
    let mut market_of = vec![None; release.geographies.len()];
    for (market, area) in areas.iter().enumerate() {
        market_of[area.position()] = Some(market);
    }
    for (at, zip) in release.zips.iter().enumerate() {
        let Geography { state, county, cbsa, dma, .. } = release.geographies.get(zip.area);
        let within = [Some(release.geographies.nation()), state, county, cbsa, dma, Some(zip.area)];
        for market in within.into_iter().flatten().filter_map(|area| market_of[area.position()]) {
            markets[market].zips.push(at);
        }
    }
    markets
}
