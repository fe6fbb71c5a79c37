//! Compares the sample release with published figures and with the table in docs/explanation/model.md.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use builder::sample::calibration;
use dataset::{Geographies, Measures, Places, Population};
use harness::{assert_table, grouped, root, sample_release};
use serde::Deserialize;

const DOCUMENT: &str = "docs/explanation/model.md";
const HEADING: &str = "## Comparison with published figures\n";
const WEEKS_OF_A_YEAR: f64 = 52.18;

/// A published figure and the sample's counterpart: a cohort's percentage in an area, or the visits to a
/// place or to an average place of a brand.
#[derive(Deserialize)]
struct Figure {
    group: String,
    subject: String,
    measure: String,
    published: f64,
    source: String,
    /// `original` if the source was read, or `excerpt` if only a search engine's excerpt of it was.
    seen: String,
    area: String,
    cohort: String,
    brand: String,
    place: String,
}

/// The data in the sample release that the figures are computed from.
struct Sample {
    geographies: Geographies,
    population: Population,
    visits_by_place: BTreeMap<String, f64>,
    mean_by_brand: BTreeMap<String, f64>,
}

impl Sample {
    fn open() -> Self {
        let release = sample_release();
        let (places, measures) =
            (Places::open(release).expect("places"), Measures::open(release).expect("measures"));
        let visits = |index| {
            let place = places.get(index);
            (place.name.to_owned(), f64::from(measures.glance(place.id).expect("a record").visits))
        };
        let fits = calibration(&root().join("data"), release).expect("the sample's places");
        Self {
            geographies: Geographies::open(release).expect("geographies"),
            population: Population::open(release).expect("population"),
            visits_by_place: places.indexes().map(visits).collect(),
            mean_by_brand: fits.into_iter().map(|fit| (fit.brand, fit.mean)).collect(),
        }
    }

    fn value(&self, figure: &Figure) -> f64 {
        if !figure.place.is_empty() {
            return self.visits_by_place[&figure.place] * WEEKS_OF_A_YEAR;
        }
        if !figure.brand.is_empty() {
            return self.mean_by_brand[&figure.brand];
        }
        let area = figure.area.parse().expect("an ID");
        let area = self.geographies.find(&area).expect("an area of the sample");
        let mut segments = self.population.segments();
        let cohort = segments.find(|segment| segment.key == figure.cohort).expect("a cohort").index;
        let persons = |segment| f64::from(self.population.persons(segment, area));
        100.0 * persons(cohort) / persons(Population::EVERYONE)
    }
}

fn figures() -> Vec<Figure> {
    let table = fs::File::open(root().join("tests/suite/published/figures.csv")).expect("a table");
    csv::Reader::from_reader(table).deserialize().map(|row| row.expect("a figure")).collect()
}

/// Returns the deviation from the published figure, in percent.
fn deviation(figure: &Figure, value: f64) -> f64 {
    100.0 * (value / figure.published - 1.0)
}

/// Returns the median of the absolute deviations, or the larger of the two middle values.
fn median(compared: &[(&Figure, f64)], groups: &[&str]) -> f64 {
    let of_groups = compared.iter().filter(|(figure, _)| groups.contains(&figure.group.as_str()));
    let mut all: Vec<f64> = of_groups.map(|(figure, value)| deviation(figure, *value).abs()).collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Formats a percentage with one decimal, or a number of visits with thousands separators.
fn number(figure: &Figure, value: f64) -> String {
    if !figure.area.is_empty() {
        return format!("{value:.1}%");
    }
    grouped(value.round() as u64)
}

fn table(compared: &[(&Figure, f64)]) -> String {
    let mut table =
        "| figure | published | sample | deviation | source |\n|---|---|---|---|---|\n".to_owned();
    for (figure, value) in compared {
        let Figure { subject, measure, source, seen, published, .. } = figure;
        let mark = if seen == "original" { "" } else { " *" };
        let (published, sample) = (number(figure, *published), number(figure, *value));
        // Adding 0 turns -0 into 0.
        let deviation = deviation(figure, *value).round() + 0.0;
        writeln!(
            table,
            "| {subject}: {measure} | {published} | {sample} | {deviation:+.0}% | {source}{mark} |"
        )
        .expect("writing to memory");
    }
    table
}

#[test]
fn sample_agrees_with_published_figures() {
    let (sample, figures) = (Sample::open(), figures());
    let compared: Vec<_> = figures.iter().map(|figure| (figure, sample.value(figure))).collect();
    assert!(compared.len() >= 60, "{}", compared.len());
    let shown = table(&compared);
    for (most, groups) in [
        (10.0, &["nation", "state"][..]),
        (15.0, &["zip"]),
        (25.0, &["brand", "airport", "stadium", "subway", "rail"]),
    ] {
        let median = median(&compared, groups);
        assert!(median <= most, "{groups:?}: {median}%\n{shown}");
    }
    assert_table(DOCUMENT, HEADING, &shown);
}
