//! Applies the contact model to a plan and an audience.

use std::collections::BTreeMap;

use contact_model::{Contacts, Delivery, Viewers, reach};
use dataset::Environment;

use super::plan::{Plan, PlannedDisplay};
use crate::Release;
use crate::audience::Audience;

/// The estimated delivery of a campaign, in total and by week, market, and display.
pub(crate) struct Estimate {
    /// `None` if there are no target persons or no contacts. The same applies to each entry of `markets`.
    pub(crate) total: Option<Delivery>,
    /// The cumulative reach from the first day to the end of each week. `None` if `total` is `None`.
    pub(crate) reach_by_week: Vec<Option<f64>>,
    /// The delivery in each market, in the same order as the audience's markets.
    pub(crate) markets: Vec<Option<Delivery>>,
    /// The index of each display, in the same order as the plan's displays.
    pub(crate) indexes: Vec<Option<f64>>,
}

/// Displays in the same ZIP code and environment. The model assumes that they have the same viewers.
struct Group {
    viewers: Viewers,
    /// The impressions in each week, scaled up to residents of all ages.
    by_week: Vec<f64>,
    index: Option<f64>,
}

/// The ZIP code and the environment of a display.
type Surroundings = (u16, Environment);

impl Estimate {
    pub(crate) fn of(plan: &Plan, audience: &Audience, release: &Release) -> Self {
        let Audience { homes, zips, .. } = audience;
        let groups = groups(plan, audience, release);
        let mut contacts = Contacts::none(homes);
        let weeks = plan.flight.weeks().enumerate().map(|(week, _)| {
            groups.values().for_each(|group| contacts.add(&group.viewers, group.by_week[week]));
            reach(homes, &contacts, zips.iter().copied())
        });
        let reach_by_week: Vec<f64> = weeks.collect();
        let delivery = |zips: &[usize]| Delivery::of(homes, &contacts, zips.iter().copied());
        let index = |display: &PlannedDisplay| groups.get(&surroundings(display)?)?.index;
        let total = delivery(zips);
        Self {
            reach_by_week: reach_by_week.into_iter().map(|reach| total.as_ref().map(|_| reach)).collect(),
            markets: audience.markets.iter().map(|market| delivery(&market.zips)).collect(),
            indexes: plan.displays.iter().map(index).collect(),
            total,
        }
    }
}

fn groups(plan: &Plan, audience: &Audience, release: &Release) -> BTreeMap<Surroundings, Group> {
    let mut groups = BTreeMap::new();
    for display in &plan.displays {
        let Some((zip, environment)) = surroundings(display) else { continue };
        let Some(point) = release.zips[usize::from(zip)].point else { continue };
        let group = groups.entry((zip, environment)).or_insert_with(|| {
            let viewers = audience.homes.viewers(point, environment);
            let index = audience.homes.index(&viewers);
            Group { viewers, by_week: vec![0.0; display.by_week.len()], index }
        });
        let of_all = release.residents_per_counted(zip, display.impressions.persons);
        group.by_week.iter_mut().zip(&display.by_week).for_each(|(sum, own)| *sum += own * of_all);
    }
    groups
}

fn surroundings(display: &PlannedDisplay) -> Option<Surroundings> {
    Some((display.exposure.zip?, display.exposure.environment))
}
