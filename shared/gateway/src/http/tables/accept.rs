//! `Accept`: which form of an answer a client wants most (RFC 9110, section 12.5.1).

use http::{HeaderMap, header};

use crate::http::content_type::ContentType;
use crate::http::preference::weight;

/// A media range, and how much it is wanted.
struct MediaRange<'a> {
    /// `text/csv`, `text/*` or `*/*`.
    name: &'a str,
    weight: f32,
}

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
    let ranges = ranges(headers);
    if ranges.is_empty() {
        return offered.first().copied();
    }
    let mut best = None;
    for content_type in offered {
        let Some(wanted) = wanted(&ranges, content_type.name()) else { continue };
        if best.is_none_or(|(most, _)| wanted > most) {
            best = Some((wanted, *content_type));
        }
    }
    best.map(|(_, content_type)| content_type)
}

fn ranges(headers: &HeaderMap) -> Vec<MediaRange<'_>> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let elements = values.flat_map(|value| value.split(',')).map(str::trim);
    let range = |element| {
        let (name, parameters) = str::split_once(element, ';').unwrap_or((element, ""));
        MediaRange { name: name.trim(), weight: weight(parameters) }
    };
    elements.filter(|element| !element.is_empty()).map(range).collect()
}

/// Returns the weight of a media type, which that of the range has that names it most closely.
fn wanted(ranges: &[MediaRange<'_>], media_type: &str) -> Option<(f32, Precision)> {
    let mut closest: Option<(f32, Precision)> = None;
    for MediaRange { name, weight } in ranges {
        let Some(precision) = precision(name, media_type) else { continue };
        if closest.is_none_or(|(_, closest)| precision > closest) {
            closest = Some((*weight, precision));
        }
    }
    closest.filter(|(weight, _)| *weight > 0.0)
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
