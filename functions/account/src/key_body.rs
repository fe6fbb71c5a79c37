//! The body of `POST /v2/account/keys`, which describes a new API key.

use std::str::FromStr;

use accounting::{Scope, Scopes, Timestamp};
use deserr::Deserr;
use gateway::{Bounded, InvalidValue, Items, Violations, one_of};
use store::{KeyLabel, MAX_KEY_DAYS, NewKey};
use strum::{EnumCount, IntoEnumIterator};

/// The request body. See `ApiKeyRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct KeyBody {
    label: Label,
    scopes: DistinctScopes,
    expires_in_days: Option<Bounded<1, MAX_KEY_DAYS>>,
}

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = Label::new -> InvalidValue)]
struct Label(KeyLabel);

/// A list of at least one scope, without duplicates.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(Items<ScopeName, 1, { Scope::COUNT }>) = DistinctScopes::new -> InvalidValue)]
struct DistinctScopes(Scopes);

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = ScopeName::new -> InvalidValue)]
struct ScopeName(Scope);

impl KeyBody {
    pub(crate) fn into_key(self, now: Timestamp) -> NewKey {
        let Self { label: Label(label), scopes: DistinctScopes(scopes), expires_in_days } = self;
        NewKey { label, scopes, expires_at: expires_in_days.map(|days| now.plus_days(days.get() as i64)) }
    }
}

impl Label {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        KeyLabel::from_str(text).map(Self).map_err(|invalid| InvalidValue(invalid.to_string()))
    }
}

impl DistinctScopes {
    fn new(named: Items<ScopeName, 1, { Scope::COUNT }>) -> Result<Self, InvalidValue> {
        let mut scopes = Scopes::default();
        for ScopeName(scope) in named {
            if !scopes.insert(scope) {
                return Err(InvalidValue(format!(
                    "must name each scope only once, but \"{scope}\" is repeated"
                )));
            }
        }
        Ok(Self(scopes))
    }
}

impl ScopeName {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        let names: Vec<_> = Scope::iter().map(Scope::as_str).collect();
        text.parse().map(Self).map_err(|_| InvalidValue(one_of(&names, text)))
    }
}
