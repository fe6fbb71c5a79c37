//! The parameters of OAuth requests, from a query or a form.

use std::collections::{BTreeMap, BTreeSet};

/// Parameters by name. One without a value counts as left out, and none may come twice
/// ([RFC 6749, 3.1](https://www.rfc-editor.org/rfc/rfc6749#section-3.1)).
pub(super) struct Parameters {
    values: BTreeMap<String, String>,
    repeated: BTreeSet<String>,
}

/// A parameter that came more than once.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} must come once")]
pub(super) struct Repeated(String);

impl Parameters {
    /// Reads `application/x-www-form-urlencoded`.
    pub(super) fn read(encoded: &[u8]) -> Self {
        let mut read = Self { values: BTreeMap::new(), repeated: BTreeSet::new() };
        for (name, value) in form_urlencoded::parse(encoded).filter(|(_, value)| !value.is_empty()) {
            if read.values.insert(name.to_string(), value.into_owned()).is_some() {
                read.repeated.insert(name.into_owned());
            }
        }
        read
    }

    /// Returns the value of a parameter that came once.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).filter(|_| !self.repeated.contains(name)).map(String::as_str)
    }

    /// Refuses parameters of which one came twice.
    pub(super) fn each_once(&self) -> Result<(), Repeated> {
        self.repeated.first().map_or(Ok(()), |name| Err(Repeated(name.clone())))
    }
}

/// Writes a query of those parameters that have a value, such as `code=1&state=a%20b`.
pub(super) fn query(parameters: &[(&str, Option<&str>)]) -> String {
    let given = parameters.iter().filter_map(|(name, value)| Some((name, (*value)?)));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish()
}
