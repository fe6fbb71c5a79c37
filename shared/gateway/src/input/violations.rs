//! Collects all errors in a request, along with their locations, so that callers can fix them all at once.
//! This matters for large bodies, such as a campaign with 2,000 spots.

use std::borrow::Borrow;
use std::fmt::Display;
use std::ops::ControlFlow;

use deserr::{
    DeserializeError, ErrorKind, IntoValue, MergeWithError, Sequence, Value, ValueKind, ValuePointerRef,
};
use serde::Serialize;
use strum::VariantNames;

/// The maximum number of violations to keep. Without this limit, a malicious body could cause an enormous
/// response or exhaust the memory.
const MAX_KEPT: usize = 1_000;

/// The maximum number of characters that an error message quotes from a caller's string.
const MAX_SHOWN: usize = 100;

/// 2^63, the smallest positive integer that doesn't fit in a signed 64-bit integer.
const BEYOND_64_BITS: f64 = 9_223_372_036_854_775_808.0;

/// An error in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The error's location: a JSON pointer into the body ([RFC
    /// 6901](https://www.rfc-editor.org/rfc/rfc6901)), `?name` for a query parameter, or a header name.
    pub pointer: String,
    /// The rule that the request violates, such as `must not be empty`.
    pub detail: String,
}

/// The violations found so far. Only the first 1,000 are kept, but all are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    first: Vec<Violation>,
    count: usize,
}

/// The rule that a value violates, such as `must not be empty`. The code that reads the value adds the
/// location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidValue(pub String);

impl InvalidValue {
    /// Returns the error for a string that doesn't match any variant of an enum.
    pub fn no_variant<T: VariantNames>(text: &str) -> Self {
        Self(one_of(T::VARIANTS, text))
    }

    /// Returns the error for a string that violates a rule. The message quotes the string.
    pub fn quoting(rule: impl Display, text: &str) -> Self {
        Self(format!("{rule}, got {}", quoted(text)))
    }
}

impl Violations {
    /// Creates a list with one violation.
    pub fn one(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let mut violations = Self::default();
        violations.add(pointer, detail);
        violations
    }

    /// Creates a list with one violation at a location in the body.
    pub fn at(location: ValuePointerRef<'_>, detail: impl Into<String>) -> Self {
        Self::one(pointer(location), detail)
    }

    /// Returns the violation for a value of the wrong type. Null members are reported as missing.
    pub fn mistyped<V: IntoValue>(location: ValuePointerRef<'_>, wanted: &str, found: &Value<V>) -> Self {
        if matches!((found, location), (Value::Null, ValuePointerRef::Key { .. })) {
            return Self::at(location, "is required and must not be null");
        }
        Self::at(location, format!("must be {wanted}, got {}", got(wanted, found)))
    }

    /// Returns the violation for an unknown object member.
    pub fn unknown_member(object: ValuePointerRef<'_>, name: &str, allowed: &[&str]) -> Self {
        let detail = format!("is an unknown member; allowed members: {}", allowed.join(", "));
        // Shorten the name before it's escaped, because shortening it later could cut an escape sequence in
        // two.
        Self::at(object.push_key(&shown(name)), detail)
    }

    pub fn add(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.count += 1;
        if self.first.len() < MAX_KEPT {
            self.first.push(Violation { pointer: pointer.into(), detail: detail.into() });
        }
    }

    /// Adds violations from another check of the same request.
    pub fn append(&mut self, others: Self) {
        let room = MAX_KEPT - self.first.len();
        self.first.extend(others.first.into_iter().take(room));
        self.count += others.count;
    }

    /// Prepends `parent` to all pointers, for violations found in the part of the body at `parent`.
    pub fn below(mut self, parent: &str) -> Self {
        for Violation { pointer, .. } in &mut self.first {
            pointer.insert_str(0, parent);
        }
        self
    }

    /// Adds explanations to violations. `explanation` returns the text for a pointer, if there is one.
    pub fn explained(mut self, explanation: impl Fn(&str) -> Option<&'static str>) -> Self {
        for Violation { pointer, detail } in &mut self.first {
            if let Some(text) = explanation(pointer) {
                *detail = format!("{detail}; {text}");
            }
        }
        self
    }

    /// Returns the number of violations, including those that weren't kept.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the kept violations in the order in which they were found.
    pub fn as_slice(&self) -> &[Violation] {
        &self.first
    }

    /// Returns `value` if there are no violations, and the violations as an error otherwise.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.count == 0 { Ok(value) } else { Err(self) }
    }

    /// Combines two checks. Returns the value of `read` if neither found violations. Otherwise, returns the
    /// violations in `read`, followed by the violations in `self`.
    pub fn and<T>(self, read: Result<T, Self>) -> Result<T, Self> {
        match read {
            Ok(value) => self.or(value),
            Err(mut violations) => {
                violations.append(self);
                Err(violations)
            }
        }
    }
}

impl DeserializeError for Violations {
    fn error<V: IntoValue>(
        found: Option<Self>,
        error: ErrorKind<'_, V>,
        location: ValuePointerRef<'_>,
    ) -> ControlFlow<Self, Self> {
        let violation = match error {
            ErrorKind::IncorrectValueKind { actual, accepted } => {
                Self::mistyped(location, wanted(accepted), &actual)
            }
            ErrorKind::MissingField { field } => Self::at(location.push_key(field), "is required"),
            ErrorKind::UnknownKey { key, accepted } => Self::unknown_member(location, key, accepted),
            ErrorKind::UnknownValue { value, accepted } => Self::at(location, one_of(accepted, value)),
            ErrorKind::BadSequenceLen { actual, expected } => {
                Self::at(location, format!("must have exactly {expected} items, but has {}", actual.len()))
            }
            ErrorKind::Unexpected { msg } => Self::at(location, msg),
        };
        Self::merge(found, violation, location)
    }
}

impl MergeWithError<Self> for Violations {
    fn merge(found: Option<Self>, others: Self, _location: ValuePointerRef<'_>) -> ControlFlow<Self, Self> {
        let mut found = found.unwrap_or_default();
        found.append(others);
        ControlFlow::Continue(found)
    }
}

impl MergeWithError<InvalidValue> for Violations {
    fn merge(
        found: Option<Self>,
        invalid: InvalidValue,
        location: ValuePointerRef<'_>,
    ) -> ControlFlow<Self, Self> {
        Self::merge(found, Self::at(location, invalid.0), location)
    }
}

/// Returns an error message that lists the allowed strings and quotes the received one.
pub fn one_of<S: Borrow<str> + Display>(allowed: &[S], text: &str) -> String {
    let allowed = match allowed {
        [one, other] => format!("{one} or {other}"),
        _ => format!("one of {}", allowed.join(", ")),
    };
    format!("must be {allowed}, got {}", quoted(text))
}

/// Returns an error message for an unknown name. It suggests the closest known names, and `list`, the call
/// that returns all of them.
pub fn unknown_name(what: &str, text: &str, nearest: &[&str], list: &str) -> String {
    let names: Vec<_> = nearest.iter().map(|name| format!("\"{name}\"")).collect();
    let nearest = match names.as_slice() {
        [] => String::new(),
        [one] => format!("; the closest match is {one}"),
        [one, other] => format!("; the closest matches are {one} and {other}"),
        [others @ .., last] => format!("; the closest matches are {}, and {last}", others.join(", ")),
    };
    format!("must be a known {what}, got {}{nearest}; for the full list, see {list}", quoted(text))
}

/// Shortens a caller's string for an error message.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Shortens and quotes a caller's string for an error message.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text))
}

fn pointer(location: ValuePointerRef<'_>) -> String {
    match location {
        ValuePointerRef::Origin => String::new(),
        ValuePointerRef::Key { key, prev } => {
            pointer(*prev) + "/" + &key.replace('~', "~0").replace('/', "~1")
        }
        ValuePointerRef::Index { index, prev } => pointer(*prev) + "/" + &index.to_string(),
    }
}

fn wanted(accepted: &[ValueKind]) -> &'static str {
    match accepted {
        [ValueKind::Boolean, ..] => "a boolean",
        [ValueKind::Integer | ValueKind::NegativeInteger, ..] => "a 64-bit integer",
        [ValueKind::Float, ..] => "a number",
        [ValueKind::String, ..] => "a string",
        [ValueKind::Sequence, ..] => "an array",
        [ValueKind::Map, ..] => "an object",
        [ValueKind::Null, ..] | [] => "null",
    }
}

/// Describes a value of the wrong type. If an integer is expected and the value is another number, quotes the
/// number or explains how to write it.
fn got<V: IntoValue>(wanted: &str, value: &Value<V>) -> String {
    match value {
        Value::Float(float) if wanted.contains("integer") => {
            if float.fract() == 0.0 && (-BEYOND_64_BITS..BEYOND_64_BITS).contains(float) {
                "a number beyond 2^53 with a decimal point or an exponent; write it in plain digits"
                    .to_owned()
            } else {
                format!("{float:?}")
            }
        }
        _ => type_name(value).to_owned(),
    }
}

fn type_name<V: IntoValue>(value: &Value<V>) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Boolean(_) => "a boolean",
        Value::Integer(_) | Value::NegativeInteger(_) | Value::Float(_) => "a number",
        Value::String(_) => "a string",
        Value::Sequence(_) => "an array",
        Value::Map(_) => "an object",
    }
}
