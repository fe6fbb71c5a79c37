//! Simulates individual people according to the model's assumptions and compares the results with the
//! model's figures.

use contact_model::{
    AT_LEAST, Contacts, Delivery, HomeZip, Homes, SHAPE, VisitorHome, Visitors, elsewhere, reach_km,
};
use dataset::position::{UnitVector, great_circle_km};
use dataset::{Environment, GeographyIndex, Position};

const PLANS: u64 = 50;
const RESIDENTS: u32 = 200_000;
const ZIPS: u32 = 12;

/// A display and its total impressions in the campaign.
struct Exposure {
    point: UnitVector,
    environment: Environment,
    impressions: f64,
}

/// Totals over a simulated population: contacts, the squares of each person's contacts, and the persons with
/// at least 1, 2, … 10 contacts.
#[derive(Default)]
struct Counted {
    contacts: f64,
    squared: f64,
    at_least: [f64; AT_LEAST],
}

/// Draws from the standard normal distribution, using the Box–Muller method.
fn normal(random: &mut fastrand::Rng) -> f64 {
    let (radius, angle) = ((-2.0 * (1.0 - random.f64()).ln()).sqrt(), std::f64::consts::TAU * random.f64());
    radius * angle.cos()
}

/// Draws from the gamma distribution with mean 1, using the Marsaglia–Tsang method
/// (<https://doi.org/10.1145/358407.358414>).
fn gamma(random: &mut fastrand::Rng, shape: f64) -> f64 {
    let d = shape + 1.0 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - random.f64()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v * (1.0 - random.f64()).powf(1.0 / shape) / shape;
        }
    }
}

/// Draws from the Poisson distribution by counting arrivals with exponentially distributed gaps.
fn poisson(random: &mut fastrand::Rng, mean: f64) -> u32 {
    let (mut passed, mut arrivals) = (-(1.0 - random.f64()).ln(), 0);
    while passed < mean {
        passed -= (1.0 - random.f64()).ln();
        arrivals += 1;
    }
    arrivals
}

/// Draws each target person's contacts with each display from a Poisson distribution. Its mean is scaled by a
/// random factor for each person.
fn simulate(random: &mut fastrand::Rng, homes: &Homes, exposures: &[Exposure]) -> Counted {
    let rates = rates(homes, exposures);
    let mut counted = Counted::default();
    for (zip, rates) in homes.zips().iter().zip(rates) {
        for _ in 0..zip.target as u32 {
            let factor = gamma(random, SHAPE.assumed);
            let contacts: u32 = rates.iter().map(|rate| poisson(random, factor * rate)).sum();
            counted.contacts += f64::from(contacts);
            counted.squared += f64::from(contacts).powi(2);
            counted.at_least.iter_mut().take(contacts as usize).for_each(|persons| *persons += 1.0);
        }
    }
    counted
}

/// Computes each ZIP code's contacts per resident with each display, as the model defines them.
fn rates(homes: &Homes, exposures: &[Exposure]) -> Vec<Vec<f64>> {
    let mut rates = vec![Vec::new(); homes.zips().len()];
    for Exposure { point, environment, impressions } in exposures {
        let near = |zip: &HomeZip| {
            let km = great_circle_km(*point, zip.point);
            if km > 6.0 * reach_km(*environment) { 0.0 } else { (-km / reach_km(*environment)).exp() }
        };
        let sum: f64 = homes.zips().iter().map(|zip| zip.residents * near(zip)).sum();
        for (zip, rates) in homes.zips().iter().zip(&mut rates) {
            rates.push((1.0 - elsewhere(*environment)) * impressions * near(zip) / sum);
        }
    }
    rates
}

fn plan(random: &mut fastrand::Rng) -> (Homes, Vec<Exposure>) {
    let mut point = || {
        let (latitude, longitude) = (40.0 + random.f64() * 0.3, -75.0 + random.f64() * 0.3);
        Position { latitude, longitude }.to_unit_vector()
    };
    let points: Vec<_> = (0..ZIPS).map(|_| point()).collect();
    let displays: Vec<_> = (0..3).map(|_| point()).collect();
    let residents = f64::from(RESIDENTS / ZIPS);
    let zips = points.into_iter().map(|point| {
        let target = (residents * (0.2 + 0.8 * random.f64())).floor();
        HomeZip { point, residents, target, base: residents }
    });
    let homes = Homes::new(zips.collect());
    let environments = [Environment::Street, Environment::Roadside, Environment::Indoor];
    let exposures = displays.into_iter().zip(environments).map(|(point, environment)| Exposure {
        point,
        environment,
        impressions: f64::from(RESIDENTS) * (0.05 + 2.0 * random.f64()),
    });
    let exposures = exposures.collect();
    (homes, exposures)
}

#[test]
fn individuals_agree_with_the_model_within_four_standard_errors() {
    for seed in 0..PLANS {
        let mut random = fastrand::Rng::with_seed(seed);
        let (homes, exposures) = plan(&mut random);
        let mut contacts = Contacts::none(&homes);
        for Exposure { point, environment, impressions } in &exposures {
            contacts.add(&homes.viewers(*point, *environment), *impressions);
        }
        let model = Delivery::of(&homes, &contacts, 0..homes.zips().len()).expect("contacts with the target");
        let counted = simulate(&mut random, &homes, &exposures);
        // These standard errors include the variance between ZIP codes, so they exceed the true ones.
        let mean = counted.contacts / model.persons;
        let error = (model.persons * (counted.squared / model.persons - mean * mean)).sqrt();
        let off = (counted.contacts - model.impressions).abs() / error;
        assert!(off < 4.0, "seed {seed}: {} contacts, {off} standard errors off", counted.contacts);
        for (contacts, (persons, expected)) in (1..).zip(counted.at_least.iter().zip(model.reach_at_least)) {
            let error = (expected * (1.0 - expected / model.persons)).sqrt();
            let off = (persons - expected).abs() / error;
            assert!(off < 4.0, "seed {seed}: {persons} persons with {contacts} contacts, {off} off");
        }
    }
}

#[test]
fn different_visitors_agree_with_the_model_within_four_standard_errors() {
    let (zip, residents) = (GeographyIndex::from_raw(1), f64::from(RESIDENTS));
    for seed in 0..PLANS {
        let mut random = fastrand::Rng::with_seed(seed);
        let shares: Vec<f64> = (0..random.u32(2..6)).map(|_| 0.3 * random.f64().powi(2)).collect();
        let mut visitors = Visitors::default();
        for share in &shares {
            visitors.add(share * residents, 1.0, [VisitorHome { zip, residents, share: 1.0 }]);
        }
        // The average number of visits per resident to each place, derived from the share of residents who
        // visit it.
        let rates: Vec<f64> = shares
            .iter()
            .map(|share| SHAPE.assumed * ((1.0 - share).powf(-1.0 / SHAPE.assumed) - 1.0))
            .collect();
        let visits = |random: &mut fastrand::Rng| {
            let factor = gamma(random, SHAPE.assumed);
            rates.iter().map(|rate| poisson(random, factor * rate)).sum::<u32>()
        };
        let counted: u32 = (0..RESIDENTS).map(|_| u32::from(visits(&mut random) > 0)).sum();
        let expected = visitors.persons();
        let error = (expected * (1.0 - expected / residents)).sqrt();
        let off = (f64::from(counted) - expected).abs() / error;
        assert!(off < 4.0, "seed {seed}: {counted} persons, {off} standard errors off");
    }
}
