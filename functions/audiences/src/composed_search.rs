//! Finds composed cohorts for search words that no single cohort matches, such as
//! `hispanic adults 25-54 100K+`.

use std::collections::BTreeSet;

use dataset::{ComposedCohort, MAX_COMPONENTS, Population, Segment, SegmentIndex};

/// The maximum number of composed cohorts in a response.
const MAX_COMPOSED: usize = 20;

/// The maximum number of combinations to compare.
const MAX_COMBINATIONS: usize = 20_000;

/// A set of words, with one bit per word.
type WordSet = u128;

/// A cohort that matches some of the words.
struct Match {
    segment: SegmentIndex,
    words: WordSet,
    /// Whether the description begins with one of the words.
    leads: bool,
    /// The number of words in the description.
    length: usize,
}

/// The state of a search: the cohorts that match some of the words, and the combinations found so far that
/// match all of them.
struct Combinations {
    all: WordSet,
    matches: Vec<Match>,
    found: BTreeSet<Vec<usize>>,
}

/// Returns up to [`MAX_COMPOSED`] composed cohorts that match all `words` with as few components as possible.
/// Cohorts in which more components begin with a search word come first, and then those with shorter
/// descriptions.
pub(crate) fn find(
    population: &Population,
    words: &[String],
    is_match: impl Fn(SegmentIndex, &str) -> bool,
) -> Vec<ComposedCohort> {
    let Ok(bits) = u32::try_from(words.len()) else { return Vec::new() };
    let Some(all) = (1 as WordSet).checked_shl(bits).map(|bit| bit - 1) else { return Vec::new() };
    let matches = matches(population, words, is_match);
    let mut combinations = Combinations { all, matches, found: BTreeSet::new() };
    combinations.extend(&mut Vec::new(), 0);
    let Combinations { matches, found, .. } = combinations;
    let mut found: Vec<(usize, usize, usize, ComposedCohort)> = found
        .into_iter()
        .filter_map(|chosen| {
            let own = || chosen.iter().map(|at| &matches[*at]);
            let others = own().filter(|one| !one.leads).count();
            let length = own().map(|one| one.length).sum();
            let segments = own().map(|one| one.segment).collect();
            Some((chosen.len(), others, length, ComposedCohort::of(population, segments).ok()?))
        })
        .collect();
    // The sort is stable, so cohorts that rank equally stay in catalog order.
    found.sort_by_key(|(components, others, length, _)| (*components, *others, *length));
    let fewest = found.first().map(|(components, ..)| *components);
    found.retain(|(components, ..)| Some(*components) == fewest);
    found.into_iter().map(|(.., cohort)| cohort).take(MAX_COMPOSED).collect()
}

/// Returns whether a cohort's description begins with one of the words, which must be in lowercase.
pub(crate) fn leads(segment: &Segment<'_>, words: &[String]) -> bool {
    let description = segment.description.to_lowercase();
    words.iter().any(|word| description.starts_with(word))
}

fn matches(
    population: &Population,
    words: &[String],
    is_match: impl Fn(SegmentIndex, &str) -> bool,
) -> Vec<Match> {
    let segments = population.segments().filter(|segment| segment.index != Population::EVERYONE);
    let matching = segments.filter_map(|segment| {
        let has = |(at, word): (usize, &String)| WordSet::from(is_match(segment.index, word)) << at;
        let leads = leads(&segment, words);
        let words = words.iter().enumerate().map(has).fold(0, |all, word| all | word);
        let length = segment.description.split_whitespace().count();
        (words != 0).then_some(Match { segment: segment.index, words, leads, length })
    });
    matching.collect()
}

impl Combinations {
    /// Adds the combinations that begin with `chosen`. `covered` is the set of words that the chosen cohorts
    /// match.
    fn extend(&mut self, chosen: &mut Vec<usize>, covered: WordSet) {
        if covered == self.all {
            let mut sorted = chosen.clone();
            sorted.sort_unstable();
            self.found.insert(sorted);
            return;
        }
        let next = 1 << (self.all & !covered).trailing_zeros();
        for at in 0..self.matches.len() {
            let is_full = chosen.len() == MAX_COMPONENTS || self.found.len() == MAX_COMBINATIONS;
            if !is_full && self.matches[at].words & next != 0 {
                chosen.push(at);
                self.extend(chosen, covered | self.matches[at].words);
                chosen.pop();
            }
        }
    }
}
