//! Finds composed cohorts for words that no single cohort has, such as `hispanic adults 25-54 100K+`.

use dataset::cohorts::CellKind;
use dataset::{ComposedCohort, Population, SegmentIndex};

/// The maximum number of composed cohorts in a response.
const MAX_COMPOSED: usize = 20;

/// A set of words, with one bit per word.
type WordSet = u128;

/// A cohort that matches some of the words.
#[derive(Clone, Copy)]
struct Match {
    segment: SegmentIndex,
    words: WordSet,
    /// Whether the description begins with one of the words.
    leads: bool,
    /// The number of words in the description.
    length: usize,
}

/// Returns the cohorts that cross several kinds of cells and match all `words`, those first whose
/// parts begin with a word, then those with the shortest descriptions. Every part of such a cohort matches a word that no other part matches.
pub(crate) fn find(
    population: &Population,
    words: &[String],
    is_match: impl Fn(SegmentIndex, &str) -> bool,
) -> Vec<ComposedCohort> {
    let Ok(bits) = u32::try_from(words.len()) else { return Vec::new() };
    let Some(all) = (1 as WordSet).checked_shl(bits).map(|bit| bit - 1) else { return Vec::new() };
    let of_kind = |kind| matches(population, kind, words, &is_match);
    let [ages, ethnicities, incomes] = CellKind::ALL.map(of_kind);
    let mut found: Vec<(usize, usize, Vec<SegmentIndex>)> = Vec::new();
    for age in &ages {
        for ethnicity in &ethnicities {
            for income in &incomes {
                let parts: Vec<Match> = [*age, *ethnicity, *income].into_iter().flatten().collect();
                if parts.len() > 1 && covers(&parts, all) {
                    let others = parts.iter().filter(|part| !part.leads).count();
                    let length = parts.iter().map(|part| part.length).sum();
                    found.push((others, length, parts.iter().map(|part| part.segment).collect()));
                }
            }
        }
    }
    found.sort();
    found.truncate(MAX_COMPOSED);
    found.into_iter().filter_map(|(_, _, segments)| ComposedCohort::of(population, segments).ok()).collect()
}

/// Returns the cohorts of a kind that match a word, and `None` for the choice of no cohort.
fn matches(
    population: &Population,
    kind: CellKind,
    words: &[String],
    is_match: impl Fn(SegmentIndex, &str) -> bool,
) -> Vec<Option<Match>> {
    let of_kind = population.segments().filter(|segment| population.cell_kind(segment.index) == Some(kind));
    let matching = of_kind.filter_map(|segment| {
        let has = |(at, word): (usize, &String)| WordSet::from(is_match(segment.index, word)) << at;
        let description = segment.description.to_lowercase();
        let leads = words.iter().any(|word| description.starts_with(word));
        let words = words.iter().enumerate().map(has).fold(0, |all, word| all | word);
        let length = description.split_whitespace().count();
        (words != 0).then_some(Some(Match { segment: segment.index, words, leads, length }))
    });
    matching.chain([None]).collect()
}

/// Returns whether the parts match all words, and each part matches a word that the others don't.
fn covers(parts: &[Match], all: WordSet) -> bool {
    let union = |but: Option<SegmentIndex>| {
        let others = parts.iter().filter(|part| Some(part.segment) != but);
        others.fold(0, |words, part| words | part.words)
    };
    union(None) == all && parts.iter().all(|part| union(Some(part.segment)) != all)
}
