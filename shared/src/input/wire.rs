//! JSON as it arrives, read member by member so that every violation is found at once.

use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// A JSON value as it arrived. Integers are 64-bit; an object that repeats a member is no value at all.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer within 64 bits.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// A text.
    Text(String),
    /// An array.
    Array(Vec<Value>),
    /// An object, its members in the order of arrival.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Names the value's type for the reader of an error.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Number(_) => "a number that is not a 64-bit integer",
            Self::Text(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Number(value as f64), Value::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut members: Vec<(String, Value)> = Vec::new();
        while let Some((name, value)) = entries.next_entry::<String, Value>()? {
            if members.iter().any(|(known, _)| *known == name) {
                return Err(A::Error::custom(format_args!("the member {} occurs twice", shown(&name))));
            }
            // An object of the interface has few members; this keeps a hostile one from costing quadratic time.
            if members.len() == MAX_MEMBERS {
                return Err(A::Error::custom(format_args!("an object has more than {MAX_MEMBERS} members")));
            }
            members.push((name, value));
        }
        Ok(Value::Object(members))
    }
}

const MAX_MEMBERS: usize = 256;

/// The longest text that is searched for, in characters: no name or address of a release is longer.
pub const MAX_SEARCH_TEXT: usize = 200;

/// One thing that is wrong with a request: where, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// A JSON pointer into the body, or `?name` for a query parameter.
    pub pointer: String,
    /// What is wrong and what is allowed.
    pub detail: String,
}

/// The most violations that are kept: neither a response nor memory must grow with what a hostile body has wrong.
const MAX_KEPT: usize = 1_000;

/// The violations found so far: the first ones, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    first: Vec<Violation>,
    count: usize,
}

impl Violations {
    /// Adds a violation.
    pub fn add(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.count += 1;
        if self.first.len() < MAX_KEPT {
            self.first.push(Violation { pointer: pointer.into(), detail: detail.into() });
        }
    }

    /// Returns how many there are, those included that are not kept.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns `value` when nothing is wrong.
    ///
    /// # Errors
    ///
    /// All violations, when there are any or when there is no value.
    pub fn or_value<T>(self, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if self.count == 0 => Ok(value),
            _ => Err(self),
        }
    }

    /// Returns the first violations in the order in which they were found.
    pub fn as_slice(&self) -> &[Violation] {
        &self.first
    }
}

/// A value together with its place in the body.
#[derive(Clone, Copy)]
pub struct At<'a> {
    value: &'a Value,
    place: Place<'a>,
}

#[derive(Clone, Copy)]
enum Place<'a> {
    Root,
    Member(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(parent, name) => {
                write!(f, "{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            Self::Item(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

impl<'a> At<'a> {
    /// Starts at the body's root.
    pub fn root(value: &'a Value) -> Self {
        Self { value, place: Place::Root }
    }

    /// Returns the JSON pointer to the value.
    pub fn pointer(&self) -> String {
        self.place.to_string()
    }

    /// Adds a violation at this place.
    pub fn refuse(&self, violations: &mut Violations, detail: impl Into<String>) {
        violations.add(self.pointer(), detail);
    }

    /// Reads an integer within 64 bits.
    pub fn integer(&self, violations: &mut Violations) -> Option<i64> {
        match self.value {
            Value::Integer(value) => Some(*value),
            other => self.mistyped(violations, "a 64-bit integer", other),
        }
    }

    /// Reads a boolean.
    pub fn boolean(&self, violations: &mut Violations) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(*value),
            other => self.mistyped(violations, "a boolean", other),
        }
    }

    /// Reads a number, whole or not, or a text.
    pub fn number_or_text(&self, violations: &mut Violations) -> Option<Result<f64, &'a str>> {
        match self.value {
            Value::Integer(value) => Some(Ok(*value as f64)),
            Value::Number(value) => Some(Ok(*value)),
            Value::Text(text) => Some(Err(text)),
            other => self.mistyped(violations, "a number or a string", other),
        }
    }

    /// Reads a number, whole or not.
    pub fn number(&self, violations: &mut Violations) -> Option<f64> {
        match self.value {
            Value::Integer(value) => Some(*value as f64),
            Value::Number(value) => Some(*value),
            other => self.mistyped(violations, "a number", other),
        }
    }

    /// Reads an integer, or a text of decimal digits, the form in which ids of integers are also handed out.
    pub fn integer_or_digits(&self, violations: &mut Violations) -> Option<i64> {
        let parsed = match self.value {
            Value::Integer(value) => Some(*value),
            Value::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        match parsed {
            Some(value) => Some(value),
            None => self.mistyped(violations, "an integer or its decimal digits as a string", self.value),
        }
    }

    /// Reads a text.
    pub fn text(&self, violations: &mut Violations) -> Option<&'a str> {
        match self.value {
            Value::Text(text) => Some(text),
            other => self.mistyped(violations, "a string", other),
        }
    }

    /// Reads a text that is an identifier or a name someone must give: not empty.
    pub fn identifier(&self, violations: &mut Violations) -> Option<&'a str> {
        let text = self.text(violations)?;
        if text.is_empty() {
            self.refuse(violations, "must not be empty");
            return None;
        }
        Some(text)
    }

    /// Reads a text to search for: not blank, and short enough that looking for it costs little.
    pub fn search_text(&self, violations: &mut Violations) -> Option<&'a str> {
        let text = self.text(violations)?.trim();
        let length = text.chars().count();
        if (1..=MAX_SEARCH_TEXT).contains(&length) {
            return Some(text);
        }
        let detail = if length == 0 {
            "must not be blank; leave it out to have everything".to_owned()
        } else {
            format!("must have at most {MAX_SEARCH_TEXT} characters, has {length}")
        };
        self.refuse(violations, detail);
        None
    }

    /// Tells whether the value is an array.
    pub fn is_array(&self) -> bool {
        matches!(self.value, Value::Array(_))
    }

    /// Reads an array of `min` to `max` items; every item is read, whether others are wrong or not.
    pub fn items<T>(
        &self,
        violations: &mut Violations,
        min: usize,
        max: usize,
        mut read: impl FnMut(At<'_>, &mut Violations) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = match self.value {
            Value::Array(items) => items,
            other => return self.mistyped(violations, "an array", other),
        };
        if items.len() < min || items.len() > max {
            let bounds = match (min, max) {
                (1, 1) => "exactly 1 item".to_owned(),
                (_, usize::MAX) => format!("at least {min} items"),
                _ => format!("{min} to {max} items"),
            };
            self.refuse(violations, format!("must have {bounds}, has {}", items.len()));
            return None;
        }
        let mut values = Vec::with_capacity(items.len());
        for (index, value) in items.iter().enumerate() {
            values.extend(read(At { value, place: Place::Item(&self.place, index) }, violations));
        }
        (values.len() == items.len()).then_some(values)
    }

    /// Reads an object through `read`, and refuses the members that `read` did not ask for.
    pub fn object<T>(
        &self,
        violations: &mut Violations,
        read: impl FnOnce(&mut Members<'_>, &mut Violations) -> Option<T>,
    ) -> Option<T> {
        let members = match self.value {
            Value::Object(members) => members,
            other => return self.mistyped(violations, "an object", other),
        };
        let mut members = Members { members, place: &self.place, known: Vec::new() };
        let value = read(&mut members, violations);
        let unknown_from = violations.count;
        members.refuse_unknown(violations);
        if violations.count > unknown_from { None } else { value }
    }

    fn mistyped<T>(&self, violations: &mut Violations, wanted: &str, found: &Value) -> Option<T> {
        self.refuse(violations, format!("must be {wanted}, is {}", found.type_name()));
        None
    }
}

/// The members of an object that is being read.
pub struct Members<'a> {
    members: &'a [(String, Value)],
    place: &'a Place<'a>,
    known: Vec<&'static str>,
}

impl<'a> Members<'a> {
    /// Reads a member that must be there and must not be null.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        violations: &mut Violations,
        read: impl FnOnce(At<'_>, &mut Violations) -> Option<T>,
    ) -> Option<T> {
        match self.take(name) {
            Some(Value::Null) => self.missing(name, violations, "is required and must not be null"),
            Some(value) => read(At { value, place: Place::Member(self.place, name) }, violations),
            None => self.missing(name, violations, "is required"),
        }
    }

    /// Reads a member that may be absent; null means absent. The outer `None` says that the member is wrong.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        violations: &mut Violations,
        read: impl FnOnce(At<'_>, &mut Violations) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take(name) {
            None | Some(Value::Null) => Some(None),
            Some(value) => read(At { value, place: Place::Member(self.place, name) }, violations).map(Some),
        }
    }

    /// Reads a required member of a PATCH: absent means unchanged, null is refused.
    pub fn replaced<T>(
        &mut self,
        name: &'static str,
        violations: &mut Violations,
        read: impl FnOnce(At<'_>, &mut Violations) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take(name) {
            None => Some(None),
            Some(Value::Null) => self.missing(name, violations, "is required and cannot be cleared"),
            Some(value) => read(At { value, place: Place::Member(self.place, name) }, violations).map(Some),
        }
    }

    /// Reads an optional member of a PATCH: absent means unchanged, null clears it.
    pub fn cleared_or_replaced<T>(
        &mut self,
        name: &'static str,
        violations: &mut Violations,
        read: impl FnOnce(At<'_>, &mut Violations) -> Option<T>,
    ) -> Option<Option<Option<T>>> {
        match self.take(name) {
            None => Some(None),
            Some(Value::Null) => Some(Some(None)),
            Some(value) => {
                read(At { value, place: Place::Member(self.place, name) }, violations).map(|value| Some(Some(value)))
            }
        }
    }

    fn take(&mut self, name: &'static str) -> Option<&'a Value> {
        self.known.push(name);
        self.members.iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    fn missing<T>(&self, name: &'static str, violations: &mut Violations, detail: &str) -> Option<T> {
        violations.add(Place::Member(self.place, name).to_string(), detail);
        None
    }

    fn refuse_unknown(&self, violations: &mut Violations) {
        for (name, _) in self.members {
            if !self.known.contains(&name.as_str()) {
                // Shortened before it is escaped, so that no escape is cut in two.
                let place = Place::Member(self.place, &shown(name)).to_string();
                violations.add(place, format!("is not a member here; allowed are {}", self.known.join(", ")));
            }
        }
    }
}

/// Shortens a text of the caller's for an error.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
