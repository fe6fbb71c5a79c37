//! The provenance of a release's figures.

use std::collections::BTreeMap;

use dataset::{Figures, Maturity, Provenance, Source};

use super::entry::SourceEntry;
use super::source_list::SourceList;
use crate::diff::Kind;
use crate::sample;

/// The attribution that GeoNames' license requires if areas are derived from positions.
const AREAS: &str = "areas: Postal code data (c) GeoNames, CC BY 4.0";

/// The note in the inventory's provenance if a model filled in missing members.
const FILLED_IN: &str = "values missing from a source are modelled and marked";

/// Returns the provenance of each group of figures. `is_modelled` is true if a model filled in missing
/// members of displays.
pub(super) fn provenance(list: &SourceList, is_modelled: bool, today: &str) -> BTreeMap<Figures, Provenance> {
    let mut figures = sample::provenance();
    let mut places: Vec<Provenance> = Vec::new();
    if let Some(sample) = figures.remove(&Figures::Places).filter(|_| list.sample.places) {
        places.push(sample);
    }
    places.extend(list.of_kind(Kind::Places).map(|entry| of(entry, today)));
    let displays = list.of_kind(Kind::Displays).map(|entry| of(entry, today)).collect();
    let mut inventory = joined(displays, today);
    if is_modelled {
        inventory.source = format!("{}; {FILLED_IN}", inventory.source);
        inventory.data_maturity = Maturity::SyntheticOnly;
    }
    figures.insert(Figures::Places, attributed(joined(places, today)));
    figures.insert(Figures::Inventory, attributed(inventory));
    let measures: Vec<Provenance> = list.of_kind(Kind::PlaceMeasures).map(|entry| of(entry, today)).collect();
    if !measures.is_empty() {
        figures.insert(Figures::LoadedMeasures, joined(measures, today));
    }
    figures
}

/// Returns the release's sources, starting with the sources of the public sample.
pub(super) fn sources(list: &SourceList, today: &str) -> Vec<Source> {
    let own = list.entries.iter().map(|entry| entry.manifest_source(today));
    sample::sources(list.sample.places).into_iter().chain(own).collect()
}

fn of(entry: &SourceEntry, today: &str) -> Provenance {
    Provenance {
        source: entry.name.to_string(),
        source_doc: String::new(),
        methodology_version: "as loaded".to_owned(),
        data_vintage: entry.vintage(today).to_owned(),
        data_freshness: "on-demand".to_owned(),
        data_latency_days: None,
        data_maturity: Maturity::Production,
        modelled_from: Vec::new(),
        cohort_resolution: None,
        known_gaps: entry.known_gaps.clone(),
    }
}

fn attributed(figures: Provenance) -> Provenance {
    if figures.source.contains(AREAS) {
        return figures;
    }
    Provenance { source: format!("{}; {AREAS}", figures.source), ..figures }
}

/// Combines the provenance of several sources. The result has all of their names and known gaps, the latest
/// vintage, and the lowest maturity. The other members come from the first source. If `all` is empty, the
/// source is `no source`.
fn joined(all: Vec<Provenance>, today: &str) -> Provenance {
    let mut all = all.into_iter();
    let Some(first) = all.next() else {
        return Provenance {
            source: "no source".to_owned(),
            source_doc: String::new(),
            methodology_version: "as loaded".to_owned(),
            data_vintage: today.to_owned(),
            data_freshness: "on-demand".to_owned(),
            data_latency_days: None,
            data_maturity: Maturity::Production,
            modelled_from: Vec::new(),
            cohort_resolution: None,
            known_gaps: Vec::new(),
        };
    };
    all.fold(first, |joined, other| {
        let is_named = joined.source.split("; ").any(|one| one == other.source);
        Provenance {
            source: if is_named { joined.source } else { format!("{}; {}", joined.source, other.source) },
            data_vintage: joined.data_vintage.max(other.data_vintage),
            data_maturity: joined.data_maturity.max(other.data_maturity),
            known_gaps: [joined.known_gaps, other.known_gaps].concat(),
            ..joined
        }
    })
}
