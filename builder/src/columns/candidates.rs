//! Finds candidate targets for a column by its name and its values.

use super::names::Name;
use super::target::Target;

/// A candidate column for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) column: String,
    /// The rank of the match. The lowest rank is the best match.
    pub(super) rank: usize,
    pub(super) reason: Reason,
}

/// The property of a column that makes it a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The column's name is exactly the target's name.
    OwnName,
    /// The column's name is the target's name, ignoring case and punctuation.
    SameName,
    /// The column's name is a common industry term for the target.
    Synonym,
    /// The column's values look like values for the target.
    Values,
}

/// Returns the targets that match a column's name, best match first.
pub(super) fn candidates<'t>(
    column: &str,
    targets: impl Iterator<Item = &'t Target>,
) -> Vec<(&'t Target, Candidate)> {
    let name = Name::of(column);
    let fit = |target: &'t Target| {
        let (rank, reason) = fit(column, &name, target)?;
        Some((target, Candidate { column: column.to_owned(), rank, reason }))
    };
    let mut fitting: Vec<_> = targets.filter_map(fit).collect();
    fitting.sort_by_key(|(_, candidate)| candidate.rank);
    fitting
}

fn fit(column: &str, name: &Name, target: &Target) -> Option<(usize, Reason)> {
    if column == target.name {
        return Some((0, Reason::OwnName));
    }
    let mut keys = vec![name.key(), name.plain_key()];
    if matches!(target.name, "size" | "height" | "width") {
        keys.push(name.without_unit().0);
    }
    let own = target.name.replace('_', "");
    if keys.contains(&own) {
        return Some((1, Reason::SameName));
    }
    let group = target.synonyms.iter().position(|group| keys.iter().any(|key| group.contains(&key.as_str())));
    let by_pattern = match target.name {
        "weekly_impressions" => name.impressions().is_some(),
        "rate" => name.rate().is_some(),
        _ => false,
    };
    let group = group.or(by_pattern.then_some(0))?;
    Some((2 + group, Reason::Synonym))
}

/// Returns whether the values look like American latitudes or longitudes, depending on `target`: all of them
/// are in range, and at least one has three or more decimal places.
pub(super) fn looks_like_degrees(values: &[String], target: &str) -> bool {
    let bounds = if target == "latitude" { 17.0..72.0 } else { -180.0..-64.0 };
    let has_decimals = |text: &String| text.split_once('.').is_some_and(|(_, decimals)| decimals.len() >= 3);
    let is_within = |text: &String| text.parse::<f64>().is_ok_and(|degrees| bounds.contains(&degrees));
    values.iter().any(has_decimals) && values.iter().all(is_within)
}
