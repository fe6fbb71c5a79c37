//! The visit model, which estimates the visits to each place from the number of persons nearby, competing
//! places, and the size of the place.
//!
//! The results are estimates, not measurements. They depend only on the inputs, not on random numbers, the
//! time, or the number of threads.
//!
//! - **Nearby residents**: `Σ population × exp(−km ÷ reach)` over the ZIP codes within six times the reach,
//!   which depends on the place type. If there are no residents in this range, the nearest inhabited ZIP code
//!   counts as if it were at the end of the range.
//! - **People**: `residents + w × Σ workers × exp(−km ÷ reach)`, where `w` depends on the place type.
//! - **Share under competition**: `(1 + Σ exp(−km ÷ reach))^−0.3` over the other places of the same type
//!   within six times the reach.
//! - **Transit**: `(1 + daily riders ÷ 10,000)^t`, counting the riders at stops within 400 m. `t` depends on
//!   the place type.
//! - **Visits in an average week**: `base × (√(people ÷ median people) × share ÷ median share)^s × transit ×
//!   size × factor of the format`, rounded, but at least 1. `s` depends on the place type. The medians are
//!   computed over the type's places without counted visits. Places with counted visits keep their counts,
//!   and all other places of the type have fewer visits than any of them.
//! - **Base**: the place type's base, except for brands with a published average. For these brands, it's
//!   `average ÷ mean of the other factors`, so that the mean visits to the brand's standalone places equal
//!   the average.
//! - **Percentile**: the percentage of the other places of the same type that have fewer visits, rounded
//!   down.
//! - **Other figures**: derived from the visits, as described in `outline`.

mod apportion;
mod brands;
mod error;
mod inputs;
mod measures;
mod outline;
pub(crate) mod parallel;
mod parameters;
mod percentiles;
mod surroundings;
#[cfg(test)]
mod tests;

pub(crate) use apportion::apportion;
pub(crate) use brands::{Brands, Format};
pub use error::{ModelError, ParameterError};
pub(crate) use inputs::{Inputs, ModelPlace, ModelZip};
pub(crate) use measures::write;
pub(crate) use parameters::PlaceTypes;
