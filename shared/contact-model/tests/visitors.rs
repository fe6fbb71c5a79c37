//! Properties of estimated visitors to several places, and the example in docs/explanation/estimates.md.

use contact_model::{VisitorHome, Visitors, growth};
use dataset::GeographyIndex;

/// A place: its visitors in an average week, the growth of this number in the period, and the number of its
/// visitors from each ZIP code.
struct Place {
    persons: f64,
    growth: f64,
    homes: Vec<f64>,
}

const ZIPS: usize = 8;

fn zip(at: usize) -> GeographyIndex {
    GeographyIndex::from_raw(u32::try_from(at).expect("a small number"))
}

/// Returns random resident counts for the ZIP codes. No one lives in the last one.
fn residents(random: &mut fastrand::Rng) -> Vec<f64> {
    (1..ZIPS).map(|_| f64::from(random.u32(100..50_000))).chain([0.0]).collect()
}

/// Returns a random place. Some of its visitors live elsewhere, and there can be more visitors than
/// residents.
fn place(random: &mut fastrand::Rng, growth: f64) -> Place {
    let most = [100, 1_000, 20_000][random.usize(0..3)];
    let homes: Vec<f64> = (0..ZIPS).map(|_| f64::from(random.u32(0..most))).collect();
    Place { persons: homes.iter().sum::<f64>() + f64::from(random.u32(0..most)), growth, homes }
}

fn visitors(residents: &[f64], places: &[Place]) -> Visitors {
    let mut visitors = Visitors::default();
    for Place { persons, growth, homes } in places {
        let homes = homes.iter().zip(residents).enumerate();
        let home =
            homes.map(|(at, (home, of))| VisitorHome { zip: zip(at), residents: *of, share: home / persons });
        visitors.add(*persons, *growth, home);
    }
    visitors
}

/// Returns whether two figures are equal, except for rounding.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other
}

#[test]
fn one_place_in_an_average_week_has_its_own_visitors() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let residents = residents(&mut random);
        let places = [place(&mut random, 1.0)];
        let persons = visitors(&residents, &places).persons();
        assert!(same(persons, places[0].persons), "seed {seed}: {persons} of {}", places[0].persons);
    }
}

#[test]
fn visitors_of_several_places_are_between_the_largest_number_and_the_sum() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let residents = residents(&mut random);
        let count = random.usize(2..20);
        let growths = [0.1, 1.0, 3.0];
        let mut places: Vec<Place> = (0..count).map(|at| place(&mut random, growths[at % 3])).collect();
        let each: Vec<f64> = places.chunks(1).map(|one| visitors(&residents, one).persons()).collect();
        let together = visitors(&residents, &places).persons();
        let largest = each.iter().copied().fold(0.0, f64::max);
        assert!(together > largest && together < each.iter().sum(), "seed {seed}: {together} of {each:?}");
        random.shuffle(&mut places);
        assert!(same(visitors(&residents, &places).persons(), together), "seed {seed}");
    }
}

#[test]
fn shares_in_zip_codes_are_those_of_residents_who_visit() {
    let mut random = fastrand::Rng::with_seed(1);
    let residents = [1_000.0, 0.0];
    let places = [Place { persons: 400.0, growth: 1.0, homes: vec![100.0, 50.0] }, place(&mut random, 2.0)];
    let one = visitors(&residents, &places[..1]);
    assert!(same(one.share_in(zip(0)), 0.1));
    assert_eq!((one.share_in(zip(1)), one.share_in(zip(2))), (0.0, 0.0));
    let both = visitors(&residents, &places).share_in(zip(0));
    assert!(both > 0.1 && both < 1.0, "{both}");
}

#[test]
fn visitors_of_a_period_are_at_most_its_visits_and_at_most_the_residents() {
    let mut random = fastrand::Rng::with_seed(2);
    for (frequency, weeks) in [1.0, 1.05, 1.5, 5.0, 20.0]
        .into_iter()
        .flat_map(|one| [0.01, 0.5, 2.0, 52.0].map(|weeks| (one, weeks)))
    {
        let residents = [10_000.0];
        let home = f64::from(random.u32(1..9_000));
        let place = Place { persons: home, growth: growth(frequency, weeks), homes: vec![home] };
        let persons = visitors(&residents, &[place]).persons();
        let visits = home * frequency * weeks;
        assert!(
            persons <= visits * (1.0 + 1e-9) && persons < 10_000.0,
            "{frequency} {weeks}: {persons} of {visits}"
        );
    }
}

#[test]
fn growth_is_that_of_visitors_who_are_few_among_the_residents() {
    for frequency in [1.05, 1.3, 2.0, 5.0] {
        let mut before = 0.0;
        for weeks in [0.1, 0.5, 1.0, 4.0, 52.0] {
            let grown = growth(frequency, weeks);
            assert!(
                grown > before && grown <= weeks.max(1.0) && grown >= weeks.min(1.0),
                "{frequency} {weeks}"
            );
            before = grown;
            let expected = negative_binomial_growth(frequency, weeks);
            assert!((grown / expected - 1.0).abs() < 1e-4, "{frequency} {weeks}: {grown}, not {expected}");
        }
        assert!(same(growth(frequency, 1.0), 1.0));
    }
    assert!(same(growth(1.0, 7.5), 7.5));
}

/// Returns the growth for a negative binomial distribution of visits, if only a tiny share of the residents
/// visit the place.
fn negative_binomial_growth(frequency: f64, weeks: f64) -> f64 {
    const SHAPE: f64 = 1e-6;
    let visiting = |mean: f64| -(-SHAPE * (mean / SHAPE).ln_1p()).exp_m1();
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let mean = f64::midpoint(low, high);
        *(if mean / visiting(mean) < frequency { &mut low } else { &mut high }) = mean;
    }
    visiting(low * weeks) / visiting(low)
}

/// The table in docs/explanation/estimates.md under "Visitors to several places".
#[test]
fn example_has_the_documented_figures() {
    let residents = [20_000.0, 30_000.0];
    let place = |persons, a, b| Place { persons, growth: 1.0, homes: vec![a, b] };
    let both = visitors(&residents, &[place(3_000.0, 2_000.0, 500.0), place(5_000.0, 1_000.0, 3_500.0)]);
    let figures = [
        (both.share_in(zip(0)) * residents[0], 2_739.38),
        (both.share_in(zip(1)) * residents[1], 3_846.52),
        (both.persons(), 7_585.89),
    ];
    for (figure, documented) in figures {
        assert!((figure - documented).abs() <= 0.005, "{figure} is documented as {documented}");
    }
}
