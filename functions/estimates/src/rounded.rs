//! Figures as responses contain them.

/// Rounds a positive figure to a whole number.
#[expect(clippy::cast_sign_loss, reason = "all figures are positive")]
pub(crate) fn whole(figure: f64) -> u64 {
    figure.round() as u64
}

/// Rounds a figure to two decimals.
pub(crate) fn hundredths(figure: f64) -> f64 {
    (100.0 * figure).round() / 100.0
}
