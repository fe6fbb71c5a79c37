//! Validates the impressions, rate, photo, availability, venue type, read side, status, and modelled members
//! of a complete record.

use dataset::inventory::record::{Rate, Record, Text};
use dataset::inventory::{Field, FieldSet, is_venue_type};
use url::Url;

use super::complete::{MEASURED, MODELLED, has_status};
use crate::dates::is_date;
use crate::rows::{Reasons, quoted};

/// The maximum number of weekly impressions and the maximum amount of a rate.
pub(super) const LARGEST_FIGURE: i64 = 1_000_000_000_000;

/// The maximum number of weeks that a rate can cover.
pub(super) const MOST_WEEKS: i64 = 520;

/// The groups of people whose impressions a record can count.
pub(super) const PERSONS: [&str; 3] = ["all", "5+", "18+"];

/// The units for which impressions can be counted.
pub(super) const IMPRESSIONS_OF: [&str; 2] = ["display", "spot"];

/// The sides of the road from which a display can be read.
pub(super) const READ_SIDES: [&str; 3] = ["left", "right", "center"];

/// What [`is_https`] accepts, in the words of the reasons for rejections.
pub(super) const HTTPS_URL: &str = "a valid https:// URL (user names and passwords are not allowed)";

pub(super) fn check_members(record: &Record<'_>, reasons: &mut Reasons) {
    if let Some(number) = record.weekly_impressions
        && !(0..=LARGEST_FIGURE).contains(&number)
    {
        reasons.add(format!("weekly_impressions: {number} is not between 0 and {LARGEST_FIGURE}"));
    }
    for (member, text, allowed) in [
        ("persons", &record.persons, &PERSONS[..]),
        ("impressions_of", &record.impressions_of, &IMPRESSIONS_OF),
        ("read_side", &record.read_side, &READ_SIDES),
    ] {
        check_text(member, text, |text| allowed.contains(&text), &one_of(allowed), reasons);
    }
    for (member, text) in
        [("impressions_vintage", &record.impressions_vintage), ("available_from", &record.available_from)]
    {
        check_text(member, text, is_date, "a calendar date (YYYY-MM-DD)", reasons);
    }
    check_text("photo_url", &record.photo_url, is_https, HTTPS_URL, reasons);
    let venue_type = "an OpenOOH 1.1 venue type, such as transit.airports.gates";
    check_text("venue_type", &record.venue_type, is_venue_type, venue_type, reasons);
    if let Some(rate) = &record.rate {
        check_rate(rate, reasons);
    }
    for (at, path) in record.modelled.iter().flatten().enumerate() {
        if FieldSet::at(path).is_none() {
            let rule = "is not the path of a member, such as location.orientation";
            reasons.add(format!("modelled[{at}]: {} {rule}", quoted(path)));
        }
    }
    check_status(record, reasons);
}

/// Checks that a display with modelled figures doesn't have the status of a measured one.
fn check_status(record: &Record<'_>, reasons: &mut Reasons) {
    let modelled = record.modelled.iter().flatten().filter_map(|path| FieldSet::at(path));
    let modelled = modelled.fold(FieldSet::NONE, FieldSet::or);
    let figures = FieldSet::NONE.with(Field::WeeklyImpressions).with(Field::FaceSpotMeasures);
    if has_status(record, MEASURED) && modelled.has_any(figures) {
        reasons.add(format!(
            "status_type.name is {MEASURED:?}, but modelled includes impressions or measures; set \
             status_type.name to {MODELLED:?}"
        ));
    }
}

fn check_rate(rate: &Rate<'_>, reasons: &mut Reasons) {
    let Rate { amount, currency, weeks } = rate;
    if let Some(amount) = amount
        && !(0.0..=LARGEST_FIGURE as f64).contains(amount)
    {
        reasons.add(format!("rate.amount: {amount} is not between 0 and {LARGEST_FIGURE}"));
    }
    check_text("rate.currency", currency, is_currency, "three capital letters, such as USD", reasons);
    if let Some(weeks) = weeks
        && !(1..=MOST_WEEKS).contains(weeks)
    {
        reasons.add(format!("rate.weeks: {weeks} is not between 1 and {MOST_WEEKS}"));
    }
}

fn check_text(
    member: &str,
    text: &Option<Text<'_>>,
    is_allowed: impl Fn(&str) -> bool,
    rule: &str,
    reasons: &mut Reasons,
) {
    if let Some(text) = text.as_deref().filter(|text| !is_allowed(text)) {
        reasons.add(format!("{member}: {} is not {rule}", quoted(text)));
    }
}

/// Joins allowed values, as in `"left", "right", or "center"`.
pub(super) fn one_of(allowed: &[&str]) -> String {
    let quoted: Vec<String> = allowed.iter().map(|text| format!("{text:?}")).collect();
    match quoted.split_last() {
        Some((last, [one])) => format!("{one} or {last}"),
        Some((last, others @ [_, ..])) => format!("{}, or {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}

/// Returns whether a string has the form of an ISO 4217 currency code.
pub(super) fn is_currency(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Returns whether a string is an `https` address without a user name or password. Whitespace and control
/// characters are rejected before parsing, because the parser ignores them.
pub(super) fn is_https(text: &str) -> bool {
    let is_plain =
        text.starts_with("https://") && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    is_plain
        && Url::parse(text)
            .is_ok_and(|url| url.has_host() && url.username().is_empty() && url.password().is_none())
}
