//! The response, which is `CampaignEstimate` in openapi.yaml. Figures are rounded only in this module.

use contact_model::{Delivery, MODEL};
use dataset::rounded_index;
use gateway::Table;
use serde::Serialize;

use super::estimate::Estimate;
use super::plan::{Plan, PlannedDisplay, ShareFrom};
use crate::Release;
use crate::audience::{Audience, EstimatedMarket, Market};
use crate::members::{Location, hundredths, whole};

/// The displays in an estimate, for CSV and GeoJSON responses.
pub(crate) static DISPLAYS: Table = Table {
    name: "estimated-displays",
    rows: "data.displays",
    total: None,
    columns: || {
        vec![
            "display_id",
            "location.lat",
            "location.lon",
            "impressions",
            "weekly_impressions",
            "weekly_impressions_from",
            "share_of_voice",
            "share_of_voice_from",
            "active_days",
            "index",
        ]
    },
    feature: Some(Location::feature("display_id")),
};

#[derive(Debug, Serialize)]
pub(crate) struct CampaignEstimate {
    model: &'static str,
    cohort_description: String,
    totals: Totals,
    weeks: Vec<EstimatedWeek>,
    markets: Vec<EstimatedMarket<TargetFigures>>,
    displays: Vec<EstimatedDisplay>,
    frequency_distribution: Vec<ReachAtLeast>,
    pub(crate) unknown_ids: Vec<String>,
    displays_without_impressions: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Totals {
    impressions: u64,
    #[serde(flatten)]
    target: TargetFigures,
}

/// The figures for the target persons in the markets. If there are no target persons, all figures are null.
/// If there are no contacts, all figures except `target_persons` are null.
#[derive(Debug, Serialize)]
struct TargetFigures {
    target_persons: Option<u64>,
    target_impressions: Option<u64>,
    reach: Option<u64>,
    reach_low: Option<u64>,
    reach_high: Option<u64>,
    frequency: Option<f64>,
    trp: Option<f64>,
}

#[derive(Debug, Serialize)]
struct EstimatedWeek {
    week: usize,
    start_date: String,
    end_date: String,
    impressions: u64,
    cumulative_reach: Option<u64>,
}

#[derive(Debug, Serialize)]
struct EstimatedDisplay {
    display_id: String,
    location: Location,
    impressions: u64,
    weekly_impressions: u64,
    weekly_impressions_from: &'static str,
    share_of_voice: Option<f64>,
    share_of_voice_from: Option<&'static str>,
    active_days: usize,
    index: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ReachAtLeast {
    contacts: usize,
    reach: Option<u64>,
}

impl CampaignEstimate {
    pub(crate) fn new(plan: Plan, audience: &Audience, estimate: &Estimate, release: &Release) -> Self {
        let impressions = plan.displays.iter().map(|display| display.by_week.iter().sum::<f64>()).sum();
        let at_least = |at: usize| estimate.total.as_ref().map(|total| whole(total.reach_at_least[at]));
        let market = |(market, delivery): (&Market, &Option<Delivery>)| {
            market.row(release, TargetFigures::new(audience, &market.zips, delivery.as_ref()))
        };
        Self {
            model: MODEL,
            cohort_description: audience.cohort.description(&release.population),
            totals: Totals {
                impressions: whole(impressions),
                target: TargetFigures::new(audience, &audience.zips, estimate.total.as_ref()),
            },
            weeks: weeks(&plan, estimate),
            markets: audience.markets.iter().zip(&estimate.markets).map(market).collect(),
            displays: plan.displays.iter().zip(&estimate.indexes).map(EstimatedDisplay::new).collect(),
            frequency_distribution: (0..contact_model::AT_LEAST)
                .map(|at| ReachAtLeast { contacts: at + 1, reach: at_least(at) })
                .collect(),
            unknown_ids: plan.unknown_ids,
            displays_without_impressions: plan.without_impressions.iter().map(ToString::to_string).collect(),
        }
    }
}

fn weeks(plan: &Plan, estimate: &Estimate) -> Vec<EstimatedWeek> {
    let weeks = plan.flight.weeks().zip(&estimate.reach_by_week).enumerate();
    let week = weeks.map(|(at, (week, reach))| EstimatedWeek {
        week: at + 1,
        start_date: week.first_day.to_string(),
        end_date: week.last_day.to_string(),
        impressions: whole(plan.displays.iter().map(|display| display.by_week[at]).sum()),
        cumulative_reach: reach.map(whole),
    });
    week.collect()
}

impl TargetFigures {
    fn new(audience: &Audience, zips: &[usize], delivery: Option<&Delivery>) -> Self {
        let persons = audience.persons(zips);
        Self {
            target_persons: (persons > 0.0).then(|| whole(persons)),
            target_impressions: delivery.map(|delivery| whole(delivery.impressions)),
            reach: delivery.map(|delivery| whole(delivery.reach())),
            reach_low: delivery.map(|delivery| whole(delivery.reach_low)),
            reach_high: delivery.map(|delivery| whole(delivery.reach_high)),
            frequency: delivery.map(|delivery| hundredths(delivery.frequency())),
            trp: delivery.map(|delivery| (10.0 * delivery.trp()).round() / 10.0),
        }
    }
}

impl EstimatedDisplay {
    fn new((display, index): (&PlannedDisplay, &Option<f64>)) -> Self {
        Self {
            display_id: display.id.to_string(),
            location: Location { lat: display.position.latitude, lon: display.position.longitude },
            impressions: whole(display.by_week.iter().sum()),
            weekly_impressions: display.impressions.weekly,
            weekly_impressions_from: if display.impressions.are_modelled { "modelled" } else { "given" },
            share_of_voice: display.share.map(|share| share.share),
            share_of_voice_from: display.share.map(|share| match share.from {
                ShareFrom::Given => "given",
                ShareFrom::Modelled => "modelled",
                ShareFrom::Assumed => "assumed",
            }),
            active_days: display.active_days,
            index: index.map(rounded_index),
        }
    }
}
