//! `POST /v2/places/match`: finds the places that a list of addresses or points refers to.

mod address;
mod body;
mod candidates;
mod input;
mod name;
mod score;
mod street;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use axum::extract::State;
use dataset::{Place, PlaceIndex, Places};
use gateway::{ApiError, Identifier, JsonBody, Reply};
use serde::Serialize;

use crate::Release;
use crate::search::Location;
use body::{MatchBody, MatchInput};
use candidates::{Candidate, Outcome, candidates, outcome};
use input::Input;
use score::Agreement::{Agrees, Contradicts, Partly};
use score::{Agreement, MatchPart};

pub(crate) use input::KnownNames;

/// The results for all inputs, in request order. See `PlaceMatchReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Matched {
    results: Vec<MatchResult>,
    /// The number of inputs with a match.
    matched: usize,
    min_score: f64,
}

/// The result for one input.
#[derive(Debug, Serialize)]
struct MatchResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    input_id: Option<Identifier>,
    /// The ID of the matching place. `None` unless the outcome is `Matched`.
    r#match: Option<String>,
    outcome: Outcome,
    candidates: Vec<MatchCandidate>,
}

/// A place that an input may refer to, with the parts of the input that agree and differ.
#[derive(Debug, Serialize)]
struct MatchCandidate {
    place_id: String,
    place_name: String,
    brand: Option<String>,
    street_address: String,
    city: String,
    state: String,
    zip_code: String,
    location: Location,
    score: f64,
    /// The distance from the input's point, in meters.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    matched: Vec<MatchPart>,
    partly_matched: Vec<MatchPart>,
    contradicted: Vec<MatchPart>,
}

/// Responds with the candidates for each input, and with the match if there is one.
pub(crate) async fn match_places(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<Matched>, ApiError> {
    let body: MatchBody = body.read()?;
    let min_score = body.min_score();
    let mut shown: Vec<PlaceIndex> = Vec::new();
    let mut results = Vec::new();
    for input in body.inputs {
        let found =
            candidates(&Input::new(&input, release.known_names()), &release.places, release.known_names());
        shown.extend(found.iter().map(|candidate| candidate.place));
        results.push(MatchResult::new(input, &found, &release.places, min_score));
    }
    let matched = results.iter().filter(|result| result.r#match.is_some()).count();
    let (about, sources) = (release.about_places.clone(), release.places.sources_of(&shown));
    Ok(Reply::new(Matched { results, matched, min_score }).with_provenance(about).with_sources(sources))
}

impl MatchResult {
    fn new(input: MatchInput, found: &[Candidate], places: &Places, min_score: f64) -> Self {
        let outcome = outcome(found, min_score);
        let candidates: Vec<_> =
            found.iter().map(|one| MatchCandidate::new(one, places.get(one.place))).collect();
        let best = candidates.first().map(|best| best.place_id.clone());
        Self {
            input_id: input.input_id,
            r#match: best.filter(|_| outcome == Outcome::Matched),
            outcome,
            candidates,
        }
    }
}

impl MatchCandidate {
    fn new(candidate: &Candidate, place: Place<'_>) -> Self {
        let Candidate { evidence, score, .. } = candidate;
        let parts = |agreement: Agreement| {
            let parts = evidence.parts().filter(|(_, one)| *one == agreement);
            parts.map(|(part, _)| part).collect()
        };
        Self {
            place_id: place.id.to_string(),
            place_name: place.name.to_owned(),
            brand: place.brand.map(str::to_owned),
            street_address: place.street_address.to_owned(),
            city: place.city.to_owned(),
            state: place.state.to_owned(),
            zip_code: place.zip_code.to_owned(),
            location: Location { lat: place.latitude, lon: place.longitude },
            score: *score,
            distance: evidence.meters,
            matched: parts(Agrees),
            partly_matched: parts(Partly),
            contradicted: parts(Contradicts),
        }
    }
}
