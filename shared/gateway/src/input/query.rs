//! Query parameters. They are parsed without a derive, because checking a cursor requires the caller and
//! other parameters.

use axum::extract::{FromRequestParts, Query};
use http::request::Parts;

use super::violations::{InvalidValue, Violations, quoted, shown};

/// The allowed page sizes.
const LIMITS: std::ops::RangeInclusive<usize> = 1..=100;

const DEFAULT_LIMIT: usize = 25;

/// A request's query parameters, in their original order.
#[derive(Clone, Debug)]
pub struct QueryParameters(Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for QueryParameters {
    type Rejection = Violations;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Violations> {
        Query::try_from_uri(&parts.uri)
            .map(|Query(pairs)| Self(pairs))
            .map_err(|_| Violations::one("?", "must be name=value pairs separated by &"))
    }
}

impl QueryParameters {
    /// Adds a violation for each unknown or repeated parameter.
    pub fn allow(&self, known: &[&str], violations: &mut Violations) {
        for (index, (name, _)) in self.0.iter().enumerate() {
            let pointer = format!("?{}", shown(name));
            if !known.contains(&name.as_str()) {
                let allowed = match known {
                    [] => "this operation has no parameters".to_owned(),
                    known => format!("allowed parameters: {}", known.join(", ")),
                };
                violations.add(pointer, format!("is an unknown parameter; {allowed}"));
            } else if self.0[..index].iter().any(|(earlier, _)| earlier == name) {
                violations.add(pointer, "must be given only once");
            }
        }
    }

    /// Returns a violation for each parameter, for operations without parameters.
    pub fn refuse_all(&self) -> Result<(), Violations> {
        let mut violations = Violations::default();
        self.allow(&[], &mut violations);
        violations.or(())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Parses a parameter with `read`. Returns `None` if the parameter is missing. If it's invalid, adds a
    /// violation and also returns `None`.
    pub fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, InvalidValue>,
        violations: &mut Violations,
    ) -> Option<T> {
        let read = read(self.get(name)?);
        read.map_err(|InvalidValue(detail)| violations.add(format!("?{name}"), detail)).ok()
    }

    /// Reads `limit`, a list's page size, from 1 to 100. The default is 25. If it's invalid, adds a violation
    /// and returns 25.
    pub fn limit(&self, violations: &mut Violations) -> usize {
        let Some(text) = self.get("limit") else {
            return DEFAULT_LIMIT;
        };
        // Check the digits, because `str::parse` also accepts a plus sign.
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(limit) if digits && LIMITS.contains(&limit) => limit,
            _ => {
                let (least, most) = (LIMITS.start(), LIMITS.end());
                let detail = format!("must be an integer from {least} to {most}, got {}", quoted(text));
                violations.add("?limit", detail);
                DEFAULT_LIMIT
            }
        }
    }

    /// Parses `cursor` with `read`. Returns `None` if the cursor is missing. If it's invalid, adds a
    /// violation and also returns `None`. `same` names the parameters that must be the same on all pages, for
    /// the error message.
    pub fn cursor<T>(
        &self,
        same: &str,
        read: impl FnOnce(&str) -> Option<T>,
        violations: &mut Violations,
    ) -> Option<T> {
        let after = read(self.get("cursor")?);
        if after.is_none() {
            violations
                .add("?cursor", format!("must be a cursor that this list returned for the same {same}"));
        }
        after
    }
}
