//! The visit model, which derives a record for each place from its location: from the residents nearby and
//! the competing places.
//!
//! The result is an estimate, not a measurement. It depends only on the inputs, not on random numbers, time,
//! or the number of threads.
//!
//! - **Nearby residents**: `Σ population × exp(−km ÷ reach)` over the ZIP codes within six reaches. The reach
//!   depends on the place type. If this range contains only uninhabited ZIP codes, the nearest inhabited one
//!   counts with a distance of six reaches.
//! - **Share under competition**: `(1 + Σ exp(−km ÷ reach))^−0.3` over the other places of the type.
//! - **Visits of an average week**: `base of the type × √(residents ÷ median residents) × share ÷ median
//!   share`, rounded, at least 1. The medians are those of the type. If a type has places with counted
//!   visits, these places keep their counts, the medians are those of the other places, and every other place
//!   has fewer visits than any counted place.
//! - **Percentile**: the percentage of the other places of the type that have fewer visits, rounded down.
//! - All other figures follow from the visits, as described in `outline`.

mod apportion;
mod error;
mod history;
mod inputs;
mod measures;
mod outline;
mod parallel;
mod parameters;
mod percentiles;
mod surroundings;
#[cfg(test)]
mod tests;

pub use error::{ModelError, ParameterError};
pub(crate) use inputs::{Inputs, ModelPlace, ModelZip};
pub(crate) use measures::write;
pub(crate) use parameters::PlaceTypes;
