//! Properties that every estimate has, and the worked example in docs/explanation/estimates.md.

use contact_model::{Contacts, Delivery, HomeZip, Homes, reach};
use dataset::position::{EARTH_KM, UnitVector};
use dataset::{Environment, Position};

/// A display and its total impressions in the campaign.
#[derive(Clone, Copy)]
struct Exposure {
    point: UnitVector,
    environment: Environment,
    impressions: f64,
}

fn point(latitude: f64, longitude: f64) -> UnitVector {
    Position { latitude, longitude }.to_unit_vector()
}

/// Returns 60 ZIP codes near (40, −100), about 4 km apart, with random populations.
fn homes(random: &mut fastrand::Rng) -> Homes {
    let zip = |at: u32| {
        let point = point(40.0 + f64::from(at / 8) * 0.04, -100.0 + f64::from(at % 8) * 0.05);
        let residents = f64::from(random.u32(0..20_000));
        let target = (residents * random.f64()).floor();
        HomeZip { point, residents, target, base: residents }
    };
    Homes::new((0..60).map(zip).collect())
}

fn exposures(random: &mut fastrand::Rng, count: u32) -> Vec<Exposure> {
    let environments =
        [Environment::Roadside, Environment::Street, Environment::Transit, Environment::Indoor];
    let one = |_| Exposure {
        point: point(40.0 + random.f64() * 0.4, -100.0 + random.f64() * 0.4),
        environment: environments[random.usize(0..4)],
        impressions: f64::from(random.u32(1..2_000_000)),
    };
    (0..count).map(one).collect()
}

fn contacts(homes: &Homes, exposures: &[Exposure]) -> Contacts {
    let mut contacts = Contacts::none(homes);
    for Exposure { point, environment, impressions } in exposures {
        contacts.add(&homes.viewers(*point, *environment), *impressions);
    }
    contacts
}

fn delivered(homes: &Homes, exposures: &[Exposure]) -> Option<Delivery> {
    Delivery::of(homes, &contacts(homes, exposures), 0..homes.zips().len())
}

fn delivery(homes: &Homes, exposures: &[Exposure]) -> Delivery {
    delivered(homes, exposures).expect("contacts with the target")
}

#[test]
fn reach_grows_with_each_display_and_stays_below_the_target() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let homes = homes(&mut random);
        let count = random.u32(2..20);
        let exposures = exposures(&mut random, count);
        let mut before = 0.0;
        for count in 1..=exposures.len() {
            let plan = delivery(&homes, &exposures[..count]);
            assert!(plan.reach() >= before, "seed {seed}: {} < {before}", plan.reach());
            let only_reach = reach(&homes, &contacts(&homes, &exposures[..count]), 0..homes.zips().len());
            assert!((only_reach / plan.reach() - 1.0).abs() < 1e-12, "seed {seed}: {only_reach}");
            assert!(
                plan.reach_low <= plan.reach() && plan.reach() <= plan.reach_high,
                "seed {seed}: {plan:?}"
            );
            assert!(plan.reach_high <= plan.persons, "seed {seed}: {plan:?}");
            assert!(plan.frequency() >= 1.0, "seed {seed}: {plan:?}");
            assert!(plan.reach_at_least.is_sorted_by(|more, fewer| more >= fewer), "seed {seed}: {plan:?}");
            before = plan.reach();
        }
    }
}

#[test]
fn impressions_add_up_over_displays_and_order_does_not_matter() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let homes = homes(&mut random);
        let mut exposures = exposures(&mut random, 12);
        let together = delivery(&homes, &exposures);
        let each: f64 = exposures.iter().map(|one| delivery(&homes, &[*one]).impressions).sum();
        assert!((together.impressions / each - 1.0).abs() < 1e-12, "seed {seed}");
        random.shuffle(&mut exposures);
        let shuffled = delivery(&homes, &exposures);
        assert!((shuffled.reach() / together.reach() - 1.0).abs() < 1e-12, "seed {seed}");
    }
}

#[test]
fn local_contacts_of_everyone_are_the_local_impressions() {
    let mut random = fastrand::Rng::with_seed(7);
    let zips =
        homes(&mut random).zips().iter().map(|zip| HomeZip { target: zip.residents, ..*zip }).collect();
    let homes = Homes::new(zips);
    let [exposure] = exposures(&mut random, 1)[..] else { panic!("one exposure") };
    let local = exposure.impressions * (1.0 - contact_model::elsewhere(exposure.environment));
    assert!((delivery(&homes, &[exposure]).impressions / local - 1.0).abs() < 1e-12);
}

#[test]
fn results_without_target_or_contacts_are_absent() {
    let home = HomeZip { point: point(40.0, -100.0), residents: 1000.0, target: 0.0, base: 1000.0 };
    let far = Exposure { point: point(45.0, -90.0), environment: Environment::Street, impressions: 1e6 };
    let near = Exposure { point: home.point, ..far };
    let homes = Homes::new(vec![home]);
    assert_eq!(delivered(&homes, &[near]), None);
    assert_eq!(homes.index(&homes.viewers(near.point, near.environment)), None);
    let homes = Homes::new(vec![HomeZip { target: 500.0, ..home }]);
    assert!(delivered(&homes, &[near]).is_some());
    assert_eq!(Delivery::of(&homes, &contacts(&homes, &[near]), []), None);
    assert_eq!(delivered(&homes, &[far]), None);
    assert_eq!(homes.index(&homes.viewers(far.point, far.environment)), None);
}

/// Checks the tables in docs/explanation/estimates.md under "A worked example".
#[test]
fn worked_example_has_the_documented_figures() {
    let [a, b] = [0.0, 6.0].map(|km: f64| point(40.0 + (km / EARTH_KM).to_degrees(), -100.0));
    let homes = Homes::new(vec![
        HomeZip { point: a, residents: 20_000.0, target: 5_000.0, base: 20_000.0 },
        HomeZip { point: b, residents: 30_000.0, target: 6_000.0, base: 30_000.0 },
    ]);
    let billboard = Exposure { point: a, environment: Environment::Roadside, impressions: 200_000.0 };
    let screen = Exposure { point: b, environment: Environment::Street, impressions: 10_000.0 };
    let plan = delivery(&homes, &[billboard, screen]);
    let index = |display: Exposure| homes.index(&homes.viewers(display.point, display.environment));
    let figures = [
        (plan.persons, 11_000.0, 0.5),
        (plan.impressions, 40_117.62, 0.005),
        (plan.reach(), 7_128.01, 0.005),
        (plan.reach_low, 5_882.0, 0.5),
        (plan.reach_high, 7_876.0, 0.5),
        (plan.reach_at_least[1], 5_438.0, 0.5),
        (plan.frequency(), 5.63, 0.005),
        (plan.trp(), 364.7, 0.05),
        (index(billboard).expect("viewers"), 102.8, 0.05),
        (index(screen).expect("viewers"), 94.7, 0.05),
    ];
    for (figure, documented, rounding) in figures {
        assert!((figure - documented).abs() <= rounding, "{figure} is documented as {documented}");
    }
}
