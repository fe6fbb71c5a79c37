//! Reads the impressions, rate, photo, availability, and venue type in a flat row.

use dataset::inventory::is_venue_type;
use dataset::inventory::record::{Rate, Record, Text};

use super::figures::{Amount, amount, figure, persons};
use super::flat::{understood, whole};
use super::members::{HTTPS_URL, IMPRESSIONS_OF, LARGEST_FIGURE, MOST_WEEKS, is_currency, is_https, one_of};
use crate::columns::Fields;
use crate::rows::quoted;

/// The default currency of a rate.
const USUAL_CURRENCY: &str = "USD";

/// The default number of weeks that a rate covers.
const USUAL_WEEKS: i64 = 4;

pub(super) fn offer(record: &mut Record<'_>, fields: &mut Fields<'_>) {
    let has_decimal_commas = fields.notation().has_decimal_commas;
    let expected = format!("a number from 0 to {LARGEST_FIGURE}");
    let impressions = raw(fields, "weekly_impressions", |text| figure(text, has_decimal_commas), &expected);
    record.weekly_impressions = impressions.map(|number| number.round() as i64);
    record.impressions_source = fields.text("impressions_source").map(Text::Owned);
    record.impressions_vintage = fields.date("impressions_vintage").map(Text::Owned);
    let expected = "\"all\", \"5+\", or \"18+\"";
    record.persons = understood(fields, "persons", persons, expected).map(Text::Borrowed);
    let of = |text: &str| IMPRESSIONS_OF.into_iter().find(|of| text.eq_ignore_ascii_case(of));
    let expected = one_of(&IMPRESSIONS_OF);
    record.impressions_of = understood(fields, "impressions_of", of, &expected).map(Text::Borrowed);
    if impressions.is_none() {
        forget_constants(record, fields);
    }
    record.rate = rate(fields, has_decimal_commas);
    record.photo_url = photo(fields).map(Text::Owned);
    record.available_from = fields.date("available_from").map(Text::Owned);
    let venue_type = |text: &str| Some(text.to_lowercase()).filter(|text| is_venue_type(text));
    let expected = "an OpenOOH 1.1 venue type, such as transit.airports.gates";
    record.venue_type = understood(fields, "venue_type", venue_type, expected).map(Text::Owned);
}

/// Removes constants that describe impressions from a record without impressions.
fn forget_constants(record: &mut Record<'_>, fields: &Fields<'_>) {
    for (target, member) in [
        ("impressions_source", &mut record.impressions_source),
        ("impressions_vintage", &mut record.impressions_vintage),
        ("persons", &mut record.persons),
        ("impressions_of", &mut record.impressions_of),
    ] {
        member.take_if(|_| fields.is_constant(target));
    }
}

/// Reads a rate. If the currency or the number of weeks is missing, uses the default.
fn rate(fields: &mut Fields<'_>, has_decimal_commas: bool) -> Option<Rate<'static>> {
    let written =
        raw(fields, "rate", |text| amount(text, has_decimal_commas), "an amount, such as 1250 or $1,250.00");
    let currency = |text: &str| Some(text.to_uppercase()).filter(|text| is_currency(text));
    let given = understood(fields, "rate_currency", currency, "three letters, such as USD");
    let given_weeks = whole(fields, "rate_weeks", 1, MOST_WEEKS);
    let Amount { amount, currency, weeks: other_weeks } = written?;
    if let (Some(given), Some(other)) = (&given, &currency)
        && given != other
    {
        fields.reject(format!("rate is in {other}, but rate_currency is {given}; correct one of them"));
    }
    if let (Some(given), Some(other)) = (given_weeks, other_weeks)
        && given != other
    {
        fields.reject(format!("rate is for {other} weeks, but rate_weeks is {given}; correct one of them"));
    }
    let currency = given.or(currency).unwrap_or_else(|| USUAL_CURRENCY.to_owned());
    Some(Rate {
        amount: Some(amount),
        currency: Some(currency.into()),
        weeks: Some(given_weeks.or(other_weeks).unwrap_or(USUAL_WEEKS)),
    })
}

fn photo(fields: &mut Fields<'_>) -> Option<String> {
    let url = fields.url("photo_url")?;
    if !is_https(&url) {
        fields.reject(format!("photo_url {} is not {HTTPS_URL}", quoted(&url)));
        return None;
    }
    Some(url)
}

/// Reads a number with `parse`, without replacing decimal commas first, because commas and points can be
/// thousands separators.
fn raw<T>(
    fields: &mut Fields<'_>,
    target: &str,
    parse: impl FnOnce(&str) -> Option<T>,
    expected: &str,
) -> Option<T> {
    let text = fields.text(target)?;
    let value = parse(&text);
    if value.is_none() {
        fields.reject(format!("{target} {} is not {expected}", quoted(&text)));
    }
    value
}
