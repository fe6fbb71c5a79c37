//! A campaign's displays and each display's weekly impressions.

use std::collections::BTreeMap;

use dataset::inventory::SpotId;
use dataset::{DisplayExposure, Impressions, Position};
use gateway::{Violations, Warning, Warnings};
use scenario_bodies::{Campaign, Spot};

use super::schedule::{DAYS_PER_WEEK, Flight};
use crate::Release;
use crate::members::{distinct, such_as};

/// The assumed share of voice of a static display whose record doesn't contain one.
const STATIC_SHARE: f64 = 1.0;

/// The assumed share of voice of a digital display whose record doesn't contain one: one of eight spots in
/// the loop.
const DIGITAL_SHARE: f64 = 0.125;

/// The displays of a campaign that have impressions, sorted by ID.
pub(crate) struct Plan {
    pub(crate) flight: Flight,
    pub(crate) displays: Vec<PlannedDisplay>,
    /// The IDs that the release doesn't contain.
    pub(crate) unknown_ids: Vec<String>,
    /// The displays whose records contain no impressions.
    pub(crate) without_impressions: Vec<SpotId>,
    pub(crate) warnings: Warnings,
}

pub(crate) struct PlannedDisplay {
    pub(crate) id: SpotId,
    pub(crate) exposure: DisplayExposure,
    pub(crate) position: Position,
    pub(crate) impressions: Impressions,
    /// The share of voice of each spot on the display. `None` if the impressions in the record are already
    /// for a single spot.
    pub(crate) share: Option<Share>,
    /// The number of days when at least one spot is active.
    pub(crate) active_days: usize,
    /// The campaign's impressions on the display in each week of the flight.
    pub(crate) by_week: Vec<f64>,
}

#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) share: f64,
    pub(crate) from: ShareFrom,
}

/// The source of a share of voice: the record, a model, or an assumption.
#[derive(Clone, Copy)]
pub(crate) enum ShareFrom {
    Given,
    Modelled,
    Assumed,
}

/// The spots of a campaign on one display, and their positions in the request body.
type Spots<'a> = Vec<(usize, &'a Spot)>;

type Display = (DisplayExposure, Position);

impl Plan {
    /// Looks up a campaign's displays. Returns an error if the flight is too long, or if no display has
    /// impressions.
    pub(crate) fn of(campaign: &Campaign, release: &Release) -> Result<Self, Violations> {
        let flight = Flight::of(&campaign.flight)?;
        let (displays, unknown_ids, without_impressions) = (Vec::new(), Vec::new(), Vec::new());
        let warnings = Warnings::default();
        let mut plan = Self { flight, displays, unknown_ids, without_impressions, warnings };
        let mut by_display = BTreeMap::<SpotId, (Display, Spots<'_>)>::new();
        let mut unknown = Vec::new();
        for (at, spot) in campaign.spots.as_slice().iter().enumerate() {
            let id = spot.display_id.as_str();
            let found = spot_id(id).and_then(|id| Some((id, release.exposures.find(id)?)));
            match found {
                Some((id, display)) => {
                    by_display.entry(id).or_insert((display, Vec::new())).1.push((at, spot));
                }
                None => unknown.push(id),
            }
        }
        plan.unknown_ids = distinct(unknown);
        for (id, (display, spots)) in by_display {
            plan.add(id, display, &spots);
        }
        if plan.displays.is_empty() { Err(plan.no_impressions()) } else { Ok(plan) }
    }

    fn add(&mut self, id: SpotId, display: Display, spots: &Spots<'_>) {
        let (exposure, position) = display;
        let Some(impressions) = exposure.impressions else { return self.without_impressions.push(id) };
        let share = (!impressions.are_of_spot).then(|| Share::of(&exposure));
        let mut spots_on = vec![0_u32; self.flight.days];
        for (at, spot) in spots {
            let (active, outside) = self.flight.active_days(spot);
            spots_on.iter_mut().zip(active).for_each(|(count, is_active)| *count += u32::from(is_active));
            for window in outside {
                self.warn(format!("/spots/{at}/windows/{window}"), || {
                    "includes days outside the flight, which aren't counted".to_owned()
                });
            }
        }
        if share.is_some() {
            self.warn_repeated(id, spots);
        }
        let of_day = |spots: &u32| {
            let spots = f64::from(*spots);
            share.map_or(spots, |share| (spots * share.share).min(1.0))
        };
        let daily = impressions.weekly as f64 / DAYS_PER_WEEK as f64;
        let by_week = spots_on.chunks(DAYS_PER_WEEK).map(|days| daily * days.iter().map(of_day).sum::<f64>());
        self.displays.push(PlannedDisplay {
            id,
            exposure,
            position,
            impressions,
            share,
            active_days: spots_on.iter().filter(|spots| **spots > 0).count(),
            by_week: by_week.collect(),
        });
    }

    /// Warns that several spots are on the same display. Not called if the impressions in the record are for
    /// a single spot, because each spot then gets all of them.
    fn warn_repeated(&mut self, id: SpotId, spots: &Spots<'_>) {
        for (at, _) in spots.iter().skip(1) {
            self.warn(format!("/spots/{at}/display_id"), || {
                format!(
                    "display {id} is also listed at /spots/{}; the combined share of a display's spots is \
                     limited to 100% of the display's impressions",
                    spots[0].0
                )
            });
        }
    }

    fn warn(&mut self, pointer: String, detail: impl FnOnce() -> String) {
        self.warnings.add(|| Warning { pointer, detail: detail() });
    }

    fn no_impressions(&self) -> Violations {
        let rule = format!(
            "must contain a display with weekly_impressions (displays without them: {}; unknown IDs: {}{}); \
             use inventory search to find displays with weekly_impressions",
            self.without_impressions.len(),
            self.unknown_ids.len(),
            such_as(&self.unknown_ids)
        );
        Violations::one("/spots", rule)
    }
}

impl Share {
    fn of(exposure: &DisplayExposure) -> Self {
        match exposure.share_of_voice {
            Some(given) if given.is_modelled => Self { share: given.share, from: ShareFrom::Modelled },
            Some(given) => Self { share: given.share, from: ShareFrom::Given },
            None if exposure.digital => Self { share: DIGITAL_SHARE, from: ShareFrom::Assumed },
            None => Self { share: STATIC_SHARE, from: ShareFrom::Assumed },
        }
    }
}

/// Parses a display ID. Checks the digits first, because `parse` would also accept a leading plus sign.
fn spot_id(text: &str) -> Option<SpotId> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok().map(SpotId::from_raw))?
}
