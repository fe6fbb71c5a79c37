//! Derives the visits in past weeks and years from seasonal weights and from the growth of the county.

use chrono::{Datelike, Days, NaiveDate, Weekday};
use dataset::measures::MOST;

use super::apportion::apportion;

/// The year and number of the last ISO week of the history.
const LAST_WEEK: (i32, u32) = (2026, 31);

const WEEKS: u64 = 52;

/// The calendar years of the history.
const YEARS: [u16; 3] = [2023, 2024, 2025];

/// The year that the average week represents. The 52 weeks are centered on early 2026.
const YEAR_OF_THE_WEEKS: i32 = 2026;

const WEEKS_OF_A_YEAR: f64 = 365.25 / 7.0;

/// The minimum and the maximum of a county's annual growth factor.
const GROWTH: (f64, f64) = (0.95, 1.05);

/// The year, number, and seasonal weight of each ISO week of the history, in ascending order.
pub(super) struct Seasons(Vec<(u16, u8, f64)>);

impl Seasons {
    /// Computes the weight of each week from the weights of the months. The weight at the week's Thursday is
    /// interpolated linearly between the middles of the two nearest months.
    pub(super) fn new(months: &[f64; 12]) -> Self {
        let (year, week) = LAST_WEEK;
        let last = NaiveDate::from_isoywd_opt(year, week, Weekday::Thu).expect("a valid ISO week");
        let week = |ago: u64| {
            let thursday = last - Days::new(7 * ago);
            let (year, week) = (thursday.iso_week().year(), thursday.iso_week().week());
            let year = u16::try_from(year).expect("a year has four digits");
            (year, u8::try_from(week).expect("a week has two digits"), weight(months, thursday))
        };
        Self((0..WEEKS).rev().map(week).collect())
    }

    /// Divides the visits of 52 average weeks among the weeks of the history, using the largest remainder
    /// method: `52 × visits × weight ÷ Σ weights`.
    pub(super) fn weeks(&self, visits: u64) -> Vec<(u16, u8, u64)> {
        let weights: Vec<f64> = self.0.iter().map(|week| week.2).collect();
        let parts = apportion(WEEKS * visits, &weights);
        self.0.iter().zip(parts).map(|((year, week, _), visits)| (*year, *week, visits.min(MOST))).collect()
    }
}

/// Returns the visits in each calendar year: `visits × 365.25/7 × growth^(year − 2026)`.
///
/// The growth factor is the annual growth of the county's population, `(2023 ÷ 2020)^(1/3)`, limited to the
/// range from 0.95 to 1.05.
pub(super) fn years(visits: u64, population: &[f64; 4]) -> Vec<(u16, u64)> {
    let whole = population[3] / population[0];
    let growth = if whole.is_finite() && whole > 0.0 { whole.cbrt().clamp(GROWTH.0, GROWTH.1) } else { 1.0 };
    let of_year =
        |year: u16| visits as f64 * WEEKS_OF_A_YEAR * growth.powi(i32::from(year) - YEAR_OF_THE_WEEKS);
    YEARS.iter().map(|year| (*year, of_year(*year).round() as u64)).collect()
}

fn weight(months: &[f64; 12], day: NaiveDate) -> f64 {
    let days = f64::from(day.num_days_in_month());
    let at = f64::from(day.month()) - 1.5 + (f64::from(day.day()) - 0.5) / days;
    let before = at.floor();
    let month = |offset: f64| months[(before + offset).rem_euclid(12.0) as usize];
    month(0.0) + (month(1.0) - month(0.0)) * (at - before)
}

#[cfg(test)]
mod tests {
    use super::{Seasons, years};

    #[test]
    fn weeks_end_with_the_last_week_and_average_to_the_visits() {
        let mut months = [100.0; 12];
        months[11] = 150.0;
        let weeks = Seasons::new(&months).weeks(1000);
        assert_eq!(
            (weeks.len(), (weeks[0].0, weeks[0].1), (weeks[51].0, weeks[51].1)),
            (52, (2025, 32), (2026, 31))
        );
        assert_eq!(weeks.iter().map(|week| week.2).sum::<u64>(), 52_000);
        let busiest = weeks.iter().max_by_key(|week| week.2).unwrap();
        assert_eq!((busiest.0, busiest.1), (2025, 51));
    }

    #[test]
    fn years_follow_the_county_population() {
        let growing = years(700, &[1000.0, 0.0, 0.0, 1061.208]);
        assert_eq!(growing, [(2023, 34418), (2024, 35107), (2025, 35809)]);
        assert!(years(700, &[1000.0, 0.0, 0.0, 900.0]).is_sorted_by(|a, b| a.1 > b.1));
        assert_eq!(years(700, &[0.0, 0.0, 0.0, 5.0])[0].1, 36525);
    }
}
