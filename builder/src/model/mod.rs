//! The visit model, which derives a record for each place from the persons near the place, from competing
//! places, and from the size of the place.
//!
//! The records are estimates, not measurements. They depend only on the inputs, not on random numbers, the
//! time, or the number of threads.
//!
//! - **Nearby residents**: `Σ population × exp(−km ÷ reach)` over the ZIP codes within six reaches. The reach
//!   depends on the place type. If there are no residents in this range, the nearest inhabited ZIP code
//!   counts as if its distance were six reaches.
//! - **People**: `residents + w × Σ workers × exp(−km ÷ reach)`, where `w` depends on the place type.
//! - **Share under competition**: `(1 + Σ exp(−km ÷ reach))^−0.3` over the other places of the type within
//!   six reaches.
//! - **Transit**: `(1 + daily riders ÷ 10,000)^t` for the stops within 400 m. `t` depends on the place type.
//! - **Visits in an average week**: `base × (√(people ÷ median people) × share ÷ median share)^s × transit ×
//!   size × factor of the format`, rounded, but at least 1. `s` depends on the place type. The medians are
//!   taken over the places of the type. If a type has places with counted visits, these places keep their
//!   counts, the medians are taken over the other places, and every other place has fewer visits than any
//!   counted place.
//! - **Base**: the base of the type, except for brands with a published average. For these brands, the base
//!   makes the mean visits of the brand's standalone places equal to the average: `average ÷ mean of the
//!   other factors`.
//! - **Percentile**: the percentage of the other places of the type that have fewer visits, rounded down.
//! - All other figures are derived from the visits, as described in `outline`.

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
