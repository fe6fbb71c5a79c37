//! The targets that columns can be mapped to.

use super::fields::is_iso_date;

/// A property of a place or display that a column can supply.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    pub(crate) form: Form,
    /// Returns whether a value can be parsed. For a target whose values are usually known names, returns
    /// whether the value is one of them. For other text targets, returns `true`.
    pub(crate) is_understood: fn(&str) -> bool,
    /// Column names that indicate this target, as returned by [`Name::key`](super::names::Name::key). Names
    /// in an earlier group take precedence over names in a later group.
    pub(crate) synonyms: &'static [&'static [&'static str]],
}

/// A kind of target, which determines how missing values are recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Any text.
    Text,
    /// A calendar date. A placeholder such as `n/a` counts as a missing value.
    Date,
    /// A number, size, flag, or similar value. A placeholder such as `n/a` counts as a missing value.
    Value,
}

/// A target that every row must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Required {
    /// The target's name.
    pub target: &'static str,
    /// Whether a GeoJSON feature's position can be used instead of the target.
    pub is_coordinate: bool,
}

/// The targets for one kind of record, and which of them are required.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    pub targets: &'static [Target],
    pub(crate) required: &'static [Required],
    /// If this list isn't empty, at least one of its targets is required.
    pub(crate) any_of: &'static [&'static str],
    /// The option of `marquee release propose-map` that selects these targets.
    pub(crate) option: &'static str,
}

impl Target {
    pub(crate) const fn text(name: &'static str, synonyms: &'static [&'static [&'static str]]) -> Self {
        Self { name, form: Form::Text, is_understood: |_| true, synonyms }
    }

    /// Creates a text target whose values are usually known names.
    pub(crate) const fn name(
        name: &'static str,
        is_understood: fn(&str) -> bool,
        synonyms: &'static [&'static [&'static str]],
    ) -> Self {
        Self { name, form: Form::Text, is_understood, synonyms }
    }

    pub(crate) const fn date(name: &'static str, synonyms: &'static [&'static [&'static str]]) -> Self {
        Self { name, form: Form::Date, is_understood: is_iso_date, synonyms }
    }

    pub(crate) const fn value(
        name: &'static str,
        is_understood: fn(&str) -> bool,
        synonyms: &'static [&'static [&'static str]],
    ) -> Self {
        Self { name, form: Form::Value, is_understood, synonyms }
    }
}

impl Form {
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Text)
    }
}

/// Placeholders for missing values in columns with numbers, dates, sizes, and similar values. The list
/// doesn't contain `unknown`, because the file's owner may want such rows to be rejected.
const PLACEHOLDERS: [&str; 12] =
    ["-", "--", "\u{2013}", "\u{2014}", "n/a", "n.a.", "na", "#n/a", "null", "none", "tbd", "tba"];

/// Returns whether a string represents a missing value, ignoring case.
pub(crate) fn is_placeholder(text: &str) -> bool {
    PLACEHOLDERS.iter().any(|placeholder| text.eq_ignore_ascii_case(placeholder))
}
