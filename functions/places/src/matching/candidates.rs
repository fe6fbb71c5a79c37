//! Finds the places that an input may refer to, using the indexes of place search.

use dataset::{Circle, Place, PlaceIndex, PlaceQuery, PlaceSort, PlaceSortKey, Places, normalize};

use super::address::Address;
use super::input::{Input, KnownNames};
use super::name::Name;
use super::score::{Evidence, TIE_MARGIN};

/// The maximum number of candidates in a response.
const MAX_CANDIDATES: usize = 5;

/// The score below which a place isn't shown as a candidate. A place with a different name at a different
/// address in the same city has a lower score.
const MIN_CANDIDATE_SCORE: f64 = 0.2;

/// The maximum number of results from each search that are compared with the input. In the sample, every ZIP
/// code has fewer than 100 places.
const MAX_COMPARED: usize = 1_000;

/// The radius around a point within which places are candidates, in kilometers.
const RADIUS_KM: f64 = 0.5;

/// A place that an input may refer to.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) place: PlaceIndex,
    pub(super) evidence: Evidence,
    pub(super) score: f64,
}

/// Whether an input has a match and, if it doesn't, the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Matched,
    /// The scores of the two best places differ by less than [`TIE_MARGIN`].
    Ambiguous,
    /// All candidates have a score below the minimum.
    BelowMinScore,
    NoCandidates,
}

/// Returns up to [`MAX_CANDIDATES`] places that an input may refer to, best first.
pub(super) fn candidates(input: &Input, places: &Places, known: &KnownNames) -> Vec<Candidate> {
    let mut found: Vec<PlaceIndex> = queries(input, known)
        .into_iter()
        .flat_map(|query| places.search(&PlaceQuery { take: MAX_COMPARED, ..query }).places)
        .collect();
    found.sort_unstable();
    found.dedup();
    let compared = found.into_iter().filter(|place| is_plausible(input, &places.get(*place))).map(|place| {
        let evidence = input.compare(&places.get(place), known);
        Candidate { place, evidence, score: evidence.score() }
    });
    let mut candidates: Vec<Candidate> = compared.filter(|one| one.score >= MIN_CANDIDATE_SCORE).collect();
    let id = |candidate: &Candidate| places.id(candidate.place);
    candidates.sort_by(|one, other| {
        let distance = |candidate: &Candidate| candidate.evidence.meters.unwrap_or_default();
        other
            .score
            .total_cmp(&one.score)
            .then(distance(one).total_cmp(&distance(other)))
            .then(id(one).cmp(&id(other)))
    });
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

/// Returns whether the first candidate is a match and, if it isn't, the reason.
pub(super) fn outcome(candidates: &[Candidate], min_score: f64) -> Outcome {
    match candidates {
        [] => Outcome::NoCandidates,
        [best, ..] if best.score < min_score => Outcome::BelowMinScore,
        [best, second, ..] if best.score - second.score < TIE_MARGIN => Outcome::Ambiguous,
        _ => Outcome::Matched,
    }
}

/// Returns whether a place is worth comparing with an input. If the input has a house number, the place must
/// have the same number, or its name must contain the first word of the input's name or brand.
fn is_plausible(input: &Input, place: &Place<'_>) -> bool {
    let Some(number) = &input.address.number else { return true };
    let has = |text: &str, word: &str| normalize(text).replace(['\'', '-', ' '], "").contains(word);
    let mut words = [&input.name, &input.brand].into_iter().flatten().filter_map(Name::first_word);
    has(place.street_address, &digits(number))
        || words.any(|word| has(place.name, word) || has(place.brand.unwrap_or_default(), word))
}

/// Returns the searches whose results are compared with an input: all places in the ZIP code, the places
/// around the point, and the places in the city with the house number or the name, or else with the street.
fn queries(input: &Input, known: &KnownNames) -> Vec<PlaceQuery<'static>> {
    let Input { name, brand, address, point } = input;
    let Address { number, street, city, state, zip_code, .. } = address;
    let mut queries = Vec::new();
    queries.extend(zip_code.clone().map(|zip| PlaceQuery { zip_code: Some(zip), ..PlaceQuery::default() }));
    let word = name.as_ref().or(brand.as_ref()).and_then(|name| name.first_word());
    for spelling in city.iter().flat_map(|city| known.spellings(city)) {
        let of_city =
            PlaceQuery { city: Some(spelling.clone()), state: state.clone(), ..PlaceQuery::default() };
        let by_address = |text: &str| PlaceQuery { address: Some(text.to_owned()), ..of_city.clone() };
        queries.extend(number.as_ref().map(|number| by_address(&digits(number))));
        queries.extend(word.map(|word| PlaceQuery { place_name: Some(word.to_owned()), ..of_city.clone() }));
        if number.is_none() && word.is_none() {
            queries.extend(street.longest_word().map(by_address));
        }
    }
    queries.extend(point.map(|center| PlaceQuery {
        circle: Some(Circle { center, km: RADIUS_KM }),
        sort: PlaceSort { key: PlaceSortKey::DistanceFrom(center), descending: false },
        ..PlaceQuery::default()
    }));
    queries
}

/// Returns the first digits of a house number, which occur in an address no matter how the number is written.
fn digits(number: &str) -> String {
    let start = number.find(|letter: char| letter.is_ascii_digit()).unwrap_or_default();
    number[start..].chars().take_while(char::is_ascii_digit).collect()
}
