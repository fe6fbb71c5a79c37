//! Selects the response format that a client prefers, based on `Accept` (RFC 9110, section 12.5.1).

use http::{HeaderMap, header};

use crate::http::content_type::ContentType;
use crate::http::preference::weighted;

/// How precisely a media range matches a media type, from least to most precise.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Precision {
    AnyType,
    AnySubtype,
    Exact,
}

/// Returns the format that the client prefers, or `None` if it doesn't accept any of the `offered` formats.
///
/// Among formats with the same weight, selects the one with the most precise match, so `text/csv, */*`
/// selects CSV. If these tie, too, selects the first one in `offered`. Without the header, every format is
/// accepted. Parameters other than the weight are ignored.
pub(super) fn preferred(headers: &HeaderMap, offered: &[ContentType]) -> Option<ContentType> {
    // Media ranges have the form `text/csv`, `text/*`, or `*/*`.
    let ranges: Vec<_> = weighted(headers, header::ACCEPT).collect();
    if ranges.is_empty() {
        return offered.first().copied();
    }
    let accepted = offered.iter().filter_map(|one| Some((wanted(&ranges, one.name())?, *one)));
    let best = accepted.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, content_type)| content_type)
}

/// Returns the weight and precision of the range that matches a media type most precisely. Returns `None` if
/// no range matches or its weight is 0.
fn wanted(ranges: &[(&str, f32)], media_type: &str) -> Option<(f32, Precision)> {
    let naming = ranges.iter().filter_map(|(name, weight)| Some((precision(name, media_type)?, *weight)));
    let (precision, weight) =
        naming.reduce(|closest, next| if next.0 > closest.0 { next } else { closest })?;
    (weight > 0.0).then_some((weight, precision))
}

fn precision(range: &str, media_type: &str) -> Option<Precision> {
    if range.eq_ignore_ascii_case(media_type) {
        return Some(Precision::Exact);
    }
    // Old clients send a single asterisk to accept any type.
    if range == "*/*" || range == "*" {
        return Some(Precision::AnyType);
    }
    let (kind, _) = media_type.split_once('/')?;
    let of_kind = range.strip_suffix("/*")?;
    of_kind.eq_ignore_ascii_case(kind).then_some(Precision::AnySubtype)
}
