//! `Accept`: which form of an answer a client wants most (RFC 9110, section 12.5.1).

use http::{HeaderMap, header};

use crate::http::content_type::ContentType;
use crate::http::preference::weighted;

/// How closely a media range names a media type.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Precision {
    AnyType,
    AnySubtype,
    Exact,
}

/// Returns the form that is wanted most; `None` where none is accepted.
///
/// Of equal weight is first what is named more closely, so that `text/csv, */*` is CSV, and then what is
/// offered first. Without a header everything is accepted. Parameters other than the weight do not count.
pub(super) fn preferred(headers: &HeaderMap, offered: &[ContentType]) -> Option<ContentType> {
    // Each media range is `text/csv`, `text/*` or `*/*`.
    let ranges: Vec<_> = weighted(headers, header::ACCEPT).collect();
    if ranges.is_empty() {
        return offered.first().copied();
    }
    let accepted = offered.iter().filter_map(|one| Some((wanted(&ranges, one.name())?, *one)));
    let best = accepted.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, content_type)| content_type)
}

/// Returns the weight of a media type, which that of the range has that names it most closely.
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
    // A lone asterisk is what old clients write for any type.
    if range == "*/*" || range == "*" {
        return Some(Precision::AnyType);
    }
    let (kind, _) = media_type.split_once('/')?;
    let of_kind = range.strip_suffix("/*")?;
    of_kind.eq_ignore_ascii_case(kind).then_some(Precision::AnySubtype)
}
