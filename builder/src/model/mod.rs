//! A model that derives the record of each place from where it is: from who lives around it, and what else is
//! there.
//!
//! It measures nothing. What it makes of a place depends on its inputs alone, not on chance, time or threads.
//!
//! - People around a place: `Σ population × exp(−km ÷ reach)` over the ZIP codes within six reaches; the
//!   reach is the type's. Where there is none, the nearest ZIP code stands at the edge.
//! - Share that competition leaves it: `(1 + Σ exp(−km ÷ reach))^−0.3` over the other places of its type.
//! - Visits of an average week: `base of the type × √(people ÷ median people) × share ÷ median share`, the
//!   medians being those of the type, rounded, at least 1. Where the visits of some places of a type are
//!   counted, those have their counts, the medians are those of the others, and the others have fewer visits
//!   than any counted one.
//! - Percentile: how many of a hundred other places of the type have fewer visits, rounded down.
//! - Everything else follows from the visits: see `outline`.

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
