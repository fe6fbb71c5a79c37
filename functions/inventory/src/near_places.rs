//! The criteria for places near a display: `near_places` and `not_near_places`. See `NearPlaces` in
//! openapi.yaml.

use dataset::{Circle, PlaceQuery};
use deserr::Deserr;
use filters::{PlaceFilter, SearchedPlaces};
use gateway::{Kilometers, Violations, Warnings};

/// The maximum number of places that one criterion can match.
const MAX_PLACES: usize = 5_000;

/// The places to search for, and the maximum distance at which a display is near one of them.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct NearPlaces {
    filter: Option<PlaceFilter>,
    distance: Kilometers,
}

impl NearPlaces {
    /// Returns a circle around each matching place. Returns a violation if there are too many places or if
    /// the filter contains an unknown name. `pointer` is the filter's JSON pointer.
    pub(crate) fn circles(
        self,
        searched: SearchedPlaces<'_>,
        pointer: &str,
        warnings: &mut Warnings,
    ) -> Result<Vec<Circle>, Violations> {
        let criteria = self.filter.unwrap_or_default().into_query(searched, pointer)?;
        let query = PlaceQuery { take: MAX_PLACES, ..criteria };
        let found = searched.places.search(&query);
        if found.total > MAX_PLACES {
            let detail = format!(
                "must match at most {MAX_PLACES} places, but matches {}; add criteria, such as county_name, \
                 brand, or geo_distance",
                found.total
            );
            return Err(Violations::one(pointer, detail));
        }
        searched.warn_of_unknown_brand(&query, pointer, warnings);
        let circle = |place| {
            let place = searched.places.get(place);
            Circle { center: (place.latitude, place.longitude).into(), km: self.distance.get() }
        };
        Ok(found.places.into_iter().map(circle).collect())
    }
}
