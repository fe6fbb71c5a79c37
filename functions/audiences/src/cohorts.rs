use std::sync::Arc;

use axum::extract::State;
use dataset::Segment;
use serde::Serialize;
use shared::http::{ApiError, JsonBody, Reply};
use shared::input::wire::{At, Violations, shown};

use crate::Release;

/// The cohorts that a search finds (Specification, Analytics response shapes).
#[derive(Debug, Serialize)]
pub(crate) struct Cohorts {
    cohorts: Vec<Cohort>,
}

#[derive(Debug, Serialize)]
struct Cohort {
    service_segment_id: String,
    cohort_description: String,
    category: String,
}

/// What a cohort's figures are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DataProduct {
    /// How many live in an area.
    PopulationAtHome,
    /// How many are at a place: the cohorts of place reports.
    PopulationAnytime,
}

struct CohortQuery {
    product: DataProduct,
    words: Vec<String>,
}

/// Answers with the cohorts of a data product whose description or category has a word that begins with each word of the search text.
pub(crate) async fn search(State(release): State<Arc<Release>>, body: JsonBody) -> Result<Reply<Cohorts>, ApiError> {
    let query = CohortQuery::read(&body)?;
    let cohorts = release.population.segments().filter(|segment| query.takes(segment)).map(|segment| Cohort {
        service_segment_id: segment.id.to_string(),
        cohort_description: segment.description.to_owned(),
        category: segment.category.to_owned(),
    });
    let cohorts = Cohorts { cohorts: cohorts.collect() };
    Ok(Reply::flat(cohorts).with_provenance(release.about_cohorts.clone()))
}

impl CohortQuery {
    fn read(body: &JsonBody) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let query = At::root(&body.0).object(&mut violations, |members, violations| {
            let product = members.required("service_data_product_name", violations, DataProduct::read);
            let words = members.optional("search_text", violations, |at, violations| {
                let text = at.text(violations)?;
                // Blank finds all.
                let text = if text.trim().is_empty() { "" } else { at.search_text(violations)? };
                Some(text.split_whitespace().map(str::to_lowercase).collect())
            });
            let words = words?.unwrap_or_default();
            Some(Self { product: product?, words })
        });
        violations.or_value(query)
    }

    fn takes(&self, segment: &Segment<'_>) -> bool {
        let of_product = match self.product {
            DataProduct::PopulationAtHome => true,
            DataProduct::PopulationAnytime => segment.anytime,
        };
        let text = format!("{} {}", segment.description, segment.category).to_lowercase();
        of_product && self.words.iter().all(|word| has_word(&text, word))
    }
}

/// Tells whether a word of a text begins with another: women are not found by men.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

impl DataProduct {
    const ALL: [Self; 2] = [Self::PopulationAtHome, Self::PopulationAnytime];

    fn name(self) -> &'static str {
        match self {
            Self::PopulationAtHome => "Population At Home",
            Self::PopulationAnytime => "Population Anytime",
        }
    }

    fn read(at: At<'_>, violations: &mut Violations) -> Option<Self> {
        let text = at.text(violations)?;
        let found = Self::ALL.into_iter().find(|product| product.name().eq_ignore_ascii_case(text.trim()));
        if found.is_none() {
            let names = Self::ALL.map(Self::name).join(" or ");
            at.refuse(violations, format!("must be {names}, is {}", shown(text)));
        }
        found
    }
}
