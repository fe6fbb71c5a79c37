//! The provenance of estimates.

use contact_model::MODEL;
use dataset::{Maturity, Provenance};

use crate::Release;
use crate::audience::Audience;

/// Returns the provenance of an estimate. Its maturity is always `synthetic-only`, and its vintage is the
/// oldest input's. `source_doc` is left empty, because the URL depends on the request. `counts` are the
/// figures that are combined with the population, `about` is their provenance, and `inputs` describes them.
pub(crate) fn provenance(
    release: &Release,
    audience: &Audience,
    (counts, about): (&str, &Provenance),
    inputs: &[&str],
) -> Provenance {
    let population = audience.cohort.provenance(&release.population, &release.about_zips);
    Provenance {
        source: format!(
            "estimated with {MODEL} from {counts} ({}) and the ZIP code population ({})",
            about.source, population.source
        ),
        source_doc: String::new(),
        methodology_version: MODEL.to_owned(),
        // Dates in the format `YYYY-MM-DD` can be compared as strings.
        data_vintage: about.data_vintage.clone().min(population.data_vintage),
        data_maturity: Maturity::SyntheticOnly,
        modelled_from: inputs
            .iter()
            .map(|input| (*input).to_owned())
            .chain(population.modelled_from)
            .collect(),
        known_gaps: [&about.known_gaps[..], &population.known_gaps].concat(),
        ..population
    }
}
