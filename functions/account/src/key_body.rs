//! The body of `POST /v2/account/keys`, which describes a new API key.

use accounting::{Scope, Scopes, Timestamp};
use deserr::Deserr;
use gateway::{Bounded, InvalidValue, Items, Named, Parsed, Violations};
use store::{KeyLabel, MAX_KEY_DAYS, NewKey};

use crate::distinct::distinct;

/// The body of a request to create an API key. See `ApiKeyRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct KeyBody {
    label: Parsed<KeyLabel>,
    scopes: DistinctScopes,
    expires_in_days: Option<Bounded<1, MAX_KEY_DAYS>>,
}

/// A list of scopes with at least one item and without duplicates.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(Items<Named<Scope>, 1>) = DistinctScopes::new -> InvalidValue)]
struct DistinctScopes(Scopes);

impl KeyBody {
    pub(crate) fn into_key(self, now: Timestamp) -> NewKey {
        let Self { label: Parsed(label), scopes: DistinctScopes(scopes), expires_in_days } = self;
        NewKey { label, scopes, expires_at: expires_in_days.map(|days| now.plus_days(days.get() as i64)) }
    }
}

impl DistinctScopes {
    fn new(named: Items<Named<Scope>, 1>) -> Result<Self, InvalidValue> {
        Ok(Self(distinct(named, "scope")?.into_iter().collect()))
    }
}
