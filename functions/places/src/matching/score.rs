//! The score of a candidate: how well a place agrees with an input.
//!
//! The score is the weighted share of the input's parts that agree with the place. A contradiction or doubt
//! then reduces the score by a factor. For example, a place with a different house number never reaches the
//! default minimum, no matter how well the rest agrees, because a wrong match is worse than a missing one.

use serde::Serialize;

/// The default minimum score of a match. All factors below are lower, so a place that any of them applies to
/// isn't a match by default.
pub(crate) const DEFAULT_MIN_SCORE: f64 = 0.8;

/// If the scores of the two best places differ by less than this, neither is a match. A suite or ZIP code
/// that agrees only partly makes a larger difference.
pub(super) const TIE_MARGIN: f64 = 0.01;

/// The maximum distance from a point, in meters, at which a place with the right name counts as being at the
/// point. Geocoders put an address on its parcel or on the street in front of it.
const AT_THE_POINT: f64 = 75.0;

/// The maximum distance at which a place agrees with a point, in meters. Large shopping centers are this
/// wide.
const NEAR: f64 = 250.0;

/// The maximum distance at which a place doesn't contradict a point, in meters. In many lists, the point is
/// the center of the ZIP code instead of the address.
const SAME_AREA: f64 = 10_000.0;

/// The share of a part's weight that counts if the part agrees only partly.
const PARTLY: f64 = 0.6;

/// The factor for a doubtful candidate. A candidate is doubtful if the input doesn't identify one place, if
/// no city, ZIP code, or point confirms the place's area, or if a part agrees only partly and no agreeing
/// name resolves the doubt.
const DOUBTFUL: f64 = 0.75;

/// The factor for a candidate with a different house number, street, or suite.
const OTHER_ADDRESS: f64 = 0.5;

/// The factor for a candidate with a different name, which is often a neighboring store.
const OTHER_NAME: f64 = 0.4;

/// The factor for a candidate in a different city or state, or far from the point.
const OTHER_AREA: f64 = 0.3;

/// A part of an input that is compared with the corresponding part of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MatchPart {
    Name,
    Brand,
    Number,
    Street,
    Unit,
    City,
    State,
    ZipCode,
    Distance,
}

/// How a part of an input compares with a place. Greater values mean better agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Agreement {
    Contradicts,
    Partly,
    Agrees,
}

/// The result of comparing an input with a place. A part is `None` if the input doesn't have it, or if the
/// place can't contradict it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evidence {
    pub(super) name: Option<Agreement>,
    pub(super) brand: Option<Agreement>,
    /// The share of the words in the input's name that occur in the place's name, brand, or city. It's only
    /// used to rank places of the same chain at the same address.
    pub(super) name_coverage: f64,
    pub(super) number: Option<Agreement>,
    pub(super) street: Option<Agreement>,
    pub(super) unit: Option<Agreement>,
    pub(super) city: Option<Agreement>,
    pub(super) state: Option<Agreement>,
    pub(super) zip_code: Option<Agreement>,
    /// The distance from the input's point, in meters.
    pub(super) meters: Option<f64>,
    /// Whether the input has a street, and neither the input nor the place has a house number.
    pub(super) is_without_number: bool,
}

impl Evidence {
    /// Returns the score, from 0 to 1, rounded to three decimal places.
    pub(super) fn score(&self) -> f64 {
        let (mut given, mut agreed) = (0.0, 0.0);
        for (part, agreement) in self.parts() {
            given += weight(part);
            agreed += weight(part)
                * match agreement {
                    Agreement::Agrees => 1.0,
                    Agreement::Partly => PARTLY,
                    Agreement::Contradicts => 0.0,
                };
        }
        let share = if given > 0.0 { agreed / given } else { 0.0 };
        // Words that are missing from the place's name reduce the score by at most 3%, so they only rank
        // places that otherwise agree equally.
        let ranked = if self.name.is_some() { share * (0.97 + 0.03 * self.name_coverage) } else { share };
        (ranked * self.certainty() * 1000.0).round() / 1000.0
    }

    /// Returns the parts that the input has, in the same order as in the response.
    pub(super) fn parts(&self) -> impl Iterator<Item = (MatchPart, Agreement)> {
        let parts = [
            (MatchPart::Name, self.name),
            (MatchPart::Brand, self.brand),
            (MatchPart::Number, self.number),
            (MatchPart::Street, self.street),
            (MatchPart::Unit, self.unit),
            (MatchPart::City, self.city),
            (MatchPart::State, self.state),
            (MatchPart::ZipCode, self.zip_code),
            (MatchPart::Distance, self.meters.map(distance)),
        ];
        parts.into_iter().filter_map(|(part, agreement)| Some((part, agreement?)))
    }

    /// Returns the factor by which contradictions and doubts reduce the score. If several apply, the lowest
    /// one is used.
    fn certainty(&self) -> f64 {
        use Agreement::{Agrees, Contradicts, Partly};
        let is_named = self.name.is_some() || self.brand.is_some();
        let name_agrees = is_named && [self.name, self.brand].iter().flatten().all(|part| *part == Agrees);
        let is_located = [self.zip_code, self.city].contains(&Some(Agrees))
            || self.meters.is_some_and(|meters| meters <= NEAR);
        let is_elsewhere = self.state == Some(Contradicts)
            || self.meters.is_some_and(|meters| meters > SAME_AREA)
            || (!is_located && [self.city, self.zip_code].contains(&Some(Contradicts)));
        let address = [self.number, self.street, self.unit.filter(|_| !name_agrees)];
        let contradicts = |parts: &[Option<Agreement>]| parts.contains(&Some(Contradicts));
        let is_partial = address.contains(&Some(Partly))
            || [self.zip_code, self.city].iter().flatten().any(|part| *part < Agrees);
        let factors = [
            (is_elsewhere, OTHER_AREA),
            (contradicts(&[self.name, self.brand]), OTHER_NAME),
            (contradicts(&address), OTHER_ADDRESS),
            (!is_located, DOUBTFUL),
            (!self.is_identified(name_agrees), DOUBTFUL),
            (is_named && !name_agrees, DOUBTFUL),
            (is_partial && !name_agrees, DOUBTFUL),
            // The ZIP code differs and there is no point, so the address may be in a different town.
            (self.zip_code == Some(Contradicts) && self.meters.is_none(), DOUBTFUL),
        ];
        factors.into_iter().filter(|(applies, _)| *applies).map(|(_, factor)| factor).fold(1.0, f64::min)
    }

    /// Returns whether the input identifies one place: by an address or by an agreeing name at a point.
    fn is_identified(&self, name_agrees: bool) -> bool {
        let has_number = self.number.is_some() || (self.is_without_number && name_agrees);
        let is_at_address = self.street.is_some() && has_number;
        let is_at_point = self.meters.is_some_and(|meters| meters <= AT_THE_POINT);
        is_at_address || (name_agrees && is_at_point)
    }
}

/// Returns the weight of a part. The house number and the street weigh the most, because they distinguish a
/// chain's branches in a city. The suite and the state weigh the least, because sources often omit the suite,
/// and the ZIP code or city implies the state.
fn weight(part: MatchPart) -> f64 {
    match part {
        MatchPart::Number | MatchPart::Street => 0.25,
        MatchPart::Name | MatchPart::Brand => 0.2,
        MatchPart::ZipCode => 0.15,
        MatchPart::Distance | MatchPart::City => 0.1,
        MatchPart::Unit | MatchPart::State => 0.05,
    }
}

/// Rates a distance from the input's point, in meters.
fn distance(meters: f64) -> Agreement {
    match meters {
        _ if meters <= NEAR => Agreement::Agrees,
        _ if meters <= SAME_AREA => Agreement::Partly,
        _ => Agreement::Contradicts,
    }
}
