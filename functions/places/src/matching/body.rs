//! The body of a place match request. See `PlaceMatchRequest` in openapi.yaml.

use deserr::{Deserr, ValuePointerRef};
use gateway::{GeoPoint, Identifier, InvalidValue, Items, SearchText, Violations};

use super::score::DEFAULT_MIN_SCORE;

/// The maximum number of inputs in a request. Clients split a longer list into several calls.
const MAX_INPUTS: usize = 100;

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(super) struct MatchBody {
    pub(super) inputs: Items<MatchInput, 1, MAX_INPUTS>,
    min_score: Option<MinScore>,
}

/// A place as the caller describes it.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields, validate = MatchInput::located -> InvalidValue)]
pub(super) struct MatchInput {
    pub(super) input_id: Option<Identifier>,
    pub(super) name: Option<SearchText>,
    pub(super) brand: Option<SearchText>,
    pub(super) address: Option<SearchText>,
    pub(super) city: Option<SearchText>,
    pub(super) state: Option<SearchText>,
    pub(super) zip_code: Option<SearchText>,
    pub(super) location: Option<GeoPoint>,
}

/// A score from 0 to 1.
#[derive(Clone, Copy, Deserr)]
#[deserr(error = Violations, try_from(f64) = MinScore::new -> InvalidValue)]
struct MinScore(f64);

impl MatchBody {
    pub(super) fn min_score(&self) -> f64 {
        self.min_score.map_or(DEFAULT_MIN_SCORE, |MinScore(score)| score)
    }
}

impl MatchInput {
    /// Rejects an input that doesn't locate the place. A name or a state isn't enough, because it matches too
    /// many places.
    fn located(self, _location: ValuePointerRef<'_>) -> Result<Self, InvalidValue> {
        let Self { address, city, zip_code, location, .. } = &self;
        if address.is_none() && city.is_none() && zip_code.is_none() && location.is_none() {
            let detail = "must have an address, a city, a zip_code, or a location";
            return Err(InvalidValue(detail.to_owned()));
        }
        Ok(self)
    }
}

impl MinScore {
    fn new(score: f64) -> Result<Self, InvalidValue> {
        if (0.0..=1.0).contains(&score) {
            return Ok(Self(score));
        }
        Err(InvalidValue(format!("must be from 0 to 1, got {score}")))
    }
}
