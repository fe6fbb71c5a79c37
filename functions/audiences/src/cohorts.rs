//! `POST /v2/cohorts/search`: cohort search.

use std::sync::Arc;

use axum::extract::State;
use dataset::{CohortShares, ComposedCohort, Population, Segment, SegmentIndex, provenance_of_cohorts};
use deserr::Deserr;
use gateway::{ApiError, InvalidValue, JsonBody, Reply, SearchText, Violations};
use serde::Serialize;
use strum::{EnumString, VariantNames};

use crate::{Release, composed_search};

/// The results of a cohort search. See `CohortSearchReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Cohorts {
    cohorts: Vec<Cohort>,
}

#[derive(Debug, Serialize)]
struct Cohort {
    service_segment_id: String,
    cohort_description: String,
    category: String,
    shares: CohortShares,
}

/// The request body. See `CohortSearchRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct SearchBody {
    service_data_product_name: DataProduct,
    search_text: Option<Words>,
}

/// A data product. Each data product contains figures for some of the cohorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserr, EnumString, VariantNames)]
#[deserr(error = Violations, try_from(&String) = DataProduct::new -> InvalidValue)]
#[strum(serialize_all = "title_case", ascii_case_insensitive)]
enum DataProduct {
    /// Figures about the residents of an area.
    PopulationAtHome,
    /// Figures about a place's visitors, as in place reports.
    PopulationAnytime,
}

/// The words in the search string, in lowercase. A blank string contains no words and matches every cohort.
#[derive(Default, Deserr)]
#[deserr(error = Violations, try_from(&String) = Words::new -> InvalidValue)]
struct Words(Vec<String>);

/// Responds with the data product's cohorts that match every word of the search string. A word matches if any
/// word of the cohort's description or category begins with it. Cohorts whose descriptions begin with a
/// search word come first. If the product is [`DataProduct::PopulationAtHome`] and none of its cohorts
/// matches, responds with composed cohorts that match.
pub(crate) async fn search(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<Cohorts>, ApiError> {
    let SearchBody { service_data_product_name: product, search_text } = body.read()?;
    let words = search_text.unwrap_or_default();
    let segments = release.population.segments();
    let mut found: Vec<_> =
        segments.filter(|segment| product.has(segment) && words.are_in(segment)).collect();
    found.sort_by_key(|segment| !composed_search::leads(segment, &words.0));
    let composed = match (found.is_empty(), product) {
        (true, DataProduct::PopulationAtHome) => words.composed(&release.population),
        (true, DataProduct::PopulationAnytime) | (false, _) => Vec::new(),
    };
    let about = match composed.first() {
        Some(best) => best.provenance(&release.population, &release.about_counties),
        None => provenance_of_cohorts(&release.about_counties, found.iter().copied()),
    };
    let composed = composed.iter().map(|cohort| Cohort::composed(&release.population, cohort));
    let cohorts: Vec<Cohort> = found.iter().map(Cohort::of).chain(composed).collect();
    Ok(Reply::flat(Cohorts { cohorts }).with_provenance(about))
}

impl Cohort {
    fn of(segment: &Segment<'_>) -> Self {
        Self {
            service_segment_id: segment.id.to_string(),
            cohort_description: segment.description.to_owned(),
            category: segment.category.to_owned(),
            shares: segment.shares.into(),
        }
    }

    fn composed(population: &Population, cohort: &ComposedCohort) -> Self {
        let categories: Vec<&str> = cohort.segments(population).map(|segment| segment.category).collect();
        Self {
            service_segment_id: cohort.id(population),
            cohort_description: cohort.description(population),
            category: categories.join(" + "),
            shares: cohort.shares(population),
        }
    }
}

impl Words {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let text = SearchText::new(text)?.into_string();
        Ok(Self(text.split_whitespace().map(str::to_lowercase).collect()))
    }

    fn are_in(&self, segment: &Segment<'_>) -> bool {
        let text = text_of(segment);
        self.0.iter().all(|word| has_word(&text, word))
    }

    /// Returns the composed cohorts that match all words.
    fn composed(&self, population: &Population) -> Vec<ComposedCohort> {
        let texts: Vec<String> = population.segments().map(|segment| text_of(&segment)).collect();
        let is_match = |segment: SegmentIndex, word: &str| has_word(&texts[usize::from(segment.raw())], word);
        composed_search::find(population, &self.0, is_match)
    }
}

fn text_of(segment: &Segment<'_>) -> String {
    format!("{} {}", segment.description, segment.category).to_lowercase()
}

/// Returns whether any word in the text begins with `word`. For example, "men" doesn't match "women".
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

impl DataProduct {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        text.trim().parse().map_err(|_| InvalidValue::no_variant::<Self>(text))
    }

    /// Returns whether the data product contains figures for a cohort.
    fn has(self, segment: &Segment<'_>) -> bool {
        match self {
            Self::PopulationAtHome => true,
            Self::PopulationAnytime => segment.anytime,
        }
    }
}
